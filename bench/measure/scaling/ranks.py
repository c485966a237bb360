"""Times one world over ranks of MPI: strong and weak scaling (ranks.csv).

SPDX-License-Identifier: MIT
"""
import itertools
import json
import statistics
import subprocess
import sys

from measure.scaling.plan import write_rows
from measure.problem import Problem
from measure.programs import BENCH, run

HEAD = ("scene", "scaling", "size", "agents", "ranks", "threads", "rounds", "agents_per_ms", "agents_per_ms_min",
        "agents_per_ms_max", "step_ms", "exchange_ms", "contact_ms", "wait_ms", "cpu_ms", "bytes", "ghosts",
        "imbalance", "hash")
PICTURES = ("ranks",)
TABLES = ("ranks.csv",)
MEANS = ("step_ms", "exchange_ms", "contact_ms", "wait_ms", "cpu_ms")  # per frame
SUMS = ("bytes", "ghosts")  # sent per frame


def measure(plan, rank_counts):
    """Measures, writes ranks.csv with the median run of each combination, and prints it. Fails if worlds with the same
    number of agents have different hashes."""
    runs = [measure_once(plan, scaling, size, ranks)
            for _ in range(plan.rounds) for size in plan.agents for ranks in rank_counts
            for scaling in ("strong", "weak")]
    check_hashes(runs)
    write_rows(plan.work / "ranks.csv", [HEAD, *([row[name] for name in HEAD] for row in summarise(runs))])


def measure_once(plan, scaling, size, ranks):
    """Returns what one run measured, as {column: value}."""
    agents = size * ranks if scaling == "weak" else size
    warmup = 5 if plan.frames >= 10 else plan.frames // 2
    with (plan.work / "stderr").open("w") as errors:
        done = run(
            BENCH / "mpi-run", "-np", ranks, "--scene", plan.scene, "--agents", agents, "--frames", plan.frames,
            "--threads", plan.threads[0], "--warmup", warmup, "--json", stdout=subprocess.PIPE, stderr=errors)
    if done.returncode != 0:
        said = (plan.work / "stderr").read_text().splitlines(keepends=True)
        own = [line.removeprefix("throng-mpi-run: ") for line in said if line.startswith("throng-mpi-run: ")]
        print("".join(f"scaling: {ranks} ranks with {agents} agents: {line}" for line in own) or "".join(said), end="",
              file=sys.stderr)
        sys.exit(1)
    result = json.loads(done.stdout)
    row = {name: result[name] for name in ("scene", "agents", "threads", "agents_per_ms", "imbalance", "hash")}
    row |= {"scaling": scaling, "size": size, "ranks": len(result["ranks"])}
    row |= {name: round(statistics.fmean(rank[name] for rank in result["ranks"]), 9) for name in MEANS}
    return row | {name: sum(rank[name] for rank in result["ranks"]) for name in SUMS}


def check_hashes(runs):
    hashes = {}
    for row in runs:
        known = hashes.setdefault(row["agents"], row["hash"])
        if known != row["hash"]:
            raise Problem(f"HASHES DIFFER: {known} and {row['hash']} of {row['agents']} agents. This is a defect.", 1)


def summarise(runs):
    """Returns the median run of each combination, with the number of its rounds and their smallest and largest rate.
    Prints each."""
    def combination(row):
        return row["scaling"], row["size"], row["ranks"]

    first = {}  # {(scaling, size): the row with the smallest number of ranks}
    rows = []
    for (scaling, size, _), group in itertools.groupby(sorted(runs, key=combination), combination):
        rounds = sorted(group, key=lambda row: row["agents_per_ms"])
        middle = rounds[(len(rounds) - 1) // 2]
        rows.append(middle | {"rounds": len(rounds), "agents_per_ms_min": rounds[0]["agents_per_ms"],
                              "agents_per_ms_max": rounds[-1]["agents_per_ms"]})
        print_row(middle, first.setdefault((scaling, size), middle))
    return rows


def print_row(row, first):
    """Prints a rate and its efficiency: the rate per rank, divided by that with the smallest number of ranks."""
    def busy_rate(row):
        """Returns the agents per millisecond and rank, if no rank waited: those of the slowest rank."""
        busy = (row["step_ms"] + row["exchange_ms"] + row["contact_ms"]) * row["imbalance"]
        return row["agents"] / busy / row["ranks"]

    rate, ranks = row["agents_per_ms"], row["ranks"]
    efficiency = rate / ranks / (first["agents_per_ms"] / first["ranks"])
    print(f"{row['scene']}, {row['scaling']} scaling, {row['size']} agents"
          f"{' per rank' if row['scaling'] == 'weak' else ''}, {ranks} rank{'s' if ranks > 1 else ''}: "
          f"{rate:.0f} agents/ms, efficiency {efficiency:.2f}, without waiting {busy_rate(row) / busy_rate(first):.2f}")
