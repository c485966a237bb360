"""The options of bench/compare.

SPDX-License-Identifier: MIT
"""
import argparse
import math
import random
import re

from .interval import MIN_PAIRS
from .problem import Problem, refuse
from .sides import check_options

USAGE = "bench/compare OLD NEW [OPTION...] [-- OPTION of throng-run...]"
MAX_PAIRS = 10000
MAX_SEED = 2 ** 53


class Parser(argparse.ArgumentParser):
    """Reports errors in the words of the other scripts."""

    def error(self, message):
        match = re.match(r"argument (--[a-z-]+): expected one argument", message)
        raise Problem(f"option '{match[1]}': no value" if match else f"{message}; usage: {USAGE}")


def parse(arguments, help_text):
    """Returns the checked options. `run_options` has those after --."""
    parser = Parser(usage=USAGE, add_help=False, allow_abbrev=False, argument_default=None)
    parser.add_argument("OLD")
    parser.add_argument("NEW")
    defaults = {"scenes": "flock2,flock3,crowd2,clump2", "isa": "auto", "threads": "1", "pairs": "15", "precision": "",
                "max-pairs": "200", "fail-above": "", "out": "out/compare", "seed": ""}
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", default=default)
    if {"--help", "-h"} & set(arguments):
        print(help_text)
        raise SystemExit(0)
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    options, rest = parser.parse_known_args(arguments[:cut])
    if rest:
        raise Problem(f"unknown option '{rest[0]}', allowed are those of bench/compare --help")
    check(options)
    options.run_options = run_options(arguments[cut + 1:])
    return options


def check(options):
    """Replaces the texts by their values."""
    for name in ("scenes", "isa", "threads"):
        value = getattr(options, name)
        if not all(value.split(",")):
            refuse(f"option '--{name}'", value, "a list with commas, without empty parts")
        setattr(options, name, value.split(","))
    for count in options.threads:
        whole("--threads", count, 0, 1024)
    options.pairs = whole("--pairs", options.pairs, MIN_PAIRS, MAX_PAIRS)
    options.max_pairs = max(options.pairs, whole("--max-pairs", options.max_pairs, MIN_PAIRS, MAX_PAIRS))
    if options.seed != "":
        options.seed = whole("--seed", options.seed, 0, MAX_SEED)
    else:
        options.seed = random.SystemRandom().randrange(2 ** 32)
    options.precision = precision(options.precision) if options.precision != "" else None
    options.fail_above = number("--fail-above", options.fail_above, 1, 100) if options.fail_above != "" else None
    if not options.out:
        refuse("option '--out'", "", "a folder to write to")


def whole(option, text, low, high):
    if not re.fullmatch(r"[0-9]{1,16}", text) or not low <= int(text) <= high:
        refuse(f"option '{option}'", text, f"a whole number from {low} to {high}")
    return int(text)


def number(option, text, low, high):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        refuse(f"option '{option}'", text, f"a number from {low} to {high}")
    return value


def precision(text):
    """Returns a precision in per cent as a fraction."""
    match = re.fullmatch(r"([0-9.]+) ?%", text)
    try:
        value = float(match[1]) / 100 if match else math.nan
    except ValueError:
        value = math.nan
    if not 0.0001 <= value <= 1:
        refuse("option '--precision'", text, "a percentage from 0.01% to 100%, such as 1%")
    return value


def run_options(arguments):
    """Checks the options after --. Refuses those of compare, which throng-run would take last."""
    for argument in arguments:
        name = argument.partition("=")[0]
        if name in ("--isa", "--threads"):
            refuse("options after '--'", argument, f"{name} before '--', with a list")
        if name.startswith("-"):
            check_options("options after '--'", [argument])
    return arguments
