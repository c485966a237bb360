"""The parameters of groups and behaviours, and the presets of groups. SPDX-License-Identifier: MIT"""

from ctypes import byref

from .behaviours import Parameter
from .enums import Kind
from .library import lib
from .structure import enumerator


def _parameters(get, *kind):
    """All parameters that the library's function `get` describes, as {name: Parameter}."""
    found, parameter = {}, Parameter()
    while get(*kind, len(found), byref(parameter)):
        found[parameter.name.decode()], parameter = parameter, Parameter()
    return found


GROUP_PARAMETERS = _parameters(lib.throng_group_def_get_parameter)


def behaviour_parameters(kind):
    """The parameters of a kind of behaviour, such as "arrive", as {name: Parameter}."""
    return _parameters(lib.throng_behaviour_get_parameter, enumerator(Kind, kind, "kind"))


def _preset(name):
    get = getattr(lib, f"throng_{name}_group_def")

    def make(**fields):
        return get()._set(**fields)
    make.__doc__ = f"A Group with the preset throng_{name}_group_def(), which looks right without tuning."
    return make


flock_group, school_group, walkers_group, vehicles_group, moved_group = map(
    _preset, ("flock", "school", "walkers", "vehicles", "moved"))
