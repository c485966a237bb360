"""Reads the options of a command of bench/. Its errors have the form of throng-run's.

SPDX-License-Identifier: MIT
"""
import argparse
import math
import os
import pathlib
import re

from measure.problem import Problem, refuse

FOLDER = "a folder to write to"


class Parser(argparse.ArgumentParser):
    """Reads the options of the command `program`: "--name value" or "--name=value". Raises a Problem for a wrong one.
    --help prints `manual`. Errors about arguments that are no options end with `usage`."""

    def __init__(self, program, manual, usage=None):
        super().__init__(prog=program, usage=usage, allow_abbrev=False)
        self.manual = manual

    def format_help(self):
        return self.manual

    def error(self, message):
        found = re.fullmatch(r"argument (?:-\w/)?(--[\w-]+): (.*)", message, re.DOTALL)
        if not found:
            raise Problem(f"{message}; usage: {self.usage}")
        name, text = found.groups()
        if text.startswith("expected"):
            text = "no value"
        elif text.startswith("ignored explicit argument "):
            text = f"value {text.removeprefix('ignored explicit argument ')}, allowed none"
        raise Problem(f"option '{name}': {text}")

    def read(self, arguments):
        options, unknown = self.parse_known_args(arguments)
        if unknown:
            raise Problem(f"unknown option '{unknown[0]}', allowed are those of bench/{self.prog} --help")
        return options


def wrong(value, allowed):
    """Returns what the type of an option raises for a wrong value."""
    return argparse.ArgumentTypeError(f"value '{value}', allowed {allowed}")


def text(value):
    if not value:
        raise wrong(value, "a value that is not empty")
    return value


def whole(low, high=math.inf):
    """Returns the type of a whole number from `low` to `high`."""
    return within(int, "[0-9]+", low, high, "a whole number")


def number(low, high):
    """Returns the type of a number from `low` to `high`."""
    return within(float, ".*", low, high, "a number")


def within(kind, pattern, low, high, name):
    """Returns the type of values from `low` to `high` that match the pattern. kind(text) makes a value."""
    allowed = f"{name} from {low} on" if high == math.inf else f"{name} from {low} to {high}"

    def take(value):
        try:
            result = kind(value) if re.fullmatch(pattern, value) else math.nan
        except ValueError:
            result = math.nan
        if not low <= result <= high:
            raise wrong(value, allowed)
        return result

    return take


def listed(kind):
    """Returns the type of a list "a,b,c" with elements of the type `kind`. Its errors name the wrong element."""
    return lambda value: [kind(element) for element in value.split(",")]


def folder(value):
    """The type of a folder for results: see make_folder."""
    if not value:
        raise wrong(value, FOLDER)
    return pathlib.Path(value)


def make_folder(option, path):
    """Creates the folder that an option names, unless it exists. Refuses one that cannot be written to."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        pass
    if not os.access(path, os.W_OK) or not path.is_dir():
        refuse(f"option '{option}'", path, FOLDER)
