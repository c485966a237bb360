"""Exceptions, and the call that raises them. SPDX-License-Identifier: MIT"""

from ctypes import byref

import numpy as np

from .library import ID, Status, lib
from .structs import Error


class ThrongError(Exception):
    """A call failed. `status` and `text` say why. `agent` is the id of the agent at fault, or None."""

    __module__ = __package__

    def __init__(self, error):
        self.status = Status(error.status)
        self.text = error.text.decode()
        agent = (error.agent.index, error.agent.generation, error.agent.world)
        self.agent = np.array(agent, ID)[()] if error.agent.index else None
        about = f" (agent {self.agent['index']})" if self.agent is not None else ""
        super().__init__(f"{self.status.name}: {self.text}{about}")


class StaleView(Exception):
    """The caller read a column of a view, but the world has changed since the view was taken."""

    __module__ = __package__


def call(name, *arguments):
    """Calls the function `name` of the library, which returns a status. Raises ThrongError unless that is OK."""
    error = Error()
    if getattr(lib, name)(*arguments, byref(error)) != Status.OK:
        raise ThrongError(error)
