"""The options of bench/compare.

SPDX-License-Identifier: MIT
"""
import math
import random
import re

from measure.compare.interval import MIN_PAIRS
from measure.compare.sides import check_options
from measure.options import Parser, folder, listed, number, whole, wrong
from measure.problem import refuse

USAGE = "bench/compare OLD NEW [OPTION...] [-- OPTION of throng-run...]"
MAX_PAIRS = 10000
MAX_SEED = 2 ** 53


def parse(arguments, manual):
    """Returns the checked options. `run_options` has those after --."""
    parser = Parser("compare", manual, USAGE)
    parser.add_argument("OLD")
    parser.add_argument("NEW")
    parser.add_argument("--scenes", type=names, default="flock2,flock3,crowd2,clump2")
    parser.add_argument("--isa", type=names, default="auto")
    parser.add_argument("--threads", type=thread_counts, default="1")
    parser.add_argument("--pairs", type=whole(MIN_PAIRS, MAX_PAIRS), default=15)
    parser.add_argument("--precision", type=precision)
    parser.add_argument("--max-pairs", type=whole(MIN_PAIRS, MAX_PAIRS), default=200)
    parser.add_argument("--fail-above", type=number(1, 100))
    parser.add_argument("--out", type=folder, default="out/compare")
    parser.add_argument("--seed", type=whole(0, MAX_SEED), default=random.SystemRandom().randrange(2 ** 32))
    if {"--help", "-h"} & set(arguments):  # also after --
        parser.print_help()
        parser.exit()
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.read(arguments[:cut])
    options.max_pairs = max(options.pairs, options.max_pairs)
    options.run_options = run_options(arguments[cut + 1:])
    return options


def names(value):
    if not all(value.split(",")):
        raise wrong(value, "a list with commas, without empty parts")
    return value.split(",")


def thread_counts(value):
    """Returns the numbers as texts."""
    return [str(count) for count in listed(whole(0, 1024))(value)]


def precision(value):
    """Returns a precision in per cent as a fraction."""
    match = re.fullmatch(r"([0-9.]+) ?%", value)
    try:
        fraction = float(match[1]) / 100 if match else math.nan
    except ValueError:
        fraction = math.nan
    if not 0.0001 <= fraction <= 1:
        raise wrong(value, "a percentage from 0.01% to 100%, such as 1%")
    return fraction


def run_options(arguments):
    """Checks the options after --. Refuses those of compare, which throng-run would take last."""
    for argument in arguments:
        name = argument.partition("=")[0]
        if name in ("--isa", "--threads"):
            refuse("options after '--'", argument, f"{name} before '--', with a list")
        if name.startswith("-"):
            check_options("options after '--'", [argument])
    return arguments
