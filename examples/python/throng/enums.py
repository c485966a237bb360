"""The library's constants and enumerations. Made by docs/manual/api: do not change it by hand.

The headers in include/throng are the manual. SPDX-License-Identifier: MIT"""

import ctypes
import enum

from .structure import enumeration

__all__ = ["VERSION_MAJOR", "VERSION_MINOR", "VERSION_PATCH", "MAX_BEHAVIOURS", "PRIORITIES", "MAX_PARAMETERS",
           "MAX_GROUPS", "MAX_LAYERS", "ALL_LAYERS", "VIEW_WIDE", "VIEW_LIMITED", "VIEW_NARROW", "VIEW_NARROWEST",
           "MAX_NEAREST", "PACE_POINTS", "STRIDE_ONE", "MAX_PATHS", "MAX_PATH_POINTS", "MAX_PATTERNS",
           "MAX_INSTRUCTIONS", "MAX_FORMATIONS", "MAX_FORMATION_PLACES", "MAX_ATTRACTORS", "MAX_SPEED_ZONES",
           "MAX_FLOW_FIELDS", "MAX_CALLBACKS", "MAX_CONTRIBUTIONS", "Status", "Isa", "Threads", "Pass", "TargetKind",
           "Rays", "Kind", "ParameterType", "Combine", "WhenLost", "Facing", "Actuation", "SeparationLaw",
           "SeparationForm", "CohesionForm", "AlignmentForm", "AvoidanceForm", "OwnWeight", "Axis", "Space",
           "Boundary", "Update", "Column", "InstanceForm", "Curve", "AttractorLaw", "SpeedZoneShape", "RecordDetail"]

VERSION_MAJOR = 0
VERSION_MINOR = 2
VERSION_PATCH = 0
MAX_BEHAVIOURS = 8
PRIORITIES = 8
MAX_PARAMETERS = 9
MAX_GROUPS = 256
MAX_LAYERS = 32
ALL_LAYERS = 4294967295
VIEW_WIDE = 4.71238898
VIEW_LIMITED = 3.14159265
VIEW_NARROW = 1.57079633
VIEW_NARROWEST = 0.785398163
MAX_NEAREST = 32
PACE_POINTS = 32
STRIDE_ONE = ctypes.c_size_t(-1).value
MAX_PATHS = 64
MAX_PATH_POINTS = 65536
MAX_PATTERNS = 64
MAX_INSTRUCTIONS = 65536
MAX_FORMATIONS = 64
MAX_FORMATION_PLACES = 4096
MAX_ATTRACTORS = 1000
MAX_SPEED_ZONES = 1000
MAX_FLOW_FIELDS = 64
MAX_CALLBACKS = 8
MAX_CONTRIBUTIONS = 13


@enumeration("throng_status", "THRONG_")
class Status(enum.IntEnum):
    """The result of a call."""
    OK = 0
    ERROR_NULL_ARGUMENT = 1
    ERROR_BAD_COOKIE = 2
    ERROR_BAD_VALUE = 3
    ERROR_NOT_FINITE = 4
    ERROR_OUT_OF_RANGE = 5
    ERROR_OUT_OF_MEMORY = 6
    ERROR_CAPACITY = 7
    ERROR_STALE_ID = 8
    ERROR_FOREIGN_ID = 9
    ERROR_NO_GROUP = 10
    ERROR_NOT_INDEXED = 11
    ERROR_NOT_STEERED = 12
    ERROR_BLOCKED = 13
    ERROR_UNSUPPORTED = 14
    ERROR_WRITE = 15
    ERROR_BUSY = 16


@enumeration("throng_isa", "THRONG_ISA_")
class Isa(enum.IntEnum):
    """Instruction sets, in increasing order on x86-64."""
    AUTO = 0
    BASELINE = 1
    AVX2 = 2
    AVX512 = 3
    NEON = 4


@enumeration("throng_threads", "THRONG_THREADS_")
class Threads(enum.IntEnum):
    """The threads that step a world together with the calling thread."""
    OPENMP = 0
    TEAM = 1
    SERIAL = 2
    AUTO = 3


@enumeration("throng_pass", "THRONG_PASS_")
class Pass(enum.IntEnum):
    """The stages of a frame whose time is measured."""
    FRAME = 0
    STRIPS = 1
    NEIGHBOURS = 2
    BEHAVIOURS = 3
    INTEGRATE = 4
    CONSTRAIN = 5
    CONTACT = 6
    FACING = 7
    INDEX = 8
    CHECK = 9
    KEYS = 10
    HISTOGRAM = 11
    SCATTER = 12
    BANDS = 13


@enumeration("throng_target_kind", "THRONG_TARGET_")
class TargetKind(enum.IntEnum):
    """The kind of a behaviour's target."""
    GOAL = 0
    POINT = 1
    AGENT = 2
    OWN = 3


@enumeration("throng_rays", "THRONG_RAYS_")
class Rays(enum.IntEnum):
    """The rays of wall avoidance."""
    SINGLE = 0
    PARALLEL = 1
    WHISKERS = 2
    FAN = 3


@enumeration("throng_behaviour_kind", "THRONG_BEHAVIOUR_")
class Kind(enum.IntEnum):
    """The kinds of behaviours."""
    SEEK = 0
    FLEE = 1
    ARRIVE = 2
    PURSUE = 3
    EVADE = 4
    INTERCEPT = 5
    CHASE = 6
    VELOCITY_MATCH = 7
    OFFSET_PURSUIT = 8
    CLEAR_WAY = 9
    INTERPOSE = 10
    WANDER = 11
    AVOID_OBSTACLES = 12
    AVOID_WALLS = 13
    FOLLOW_FIELD = 14
    FOLLOW_PATH = 15
    CALLBACK = 16
    ALIGN = 17
    FACE = 18
    LOOK = 19
    FOLLOW_PATTERN = 20
    KINEMATIC_SEEK = 21
    KINEMATIC_FLEE = 22
    KINEMATIC_ARRIVE = 23
    KINEMATIC_WANDER = 24
    HIDE = 25
    HUG_WALLS = 26
    FORMATION = 27
    ATTRACTORS = 28
    ROTATION_MATCH = 29


@enumeration("throng_parameter_type", "THRONG_PARAMETER_")
class ParameterType(enum.IntEnum):
    """How a parameter is stored."""
    FLOAT = 0
    BOOL = 1
    UINT32 = 2
    LAYERS = 3
    ENUM = 4


@enumeration("throng_combine", "THRONG_COMBINE_")
class Combine(enum.IntEnum):
    """How an agent's accelerations are combined into one."""
    WEIGHTED = 0
    PRIORITY = 1
    BUDGET = 2
    DITHER = 3


@enumeration("throng_when_lost", "THRONG_WHEN_LOST_")
class WhenLost(enum.IntEnum):
    """What an agent does when nothing drives it: when it has lost all its targets, or its group is idle."""
    BRAKE = 0
    COAST = 1


@enumeration("throng_facing", "THRONG_FACING_")
class Facing(enum.IntEnum):
    """How the facing changes (M 3.1.3)."""
    INSTANT = 0
    SMOOTH = 1
    FIXED = 2
    STEERED = 3


@enumeration("throng_actuation", "THRONG_ACTUATION_")
class Actuation(enum.IntEnum):
    """How an agent applies its acceleration after blending and limiting: the last stage of steering (M 3.1.3, B
    2.4)."""
    FREE = 0
    VEHICLE = 1
    RIGID_BODY = 2


@enumeration("throng_separation_law", "THRONG_SEPARATION_")
class SeparationLaw(enum.IntEnum):
    """Separation's acceleration from a neighbour at distance d, with separation's radius r and strength k and the
    group's max_acceleration A (M 3.3.13, B 4.2.5)."""
    INVERSE = 0
    LINEAR = 1
    INVERSE_SQUARE = 2
    AS_WORLD = 3


@enumeration("throng_separation_form", "THRONG_SEPARATION_")
class SeparationForm(enum.IntEnum):
    """How separation accelerates."""
    PUSH = 0
    LATERAL = 1


@enumeration("throng_cohesion_form", "THRONG_COHESION_")
class CohesionForm(enum.IntEnum):
    """How cohesion and alignment use the mean of the neighbours."""
    SEEK = 0
    ARRIVE = 1
    LATERAL = 2


@enumeration("throng_alignment_form", "THRONG_ALIGNMENT_")
class AlignmentForm(enum.IntEnum):
    """How cohesion and alignment use the mean of the neighbours."""
    MATCH = 0
    LATERAL = 1


@enumeration("throng_avoidance_form", "THRONG_AVOIDANCE_")
class AvoidanceForm(enum.IntEnum):
    """Collision avoidance (M 3.3.14)."""
    PREDICT = 0
    CONE_MEAN = 1
    CONE_NEAREST = 2
    RECIPROCAL = 3


@enumeration("throng_own_weight", "THRONG_OWN_WEIGHT_")
class OwnWeight(enum.IntEnum):
    """Own weights."""
    NONE = 0
    SEPARATION = 1
    COHESION = 2
    ALIGNMENT = 3
    AVOIDANCE = 4
    ATTRACTION = 5
    BEHAVIOUR = 6


@enumeration("throng_axis", "THRONG_AXIS_")
class Axis(enum.IntEnum):
    """A direction along one of the host's axes."""
    X = 0
    Y = 1
    Z = 2
    MINUS_X = 3
    MINUS_Y = 4
    MINUS_Z = 5


@enumeration("throng_space", "THRONG_SPACE_")
class Space(enum.IntEnum):
    """PLANAR: agents move in the x-z plane. y is a payload: no distance reads it and no step changes it."""
    PLANAR = 0
    SPATIAL = 1


@enumeration("throng_boundary", "THRONG_BOUNDARY_")
class Boundary(enum.IntEnum):
    """The boundary along one axis."""
    UNBOUNDED = 0
    BOX = 1
    PERIODIC = 2


@enumeration("throng_update", "THRONG_UPDATE_")
class Update(enum.IntEnum):
    """The update rule (M 3.1.3, T): position p, velocity v, acceleration a. clip(v, S) is v scaled down to length
    S, the group's max_speed, if it is longer."""
    SEMI_IMPLICIT = 0
    EXPLICIT = 1
    BALLISTIC = 2


@enumeration("throng_column", "THRONG_COLUMN_")
class Column(enum.IntEnum):
    """The columns: an agent has one element in each."""
    POSITION = 0
    VELOCITY = 1
    FACING = 2
    GOAL = 3
    WANDER = 4
    PERCEPTION_RADIUS = 5
    BODY_RADIUS = 6
    GROUP = 7
    ACCELERATION = 8
    FAN = 9
    PATH_PARAMETER = 10
    YAW_RATE = 11
    YAW_ACCELERATION = 12
    PATTERN = 13
    PATTERN_INSTRUCTION = 14
    PATTERN_WAY = 15
    FORMATION_PLACE = 16
    MASS = 17
    BLOCKED_TIME = 18
    MAX_SPEED = 19
    STEER_PERIOD = 20
    KEPT_ACCELERATION = 21
    PATTERN_CUE = 22
    TARGET = 23
    PATTERN_TIME = 24
    MAX_YAW_RATE = 25
    WEIGHT = 26


@enumeration("throng_instance_form", "THRONG_INSTANCE_")
class InstanceForm(enum.IntEnum):
    """The floats of an instance."""
    POSITION_YAW = 0
    POSITION_ROTATION = 1
    ROWS_3X4 = 2
    ROWS_4X4 = 3
    COLUMNS_4X4 = 4


@enumeration("throng_curve", "THRONG_CURVE_")
class Curve(enum.IntEnum):
    """Curves that throng_curve_flatten makes points of."""
    BEZIER = 0
    CATMULL_ROM = 1
    CENTRIPETAL = 2


@enumeration("throng_attractor_law", "THRONG_ATTRACTOR_")
class AttractorLaw(enum.IntEnum):
    """How the acceleration s toward the point depends on the distance d, for d < radius."""
    LINEAR = 0
    INVERSE_SQUARE = 1


@enumeration("throng_speed_zone_shape", "THRONG_SPEED_ZONE_")
class SpeedZoneShape(enum.IntEnum):
    """The shape of a zone, seen from above."""
    CIRCLE = 0
    RECTANGLE = 1


@enumeration("throng_record_detail", "THRONG_RECORD_")
class RecordDetail(enum.IntEnum):
    """What a recording marks in each frame."""
    FRAMES = 0
    AGENTS = 1
