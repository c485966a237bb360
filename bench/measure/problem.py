"""Errors of a command of bench/.

SPDX-License-Identifier: MIT
"""


class Problem(Exception):
    """What is wrong, in one line, and the exit status: 2 for bad input, 1 if a program fails."""

    def __init__(self, text, status=2):
        super().__init__(text)
        self.status = status


def refuse(what, value, allowed):
    """Raises the Problem of a wrong value. `what` has it, such as "option '--out'"."""
    raise Problem(f"{what}: value '{value}', allowed {allowed}")
