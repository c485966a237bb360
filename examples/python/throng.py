"""throng for Python: crowds and flocks in NumPy arrays. One file: put it, and libthrong.so beside it, wherever you like.

    import numpy as np, throng
    with throng.World(boundary="periodic", box_max=(40, 40, 40)) as world:
        ids = world.add(position=np.random.rand(1000, 3) * 40)
        world.step(1 / 60)
        x, _, z = world.view("position")         # the library's own memory: nothing is copied

The library is $THRONG_LIBRARY, else a libthrong.so beside this file, else the system's. The names, units, ranges and defaults are
those of the headers in include/throng, which are the manual: World(...) takes the fields of throng_world_def, Group(...) those
of throng_group_def, and enumerators are their last words in small letters ("periodic", "inverse_square"). What fails raises
ThrongError and leaves the world as it was. SPDX-License-Identifier: MIT"""

import collections
import ctypes
import ctypes.util
import enum
import itertools
import os
import pathlib
from ctypes import byref, c_bool, c_char, c_char_p, c_double, c_float, c_size_t, c_uint, c_uint16, c_uint32, c_uint64, c_void_p

import numpy as np

MAX_BEHAVIOURS = 8
MAX_PARAMETERS = 8
PRIORITIES = 8
ALL_LAYERS = 0xFFFFFFFF
STRIDE_ONE = c_size_t(-1).value

ID = np.dtype([("index", np.uint32), ("generation", np.uint16), ("world", np.uint16)])  # throng_agent_id
NEIGHBOUR = np.dtype([("id", ID), ("distance", np.float32)])  # throng_neighbour
Neighbours = collections.namedtuple("Neighbours", "ids distance count")


def _load():
    beside = pathlib.Path(__file__).resolve().parent / "libthrong.so"
    path = os.environ.get("THRONG_LIBRARY") or (str(beside) if beside.exists() else ctypes.util.find_library("throng"))
    if not path:
        raise OSError(f"no libthrong.so: set THRONG_LIBRARY to it, put it beside {__file__}, or install it "
                      "(cmake -DBUILD_SHARED_LIBS=ON)")
    return ctypes.CDLL(path)


lib = _load()


def _enum(name, prefix, words):
    """An enumeration of the library: its words, and what stands before them in C."""
    made = enum.IntEnum(name, words.upper(), start=0)
    made.prefix = prefix
    return made


def _words(name, prefix, name_of, end):
    """An enumeration whose words the library tells: name_of(k), until that is `end`."""
    name_of.restype = c_char_p
    words = [name_of(0)]
    while words[-1] != end:
        words.append(name_of(len(words)))
    return _enum(name, prefix, b" ".join(words[:-1]).decode())


Status = _enum("Status", "THRONG_", "ok error_null_argument error_bad_cookie error_bad_value error_not_finite error_out_of_range "
               "error_out_of_memory error_capacity error_stale_id error_foreign_id error_no_group error_not_indexed "
               "error_not_steered error_blocked error_unsupported error_write")
Axis = _enum("Axis", "THRONG_AXIS_", "x y z minus_x minus_y minus_z")
Isa = _enum("Isa", "THRONG_ISA_", "auto baseline avx2 avx512 neon")
Space = _enum("Space", "THRONG_SPACE_", "planar spatial")
Boundary = _enum("Boundary", "THRONG_BOUNDARY_", "unbounded box periodic")
SeparationLaw = _enum("SeparationLaw", "THRONG_SEPARATION_", "inverse linear inverse_square")
Update = _enum("Update", "THRONG_UPDATE_", "semi_implicit explicit ballistic")
TargetKind = _enum("TargetKind", "THRONG_TARGET_", "goal point agent")
Kind = _words("Kind", "THRONG_BEHAVIOUR_", lib.throng_behaviour_name, None)
ParameterType = _enum("ParameterType", "THRONG_PARAMETER_", "float bool uint32 layers enum")
Column = _words("Column", "THRONG_COLUMN_", lib.throng_column_name, b"?")


def _enumerator(enumeration, value, what):
    if isinstance(value, str):
        if value.upper() not in enumeration.__members__:
            words = ", ".join(enumeration.__members__).lower()
            raise ValueError(f"{what} is {value!r}, allowed: {words}")
        return enumeration[value.upper()]
    return enumeration(value)


_MOST = {c_uint64: 2**64 - 1, c_uint: 2**32 - 1, c_uint32: 2**32 - 1, c_uint16: 2**16 - 1}  # ctypes would wrap round


def _number(value, what):
    """An argument of 32 bits."""
    if not 0 <= value <= _MOST[c_uint32]:
        raise ValueError(f"{what} is {value}, allowed: 0 to {_MOST[c_uint32]}")
    return c_uint32(value)


def _vector(value, what):
    value = np.asarray(value, np.float32)
    if value.shape != (3,):
        raise ValueError(f"{what} has shape {value.shape}, wanted: (3,)")
    return Vec3(*value.tolist())


class Struct(ctypes.Structure):
    """A struct of the library. Enumerators may be given as words and vectors as sequences; a misspelt field is an error."""

    _enums_ = {}

    def __setattr__(self, name, value):
        field = dict(self._fields_).get(name)
        if field is None:
            raise AttributeError(f"{type(self).__name__} has no {name!r}; it has {', '.join(self.names())}")
        if name in self._enums_:
            value = _enumerator(self._enums_[name], value, name)
        elif field is Vec3 and not isinstance(value, Vec3):
            value = _vector(value, name)
        elif isinstance(value, dict):
            value = getattr(self, name)._set(**value)
        elif isinstance(value, (list, tuple, np.ndarray)):
            value = field(*value)
        if field in _MOST and not 0 <= value <= _MOST[field]:
            raise ValueError(f"{name} is {value}, allowed: 0 to {_MOST[field]}")
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


_TYPES = {"f": c_float, "d": c_double, "u64": c_uint64, "u32": c_uint32, "u16": c_uint16, "bool": c_bool, "size": c_size_t, "ptr": c_void_p}


def _struct(name, c_name, fields, base=Struct):
    """The struct c_name, from pairs of a type (an enumeration is one) and the names of fields in a row."""
    pairs = [(field, kind) for kind, names in fields for field in names.split()]
    enums = {field: kind for field, kind in pairs if isinstance(kind, enum.EnumMeta)}
    layout = [(field, c_uint if field in enums else _TYPES.get(kind, kind)) for field, kind in pairs]
    return type(name, (base,), {"_fields_": layout, "_enums_": enums, "c_name": c_name, "__module__": __name__})


Vec3 = _struct("Vec3", "throng_vec3", [("f", "x y z")])
AgentId = _struct("AgentId", "throng_agent_id", [("u32", "index"), ("u16", "generation world")])
Error = _struct("Error", "throng_error", [(Status, "status"), (AgentId, "agent"), (c_char * 200, "text")])
Span = _struct("Span", "throng_span", [("ptr", "data"), ("size", "stride")])
Hook = _struct("Hook", "throng_log_hook", [("ptr", "write context")])
Allocator = _struct("Allocator", "throng_allocator", [("ptr", "allocate release context")])
JobSystem = _struct("JobSystem", "throng_job_system", [("ptr", "enqueue finish context"), ("u32", "worker_count")])
Axes = _struct("Axes", "throng_axes", [(Axis, "x y z"), ("f", "units_per_metre")])
WorldDef = _struct("WorldDef", "throng_world_def", [
    (Space, "space"), (Boundary, "boundary"), (Axes, "axes"), (Vec3, "box_min box_max"),
    ("f", "perception_radius"), (SeparationLaw, "separation_law"), (Update, "update"), ("u64", "seed"), ("u32", "capacity"), ("u16", "id_world"),
    ("u32", "neighbour_budget contact_iterations thread_count"), (Isa, "isa"), ("bool", "profile"), (Allocator, "allocator"),
    (Hook, "log assertion trace"), (JobSystem, "jobs"), ("u32", "cookie")])
Target = _struct("Target", "throng_target", [(TargetKind, "kind"), (Vec3, "point"), (AgentId, "agent")])


class _Parameter(Struct):
    """A parameter of a kind of behaviour or of a group: name, type, offset, initial (the default), lowest, highest, choices."""

    @property
    def choices(self):
        return [word.decode() for word in itertools.takewhile(bool, self.words)] if self.words else []

    def python(self, number):
        """The number of get_value as Python has such values; an enumerator is its word."""
        if self.type == ParameterType.ENUM:
            return self.choices[int(number)]
        return {ParameterType.FLOAT: float, ParameterType.BOOL: bool}.get(self.type, int)(number)


Parameter = _struct("Parameter", "throng_parameter", [
    (c_char_p, "name"), (ParameterType, "type"), ("bool", "infinite"), ("u32", "offset"), ("d", "initial lowest highest"),
    (ctypes.POINTER(c_char_p), "words")], _Parameter)


def _parameters(get, *kind):
    """What the library describes: name -> Parameter."""
    found, parameter = {}, Parameter()
    while get(*kind, len(found), byref(parameter)):
        found[parameter.name.decode()], parameter = parameter, Parameter()
    return found


lib.throng_behaviour_get_parameter.restype = lib.throng_group_def_get_parameter.restype = c_bool
GROUP_PARAMETERS = _parameters(lib.throng_group_def_get_parameter)


def _group_enum(name, prefix, parameter):
    return _enum(name, prefix, " ".join(GROUP_PARAMETERS[parameter].choices))


Facing = _group_enum("Facing", "THRONG_FACING_", "facing")
Actuation = _group_enum("Actuation", "THRONG_ACTUATION_", "actuation")
CohesionForm = _group_enum("CohesionForm", "THRONG_COHESION_", "cohesion.form")
AlignmentForm = _group_enum("AlignmentForm", "THRONG_ALIGNMENT_", "alignment.form")
AvoidanceForm = _group_enum("AvoidanceForm", "THRONG_AVOIDANCE_", "avoidance.form")
Combine = _group_enum("Combine", "THRONG_COMBINE_", "combine")
_GROUP_ENUMS = {"facing": Facing, "actuation": Actuation, "cohesion.form": CohesionForm, "alignment.form": AlignmentForm,
                "avoidance.form": AvoidanceForm, "combine": Combine}
ENUMS = [Status, Axis, Isa, Space, Boundary, SeparationLaw, Update, Facing, Actuation, CohesionForm, AlignmentForm, AvoidanceForm,
         Combine, TargetKind, Kind, ParameterType, Column]


class _Behaviour(Struct):
    """One entry of a group's list: weight, priority, target, other, and the parameters of its kind by their names."""

    def __setattr__(self, name, value):
        if name in ("target", "other"):
            value = _target(value)
        if name in dict(self._fields_):
            return super().__setattr__(name, value)
        parameter = self._parameter(name)
        number = parameter.choices.index(value) if value in parameter.choices else value
        if isinstance(number, str) or not lib.throng_behaviour_set_value(byref(self), byref(parameter), c_double(number)):
            allowed = ", ".join(parameter.choices) or f"{parameter.lowest:g} to {parameter.highest:g}"
            raise ValueError(f"{name} is {value!r}, allowed: {allowed}")

    def __getattr__(self, name):  # only what is no field
        parameter = self._parameter(name)
        return parameter.python(lib.throng_behaviour_get_value(byref(self), byref(parameter)))

    def _parameter(self, name):
        parameters = behaviour_parameters(self.kind)
        if name not in parameters:
            raise AttributeError(f"{Kind(self.kind).name.lower()} has no {name!r}; it has weight, priority, target, other"
                                 + "".join(f", {known}" for known in parameters))
        return parameters[name]


def _target(value):
    """A target from None (each agent's own goal), a point, or an agent's id."""
    if isinstance(value, Target):
        return value
    if value is None:
        return Target(TargetKind.GOAL)
    if getattr(value, "dtype", None) == ID:
        return Target(TargetKind.AGENT, Vec3(), AgentId(*value.item()))
    return Target(TargetKind.POINT, _vector(value, "target"))


Behaviour = _struct("Behaviour", "throng_behaviour", [
    (Kind, "kind"), ("f", "weight"), ("u32", "priority"), (Target, "target other"),
    (c_uint32 * MAX_PARAMETERS, "avoid_walls")], _Behaviour)  # the largest member of a union: of every kind its parameters
class _Group(Struct):
    """What the agents of a group can do and want. Made with the library's defaults, which the keywords change:

    walkers = Group(max_speed=2, cohesion={"weight": 0})
    walkers.add("arrive", slow_radius=3)"""

    def __init__(self, **fields):
        super().__init__()
        ctypes.memmove(byref(self), byref(lib.throng_default_group_def()), ctypes.sizeof(self))
        self._set(**fields)

    def add(self, kind, **fields):
        """Appends a behaviour: weight, priority, target (an id, a point, None: each agent's goal), and its parameters."""
        kind = Kind(_enumerator(Kind, kind, "kind"))
        if self.behaviour_count == MAX_BEHAVIOURS:
            raise ValueError(f"the group has {MAX_BEHAVIOURS} behaviours already")
        self.behaviour[self.behaviour_count] = lib.throng_default_behaviour(kind)._set(**fields)
        self.behaviour_count += 1
        return self.behaviour[self.behaviour_count - 1]


def _group_fields():
    """The fields of throng_group_def: what the library describes, a struct for each rule, and the behaviours."""
    rules, fields = {}, {}
    for name, parameter in GROUP_PARAMETERS.items():
        kind = {ParameterType.FLOAT: "f", ParameterType.BOOL: "bool"}.get(parameter.type, "u32")
        if parameter.type == ParameterType.ENUM:
            kind = _GROUP_ENUMS.get(name) or _enum(name, "", " ".join(parameter.choices))
        rule, _, member = name.rpartition(".")
        if rule:
            rules.setdefault(rule, []).append((kind, member))
            fields[rule] = rule
        elif member.endswith("]"):
            fields[member.partition("[")[0]] = c_float * PRIORITIES
        else:
            if name == "combine":
                fields.update(behaviour=Behaviour * (MAX_BEHAVIOURS + 1), behaviour_count="u32")
            fields[member] = kind
    structs = {rule: _struct(rule.capitalize(), f"throng_{rule}", members) for rule, members in rules.items()}
    return structs, [(structs.get(kind, kind) if isinstance(kind, str) else kind, name) for name, kind in fields.items()]


RULES, _GROUP_FIELDS = _group_fields()  # RULES["separation"] is throng_separation
Group = _struct("Group", "throng_group_def", [*_GROUP_FIELDS, ("u32", "cookie")], _Group)

AgentsDef = _struct("AgentsDef", "throng_agents_def", [
    (Span, "position velocity facing group goal perception_radius body_radius mass"), ("u32", "cookie")])
CellsDef = _struct("CellsDef", "throng_cells_def", [
    ("u32", "width height"), ("f", "cell"), (Vec3, "origin"), ("ptr", "blocked"), ("u32", "cookie")])
SceneryDef = _struct("SceneryDef", "throng_scenery_def", [
    (Span, "obstacle_centre obstacle_radius"), ("u32", "obstacle_count"), (Span, "wall_from wall_to"), ("u32", "wall_count"),
    (Span, "box_min box_max"), ("u32", "box_count"), (Span, "plane_point plane_normal"), ("u32", "plane_count cookie")])
PathDef = _struct("PathDef", "throng_path_def", [(Span, "points"), ("u32", "count"), ("bool", "closed"), ("u32", "cookie")])
_VECTORS = " ".join(f"{column}_{axis}" for column in ("position", "velocity") for axis in "xyz")
_ACCELERATIONS = "acceleration_x acceleration_y acceleration_z"
ViewStruct = _struct("ViewStruct", "throng_view", [
    ("u32", "count"), ("u16", "id_world"),
    ("ptr", f"id_index meta {_VECTORS} yaw facing_x facing_y facing_z goal_x goal_y goal_z {_ACCELERATIONS} yaw_rate "
            "yaw_acceleration")])
EditStruct = _struct("EditStruct", "throng_edit", [
    ("u32", "count"), ("ptr", f"id_index {_VECTORS} {_ACCELERATIONS} yaw_acceleration")])
Profile = _struct("Profile", "throng_profile", [
    ("u64", "frames agent_updates frame_ns steer_ns neighbours_ns behaviours_ns integrate_ns constrain_ns contact_ns index_ns "
            "candidates_tested neighbours_found")])
STRUCTS = [Vec3, AgentId, Error, Span, Hook, Allocator, JobSystem, Axes, WorldDef, Target, Parameter, Behaviour, *RULES.values(), Group,
           AgentsDef, CellsDef, SceneryDef, PathDef, ViewStruct, EditStruct, Profile]
_ANSWERS = {  # of the functions that answer something else than a status
    "throng_default_world_def": WorldDef, "throng_default_group_def": Group, "throng_default_agents_def": AgentsDef,
    "throng_default_cells_def": CellsDef, "throng_default_scenery_def": SceneryDef, "throng_default_path_def": PathDef,
    "throng_default_behaviour": Behaviour, "throng_world_get_def": WorldDef,
    "throng_behaviour_get_value": c_double, "throng_behaviour_set_value": c_bool,
    "throng_world_frame": c_uint64, "throng_world_hash": c_uint64, "throng_agents_count": c_uint32,
    "throng_world_is_indexed": c_bool, "throng_world_destroy": None}
for _name, _answer in _ANSWERS.items():
    getattr(lib, _name).restype = _answer


class ThrongError(Exception):
    """A call that failed: .status, .text, and .agent (an ID, or None where no agent is to blame)."""

    def __init__(self, error):
        self.status = Status(error.status)
        self.text = error.text.decode()
        agent = (error.agent.index, error.agent.generation, error.agent.world)
        self.agent = np.array(agent, ID)[()] if error.agent.index else None
        about = f" (agent {self.agent['index']})" if self.agent is not None else ""
        super().__init__(f"{self.status.name}: {self.text}{about}")


class StaleView(Exception):
    """A view was asked for a column after the world had moved on."""


def _call(name, *arguments):
    error = Error()
    if getattr(lib, name)(*arguments, byref(error)) != Status.OK:
        raise ThrongError(error)


def behaviour_parameters(kind):
    """Of a kind of behaviour ("arrive"): name -> Parameter."""
    return _parameters(lib.throng_behaviour_get_parameter, Kind(_enumerator(Kind, kind, "kind")))


def _array(values, shape, what, dtype=np.float32):
    """Values as a packed array of that shape; what has fewer dimensions is repeated."""
    values = np.asarray(values, dtype)
    try:
        return np.ascontiguousarray(np.broadcast_to(values, shape))
    except ValueError:
        raise ValueError(f"{what} has shape {values.shape}, wanted: {shape}") from None


def _span(array):
    """Packed values, or one for all where NumPy has broadcast it."""
    return Span(array.ctypes.data, STRIDE_ONE if array.strides[0] == 0 else 0)


class View:
    """The world's columns as they lie in memory, in grid order: element k of each array is of the agent with index id_index[k].

    Attributes are the fields of throng_view (position_x, yaw…), arrays or None, and whole columns: `position` is the three of them.
    Nothing of these is copied; group, generation and ids() are taken from `meta`. Once the world is stepped, indexed, or agents come or go, the view raises StaleView, and arrays that were
    taken from it show memory that now holds something else, or was freed: copy what is to last."""

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
        memory.world = self._world  # unless it is closed, the memory lives as long as the array
        array = np.frombuffer(memory, element) if self._fields.count else np.empty(0, element)
        array.flags.writeable = self._writable and name != "id_index"
        return array

    def ids(self):
        """The agents' ids in the order of the columns."""
        ids = np.empty(len(self), ID)
        ids["index"], ids["generation"], ids["world"] = self.id_index, self.generation, self._fields.id_world
        return ids


class World:
    """A world of agents. Keywords are the fields of throng_world_def: World(space="spatial", seed=7). Close it, or use `with`."""

    def __init__(self, **fields):
        self._handle, self._epoch = None, 0
        self._create(lib.throng_default_world_def()._set(**fields))

    def _create(self, definition):
        handle = c_void_p()
        _call("throng_world_create", byref(definition), byref(handle))
        self._handle = handle

    @classmethod
    def from_snapshot(cls, snapshot, **fields):
        """A world that goes on where save() was called; keywords are what a snapshot does not hold, like thread_count."""
        world, definition = cls.__new__(cls), WorldDef()
        world._handle, world._epoch = None, 0
        _call("throng_snapshot_get_def", snapshot, c_size_t(len(snapshot)), byref(definition))
        world._create(definition._set(**fields))
        world.load(snapshot)
        return world

    @property
    def _world(self):
        if self._handle is None:
            raise ValueError("this world is closed")
        return self._handle

    def close(self):
        """Frees the world and all its columns: arrays of its views must not be touched any more."""
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
        """A call after which views are stale, whether it succeeds or fails."""
        self._epoch += 1
        _call(name, self._world, *arguments)

    @property
    def definition(self):
        """The definition as the world runs it (a WorldDef): isa and thread_count are the ones chosen."""
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
        """After agents came, went or were moved: queries and save() answer again."""
        self._change("throng_world_index")

    def _components(self, column):
        return lib.throng_column_components(column, self.definition.space)

    def _values(self, column, values, count):
        """Values for a column of so many agents: an array in the form that the library reads."""
        parts = self._components(column)
        dtype = np.uint8 if column == Column.GROUP else np.float32
        if dtype == np.uint8 and not np.all(np.isin(values, np.arange(256))):
            raise ValueError("group has what is no number from 0 to 255")
        shape, what = (count, parts) if parts > 1 else (count,), Column(column).name.lower()
        if np.ndim(values) == len(shape):
            return _array(values, shape, what, dtype)
        return np.broadcast_to(_array(values, shape[1:], what, dtype), shape)

    def add(self, position, **columns):
        """Adds agents and answers their ids. position: (n, 3); velocity, facing, group, goal, perception_radius, body_radius, mass: an
        array with a row each, or one value for all."""
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
        """The ids of all agents, by ascending index: the order of read() and write() without ids."""
        ids, count = np.zeros(len(self), ID), c_uint32()
        _call("throng_agents_get_ids", self._world, c_void_p(ids.ctypes.data), c_uint32(len(ids)), byref(count))
        return ids

    def read(self, column, ids=None):
        """A copy of a column ("velocity") of all agents, or of those with these ids; one id gives one row."""
        column = _enumerator(Column, column, "column")
        asked = None if ids is None else np.ascontiguousarray(np.atleast_1d(ids), ID)
        count, parts = len(self) if asked is None else len(asked), self._components(column)
        values = np.empty((count, parts) if parts > 1 else count, np.uint8 if column == Column.GROUP else np.float32)
        _call("throng_agents_read", self._world, column, None if asked is None else c_void_p(asked.ctypes.data),
              c_uint32(count), c_void_p(values.ctypes.data), c_size_t(0))
        return values[0] if ids is not None and np.ndim(ids) == 0 else values

    def write(self, column, values, ids=None):
        """Sets a column of all agents, or of those with these ids, to an array with a row each, or one value for all."""
        column = _enumerator(Column, column, "column")
        asked = None if ids is None else np.ascontiguousarray(np.atleast_1d(ids), ID)
        count = len(self) if asked is None else len(asked)
        values = self._values(column, values, count)
        span = _span(values)
        self._change("throng_agents_write", column, None if asked is None else c_void_p(asked.ctypes.data), c_uint32(count),
                     c_void_p(span.data), c_size_t(span.stride))

    def view(self, column=None):
        """A View to read from; with a name, that column of it: x, y, z = world.view("position")."""
        fields = ViewStruct()
        _call("throng_world_view", self._world, byref(fields))
        view = View(self, fields, False)
        return view if column is None else getattr(view, column)

    def edit(self):
        """A View of positions and velocities to write to. The next step or index checks what was written."""
        return self._edit("throng_world_edit")

    def edit_accelerations(self):
        """A View of the accelerations to write to, between steer() and integrate()."""
        return self._edit("throng_world_edit_accelerations")

    def _edit(self, call):
        fields = EditStruct()
        self._change(call, byref(fields))
        return View(self, fields, True)

    # Groups and what stands in the way

    def set_group(self, number, group):
        _call("throng_world_set_group", self._world, _number(number, "number"), byref(group))

    def group(self, number):
        """A group's definition: change it, and set_group() it."""
        group = Group()
        _call("throng_world_get_group", self._world, _number(number, "number"), byref(group))
        return group

    def set_cells(self, blocked, cell=1.0, origin=(0.0, 0.0, 0.0)):
        """A map: blocked[j, i] is the cell at (x, z) = (i, j) * cell from origin, along throng's axes. None takes it away."""
        if blocked is None:
            return self._change("throng_world_set_cells", None)
        blocked = np.ascontiguousarray(np.asarray(blocked) != 0, np.uint8)
        height, width = blocked.shape
        definition = lib.throng_default_cells_def()._set(
            width=width, height=height, cell=cell, origin=origin, blocked=blocked.ctypes.data)
        self._change("throng_world_set_cells", byref(definition))

    def set_scenery(self, **shapes):
        """Obstacles, walls, boxes and planes, in place of those before: obstacle_centre (n, 3) with obstacle_radius, wall_from with
        wall_to, box_min with box_max, plane_point with plane_normal."""
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
        """A polyline of (n, 3) points to follow. None takes it away."""
        if points is None:
            return _call("throng_world_set_path", self._world, _number(index, "index"), None)
        points = _array(points, (len(points), 3), "points")
        definition = lib.throng_default_path_def()._set(points=_span(points), count=len(points), closed=closed)
        _call("throng_world_set_path", self._world, _number(index, "index"), byref(definition))

    # Queries

    def neighbours(self, centre, radius, mask=ALL_LAYERS):
        """Who is within `radius` of a point, nearest first: (ids, distances, count). Of (n, 3) points: arrays with a row each, of which
        the first count[k] elements hold."""
        def batch(found, capacity, counts, points):
            _call("throng_world_query_radius_batch", self._world, c_void_p(points.ctypes.data), c_uint32(len(points)),
                  c_float(radius), _number(mask, "mask"), found, c_uint32(capacity), c_void_p(counts.ctypes.data))

        return self._query(centre, None, batch)

    def nearest(self, centre, k=1, mask=ALL_LAYERS):
        """The k agents nearest to a point, or to each of (n, 3) points; likewise."""
        def batch(found, capacity, counts, points):
            _call("throng_world_query_nearest_batch", self._world, c_void_p(points.ctypes.data), c_uint32(len(points)),
                  _number(capacity, "k"), _number(mask, "mask"), found, c_void_p(counts.ctypes.data))

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
        """A number of 64 bits for the state of all agents; of position, velocity and facing unless columns are named."""
        bits = sum(1 << _enumerator(Column, column, "column") for column in set(columns))
        return lib.throng_world_hash(self._world, c_uint32(bits))

    def save(self):
        """The world as bytes; load() goes back to it, from_snapshot() on from it."""
        size = c_size_t()
        _call("throng_world_save_snapshot", self._world, None, c_size_t(0), byref(size))
        snapshot = ctypes.create_string_buffer(size.value)
        _call("throng_world_save_snapshot", self._world, snapshot, size, byref(size))
        return snapshot.raw

    def load(self, snapshot):
        self._change("throng_world_load_snapshot", snapshot, c_size_t(len(snapshot)))

    def profile(self):
        """Where the time went, of a World(profile=True): a dict of the fields of throng_profile."""
        profile = Profile()
        _call("throng_world_get_profile", self._world, byref(profile))
        return {name: getattr(profile, name) for name in profile.names()}

    def reset_profile(self):
        _call("throng_world_reset_profile", self._world)
