"""Exceptions, and the call that raises them. SPDX-License-Identifier: MIT"""

import re
from ctypes import byref

from .behaviours import Error
from .enums import Status
from .library import lib
from .structure import ENUMS

# Python's name of a C function, where it is not the C name without throng_world_, throng_agents_ and so on.
_CALLS = {
    "agents_add_with_ids": "add", "agents_count": "len", "agents_get_ids": "ids", "default_agents_def": "add",
    "default_group_def": "Group", "default_instances_def": "instances", "default_world_def": "World",
    "flow_field_compute": "compute_flow_field",
    "group_def_add": "Group.add", "recorder_create": "Recorder", "replay_begin": "Replay", "replay_get_def": "Replay",
    "snapshot_get_def": "from_snapshot", "world_create": "World", "world_destroy": "close",
    "world_get_def": "definition", "world_get_group": "group", "world_get_profile": "profile",
    "world_load_snapshot": "load", "world_query_nearest": "nearest", "world_query_radius": "neighbours",
    "world_save_snapshot": "save"}
_DEFINITIONS = {"world_def": "World", "group_def": "Group", "agents_def": "add", "instances_def": "instances"}
_WORDS = {kind.prefix + member.name: member.name if kind is Status else member.name.lower()
          for kind in ENUMS for member in kind}


def _python_name(match):
    name, member = match[1], match[2]
    if member:  # a field of a definition
        return f"{_DEFINITIONS.get(name) or 'set_' + name.removesuffix('_def')}({member}=…)"
    name = name.removesuffix("_batch")
    default = re.fullmatch("default_(.*)_def", name)
    if default and name not in _CALLS:
        return f"set_{default[1]}()"
    return _CALLS.get(name, re.sub("^(world|agents|recorder|replay)_", "", name)) + "()"


def python_text(text):
    """A text of the library in which C names are replaced by Python names: step() for throng_world_step."""
    text = re.sub(r"throng_([a-z0-9_]+)(?:\.([a-z0-9_]+))?(?:\(\))?", _python_name, text)
    return re.sub(r"THRONG_[A-Z0-9_]+", lambda match: _WORDS.get(match[0], match[0]), text)


class ThrongError(Exception):
    """A call failed. `status` and `text` say why. `agent` is the id of the agent at fault, or None."""

    __module__ = __package__

    def __init__(self, error):
        self.status = Status(error.status)
        self.text = python_text(error.text.decode())
        self.agent = error.agent.element()
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
