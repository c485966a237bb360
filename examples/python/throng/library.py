"""The shared library. SPDX-License-Identifier: MIT"""

import ctypes
import ctypes.util
import os
import pathlib
from ctypes import c_char_p, c_uint32

import numpy as np

from .enums import Column, Kind, Status
from .structure import MOST

ID = np.dtype([("index", np.uint32), ("generation", np.uint16), ("world", np.uint16)])  # throng_agent_id
NEIGHBOUR = np.dtype([("id", ID), ("distance", np.float32)])  # throng_neighbour


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


def set_results(**results):
    """Sets the result types of functions."""
    for name, result in results.items():
        getattr(lib, name).restype = result


def _check_version():
    """The enumerations that grow most often must have the library's length."""
    set_results(throng_status_name=c_char_p, throng_behaviour_name=c_char_p, throng_column_name=c_char_p)
    for kind, name_of, unknown in ((Status, lib.throng_status_name, b"unknown status"),
                                   (Kind, lib.throng_behaviour_name, None), (Column, lib.throng_column_name, b"?")):
        if name_of(len(kind)) != unknown or name_of(len(kind) - 1) == unknown:
            raise ImportError(f"{lib._name} has another number of {kind.c_name} than this package: it is no libthrong "
                              "of this package's version")


_check_version()


def uint32(value, what):
    """An argument of type uint32_t. `what` names the argument in errors."""
    if not 0 <= value <= MOST[c_uint32]:
        raise ValueError(f"{what} is {value}, allowed: 0 to {MOST[c_uint32]}")
    return c_uint32(value)
