"""Runs the programs of both sides in turn, and keeps what they measured.

SPDX-License-Identifier: MIT
"""
import json
import math
import pathlib
import shutil
import subprocess

from measure import programs
from measure.compare.interval import half_width, ratio_interval
from measure.problem import Problem

# Of each run: a time in microseconds, a rate, and the world after the last frame.
VALUES = ("frame_us_median", "agents_per_ms", "hash")
STEP = "frame_time_step"  # by how much the time is rounded; older programs do not say so


class Row:
    """One row of the table. runs[side] has the results of one run for each pair; first[pair] is the side that began."""

    def __init__(self, scene, isa, threads):
        self.options = ["--scene", scene, "--isa", isa, "--threads", threads]
        self.runs, self.first = ([], []), []
        self.looks = 1  # how often the interval is looked at

    def column(self, side, value):
        return [run[value] for run in self.runs[side]]

    def label(self, value):
        """Returns a value that all runs of a side have in common; those of both sides, if they differ."""
        old, new = (str(runs[0][value]) for runs in self.runs)
        return old if old == new else f"{old}/{new}"

    def interval(self):
        times = [self.column(side, "frame_us_median") for side in (0, 1)]
        steps = [max(self.column(side, STEP)) for side in (0, 1)]
        return ratio_interval(*times, steps, self.looks)

    def same_bits(self):
        return len(set(self.column(0, "hash") + self.column(1, "hash"))) == 1


class Runner:
    """Runs copies of the programs, so that a build during the comparison changes nothing.

    The copies' paths are equally long, because the length of the arguments moves the stack, and that changes the speed.
    """

    def __init__(self, sides, options, folder):
        self.sides, self.options = sides, options
        self.folders = [pathlib.Path(folder) / str(k) for k in (0, 1)]
        for side, place in zip(sides, self.folders):
            place.mkdir()
            shutil.copy2(side.program, place / "throng-run")

    def run(self, k, row, *more):
        """Runs side k once and returns what it measured."""
        side, place = self.sides[k], self.folders[k]
        results = place / "results.json"
        results.unlink(missing_ok=True)
        command = [place / "throng-run", *row.options, *self.options, *side.options, *more, "--quiet", "--out", place,
                   "--json", results]
        try:
            done = programs.run(*command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                errors="replace")
        except OSError as error:
            raise Problem(f"{side.name} ({side.text}): cannot be run: {error.strerror}") from error
        if done.returncode != 0:
            reason = done.stderr.strip() or f"exit status {done.returncode}"
            raise Problem(f"{side.name} ({side.text}): {reason}", 2 if done.returncode == 2 else 1)
        return self.read(side, results)

    def read(self, side, results):
        """Returns the one run in the results of throng-run."""
        try:
            runs = json.loads(results.read_text())["runs"]
            run = {name: runs[0][name] for name in ("scene", "agents", "frames", "threads", "isa", *VALUES)}
            run[STEP] = runs[0].get(STEP, side.step)
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise Problem(f"{side.name} ({side.text}): results that cannot be read: {error}", 1) from error
        if len(runs) != 1:
            raise Problem(f"{side.name} ({side.text}): {len(runs)} combinations in a run, allowed 1")
        return run

    def measure(self, row, coin):
        """Runs both sides once and adds the pair to the row. coin is the side that runs first."""
        pair = [None, None]
        for k in (coin, 1 - coin):
            pair[k] = self.run(k, row)
            time = pair[k]["frame_us_median"]
            if not (math.isfinite(time) and time > 0):
                side = self.sides[k]
                raise Problem(f"{side.name} ({side.text}): a median frame of {time} microseconds: nothing to compare")
        row.first.append(coin)
        for k in (0, 1):
            row.runs[k].append(pair[k])

    def has(self, row):
        """Whether both sides can run this row."""
        try:
            for k in (0, 1):
                self.run(k, row, *programs.NO_AGENTS)
        except Problem:
            return False
        return True


def measure_all(runner, rows, coins, looks, precision, progress):
    """Measures pairs of each row until the first look, and more until the next if the interval is still wider.

    The rows take turns. So each row is measured during the whole time, and not only while the machine is busy.
    """
    for row in rows:
        row.looks = len(looks)
    for goal in looks:
        while rows and len(rows[0].first) < goal:
            for row in rows:
                progress(len(row.first), goal, len(rows))
                runner.measure(row, coins.randrange(2))
        rows = [row for row in rows if half_width(row.interval()) > precision]
