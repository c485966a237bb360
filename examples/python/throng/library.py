"""The shared library, its constants and its enumerations. SPDX-License-Identifier: MIT"""

import ctypes
import ctypes.util
import enum
import os
import pathlib
from ctypes import c_char_p, c_size_t, c_uint, c_uint16, c_uint32, c_uint64

import numpy as np

MAX_BEHAVIOURS = 8
MAX_CALLBACKS = 8
MAX_CONTRIBUTIONS = 5 + MAX_BEHAVIOURS
MAX_PARAMETERS = 9
PRIORITIES = 8
ALL_LAYERS = 0xFFFFFFFF
STRIDE_ONE = c_size_t(-1).value

ID = np.dtype([("index", np.uint32), ("generation", np.uint16), ("world", np.uint16)])  # throng_agent_id
NEIGHBOUR = np.dtype([("id", ID), ("distance", np.float32)])  # throng_neighbour

# The largest value of each type. ctypes would wrap a larger one round.
MOST = {c_uint64: 2**64 - 1, c_uint: 2**32 - 1, c_uint32: 2**32 - 1, c_uint16: 2**16 - 1}


class _Library(ctypes.CDLL):
    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            raise ImportError(f"{self._name} has no {name}: it is no libthrong of this package's version") from None


def _load():
    package = pathlib.Path(__file__).resolve().parent
    found = [folder / "libthrong.so" for folder in (package, package.parent) if (folder / "libthrong.so").exists()]
    named = os.environ.get("THRONG_LIBRARY")
    path = named or (str(found[0]) if found else ctypes.util.find_library("throng"))
    if not path:
        raise ImportError(f"no libthrong.so: set THRONG_LIBRARY to it, put it into {package} or beside that folder, "
                          "or install it (cmake -DBUILD_SHARED_LIBS=ON)")
    try:
        return _Library(path)
    except OSError as error:
        what = f"THRONG_LIBRARY names {path}, which" if named else path
        raise ImportError(f"{what} cannot be loaded: {error}") from None


lib = _load()


def enumeration(name, prefix, words):
    """An IntEnum from a string of words. `prefix` is the start of the C names: THRONG_AXIS_ of THRONG_AXIS_X."""
    made = enum.IntEnum(name, words.upper(), start=0, module=__package__)
    made.prefix = prefix
    return made


def _enumeration_of_library(name, prefix, name_of, end):
    """An IntEnum whose words the library returns: name_of(0), name_of(1) …, until name_of returns `end`.

    The words may begin with the prefix."""
    name_of.restype = c_char_p
    words = [name_of(0)]
    while words[-1] != end:
        words.append(name_of(len(words)))
    return enumeration(name, prefix, b" ".join(words[:-1]).decode().replace(prefix, ""))


Status = _enumeration_of_library("Status", "THRONG_", lib.throng_status_name, b"unknown status")
Axis = enumeration("Axis", "THRONG_AXIS_", "x y z minus_x minus_y minus_z")
Threads = enumeration("Threads", "THRONG_THREADS_", "openmp team serial auto")
Isa = enumeration("Isa", "THRONG_ISA_", "auto baseline avx2 avx512 neon")
Space = enumeration("Space", "THRONG_SPACE_", "planar spatial")
Boundary = enumeration("Boundary", "THRONG_BOUNDARY_", "unbounded box periodic")
SeparationLaw = enumeration("SeparationLaw", "THRONG_SEPARATION_", "inverse linear inverse_square as_world")
Update = enumeration("Update", "THRONG_UPDATE_", "semi_implicit explicit ballistic")
SpeedZoneShape = enumeration("SpeedZoneShape", "THRONG_SPEED_ZONE_", "circle rectangle")
AttractorLaw = enumeration("AttractorLaw", "THRONG_ATTRACTOR_", "linear inverse_square")
TargetKind = enumeration("TargetKind", "THRONG_TARGET_", "goal point agent own")
Kind = _enumeration_of_library("Kind", "THRONG_BEHAVIOUR_", lib.throng_behaviour_name, None)
RecordDetail = enumeration("RecordDetail", "THRONG_RECORD_", "frames agents")
ParameterType = enumeration("ParameterType", "THRONG_PARAMETER_", "float bool uint32 layers enum")
Column = _enumeration_of_library("Column", "THRONG_COLUMN_", lib.throng_column_name, b"?")


def enumerator(kind, value, what):
    """The member of the enumeration `kind` for a word or a number. `what` names the argument in errors."""
    if isinstance(value, str):
        if value.upper() not in kind.__members__:
            words = ", ".join(kind.__members__).lower()
            raise ValueError(f"{what} is {value!r}, allowed: {words}")
        return kind[value.upper()]
    return kind(value)


def uint32(value, what):
    """An argument of type uint32_t. `what` names the argument in errors."""
    if not 0 <= value <= MOST[c_uint32]:
        raise ValueError(f"{what} is {value}, allowed: 0 to {MOST[c_uint32]}")
    return c_uint32(value)
