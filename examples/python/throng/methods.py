"""What structs of the package can do: the struct NAME has the methods of NAMEMethods. SPDX-License-Identifier: MIT"""

import ctypes
import itertools
from ctypes import byref, c_double, c_uint32, c_void_p

import numpy as np

from .enums import MAX_BEHAVIOURS, Kind, ParameterType, Status, TargetKind
from .library import ID, lib
from .structure import enumerator

# The modules of structs import this one. So the methods import from those modules when they run.


class Vec3Methods:
    @classmethod
    def from_value(cls, value, what):
        """A Vec3 from a sequence. `what` names the argument in errors."""
        value = np.asarray(value, np.float32)
        if value.shape != (3,):
            raise ValueError(f"{what} has shape {value.shape}, wanted: (3,)")
        return cls(*value.tolist())


class AgentIdMethods:
    @classmethod
    def from_value(cls, value, what):
        """An AgentId from one element of an array of ids."""
        return cls(*np.asarray(value, ID).item())

    def element(self):
        """One element of an array of ids; None for the null id."""
        return np.array((self.index, self.generation, self.world), ID)[()] if self.index else None


class TargetMethods:
    @classmethod
    def from_value(cls, value, what):
        """A target from None (each agent's own goal), a point, or an agent's id."""
        types = dict(cls._fields_)
        if value is None:
            return cls(TargetKind.GOAL)
        if getattr(value, "dtype", None) == ID:
            return cls(TargetKind.AGENT, types["point"](), types["agent"].from_value(value, what))
        return cls(TargetKind.POINT, types["point"].from_value(value, what))


class AxesMethods:
    """A host's axes and its unit of length, throng's own unless given: World(axes=Axes.unity()).

    Robotics with z up and x ahead is Axes("y", "z", "x")."""

    def __init__(self, *values, **fields):
        super().__init__()
        ctypes.memmove(byref(self), byref(lib.throng_axes_own()), ctypes.sizeof(self))
        self._set(**dict(zip(self.names(), values)), **fields)

    @classmethod
    def own(cls):
        return lib.throng_axes_own()

    @classmethod
    def unity(cls):
        return lib.throng_axes_unity()

    @classmethod
    def unreal(cls):
        return lib.throng_axes_unreal()

    @classmethod
    def godot(cls):
        return lib.throng_axes_godot()

    def to_throng(self, vectors):
        """Converts a vector with a length, or (n, 3) of them, from the host's axes and unit to throng's."""
        return self._convert("throng_axes_to_throng", vectors)

    def to_host(self, vectors):
        """Converts a vector with a length, or (n, 3) of them, from throng's axes and metres to the host's."""
        return self._convert("throng_axes_to_host", vectors)

    def _convert(self, function, vectors):
        from .behaviours import Error

        vectors = np.asarray(vectors, np.float32)
        if vectors.ndim not in (1, 2) or vectors.shape[-1] != 3:
            raise ValueError(f"vectors has shape {vectors.shape}, wanted: (3,) or (n, 3)")
        converted, error = np.array(vectors, order="C"), Error()
        data = c_void_p(converted.ctypes.data)
        if getattr(lib, function)(byref(self), data, c_uint32(converted.size // 3), data, byref(error)) != Status.OK:
            raise ValueError(error.text.decode())
        return converted


class ParameterMethods:
    """A parameter of a kind of behaviour or of a group. `initial` is its default."""

    @property
    def choices(self):
        """The words of an enumeration's enumerators; [] for other types."""
        return [word.decode() for word in itertools.takewhile(bool, self.words)] if self.words else []

    def python(self, number):
        """Converts a double from the library to the parameter's type in Python. An enumerator becomes its word."""
        if self.type == ParameterType.ENUM:
            return self.choices[int(number)]
        return {ParameterType.FLOAT: float, ParameterType.BOOL: bool}.get(self.type, int)(number)


class BehaviourMethods:
    """One entry of a group's list of behaviours. The parameters of its kind are attributes too."""

    def __setattr__(self, name, value):
        if name in dict(self._fields_):
            return super().__setattr__(name, value)
        parameter = self._parameter(name)
        number = parameter.choices.index(value) if value in parameter.choices else value
        taken = not isinstance(number, str) and lib.throng_behaviour_set_value(
            byref(self), byref(parameter), c_double(number))
        if not taken:
            allowed = ", ".join(parameter.choices) or f"{parameter.lowest:g} to {parameter.highest:g}"
            raise ValueError(f"{name} is {value!r}, allowed: {allowed}")

    def __getattr__(self, name):  # Python calls this only if no field has the name
        parameter = self._parameter(name)
        return parameter.python(lib.throng_behaviour_get_value(byref(self), byref(parameter)))

    def _parameters(self):
        from .parameters import behaviour_parameters

        return behaviour_parameters(self.kind)

    def _parameter(self, name):
        parameters = self._parameters()
        if name not in parameters:
            known = ", ".join(["weight, priority, target, other", *parameters])
            raise AttributeError(f"{Kind(self.kind).name.lower()} has no {name!r}; it has {known}")
        return parameters[name]

    def __repr__(self):
        names = ["weight", "priority", "target", "other", *self._parameters()]
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"Behaviour({Kind(self.kind).name.lower()!r}, {values})"


class GroupMethods:
    """What the agents of a group can do and want. Its fields have the library's defaults. Keywords change them:

    walkers = Group(max_speed=2, cohesion={"weight": 0})
    walkers.add("arrive", slow_radius=3)"""

    def __init__(self, **fields):
        super().__init__()
        ctypes.memmove(byref(self), byref(lib.throng_default_group_def()), ctypes.sizeof(self))
        self._set(**fields)

    def add(self, kind, **fields):
        """Appends a behaviour and returns it.

        Keywords are weight, priority, target, other and the parameters of the kind. `target` and `other` are an id, a
        point, or None for each agent's own goal."""
        kind = enumerator(Kind, kind, "kind")
        if self.behaviour_count == MAX_BEHAVIOURS:
            raise ValueError(f"the group has {MAX_BEHAVIOURS} behaviours already")
        self.behaviour[self.behaviour_count] = lib.throng_default_behaviour(kind)._set(**fields)
        self.behaviour_count += 1
        return self.behaviour[self.behaviour_count - 1]
