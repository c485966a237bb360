"""World: agents, their frames and queries. SPDX-License-Identifier: MIT"""

import collections
import ctypes
from ctypes import byref, c_float, c_size_t, c_uint32, c_uint64, c_void_p

import numpy as np

from .arrays import View, packed, span_of
from .behaviours import AgentId, Error, Vec3
from .enums import ALL_LAYERS, Column, Combine, InstanceForm
from .errors import ThrongError, call
from .library import ID, NEIGHBOUR, lib, uint32
from .objects import Objects
from .structs import AgentsDef, EditStruct, ExplanationStruct, Profile, Span, ViewStruct, WorldDef
from .structure import enumerator

Neighbours = collections.namedtuple("Neighbours", "ids distance count", module=__package__)
Contribution = collections.namedtuple("Contribution", "name weight priority acceleration yaw_acceleration",
                                      module=__package__)
Explanation = collections.namedtuple(
    "Explanation", "agent frame group position velocity combine max_acceleration contributions acceleration "
    "yaw_acceleration", module=__package__)


def _numbers(value):
    return np.array((value.x, value.y, value.z), np.float32)


def _dtype(column):
    """The type of a column's elements."""
    return {Column.GROUP: np.dtype(np.uint8), Column.TARGET: ID}.get(column, np.dtype(np.float32))


class World(Objects):
    """A world of agents. Its keywords are the fields of throng_world_def: World(space="spatial", seed=7).

    Call close() at the end, or use `with`."""

    __module__ = __package__

    def __init__(self, **fields):
        self._create(lib.throng_default_world_def()._set(**fields))

    def _create(self, definition):
        self._handle, self._epoch = None, 0
        self._callbacks, self._failures = {}, []  # the native functions by index, and what they raised
        self._recorders = set()  # the addresses of recorders, which must be destroyed before the world
        self._unchecked, self._removed = set(), set()  # see Objects._check_groups
        handle = c_void_p()
        call("throng_world_create", byref(definition), byref(handle))
        self._handle = handle

    @classmethod
    def _from_definition(cls, definition):
        world = cls.__new__(cls)
        world._create(definition)
        return world

    @classmethod
    def from_snapshot(cls, snapshot, callbacks=None, **fields):
        """A new world in the state that save() stored. Keywords set what a snapshot lacks, such as thread_count.

        `callbacks` has the functions that the saved world had, {index: function}."""
        definition = WorldDef()
        call("throng_snapshot_get_def", snapshot, c_size_t(len(snapshot)), byref(definition))
        world = cls._from_definition(definition._set(**fields))
        world._set_callbacks(callbacks)
        world.load(snapshot)
        return world

    def _set_callbacks(self, callbacks):
        for index, function in (callbacks or {}).items():
            self.set_callback(index, function)

    @property
    def _world(self):
        if self._handle is None:
            raise ValueError("this world is closed")
        return self._handle

    def close(self):
        """Frees the world, its recorders and its columns. Do not use arrays of its views after this."""
        self._begin_change()
        self._destroy()

    def _destroy(self):
        self._epoch += 1
        while self._recorders:
            lib.throng_recorder_destroy(c_void_p(self._recorders.pop()))
        handle, self._handle = self._handle, None
        if handle is not None:
            lib.throng_world_destroy(handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None) is not None:
            self._destroy()

    def __len__(self):
        return lib.throng_agents_count(self._world)

    def _change(self, name, *arguments, handle=None):
        """Calls a function after which views are stale, even if it fails. Raises what a callback has raised."""
        self._begin_change()
        world = self._world
        self._epoch += 1
        self._failures.clear()
        try:
            call(name, handle or world, *arguments)
        except ThrongError:
            if not self._failures:
                raise
        if self._failures:
            raise self._failures[0]

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
        self._check_groups()
        self._change("throng_world_step", c_float(dt))

    def steer(self, dt):
        self._check_groups()
        self._change("throng_world_steer", c_float(dt))

    def integrate(self, dt):
        self._change("throng_world_integrate", c_float(dt))

    def index(self):
        """Sorts the agents if they have changed since the last sort. Every step sorts too.

        Queries need this in a dirty world. A world is dirty if agents were added, positions were written or edited, or
        more than 1/64 of the agents were moved or removed since the last sort (in a world of fewer than 64 agents,
        more than one). view() and edit() need it after a removal, save() after any of these changes, even of one
        agent."""
        self._change("throng_world_index")

    def shift_origin(self, wished):
        """Moves the origin by about `wished`, a vector. Returns the exact shift that was subtracted."""
        exact = Vec3()
        self._change("throng_world_shift_origin", Vec3.from_value(wished, "wished"), byref(exact))
        return _numbers(exact)

    def check(self):
        """Raises ThrongError if the world's own structures are inconsistent. For tests."""
        error = Error()
        if not lib.throng_world_check(self._world, byref(error)):
            raise ThrongError(error)

    def _components(self, column):
        return lib.throng_column_components(column, self.definition.space)

    def _values(self, column, values, count):
        """An array that the library can read as the values of a column of `count` agents."""
        parts = self._components(column)
        dtype = _dtype(column)
        if dtype == ID:
            parts = 1
        if dtype == np.uint8 and not np.all(np.isin(values, np.arange(256))):
            raise ValueError("group has a value that is not a whole number from 0 to 255")
        shape, what = (count, parts) if parts > 1 else (count,), Column(column).name.lower()
        if np.ndim(values) == len(shape):
            return packed(values, shape, what, dtype)
        return np.broadcast_to(packed(values, shape[1:], what, dtype), shape)

    def reserve(self, capacity):
        """Allocates memory for `capacity` agents in all. Adding up to that number then does not allocate."""
        self._change("throng_agents_reserve", uint32(capacity, "capacity"))

    def add(self, position, ids=None, **columns):
        """Adds agents and returns their ids.

        `position` has the shape (agents, 3). The other columns are velocity, facing, group, goal, perception_radius,
        body_radius, mass, max_speed, steer_period and target: an array with one row per agent, or one value for all.
        With `ids` the agents get these ids, which no agent has."""
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
        definition = lib.throng_default_agents_def()._set(**{name: span_of(array) for name, array in arrays.items()})
        function = "throng_agents_add" if ids is None else "throng_agents_add_with_ids"
        ids = np.zeros(count, ID) if ids is None else np.array(packed(ids, (count,), "ids", ID))
        self._change(function, byref(definition), c_uint32(count), c_void_p(ids.ctypes.data))
        return ids

    def is_valid(self, agent):
        """Whether `agent` is the id of an agent of this world that was not removed."""
        return lib.throng_agents_is_valid(self._world, AgentId.from_value(agent, "agent"))

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
        values = np.empty((count, parts) if parts > 1 and _dtype(column) != ID else count, _dtype(column))
        call("throng_agents_read", self._world, column, None if asked is None else c_void_p(asked.ctypes.data),
             c_uint32(count), c_void_p(values.ctypes.data), c_size_t(0))
        return values[0] if ids is not None and np.ndim(ids) == 0 else values

    def instances(self, form="rows_3x4", by_id=False, scale=1.0, offset=(0, 0, 0), alpha=1.0):
        """The agents as instances to draw: a row of floats each. InstanceForm has the forms. The order is that of
        view(), or with `by_id` that of ids(). `alpha` below 1 is a time between the poses before the last step, 0, and
        after it; it needs World(keep_previous_pose=True)."""
        definition = lib.throng_default_instances_def()
        definition.form = enumerator(InstanceForm, form, "form")
        definition.by_id, definition.scale, definition.offset = by_id, scale, Vec3(*offset)
        definition.alpha = alpha
        floats = lib.throng_instance_bytes(definition.form) // 4
        values = np.empty((len(self), floats), np.float32)
        call("throng_agents_read_instances", self._world, byref(definition), c_uint32(len(self)),
             c_void_p(values.ctypes.data))
        return values

    def write(self, column, values, ids=None):
        """Sets a column for all agents or for `ids`. `values` has one row per agent, or one value for all."""
        column = enumerator(Column, column, "column")
        asked = None if ids is None else np.ascontiguousarray(np.atleast_1d(ids), ID)
        count = len(self) if asked is None else len(asked)
        values = self._values(column, values, count)
        span = span_of(values)
        self._change("throng_agents_write", column, None if asked is None else c_void_p(asked.ctypes.data),
                     c_uint32(count), c_void_p(span.data), c_size_t(span.stride))

    def move(self, ids, position, velocity=None):
        """Moves agents, such as players: sets their positions, and their velocities if these are given.

        Each array has a row for each agent, or one row for all agents. An indexed world stays indexed, so that queries
        find the agents at once. But if more than 1/64 of the agents were moved or removed since the last sort (in a
        world of fewer than 64 agents, more than one), the world is dirty: see index()."""
        asked = np.ascontiguousarray(np.atleast_1d(ids), ID)
        arrays = [None if values is None else np.ascontiguousarray(self._values(column, values, len(asked)))
                  for column, values in ((Column.POSITION, position), (Column.VELOCITY, velocity))]
        self._change("throng_agents_move", c_void_p(asked.ctypes.data), c_uint32(len(asked)),
                     *(None if array is None else c_void_p(array.ctypes.data) for array in arrays))

    def view(self, column=None):
        """A View to read from. With the name of a column, only that column: x, y, z = world.view("position")."""
        fields = ViewStruct()
        call("throng_world_view", self._world, byref(fields))
        view = View(self, fields)
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
        return View(self, fields, ("position_", "velocity_", "acceleration_", "yaw_acceleration"))

    # Explanations

    def watch(self, agent):
        """Chooses the agent, an id, that the following frames explain. None chooses no agent."""
        self._begin_change()
        call("throng_world_watch", self._world, AgentId() if agent is None else AgentId.from_value(agent, "agent"))

    def explain(self, agent):
        """What each rule and behaviour of the watched agent wanted in the last frame, as an Explanation.

        Its `contributions` have name, weight, priority, acceleration and yaw_acceleration; `acceleration` is what came
        out. `position` and `velocity` are those at the beginning of the frame."""
        found = ExplanationStruct()
        call("throng_world_explain", self._world, AgentId.from_value(agent, "agent"), byref(found))
        contributions = [
            Contribution(one.name.decode(), one.weight, one.priority, _numbers(one.acceleration), one.yaw_acceleration)
            for one in found.contribution[: found.count]]
        return Explanation(
            found.agent.element(), found.frame, found.group, _numbers(found.position), _numbers(found.velocity),
            Combine(found.combine), found.max_acceleration, contributions, _numbers(found.acceleration),
            found.yaw_acceleration)

    # Queries

    def neighbours(self, centre, radius, mask=ALL_LAYERS):
        """The agents within `radius` of a point, nearest first, as (ids, distance, count).

        For (n, 3) points, ids and distance have one row per point. The first count[k] elements of row k are valid."""
        def query(batch, points, found, capacity, counts):
            call(f"throng_world_query_radius{batch}", self._world, *points, c_float(radius), uint32(mask, "mask"),
                 found, c_uint32(capacity), counts)

        return self._query(centre, None, query)

    def nearest(self, centre, k=1, mask=ALL_LAYERS):
        """The k agents nearest to a point, or to each of (n, 3) points. The result has the form of neighbours()."""
        def query(batch, points, found, capacity, counts):
            call(f"throng_world_query_nearest{batch}", self._world, *points, uint32(capacity, "k"),
                 uint32(mask, "mask"), found, counts)

        return self._query(centre, k, query)

    def _query(self, centre, capacity, query):
        centre = np.asarray(centre, np.float32)
        points = packed(centre, (1 if centre.ndim < 2 else len(centre), 3), "centre")
        counts = np.zeros(len(points), np.uint32)

        def run(found, capacity):
            if not self._in_callback:  # only one batch may run at a time, but several threads run callbacks
                return query("_batch", (c_void_p(points.ctypes.data), c_uint32(len(points))), found and found(0),
                             capacity, c_void_p(counts.ctypes.data))
            for k, point in enumerate(points.tolist()):
                query("", (Vec3(*point),), found and found(k), capacity, c_void_p(counts[k:].ctypes.data))

        if capacity is None:
            run(None, 0)
            capacity = int(counts.max(initial=0))
        found = np.zeros((len(points), capacity), NEIGHBOUR)
        run(lambda k: c_void_p(found[k:].ctypes.data), capacity)
        if centre.ndim == 2:
            return Neighbours(found["id"], found["distance"], counts)
        return Neighbours(found["id"][0, : counts[0]], found["distance"][0, : counts[0]], int(counts[0]))

    # The state as a whole

    def hash(self, *columns):
        """A hash of 64 bits over the named columns of all agents. Without names: position, velocity and facing."""
        bits = sum(1 << enumerator(Column, column, "column") for column in set(columns))
        return lib.throng_world_hash(self._world, c_uint64(bits))

    def save(self):
        """The world as bytes: a snapshot. load() restores it here, from_snapshot() makes a new world from it."""
        size = c_size_t()
        call("throng_world_save_snapshot", self._world, None, c_size_t(0), byref(size))
        snapshot = ctypes.create_string_buffer(size.value)
        call("throng_world_save_snapshot", self._world, snapshot, size, byref(size))
        return snapshot.raw

    def load(self, snapshot):
        """Restores what save() stored. Callbacks are not part of it: the world must have those of the saved one."""
        self._change("throng_world_load_snapshot", snapshot, c_size_t(len(snapshot)))
        self._unchecked.clear()

    def profile(self):
        """The fields of throng_profile as a dict: the time that each pass took. Needs World(profile=True)."""
        profile = Profile()
        call("throng_world_get_profile", self._world, byref(profile))
        return {name: getattr(profile, name) for name in profile.names()}

    def reset_profile(self):
        call("throng_world_reset_profile", self._world)
