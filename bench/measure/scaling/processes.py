"""Times processes of one thread that run at the same time, and compares threads with them (ratios.csv).

SPDX-License-Identifier: MIT
"""
import os
import statistics
import subprocess
import sys

from measure.scaling.plan import rows_of, write_rows
from measure.programs import started

HEAD = ("scene", "agents", "processes", "isa", "agents_per_ms")
RATIOS_HEAD = ("scene", "agents", "threads", "isa", "round", "threads_agents_per_ms", "processes_agents_per_ms",
               "ratio")
TABLES = ("ratios.csv",)


def start_on(cpu, command, **options):
    """Starts a program on one logical CPU."""
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, [cpu])  # the program inherits it
    try:
        return subprocess.Popen([str(word) for word in command], **options)
    finally:
        os.sched_setaffinity(0, own)


def at_once(plan, count, agents):
    """Runs `count` processes of one thread at the same time, each on a logical CPU of its own. The rounds take about a
    second, so that they do run at the same time. Returns their row of alone.csv. If a process fails, prints why and
    returns None."""
    outputs = [plan.work / f"alone{k}" for k in range(count)]
    command = plan.command(agents, 1, plan.isas[-1], plan.rounds_of_a_second(agents), "--quiet")
    with started() as processes:
        for cpu, out in zip(plan.cpus, outputs):
            with out.with_suffix(".stderr").open("w") as errors:
                processes.append(start_on(cpu, [*command, "--out", out, "--csv", out.with_suffix(".csv")],
                                          stderr=errors))
        failed = [out for process, out in zip(processes, outputs) if process.wait() != 0]
    for out in failed:
        print(f"scaling: one of {count} processes at once failed:\n" + out.with_suffix(".stderr").read_text(), end="",
              file=sys.stderr)
    if failed:
        return None
    rows = [rows_of(out.with_suffix(".csv"))[0] for out in outputs]
    rate = sum(float(row["agents_per_ms"]) for row in rows)
    return [rows[0]["scene"], rows[0]["agents"], count, rows[0]["isa"], f"{rate:.1f}"]


def compare(plan):
    """Runs processes and threads in turn, writes ratios.csv with each round, and prints each ratio."""
    rows = [RATIOS_HEAD]
    for agents in plan.agents:
        for threads in plan.threads:
            rounds = [compare_once(plan, agents, threads, number) for number in range(1, plan.rounds + 1)]
            print_ratio(rounds)
            rows += rounds
    write_rows(plan.work / "ratios.csv", rows)


def compare_once(plan, agents, threads, number):
    """Returns a row of ratios.csv."""
    processes = at_once(plan, threads, agents)
    if not processes:
        sys.exit(1)
    row = plan.measure(agents, threads, plan.rounds_of_a_second(agents, threads))
    ratio = float(row["agents_per_ms"]) / float(processes[-1])
    return [row["scene"], row["agents"], row["threads"], row["isa"], number, row["agents_per_ms"], processes[-1],
            f"{ratio:.3f}"]


def print_ratio(rounds):
    ratios = [float(row[-1]) for row in rounds]
    median = statistics.median_low(ratios)
    scene, agents, threads, isa, _, rate, processes, _ = rounds[ratios.index(median)]
    print(f"{scene}, {agents} agents, {isa}, {threads} threads: {median:.2f} of as many processes at once "
          f"({min(ratios):.2f} to {max(ratios):.2f}); median round: {float(rate):.0f} and {float(processes):.0f} "
          "agents/ms")
