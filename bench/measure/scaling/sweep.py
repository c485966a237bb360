"""Times all combinations of agents, threads and instruction sets (results.csv), and processes of one thread before and
after them (alone.csv).

SPDX-License-Identifier: MIT
"""
import subprocess
import sys

from measure.scaling.plan import rows_of, write_rows
from measure.scaling.processes import HEAD, at_once
from measure.programs import exit_status, started

PICTURES = ("threads", "agents", "passes")
TABLES = ("results.csv", "alone.csv")


def sweep(plan):
    """Measures, writes TABLES, and prints the rates."""
    alone = []
    lines = []
    for agents in plan.agents:
        before = measure_alone(plan, agents)
        table = plan.work / f"{agents}.csv"
        show(plan, plan.command(agents, join(plan.threads), join(plan.isas), plan.rounds, "--out", plan.work / "run",
                                "--csv", table))
        lines += table.read_text().splitlines(keepends=True)[1 if lines else 0:]
        after = measure_alone(plan, agents)
        alone += [*before.values(), *after.values()]
        print_shares(rows_of(table), before, after, plan.isas[-1])
    (plan.work / "results.csv").write_text("".join(lines))
    write_rows(plan.work / "alone.csv", [HEAD, *alone])


def join(values):
    return ",".join(str(value) for value in values)


def measure_alone(plan, agents):
    """Returns {number: row of alone.csv} for each thread count for which there are enough CPUs. A row whose processes
    fail is missing."""
    rows = {count: at_once(plan, count, agents) for count in plan.threads if count <= len(plan.cpus)}
    return {count: row for count, row in rows.items() if row}


def show(plan, command):
    """Runs throng-run and prints its output without the paths of temporary files."""
    with started() as processes:
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)
        processes.append(process)
        for line in process.stdout:
            if not line.startswith(f"{plan.work}/"):
                print(line, end="")
        process.wait()
        if process.returncode != 0:
            sys.exit(exit_status(process))


def print_shares(rows, before, after, isa):
    """Prints how the rate of N threads compares with N times that of one, and with that of N processes."""
    one = None
    for row in rows:
        threads, rate = int(row["threads"]), float(row["agents_per_ms"])
        if row["isa"] != isa:
            continue
        if threads == 1:
            one = rate
        if one and threads in after:
            earlier = rate / float(before[threads][-1]) if threads in before else 0
            print(f"{isa}, {threads} threads: {rate / threads / one:.2f} of {threads} times one; of as many processes "
                  f"at once {earlier:.2f} before and {rate / float(after[threads][-1]):.2f} after")
    print()
