"""Runs commands for tests/run: shows the progress of each, and writes its output to a file.

SPDX-License-Identifier: MIT
"""
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

NINJA = re.compile(r"^\[(\d+)/(\d+)\] (?!Re-)")
CTEST = re.compile(r"^\s*(\d+)/(\d+) Test +#\d+: (\S+) [ .]*(\**)(.*?)\s+[\d.]+ sec")
TELL_SECONDS = 20  # if the output is not a terminal: seconds between lines about a command's progress
SHOWN_LINES = 120  # at most, of the output of a command that failed


def ninja_state(line):
    """Returns the progress of the build that a line of Ninja's output reports, or None."""
    match = NINJA.match(line)
    return match and f"{100 * int(match[1]) // int(match[2])} % ({match[1]} of {match[2]})"


def ctest_state(line):
    """Returns the progress of the tests that a line of CTest's output reports, or None."""
    match = CTEST.match(line)
    return match and f"{match[1]} of {match[2]}"


def ctest_failure(line):
    match = CTEST.match(line)
    return match and match[4] and not match[5].startswith("Skipped")


def tail(text, count=SHOWN_LINES):
    """Returns the last lines of a text, indented."""
    lines = text.rstrip("\n").split("\n")
    left_out = [f"({len(lines) - count} lines before these)"] if len(lines) > count else []
    return "\n".join("    " + line for line in left_out + lines[-count:])


class Screen:
    """What the user sees: lines with the time since the beginning and, on a terminal, a last line that changes."""

    def __init__(self):
        self.begin = time.monotonic()
        self.terminal = sys.stdout.isatty()
        self.live = 0  # columns of the line that changes

    def say(self, text):
        print("\r" + " " * self.live + "\r" + text if self.live else text, flush=True)
        self.live = 0

    def step(self, text):
        self.say(self.timed(text))

    def change(self, text):
        line = self.timed(text)[: shutil.get_terminal_size().columns - 1]
        print("\r" + line.ljust(self.live), end="", flush=True)
        self.live = len(line)

    def timed(self, text):
        seconds = int(time.monotonic() - self.begin)
        return f"[{seconds // 60:2}:{seconds % 60:02}] {text}"

    def run(self, name, command, log, environment, state=None, shown=None):
        """Runs a command. `state` returns the progress that a line of its output reports, or None. Lines for which
        `shown` is true are printed at once. Returns the exit status, the output and the seconds."""
        self.step(name)
        begin = told = time.monotonic()
        now, output = "", []
        process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", env=environment, start_new_session=True)
        lines = queue.Queue()
        threading.Thread(target=read_lines, args=(process.stdout, lines), daemon=True).start()
        try:
            with log.open("w") as file:
                for line in iter(lambda: wait_for(lines), None):
                    output.append(line)
                    file.write(line)
                    now = state and state(line) or now
                    if line and shown and shown(line):
                        self.say("  " + line.rstrip())
                    if self.terminal:
                        self.change(f"{name}: {now}")
                    elif time.monotonic() - told >= TELL_SECONDS:
                        told = time.monotonic()
                        self.step(f"{name}: {now or 'still at it'}")
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            raise
        return process.wait(), "".join(output), time.monotonic() - begin


def read_lines(stream, lines):
    for line in stream:
        lines.put(line)
    lines.put(None)


def wait_for(lines):
    """Returns the next line; None at the end; an empty text if there is no line for a second."""
    try:
        return lines.get(timeout=1)
    except queue.Empty:
        return ""
