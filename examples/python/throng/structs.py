"""The library's structs as ctypes structs, and the result types of its functions. SPDX-License-Identifier: MIT"""

import collections
import ctypes
import enum
import itertools
from ctypes import byref, c_bool, c_char, c_char_p, c_double, c_float, c_size_t, c_uint, c_uint16, c_uint32, c_uint64
from ctypes import c_void_p

import numpy as np

from .library import ID, MAX_BEHAVIOURS, MAX_CONTRIBUTIONS, MAX_PARAMETERS, MOST
from .library import AttractorLaw, Axis, Boundary, Column, Isa, Kind, ParameterType, RecordDetail, SeparationLaw
from .library import Space, SpeedZoneShape, Status, TargetKind, Threads, Update
from .library import enumeration, enumerator, lib


def vector(value, what):
    """A Vec3 from a sequence. `what` names the argument in errors."""
    value = np.asarray(value, np.float32)
    if value.shape != (3,):
        raise ValueError(f"{what} has shape {value.shape}, wanted: (3,)")
    return Vec3(*value.tolist())


class Struct(ctypes.Structure):
    """A struct of the library. A field takes an enumerator as a word and a vector as a sequence.

    Setting a field that does not exist raises AttributeError."""

    _enums_ = {}

    def __setattr__(self, name, value):
        field = dict(self._fields_).get(name)
        if field is None:
            raise AttributeError(f"{type(self).__name__} has no {name!r}; it has {', '.join(self.names())}")
        if name in self._enums_:
            value = enumerator(self._enums_[name], value, name)
        elif field is Vec3 and not isinstance(value, Vec3):
            value = vector(value, name)
        elif isinstance(value, dict):
            value = getattr(self, name)._set(**value)
        elif isinstance(value, (list, tuple, np.ndarray)):
            value = field(*value)
        elif field is _Boundaries and not isinstance(value, field):
            value = field(value)
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


_TYPES = {
    "f": c_float, "d": c_double, "u64": c_uint64, "u32": c_uint32, "u16": c_uint16, "bool": c_bool, "size": c_size_t,
    "ptr": c_void_p}


def _struct(name, c_name, fields, base=Struct):
    """A class for the struct c_name. `fields` holds pairs: a type, and the names of consecutive fields of that type.

    A type is a key of _TYPES, an enumeration or a ctypes type."""
    pairs = [(field, kind) for kind, names in fields for field in names.split()]
    enums = {field: kind for field, kind in pairs if isinstance(kind, enum.EnumMeta)}
    layout = [(field, c_uint if field in enums else _TYPES.get(kind, kind)) for field, kind in pairs]
    return type(name, (base,), {"_fields_": layout, "_enums_": enums, "c_name": c_name, "__module__": __package__})


Vec3 = _struct("Vec3", "throng_vec3", [("f", "x y z")])
AgentId = _struct("AgentId", "throng_agent_id", [("u32", "index"), ("u16", "generation world")])
Error = _struct("Error", "throng_error", [(Status, "status"), (AgentId, "agent"), (c_char * 200, "text")])
Span = _struct("Span", "throng_span", [("ptr", "data"), ("size", "stride")])
Hook = _struct("Hook", "throng_log_hook", [("ptr", "write context")])
Allocator = _struct("Allocator", "throng_allocator", [("ptr", "allocate release context")])
JobSystem = _struct("JobSystem", "throng_job_system", [("ptr", "enqueue finish context"), ("u32", "worker_count")])


class _Axes(Struct):
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
        vectors = np.asarray(vectors, np.float32)
        if vectors.ndim not in (1, 2) or vectors.shape[-1] != 3:
            raise ValueError(f"vectors has shape {vectors.shape}, wanted: (3,) or (n, 3)")
        converted, error = np.array(vectors, order="C"), Error()
        data = c_void_p(converted.ctypes.data)
        if getattr(lib, function)(byref(self), data, c_uint32(converted.size // 3), data, byref(error)) != Status.OK:
            raise ValueError(error.text.decode())
        return converted


Axes = _struct("Axes", "throng_axes", [(Axis, "x y z"), ("f", "units_per_metre")], _Axes)


class _Boundaries(ctypes.Array):
    """The boundary along x, y and z: set it to one word for all three axes, or to three words."""

    _type_, _length_ = c_uint, 3

    def __init__(self, *values):
        if len(values) not in (1, 3):
            raise ValueError(f"boundary has {len(values)} words, wanted: 1 or 3")
        words = values if len(values) == 3 else values * 3
        super().__init__(*[enumerator(Boundary, word, "boundary") for word in words])

    def __repr__(self):
        return repr([Boundary(value).name.lower() for value in self])


WorldDef = _struct("WorldDef", "throng_world_def", [
    (Space, "space"), (_Boundaries, "boundary"), (Axes, "axes"), (Vec3, "box_min box_max"),
    ("f", "perception_radius"), (SeparationLaw, "separation_law"), (Update, "update"), ("u64", "seed"),
    ("u32", "capacity"), ("u16", "id_world"), ("u32", "neighbour_budget contact_iterations thread_count"),
    (Threads, "threads"), (Isa, "isa"), ("bool", "profile"), (Allocator, "allocator"), (Hook, "log assertion trace"),
    (JobSystem, "jobs"), ("bool", "sparse_ids"), ("u32", "cookie")])
Target = _struct("Target", "throng_target", [(TargetKind, "kind"), (Vec3, "point"), (AgentId, "agent")])


class _Parameter(Struct):
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


Parameter = _struct("Parameter", "throng_parameter", [
    (c_char_p, "name"), (ParameterType, "type"), ("bool", "infinite"), ("u32", "offset"),
    ("d", "initial lowest highest"), (ctypes.POINTER(c_char_p), "words")], _Parameter)


def _parameters(get, *kind):
    """All parameters that the library's function `get` describes, as {name: Parameter}."""
    found, parameter = {}, Parameter()
    while get(*kind, len(found), byref(parameter)):
        found[parameter.name.decode()], parameter = parameter, Parameter()
    return found


lib.throng_behaviour_get_parameter.restype = lib.throng_group_def_get_parameter.restype = c_bool
GROUP_PARAMETERS = _parameters(lib.throng_group_def_get_parameter)


def _group_enum(name, prefix, parameter):
    return enumeration(name, prefix, " ".join(GROUP_PARAMETERS[parameter].choices))


Facing = _group_enum("Facing", "THRONG_FACING_", "facing")
Actuation = _group_enum("Actuation", "THRONG_ACTUATION_", "actuation")
SeparationForm = _group_enum("SeparationForm", "THRONG_SEPARATION_", "separation.form")
CohesionForm = _group_enum("CohesionForm", "THRONG_COHESION_", "cohesion.form")
AlignmentForm = _group_enum("AlignmentForm", "THRONG_ALIGNMENT_", "alignment.form")
AvoidanceForm = _group_enum("AvoidanceForm", "THRONG_AVOIDANCE_", "avoidance.form")
Combine = _group_enum("Combine", "THRONG_COMBINE_", "combine")
_GROUP_ENUMS = {
    "facing": Facing, "actuation": Actuation, "separation.law": SeparationLaw,
    "separation.form": SeparationForm, "cohesion.form": CohesionForm, "alignment.form": AlignmentForm,
    "avoidance.form": AvoidanceForm, "combine": Combine}
ENUMS = [Status, Axis, Threads, Isa, Space, Boundary, SeparationLaw, Update, Facing, Actuation, SeparationForm,
         CohesionForm, AlignmentForm, AvoidanceForm, Combine, TargetKind, Kind, RecordDetail, ParameterType,
         AttractorLaw, SpeedZoneShape, Column]


class _Behaviour(Struct):
    """One entry of a group's list of behaviours. The parameters of its kind are attributes too."""

    def __setattr__(self, name, value):
        if name in ("target", "other"):
            value = _target(value)
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

    def _parameter(self, name):
        parameters = behaviour_parameters(self.kind)
        if name not in parameters:
            known = ", ".join(["weight, priority, target, other", *parameters])
            raise AttributeError(f"{Kind(self.kind).name.lower()} has no {name!r}; it has {known}")
        return parameters[name]


def id_struct(value):
    """An AgentId from one element of an array of ids."""
    return AgentId(*np.asarray(value, ID).item())


def id_array(agent):
    """One element of an array of ids from an AgentId; None for the null id."""
    return np.array((agent.index, agent.generation, agent.world), ID)[()] if agent.index else None


def _target(value):
    """A target from None (each agent's own goal), a point, or an agent's id."""
    if isinstance(value, Target):
        return value
    if value is None:
        return Target(TargetKind.GOAL)
    if getattr(value, "dtype", None) == ID:
        return Target(TargetKind.AGENT, Vec3(), id_struct(value))
    return Target(TargetKind.POINT, vector(value, "target"))


# In C a union holds the parameters of each kind. Here its largest member, avoid_walls, has the size of the union.
Behaviour = _struct("Behaviour", "throng_behaviour", [
    (Kind, "kind"), ("f", "weight"), ("u32", "priority"), (Target, "target other"),
    (c_uint32 * MAX_PARAMETERS, "avoid_walls")], _Behaviour)


class _Group(Struct):
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
        kind = Kind(enumerator(Kind, kind, "kind"))
        if self.behaviour_count == MAX_BEHAVIOURS:
            raise ValueError(f"the group has {MAX_BEHAVIOURS} behaviours already")
        self.behaviour[self.behaviour_count] = lib.throng_default_behaviour(kind)._set(**fields)
        self.behaviour_count += 1
        return self.behaviour[self.behaviour_count - 1]


def _group_fields():
    """A struct for each rule, and the fields of throng_group_def, both made from the library's descriptions.

    The behaviours have no description. They come before `combine`."""
    rules, fields = {}, {}
    lengths = collections.Counter(name.partition("[")[0] for name in GROUP_PARAMETERS)
    for name, parameter in GROUP_PARAMETERS.items():
        name, _, element = name.partition("[")  # "combine_chance[0]" stands for the whole array
        if element and not element.startswith("0"):
            continue
        kind = {ParameterType.FLOAT: "f", ParameterType.BOOL: "bool"}.get(parameter.type, "u32")
        if parameter.type == ParameterType.ENUM:
            kind = _GROUP_ENUMS.get(name) or enumeration(name, "", " ".join(parameter.choices))
        if element:
            kind = c_float * lengths[name]
        rule, _, member = name.rpartition(".")
        if rule:
            rules.setdefault(rule, []).append((kind, member))
            fields[rule] = rule
        else:
            if name == "combine":
                fields.update(behaviour=Behaviour * (MAX_BEHAVIOURS + 1), behaviour_count="u32")
            fields[member] = kind
    structs = {rule: _struct(rule.capitalize(), f"throng_{rule}", members) for rule, members in rules.items()}
    types = [structs.get(kind, kind) if isinstance(kind, str) else kind for kind in fields.values()]
    return structs, list(zip(types, fields))


RULES, _GROUP_FIELDS = _group_fields()  # RULES["separation"] is throng_separation
Group = _struct("Group", "throng_group_def", [*_GROUP_FIELDS, ("u32", "cookie")], _Group)

AgentsDef = _struct("AgentsDef", "throng_agents_def", [
    (Span, "position velocity facing group goal perception_radius body_radius mass max_speed steer_period target"),
    ("u32", "cookie")])
CellsDef = _struct("CellsDef", "throng_cells_def", [
    ("u32", "width height"), ("f", "cell"), (Vec3, "origin"), ("ptr", "blocked cost"), ("u32", "cookie")])
SceneryDef = _struct("SceneryDef", "throng_scenery_def", [
    (Span, "obstacle_centre obstacle_radius"), ("u32", "obstacle_count"),
    (Span, "wall_from wall_to"), ("u32", "wall_count"),
    (Span, "box_min box_max"), ("u32", "box_count"),
    (Span, "plane_point plane_normal"), ("u32", "plane_count cookie")])
PathDef = _struct("PathDef", "throng_path_def", [
    (Span, "points"), ("u32", "count"), ("bool", "closed"), ("u32", "cookie")])
FlowFieldDef = _struct("FlowFieldDef", "throng_flow_field_def", [
    ("u32", "width height"), ("f", "cell"), (Vec3, "origin"), ("ptr", "vectors"), ("u32", "cookie")])
FlowGoal = _struct("FlowGoal", "throng_flow_goal", [(Vec3, "point"), ("f", "radius")])
Instruction = _struct("Instruction", "throng_pattern_instruction", [
    ("f", "right thrust heading distance cue turn step")])
PatternDef = _struct("PatternDef", "throng_pattern_def", [
    ("ptr", "instructions"), ("u32", "count"), ("bool", "loop"), ("u32", "cookie")])
FormationDef = _struct("FormationDef", "throng_formation_def", [(Span, "places"), ("u32", "count cookie")])
FormationFill = _struct("FormationFill", "throng_formation_fill", [("u32", "placed open_places left_over")])
Attractor = _struct("Attractor", "throng_attractor", [
    (Vec3, "position"), ("f", "strength radius least_distance"), (AttractorLaw, "law"), ("u32", "mask")])
AttractorsDef = _struct("AttractorsDef", "throng_attractors_def", [("ptr", "attractors"), ("u32", "count cookie")])
SpeedZone = _struct("SpeedZone", "throng_speed_zone", [
    (Vec3, "centre"), (SpeedZoneShape, "shape"), ("f", "radius width length yaw height factor"), ("u32", "mask")])
SpeedRaster = _struct("SpeedRaster", "throng_speed_raster", [
    ("ptr", "factor"), ("u32", "width height"), ("f", "cell"), (Vec3, "origin"), ("u32", "mask")])
SpeedZonesDef = _struct("SpeedZonesDef", "throng_speed_zones_def", [
    ("ptr", "zones"), ("u32", "count"), (SpeedRaster, "raster"), ("u32", "cookie")])
_VECTORS = " ".join(f"{column}_{axis}" for column in ("position", "velocity") for axis in "xyz")
_ACCELERATIONS = "acceleration_x acceleration_y acceleration_z"
ViewStruct = _struct("ViewStruct", "throng_view", [
    ("u32", "count"), ("u16", "id_world"),
    ("ptr", f"id_index meta {_VECTORS} yaw facing_x facing_y facing_z goal_x goal_y goal_z {_ACCELERATIONS} "
            "yaw_rate yaw_acceleration")])
EditStruct = _struct("EditStruct", "throng_edit", [
    ("u32", "count"), ("ptr", f"id_index {_VECTORS} {_ACCELERATIONS} yaw_acceleration")])
BlockStruct = _struct("BlockStruct", "throng_block", [
    ("u32", "count"), ("u64", "frame"), ("f", "dt"),
    ("ptr", f"id_index group wanted {_VECTORS} yaw facing_x facing_y facing_z goal_x goal_y goal_z {_ACCELERATIONS}")])
ContributionStruct = _struct("ContributionStruct", "throng_contribution", [
    (c_char_p, "name"), ("f", "weight"), ("u32", "priority"), (Vec3, "acceleration"), ("f", "yaw_acceleration")])
ExplanationStruct = _struct("ExplanationStruct", "throng_explanation", [
    (AgentId, "agent"), ("u64", "frame"), ("u32", "group"), (Vec3, "position velocity"), (Combine, "combine"),
    ("f", "max_acceleration"), ("u32", "count"), (ContributionStruct * MAX_CONTRIBUTIONS, "contribution"),
    (Vec3, "acceleration"), ("f", "yaw_acceleration")])
RecordHook = _struct("RecordHook", "throng_record_hook", [("ptr", "write context")])
ReplayStruct = _struct("ReplayStruct", "throng_replay", [("ptr", "bytes"), ("size", "size at")])
DifferenceStruct = _struct("DifferenceStruct", "throng_replay_difference", [
    ("bool", "differs"), ("u64", "frame"), (AgentId, "agent"), (Column, "column"), ("u64", "recorded replayed")])
Profile = _struct("Profile", "throng_profile", [
    ("u64", "frames agent_updates frame_ns steer_ns neighbours_ns behaviours_ns integrate_ns constrain_ns contact_ns "
            "index_ns candidates_tested neighbours_found lost_moves")])
STRUCTS = [Vec3, AgentId, Error, Span, Hook, Allocator, JobSystem, Axes, WorldDef, Target, Parameter, Behaviour,
           *RULES.values(), Group, AgentsDef, CellsDef, SceneryDef, PathDef, FlowFieldDef, FlowGoal, Instruction,
           PatternDef, FormationDef, FormationFill, Attractor, AttractorsDef, SpeedZone, SpeedRaster, SpeedZonesDef,
           ViewStruct, EditStruct, BlockStruct,
           ContributionStruct, ExplanationStruct, RecordHook, ReplayStruct, DifferenceStruct, Profile]
_RESULTS = {  # of the functions that do not return a status
    "throng_default_world_def": WorldDef, "throng_default_group_def": Group, "throng_default_agents_def": AgentsDef,
    "throng_default_cells_def": CellsDef, "throng_default_scenery_def": SceneryDef, "throng_default_path_def": PathDef,
    "throng_default_flow_field_def": FlowFieldDef, "throng_default_pattern_def": PatternDef,
    "throng_default_formation_def": FormationDef,
    "throng_flock_group_def": Group, "throng_school_group_def": Group, "throng_walkers_group_def": Group,
    "throng_vehicles_group_def": Group, "throng_moved_group_def": Group,
    "throng_default_attractor": Attractor, "throng_default_attractors_def": AttractorsDef,
    "throng_default_speed_zone": SpeedZone, "throng_default_speed_zones_def": SpeedZonesDef,
    "throng_axes_own": Axes, "throng_axes_unity": Axes, "throng_axes_unreal": Axes, "throng_axes_godot": Axes,
    "throng_default_behaviour": Behaviour, "throng_world_get_def": WorldDef,
    "throng_behaviour_get_value": c_double, "throng_behaviour_set_value": c_bool,
    "throng_world_frame": c_uint64, "throng_world_hash": c_uint64, "throng_agents_count": c_uint32,
    "throng_world_is_indexed": c_bool, "throng_world_destroy": None, "throng_agents_is_valid": c_bool,
    "throng_world_check": c_bool, "throng_world_is_free": c_bool, "throng_world_path_length": c_float,
    "throng_world_pattern_instruction_count": c_uint32, "throng_world_formation_place_count": c_uint32,
    "throng_world_attractor_count": c_uint32, "throng_world_speed_zone_count": c_uint32,
    "throng_world_lost_target_count": c_uint32, "throng_world_group_agent_count": c_uint32,
    "throng_replay_has_ended": c_bool, "throng_recorder_destroy": None}
for _name, _result in _RESULTS.items():
    getattr(lib, _name).restype = _result



def _preset(name):
    get = getattr(lib, f"throng_{name}_group_def")

    def make(**fields):
        return get()._set(**fields)
    make.__doc__ = f"A Group with the preset throng_{name}_group_def(), which looks right without tuning."
    return make


flock_group, school_group, walkers_group, vehicles_group, moved_group = map(
    _preset, ("flock", "school", "walkers", "vehicles", "moved"))


def behaviour_parameters(kind):
    """The parameters of a kind of behaviour, such as "arrive", as {name: Parameter}."""
    return _parameters(lib.throng_behaviour_get_parameter, Kind(enumerator(Kind, kind, "kind")))
