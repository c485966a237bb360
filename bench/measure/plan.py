"""What bench/scaling measures, and how it runs throng-run.

SPDX-License-Identifier: MIT
"""
import csv
import dataclasses
import pathlib
import subprocess
import sys

from measure.programs import must_run, run

AGENT_FRAMES = 30_000_000  # of about a second on one thread


@dataclasses.dataclass
class Plan:
    run: str  # throng-run
    work: pathlib.Path  # the folder of temporary files
    scene: str
    frames: int  # of a run
    rounds: int
    agents: list
    threads: list
    isas: list  # instruction sets
    cpus: list  # numbers of the logical CPUs
    cpu: str  # the processor's name
    best: str  # its best instruction set

    def command(self, agents, threads, isas, rounds, *more):
        return [self.run, "--scene", self.scene, "--agents", agents, "--frames", self.frames, "--threads", threads,
                "--isa", isas, "--rounds", rounds, *more]

    def measure(self, agents, threads, rounds):
        """Runs throng-run with the last instruction set. Returns the row of its table, as {column: text}."""
        file = self.work / "threads.csv"
        must_run(*self.command(agents, threads, self.isas[-1], rounds, "--quiet", "--out", self.work / "run", "--csv",
                               file))
        return rows_of(file)[0]

    def rounds_of_a_second(self, agents, threads=1):
        """Returns with how many rounds a run takes about a second: at most 100."""
        return min(AGENT_FRAMES * threads // agents // self.frames + 1, 100)


def rows_of(file):
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def write_rows(file, rows):
    """Writes a table. `rows` begins with the names of the columns."""
    with file.open("w", newline="") as lines:
        csv.writer(lines, lineterminator="\n").writerows(rows)


def instruction_sets(throng_run, folder):
    """Returns the instruction sets that the machine has, the best one last. `folder` is for throng-run's files."""
    found = []
    for isa in ("baseline", "avx2", "avx512", "neon"):
        status, said = run(throng_run, "--isa", isa, "--agents", "0", "--frames", "0", "--quiet", "--out", folder,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if status == 0:
            found.append(isa)
    if not found:
        sys.exit(said.rstrip())
    return found
