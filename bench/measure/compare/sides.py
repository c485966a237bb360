"""The two sides of a comparison: finds or builds the throng-run that OLD or NEW names.

SPDX-License-Identifier: MIT
"""
import os
import pathlib
import shutil
import tempfile

from measure.problem import Problem, refuse
from measure.programs import ROOT, built, commit_of, git, must_run, run

BUILDS = ROOT / "build/compare"  # the programs of commits, each in a folder with the commit's hash
ALLOWED = "a throng-run program, a build folder, a source tree or a commit, then options, each after a comma"
# The histogram of frame times. Commits are built with this tree's, because older ones rounded more.
HISTOGRAM = "bench/runner/frame_times.h"
COARSE, FINE = 1 / 128, 1 / 1024  # by how much they round
# compare chooses these itself for each run.
RESERVED = ("--scene", "--out", "--json", "--quiet", "--help", "-h", "--version", "--replay", "--replay-tracks")


class Side:
    """name: OLD or NEW. text: the argument. program: its path. what: what was found. options: those after commas.

    step: by how much the program rounds times, if its results do not say so.
    """

    def __init__(self, name, text):
        self.name, self.text = name, text
        target, *parts = text.split(",")
        if not target:
            refuse(f"argument {name}", text, ALLOWED)
        self.options = check_options(f"argument {name}", parts)
        self.program, self.what, self.step = find(name, text, target)

    def sets(self, option):
        """Whether the options after a comma have this one."""
        return option in self.options


def check_options(where, parts):
    """Returns options of throng-run as arguments: --isa=avx2 becomes --isa, avx2. Refuses those of compare."""
    options = []
    for part in parts:
        name, equals, value = part.partition("=")
        if not name.startswith("--"):
            refuse(where, part, "after a comma: an option of throng-run, such as --isa=avx2")
        if name in RESERVED:
            refuse(where, part, "an option that bench/compare does not set itself")
        options += [name, value] if equals else [name]
    return options


def find(name, text, target):
    """Returns the program that the target names, what it is, as a text, and the step of its times."""
    path = pathlib.Path(target)
    if path.is_file():
        if not os.access(path, os.X_OK):
            refuse(f"argument {name}", text, "a program that may be executed")
        return path.resolve(), str(path), COARSE
    if (path / "bench/build").is_file():
        return build(name, path.resolve()), f"working tree {path.resolve()}{commit_of(path)}", COARSE
    for inside in ("bench/throng-run", "throng-run"):
        if (path / inside).is_file():
            return (path / inside).resolve(), str(path / inside), COARSE
    if path.is_dir():
        refuse(f"argument {name}", text, "a folder with bench/throng-run, throng-run or bench/build")
    commit = git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{target}^{{commit}}")
    if not commit:
        refuse(f"argument {name}", text, ALLOWED)
    step = FINE if git("ls-tree", commit, HISTOGRAM) else COARSE
    return build_commit(name, commit), f"commit {git('log', '-1', '--format=%h %s', commit)}", step


def build(name, tree):
    """Builds the throng-run of a source tree and returns its path. bench/build shows its progress on stderr."""
    # Also the prints of a build go to stderr: stdout has only the results.
    if run(tree / "bench/build", "throng-run", stdout=2).returncode != 0:
        raise Problem(f"{name}: {tree} could not be built", 1)
    return built(tree)


def build_commit(name, commit):
    """Returns the throng-run of a commit. Builds it in a copy of the commit's files, and keeps only the program."""
    program = BUILDS / commit / "throng-run"
    if program.exists():
        return program
    tree = BUILDS / commit / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    with tempfile.TemporaryFile() as files:
        must_run("git", "-C", ROOT, "archive", commit, stdout=files)
        files.seek(0)
        must_run("tar", "-x", "-C", tree, stdin=files)
    if not (tree / "bench/build").is_file():
        raise Problem(f"{name}: commit {commit[:12]} has no bench/build: build it by hand, and name the program")
    if (tree / HISTOGRAM).is_file():
        shutil.copy(ROOT / HISTOGRAM, tree / HISTOGRAM)
    shutil.move(build(name, tree), program)
    shutil.rmtree(tree)
    return program
