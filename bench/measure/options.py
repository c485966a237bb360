"""Reads the options of a command of bench/. Its errors have the form of throng-run's.

SPDX-License-Identifier: MIT
"""
import argparse
import re

from measure.problem import Problem


class Parser(argparse.ArgumentParser):
    """Reads the options of the command `program`: "--name value" or "--name=value". Raises a Problem for a wrong one.
    --help prints `manual`."""

    def __init__(self, program, manual):
        super().__init__(prog=program, allow_abbrev=False)
        self.manual = manual

    def format_help(self):
        return self.manual

    def error(self, message):
        name, text = re.fullmatch(r"argument (?:-\w/)?(--\w+): (.*)", message, re.DOTALL).groups()
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


def number(value):
    if not re.fullmatch("[1-9][0-9]*", text(value)):
        raise wrong(value, "a whole number from 1 on")
    return int(value)


def numbers(most, allowed):
    """Returns the type of a list "a,b,c" of whole numbers from 1 to `most`. Its error names the list's wrong element
    and says what is allowed."""

    def take(value):
        for element in value.split(","):
            if not re.fullmatch("[1-9][0-9]*", element) or int(element) > most:
                raise wrong(element, f"{allowed} from 1 to {most}")
        return [int(element) for element in value.split(",")]

    return take
