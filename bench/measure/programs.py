"""Runs the programs that a command of bench/ needs.

SPDX-License-Identifier: MIT
"""
import contextlib
import pathlib
import shutil
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent.parent
ROOT = BENCH.parent
PATIENCE = 5  # seconds for a program to end by itself after SIGTERM
INSTRUCTION_SETS = ("baseline", "avx2", "avx512", "neon")  # the best one of a machine is the last that it has
NO_AGENTS = ("--agents", "0", "--frames", "0")  # throng-run then only checks its options


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
    """Runs a program, with options of Popen. Returns a CompletedProcess with the exit status that shells use."""
    words = [str(word) for word in command]
    with started() as processes:
        processes.append(subprocess.Popen(words, text=True, **options))
        output, errors = processes[0].communicate()
        return subprocess.CompletedProcess(words, exit_status(processes[0]), output, errors)


def must_run(*command, **options):
    """Runs a program. If it fails, ends this command with its exit status."""
    status = run(*command, **options).returncode
    if status != 0:
        sys.exit(status)


def output_of(*command):
    """Returns what a program prints; nothing if it is missing or fails."""
    if not shutil.which(command[0]):
        return ""
    done = run(*command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout if done.returncode == 0 else ""


def exit_status(process):
    """Returns the exit status that shells use: 128 + the signal's number, if a signal ended the process."""
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


def git(*arguments, folder=ROOT):
    """Returns what git prints; an empty text if it is missing or fails."""
    return output_of("git", "-C", folder, *arguments).strip()


def commit_of(folder):
    """Returns the commit of a source tree as the end of a sentence, with -dirty if files were changed; an empty text
    without git."""
    name = git("describe", "--always", "--dirty", folder=folder)
    return f", commit {name}" if name else ""


def built(tree, program="throng-run"):
    """Returns the path of a program that bench/build built in a source tree."""
    return tree / "build/release/bench" / program


def instruction_sets(runs_with):
    """Returns the instruction sets for which runs_with(isa) is true, the best one last; "auto" if there is none."""
    return [isa for isa in INSTRUCTION_SETS if runs_with(isa)] or ["auto"]
