"""What the enumerations and structs of the library are made of. SPDX-License-Identifier: MIT"""

import ctypes
import enum
import typing

import numpy as np

STRUCTS, ENUMS = [], []  # all of the package, in the order of the headers
Union = ctypes.Union

if typing.TYPE_CHECKING:  # what an editor shows: the types that the fields have in Python
    f32 = f64 = float
    u8 = u16 = u32 = u64 = i8 = i16 = i32 = i64 = size_t = int
    boolean, pointer, text, texts, char = bool, typing.Optional[int], bytes, typing.Any, bytes
else:
    f32, f64, boolean, char, size_t = ctypes.c_float, ctypes.c_double, ctypes.c_bool, ctypes.c_char, ctypes.c_size_t
    u8, u16, u32, u64 = ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64
    i8, i16, i32, i64 = ctypes.c_int8, ctypes.c_int16, ctypes.c_int32, ctypes.c_int64
    pointer, text, texts = ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p)

# The largest value of each type. ctypes would wrap a larger one round.
MOST = {u64: 2**64 - 1, u32: 2**32 - 1, u16: 2**16 - 1, u8: 2**8 - 1}


def enumeration(c_name, prefix):
    """Makes a class the enumeration `c_name`, whose enumerators begin with `prefix`: THRONG_AXIS_ of THRONG_AXIS_X."""
    def make(kind):
        kind.c_name, kind.prefix = c_name, prefix
        ENUMS.append(kind)
        return kind

    return make


def enumerator(kind, value, what):
    """The member of the enumeration `kind` for a word or a number. `what` names the argument in errors."""
    if isinstance(value, str):
        if value.upper() not in kind.__members__:
            words = ", ".join(kind.__members__).lower()
            raise ValueError(f"{what} is {value!r}, allowed: {words}")
        return kind[value.upper()]
    return kind(value)


def several(kind, count):
    """The type of an array of enumerators. A field of it takes one word for all elements, or `count` words."""
    def from_value(cls, value, what):
        words = [value] if isinstance(value, (str, int)) else list(value)
        if len(words) not in (1, count):
            raise ValueError(f"{what} has {len(words)} words, wanted: 1 or {count}")
        return cls(*[enumerator(kind, word, what) for word in words * (count // len(words))])

    return type(f"{kind.__name__}Array", (ctypes.Array,), {
        "_type_": u32, "_length_": count, "from_value": classmethod(from_value),
        "__repr__": lambda self: repr([kind(value).name.lower() for value in self])})


def union(cls):
    """Makes a class a union of C, with the fields that its annotations name."""
    cls._fields_ = list(cls.__annotations__.items())
    return cls


def struct(c_name):
    """Makes a class the struct `c_name`, with the fields that its annotations name."""
    def make(cls):
        cls.c_name = c_name
        fields = cls.__annotations__
        cls._enums_ = {name: kind for name, kind in fields.items() if isinstance(kind, enum.EnumMeta)}
        cls._anonymous_ = [name for name in fields if name == "union"]
        cls._fields_ = [(name, u32 if name in cls._enums_ else kind) for name, kind in fields.items()]
        STRUCTS.append(cls)
        return cls

    return make


class Struct(ctypes.Structure):
    """A struct of the library. A field takes an enumerator as a word and a vector as a sequence.

    Setting a field that does not exist raises AttributeError."""

    def __setattr__(self, name, value):
        field = dict(self._fields_).get(name)
        if field is None:
            raise AttributeError(f"{type(self).__name__} has no {name!r}; it has {', '.join(self.names())}")
        if name in self._enums_:
            value = enumerator(self._enums_[name], value, name)
        elif hasattr(field, "from_value") and not isinstance(value, field):
            value = field.from_value(value, name)
        elif isinstance(value, dict):
            value = getattr(self, name)._set(**value)
        elif isinstance(value, (list, tuple, np.ndarray)):
            value = field(*value)
        if field in MOST and not 0 <= value <= MOST[field]:
            raise ValueError(f"{name} is {value}, allowed: 0 to {MOST[field]}")
        try:
            super().__setattr__(name, value)
        except TypeError as error:
            raise TypeError(f"{name} is {value!r}: {error}") from None

    def _set(self, **fields):
        for name, value in fields.items():
            setattr(self, name, value)
        return self

    @classmethod
    def names(cls):
        return [name for name, *_ in cls._fields_ if name != "cookie"]

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.names())})"
