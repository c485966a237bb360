"""Errors of a command of bench/.

SPDX-License-Identifier: MIT
"""


class Problem(Exception):
    """What is wrong, in one line, and the exit status: 2 for bad input, 1 if a program fails."""

    def __init__(self, text, status=2):
        super().__init__(text)
        self.status = status


def refuse(option, value, allowed):
    """Raises the Problem of an option with a wrong value."""
    raise Problem(f"option '{option}': value '{value}', allowed {allowed}")
