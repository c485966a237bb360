"""Runs a command of bench/: what it does on signals and errors, and its exit status.

SPDX-License-Identifier: MIT
"""
import os
import signal
import sys

from measure.problem import Problem


def run_command(name, command):
    """Calls command(arguments) and exits with the status that it returns. Prints a Problem in one line on stderr."""
    end_on_signals()
    try:
        sys.exit(command(sys.argv[1:]))
    except Problem as problem:
        print(f"{name}: {problem}", file=sys.stderr)
        sys.exit(problem.status)


def end_on_signals():
    """Makes signals end this command by an exception, so that it stops its programs and deletes its temporary files. A
    signal that is ignored stays ignored. Also sets what all of its programs need."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end)
    signal.signal(signal.SIGPIPE, end)  # Python ignores it
    sys.stdout.reconfigure(line_buffering=True)  # programs write to the same file
    os.environ["LC_ALL"] = "C"
    os.environ.setdefault("OMP_PROC_BIND", "true")  # see bench/run


def end(number, _):
    sys.exit(128 + number)
