"""What bench/scaling measures, and how it finds and runs throng-run.

SPDX-License-Identifier: MIT
"""
import csv
import dataclasses
import os
import pathlib
import subprocess

from measure.programs import BENCH, NO_AGENTS, ROOT, built, must_run, run

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


def has(throng_run, isa, folder):
    """Whether the machine has an instruction set. `folder` is for throng-run's files."""
    return run(throng_run, "--isa", isa, *NO_AGENTS, "--quiet", "--out", folder, stdout=subprocess.DEVNULL,
               stderr=subprocess.DEVNULL).returncode == 0


def find_run():
    """Returns throng-run: the one that THRONG_RUN names, or one that is built now."""
    if not os.environ.get("THRONG_RUN"):
        must_run(BENCH / "run", "--version", stdout=subprocess.DEVNULL)
    return os.environ.get("THRONG_RUN") or built(ROOT)


def prepare_mpi_run():
    """Builds throng-mpi-run once, and not for each call of bench/mpi-run."""
    if not os.environ.get("THRONG_MPI_RUN"):
        must_run(BENCH / "mpi-run", "-np", "1", "--help", stdout=subprocess.DEVNULL)
        os.environ["THRONG_MPI_RUN"] = str(built(ROOT, "throng-mpi-run"))
