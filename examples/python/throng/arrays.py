"""Columns in the library's memory as NumPy arrays. SPDX-License-Identifier: MIT"""

from ctypes import c_float, c_uint8, c_uint32, c_void_p

import numpy as np

from .enums import STRIDE_ONE
from .errors import StaleView
from .library import ID
from .structs import Span

_ELEMENTS = {"id_index": c_uint32, "meta": c_uint32, "group": c_uint8, "wanted": c_uint8}  # all others are c_float


def packed(values, shape, what, dtype=np.float32):
    """A packed array of `shape`. Values with fewer dimensions are repeated. `what` names the argument in errors."""
    values = np.asarray(values, dtype)
    try:
        return np.ascontiguousarray(np.broadcast_to(values, shape))
    except ValueError:
        raise ValueError(f"{what} has shape {values.shape}, wanted: {shape}") from None


def span_of(array):
    """A Span of a packed array. If NumPy has broadcast one value to all rows, the span is one value for all."""
    return Span(array.ctypes.data, STRIDE_ONE if array.strides[0] == 0 else 0)


class _Columns:
    """The arrays that the pointers of a struct name. Those whose names begin with one of `writable` can be written."""

    def __init__(self, world, fields, writable):
        self._world, self._fields, self._writable = world, fields, writable

    def __len__(self):
        self._check_fresh()
        return self._fields.count

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        self._check_fresh()
        if f"{name}_x" in self._fields.names():
            return tuple(getattr(self, f"{name}_{axis}") for axis in "xyz")
        if name not in self._fields.names():
            raise AttributeError(f"a {type(self).__name__.lower()} has no {name!r}; "
                                 f"it has {', '.join(self._fields.names())}")
        address, element = getattr(self._fields, name), _ELEMENTS.get(name, c_float)
        if dict(self._fields._fields_)[name] is not c_void_p:  # count, id_world
            return address
        if not address:
            return None
        memory = (element * self._fields.count).from_address(address)
        memory.world = self._world  # the array keeps the world, so only close() frees the memory under it
        array = np.frombuffer(memory, element) if self._fields.count else np.empty(0, element)
        array.flags.writeable = name.startswith(self._writable)
        return array


class View(_Columns):
    """The world's columns in the library's memory. Element k belongs to the agent with index id_index[k].

    The attributes are the fields of throng_view, such as position_x and yaw: arrays, or None where the world has no
    such column. `position` is the tuple of position_x, position_y and position_z. Other vectors have the same form.
    The agents are in grid order.
    These arrays are not copies. `group`, `generation` and ids() are copies.

    A view is stale after the next call that may change agents, such as step(), index(), add() or write(). A stale view
    raises StaleView. Arrays that were taken from it then show memory that holds other values or is freed. To keep
    values longer, copy them."""

    __module__ = __package__

    def __init__(self, world, fields, writable=()):
        super().__init__(world, fields, writable)
        self._epoch = world._epoch

    def _check_fresh(self):
        if self._world._epoch != self._epoch:
            raise StaleView("the world has changed since this view was taken: ask for another one")

    @property
    def group(self):
        return (self.meta & 0xFF).astype(np.uint8)

    @property
    def generation(self):
        return (self.meta >> 16).astype(np.uint16)

    def ids(self):
        """The agents' ids in the order of the columns."""
        ids = np.empty(len(self), ID)
        ids["index"], ids["generation"], ids["world"] = self.id_index, self.generation, self._fields.id_world
        return ids


class Block(_Columns):
    """Up to 256 agents that a callback moves, in their state at the beginning of the frame.

    `frame` and `dt` are numbers. All others are arrays as in a View, in throng's axes and metres, and `wanted`, which
    is 0 for agents of groups without this callback. The callback writes acceleration_x, acceleration_y and
    acceleration_z (m/s^2, 0 at first). The block and its arrays are valid during that call."""

    __module__ = __package__

    def __init__(self, world, fields):
        super().__init__(world, fields, ("acceleration_",))
        self.count, self.frame, self.dt = fields.count, fields.frame, fields.dt
        self._fresh = True

    def _check_fresh(self):
        if not self._fresh:
            raise StaleView("a block is valid only while its callback runs")
