"""Finds, builds and runs the programs that a command of bench/ measures.

SPDX-License-Identifier: MIT
"""
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent.parent
BUILT = BENCH.parent / "build/release/bench"
PATIENCE = 5  # seconds for a program to end by itself after SIGTERM


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


@contextlib.contextmanager
def started():
    """Gives a list. Processes that are still in it when the block ends are stopped."""
    processes = []
    try:
        yield processes
    finally:
        running = [process for process in processes if process.poll() is None]
        for process in running:
            process.terminate()
        for process in running:
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def run(*command, **options):
    """Runs a program. Returns its exit status and, with stdout=PIPE, its output."""
    with started() as processes:
        processes.append(subprocess.Popen([str(word) for word in command], text=True, **options))
        output, _ = processes[0].communicate()
        return exit_status(processes[0]), output


def must_run(*command, **options):
    """Runs a program. If it fails, ends this command with its exit status. Returns its output, if stdout=PIPE."""
    status, output = run(*command, **options)
    if status != 0:
        sys.exit(status)
    return output


def output_of(*command):
    """Returns what a program prints; nothing if it is missing or fails."""
    if not shutil.which(command[0]):
        return ""
    status, output = run(*command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return output if status == 0 else ""


def exit_status(process):
    """Returns the exit status that shells use: 128 + the signal's number, if a signal ended the process."""
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


def find_run():
    """Returns throng-run: the one that THRONG_RUN names, or one that is built now."""
    if not os.environ.get("THRONG_RUN"):
        must_run(BENCH / "run", "--version", stdout=subprocess.DEVNULL)
    return os.environ.get("THRONG_RUN") or BUILT / "throng-run"


def prepare_mpi_run():
    """Builds throng-mpi-run once, and not for each call of bench/mpi-run."""
    if not os.environ.get("THRONG_MPI_RUN"):
        must_run(BENCH / "mpi-run", "-np", "1", "--help", stdout=subprocess.DEVNULL)
        os.environ["THRONG_MPI_RUN"] = str(BUILT / "throng-mpi-run")
