"""View and World: agents as NumPy arrays. SPDX-License-Identifier: MIT"""

import collections
import ctypes
from ctypes import byref, c_float, c_size_t, c_uint32, c_void_p

import numpy as np

from .errors import StaleView, call
from .library import ALL_LAYERS, ID, NEIGHBOUR, STRIDE_ONE, Column, enumerator, lib, uint32
from .structs import AgentsDef, EditStruct, Group, Profile, SceneryDef, Span, ViewStruct, WorldDef

Neighbours = collections.namedtuple("Neighbours", "ids distance count", module=__package__)


def _array(values, shape, what, dtype=np.float32):
    """A packed array of `shape`. Values with fewer dimensions are repeated. `what` names the argument in errors."""
    values = np.asarray(values, dtype)
    try:
        return np.ascontiguousarray(np.broadcast_to(values, shape))
    except ValueError:
        raise ValueError(f"{what} has shape {values.shape}, wanted: {shape}") from None


def _span(array):
    """A Span of a packed array. If NumPy has broadcast one value to all rows, the span is one value for all."""
    return Span(array.ctypes.data, STRIDE_ONE if array.strides[0] == 0 else 0)


class View:
    """The world's columns in the library's memory. Element k belongs to the agent with index id_index[k].

    The attributes are the fields of throng_view, such as position_x and yaw: arrays, or None where the world has no
    such column. `position` is the tuple of position_x, position_y and position_z. Other vectors have the same form.
    The agents are in grid order.
    These arrays are not copies. `group`, `generation` and ids() are copies.

    A view is stale after the next call that may change agents, such as step(), index(), add() or write(). A stale view
    raises StaleView. Arrays that were taken from it then show memory that holds other values or is freed. To keep
    values longer, copy them."""

    __module__ = __package__

    def __init__(self, world, fields, writable):
        self._world, self._fields, self._writable, self._epoch = world, fields, writable, world._epoch

    def __len__(self):
        return len(self.id_index)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if self._world._epoch != self._epoch:
            raise StaleView("the world has changed since this view was taken: ask for another one")
        if name in ("group", "generation"):
            return (self.meta & 0xFF).astype(np.uint8) if name == "group" else (self.meta >> 16).astype(np.uint16)
        if f"{name}_x" in self._fields.names():
            return tuple(getattr(self, f"{name}_{axis}") for axis in "xyz")
        if name not in self._fields.names():
            raise AttributeError(f"a view has no {name!r}; it has {', '.join(self._fields.names())}")
        address = getattr(self._fields, name)
        if not address:
            return None
        element = c_uint32 if name in ("id_index", "meta") else c_float
        memory = (element * self._fields.count).from_address(address)
        memory.world = self._world  # the array keeps the world, so only close() frees the memory under it
        array = np.frombuffer(memory, element) if self._fields.count else np.empty(0, element)
        array.flags.writeable = self._writable and name != "id_index"
        return array

    def ids(self):
        """The agents' ids in the order of the columns."""
        ids = np.empty(len(self), ID)
        ids["index"], ids["generation"], ids["world"] = self.id_index, self.generation, self._fields.id_world
        return ids


class World:
    """A world of agents. Its keywords are the fields of throng_world_def: World(space="spatial", seed=7).

    Call close() at the end, or use `with`."""

    __module__ = __package__

    def __init__(self, **fields):
        self._handle, self._epoch = None, 0
        self._create(lib.throng_default_world_def()._set(**fields))

    def _create(self, definition):
        handle = c_void_p()
        call("throng_world_create", byref(definition), byref(handle))
        self._handle = handle

    @classmethod
    def from_snapshot(cls, snapshot, **fields):
        """A new world in the state that save() stored. Keywords set what a snapshot lacks, such as thread_count."""
        world, definition = cls.__new__(cls), WorldDef()
        world._handle, world._epoch = None, 0
        call("throng_snapshot_get_def", snapshot, c_size_t(len(snapshot)), byref(definition))
        world._create(definition._set(**fields))
        world.load(snapshot)
        return world

    @property
    def _world(self):
        if self._handle is None:
            raise ValueError("this world is closed")
        return self._handle

    def close(self):
        """Frees the world and its columns. Do not use arrays of its views after this."""
        handle, self._handle = self._handle, None
        self._epoch += 1
        if handle is not None:
            lib.throng_world_destroy(handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None) is not None:
            self.close()

    def __len__(self):
        return lib.throng_agents_count(self._world)

    def _change(self, name, *arguments):
        """Calls a function that makes views stale, even if it fails."""
        self._epoch += 1
        call(name, self._world, *arguments)

    @property
    def definition(self):
        """The world's definition, a WorldDef. isa and thread_count are those that the world chose."""
        return lib.throng_world_get_def(self._world)

    @property
    def frame(self):
        return lib.throng_world_frame(self._world)

    @property
    def is_indexed(self):
        return lib.throng_world_is_indexed(self._world)

    def step(self, dt):
        self._change("throng_world_step", c_float(dt))

    def steer(self, dt):
        self._change("throng_world_steer", c_float(dt))

    def integrate(self, dt):
        self._change("throng_world_integrate", c_float(dt))

    def index(self):
        """Sorts the agents. Queries and save() need this after agents were added, removed or written."""
        self._change("throng_world_index")

    def _components(self, column):
        return lib.throng_column_components(column, self.definition.space)

    def _values(self, column, values, count):
        """An array that the library can read as the values of a column of `count` agents."""
        parts = self._components(column)
        dtype = np.uint8 if column == Column.GROUP else np.float32
        if dtype == np.uint8 and not np.all(np.isin(values, np.arange(256))):
            raise ValueError("group has a value that is not a whole number from 0 to 255")
        shape, what = (count, parts) if parts > 1 else (count,), Column(column).name.lower()
        if np.ndim(values) == len(shape):
            return _array(values, shape, what, dtype)
        return np.broadcast_to(_array(values, shape[1:], what, dtype), shape)

    def add(self, position, **columns):
        """Adds agents and returns their ids.

        `position` has the shape (agents, 3). The other columns are velocity, facing, group, goal, perception_radius,
        body_radius and mass: an array with one row per agent, or one value for all."""
        position = np.asarray(position, np.float32)
        if position.ndim != 2 or position.shape[1] != 3:
            raise ValueError(f"position has shape {position.shape}, wanted: (agents, 3)")
        known = [name for name, kind in AgentsDef._fields_ if kind is Span and name != "position"]
        unknown = [name for name in columns if name not in known]
        if unknown:
            raise TypeError(f"agents cannot be added with {unknown[0]!r}; allowed: {', '.join(known)}")
        count = len(position)
        arrays = {name: self._values(Column[name.upper()], values, count)
                  for name, values in dict(columns, position=position).items() if values is not None}
        definition = lib.throng_default_agents_def()._set(**{name: _span(array) for name, array in arrays.items()})
        ids = np.zeros(count, ID)
        self._change("throng_agents_add", byref(definition), c_uint32(count), c_void_p(ids.ctypes.data))
        return ids

    def remove(self, ids):
        ids = np.ascontiguousarray(np.atleast_1d(ids), ID)
        self._change("throng_agents_remove", c_void_p(ids.ctypes.data), c_uint32(len(ids)))

    def ids(self):
        """The ids of all agents by ascending index. read() and write() use this order if no ids are given."""
        ids, count = np.zeros(len(self), ID), c_uint32()
        call("throng_agents_get_ids", self._world, c_void_p(ids.ctypes.data), c_uint32(len(ids)), byref(count))
        return ids

    def read(self, column, ids=None):
        """A copy of a column, such as "velocity", for all agents or for `ids`. A single id gives a single row."""
        column = enumerator(Column, column, "column")
        asked = None if ids is None else np.ascontiguousarray(np.atleast_1d(ids), ID)
        count, parts = len(self) if asked is None else len(asked), self._components(column)
        values = np.empty((count, parts) if parts > 1 else count, np.uint8 if column == Column.GROUP else np.float32)
        call("throng_agents_read", self._world, column, None if asked is None else c_void_p(asked.ctypes.data),
             c_uint32(count), c_void_p(values.ctypes.data), c_size_t(0))
        return values[0] if ids is not None and np.ndim(ids) == 0 else values

    def write(self, column, values, ids=None):
        """Sets a column for all agents or for `ids`. `values` has one row per agent, or one value for all."""
        column = enumerator(Column, column, "column")
        asked = None if ids is None else np.ascontiguousarray(np.atleast_1d(ids), ID)
        count = len(self) if asked is None else len(asked)
        values = self._values(column, values, count)
        span = _span(values)
        self._change("throng_agents_write", column, None if asked is None else c_void_p(asked.ctypes.data),
                     c_uint32(count), c_void_p(span.data), c_size_t(span.stride))

    def view(self, column=None):
        """A View to read from. With the name of a column, only that column: x, y, z = world.view("position")."""
        fields = ViewStruct()
        call("throng_world_view", self._world, byref(fields))
        view = View(self, fields, False)
        return view if column is None else getattr(view, column)

    def edit(self):
        """A View of positions and velocities to write to. The next step() or index() checks the values."""
        return self._edit("throng_world_edit")

    def edit_accelerations(self):
        """A View of the accelerations to write to. Call it between steer() and integrate()."""
        return self._edit("throng_world_edit_accelerations")

    def _edit(self, function):
        fields = EditStruct()
        self._change(function, byref(fields))
        return View(self, fields, True)

    # Groups, cells, scenery and paths

    def set_group(self, number, group):
        call("throng_world_set_group", self._world, uint32(number, "number"), byref(group))

    def group(self, number):
        """A copy of a group's definition. To change the group, change the copy and pass it to set_group()."""
        group = Group()
        call("throng_world_get_group", self._world, uint32(number, "number"), byref(group))
        return group

    def set_cells(self, blocked, cell=1.0, origin=(0.0, 0.0, 0.0)):
        """Sets the map of scenery cells. None removes it.

        blocked[j, i] is the cell that is i cells along throng's +x and j cells along its +z from `origin`."""
        if blocked is None:
            return self._change("throng_world_set_cells", None)
        blocked = np.ascontiguousarray(np.asarray(blocked) != 0, np.uint8)
        height, width = blocked.shape
        definition = lib.throng_default_cells_def()._set(
            width=width, height=height, cell=cell, origin=origin, blocked=blocked.ctypes.data)
        self._change("throng_world_set_cells", byref(definition))

    def set_scenery(self, **shapes):
        """Replaces all obstacles, walls, boxes and planes.

        Keywords come in pairs: obstacle_centre and obstacle_radius, wall_from and wall_to, box_min and box_max,
        plane_point and plane_normal. obstacle_radius has one number per row, all others have the shape (n, 3)."""
        arrays, definition = {}, lib.throng_default_scenery_def()
        for name, values in shapes.items():
            vectors = name != "obstacle_radius"
            count = len(np.atleast_2d(values) if vectors else np.atleast_1d(values))
            if name not in SceneryDef.names() or name.endswith("_count"):
                raise TypeError(f"scenery has no {name!r}")
            arrays[name] = _array(values, (count, 3) if vectors else (count,), name)
            counter = f"{name.split('_')[0]}_count"
            if getattr(definition, counter) not in (0, count):
                raise ValueError(f"{name} has {count} rows, wanted: {getattr(definition, counter)}")
            definition._set(**{name: _span(arrays[name]), counter: count})
        self._change("throng_world_set_scenery", byref(definition))

    def set_path(self, index, points, closed=False):
        """Sets the path `index` to a polyline of (n, 3) points that agents can follow. None removes the path."""
        if points is None:
            return call("throng_world_set_path", self._world, uint32(index, "index"), None)
        points = _array(points, (len(points), 3), "points")
        definition = lib.throng_default_path_def()._set(points=_span(points), count=len(points), closed=closed)
        call("throng_world_set_path", self._world, uint32(index, "index"), byref(definition))

    # Queries

    def neighbours(self, centre, radius, mask=ALL_LAYERS):
        """The agents within `radius` of a point, nearest first, as (ids, distance, count).

        For (n, 3) points, ids and distance have one row per point. The first count[k] elements of row k are valid."""
        def batch(found, capacity, counts, points):
            call("throng_world_query_radius_batch", self._world, c_void_p(points.ctypes.data), c_uint32(len(points)),
                 c_float(radius), uint32(mask, "mask"), found, c_uint32(capacity), c_void_p(counts.ctypes.data))

        return self._query(centre, None, batch)

    def nearest(self, centre, k=1, mask=ALL_LAYERS):
        """The k agents nearest to a point, or to each of (n, 3) points. The result has the form of neighbours()."""
        def batch(found, capacity, counts, points):
            call("throng_world_query_nearest_batch", self._world, c_void_p(points.ctypes.data), c_uint32(len(points)),
                 uint32(capacity, "k"), uint32(mask, "mask"), found, c_void_p(counts.ctypes.data))

        return self._query(centre, k, batch)

    @staticmethod
    def _query(centre, capacity, batch):
        centre = np.asarray(centre, np.float32)
        points = _array(centre, (1 if centre.ndim < 2 else len(centre), 3), "centre")
        counts = np.zeros(len(points), np.uint32)
        if capacity is None:
            batch(None, 0, counts, points)
            capacity = int(counts.max(initial=0))
        found = np.zeros((len(points), capacity), NEIGHBOUR)
        batch(c_void_p(found.ctypes.data), capacity, counts, points)
        if centre.ndim == 2:
            return Neighbours(found["id"], found["distance"], counts)
        return Neighbours(found["id"][0, : counts[0]], found["distance"][0, : counts[0]], int(counts[0]))

    # The state as a whole

    def hash(self, *columns):
        """A hash of 64 bits over the named columns of all agents. Without names: position, velocity and facing."""
        bits = sum(1 << enumerator(Column, column, "column") for column in set(columns))
        return lib.throng_world_hash(self._world, c_uint32(bits))

    def save(self):
        """The world as bytes: a snapshot. load() restores it here, from_snapshot() makes a new world from it."""
        size = c_size_t()
        call("throng_world_save_snapshot", self._world, None, c_size_t(0), byref(size))
        snapshot = ctypes.create_string_buffer(size.value)
        call("throng_world_save_snapshot", self._world, snapshot, size, byref(size))
        return snapshot.raw

    def load(self, snapshot):
        self._change("throng_world_load_snapshot", snapshot, c_size_t(len(snapshot)))

    def profile(self):
        """The fields of throng_profile as a dict: the time that each pass took. Needs World(profile=True)."""
        profile = Profile()
        call("throng_world_get_profile", self._world, byref(profile))
        return {name: getattr(profile, name) for name in profile.names()}

    def reset_profile(self):
        call("throng_world_reset_profile", self._world)
