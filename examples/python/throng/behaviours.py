"""Behaviours, and what all structs need. Made by docs/manual/api: do not change it by hand.

The headers in include/throng are the manual. SPDX-License-Identifier: MIT"""

from .enums import Kind, ParameterType, Pass, Rays, Status, TargetKind
from .library import set_results
from .methods import AgentIdMethods, BehaviourMethods, ParameterMethods, TargetMethods, Vec3Methods
from .structure import Struct, Union, boolean, char, f32, f64, pointer, struct, text, texts, u16, u32, u64, union

__all__ = ["Vec3", "AgentId", "Error", "Allocator", "LogHook", "AssertHook", "TraceEvent", "TraceHook", "JobSystem",
           "Target", "Seek", "Flee", "Arrive", "Pursue", "Evade", "Intercept", "Chase", "VelocityMatch",
           "OffsetPursuit", "ClearWay", "Interpose", "Wander", "AvoidObstacles", "AvoidWalls", "FollowField", "Call",
           "FollowPath", "Formation", "Align", "Face", "Look", "RotationMatch", "FollowPattern", "KinematicSeek",
           "KinematicFlee", "KinematicArrive", "KinematicWander", "Hide", "HugWalls", "HeedAttractors",
           "BehaviourUnion", "Behaviour", "Parameter"]


@struct("throng_vec3")
class Vec3(Vec3Methods, Struct):
    """Units everywhere: metres, seconds, radians, kilograms; right-handed axes, +y up; float is IEEE binary32."""
    x: f32
    y: f32
    z: f32


@struct("throng_agent_id")
class AgentId(AgentIdMethods, Struct):
    """An agent's id, which never changes."""
    index: u32
    generation: u16
    world: u16


@struct("throng_error")
class Error(Struct):
    """What a failing call reports."""
    status: Status
    agent: AgentId
    text: char * 200


@struct("throng_allocator")
class Allocator(Struct):
    """The host's allocator. `allocate` returns `size` bytes aligned to `alignment`, a power of two of at most 4096,
    or NULL. `release` receives the same size and alignment."""
    allocate: pointer
    release: pointer
    context: pointer


@struct("throng_log_hook")
class LogHook(Struct):
    """Receives a line of text from the library, without a newline."""
    write: pointer
    context: pointer


@struct("throng_assert_hook")
class AssertHook(Struct):
    """Called when an assertion fails: the library has a defect, or the host destroys something of a world during a
    call that changes that world."""
    failed: pointer
    context: pointer


@struct("throng_trace_event")
class TraceEvent(Struct):
    """Which pass a worker ran, on which agents, and when."""
    pass_: Pass
    worker: u32
    begin: u32
    end: u32
    frame: u64
    begin_ns: u64
    end_ns: u64


@struct("throng_trace_hook")
class TraceHook(Struct):
    """Receives the time line of each frame. `event` is called at the end of a pass, so that an event comes after
    the events that it contains."""
    event: pointer
    context: pointer


@struct("throng_job_system")
class JobSystem(Struct):
    """The host's job system."""
    enqueue: pointer
    finish: pointer
    context: pointer
    worker_count: u32


@struct("throng_target")
class Target(TargetMethods, Struct):
    """A behaviour's target."""
    kind: TargetKind
    point: Vec3
    agent: AgentId


@struct("throng_seek")
class Seek(Struct):
    """Seek (M 3.3.3): A dir(dp)."""
    time_to_target: f32


@struct("throng_flee")
class Flee(Struct):
    """Flee (M 3.3.3), the opposite of seek: -A dir(dp), or clip((-S dir(dp) - v) / time_to_target, A)."""
    time_to_target: f32
    panic_radius: f32


@struct("throng_arrive")
class Arrive(Struct):
    """Arrive (M 3.3.4): desired speed S outside slow_radius, S |dp| / slow_radius inside, 0 inside target_radius;
    clip((desired - v) / time_to_target, A)."""
    slow_radius: f32
    target_radius: f32
    time_to_target: f32
    coast: boolean
    gather: boolean
    settle: boolean


@struct("throng_pursue")
class Pursue(Struct):
    """Pursue (M 3.3.8): seek q + u T, the target's position after the time T = min(|dp| / S, max_prediction)."""
    time_to_target: f32
    max_prediction: f32
    by_speed: boolean
    stop_at_walls: boolean
    give_up_at_walls: boolean


@struct("throng_evade")
class Evade(Struct):
    """Evade (M 3.3.8): flee from q + u T, T as in pursue."""
    time_to_target: f32
    max_prediction: f32
    panic_radius: f32
    by_speed: boolean
    stop_at_walls: boolean
    give_up_at_walls: boolean


@struct("throng_intercept")
class Intercept(Struct):
    """Intercept (B 2.5): seek q + u T with T = min(|dp| / |dv|, max_prediction), the time to reach the target."""
    time_to_target: f32
    max_prediction: f32
    least_speed: f32
    turn: f32
    dead_band: f32
    exact: boolean


@struct("throng_chase")
class Chase(Struct):
    """Line-of-sight chase and evasion (B 2.4), the sum of two accelerations, clipped to A."""
    turn: f32
    dead_band: f32
    slow_distance: f32


@struct("throng_velocity_match")
class VelocityMatch(Struct):
    """Velocity match (M 3.3.6): clip(dv / time_to_target, A)."""
    time_to_target: f32


@struct("throng_offset_pursuit")
class OffsetPursuit(Struct):
    """Offset pursuit (R): arrive at a point fixed in the target's local coordinates, (right, up, forward) of its
    facing."""
    right: f32
    up: f32
    forward: f32
    slow_radius: f32
    target_radius: f32
    time_to_target: f32
    max_prediction: f32


@struct("throng_clear_way")
class ClearWay(Struct):
    """Clear way (R), out of a leader's way."""
    length: f32
    width: f32


@struct("throng_interpose")
class Interpose(Struct):
    """Interpose (R): arrive at the midpoint of the target and the other target, both predicted by T = min(distance
    to the midpoint / S, max_prediction)."""
    slow_radius: f32
    target_radius: f32
    time_to_target: f32
    max_prediction: f32


@struct("throng_wander")
class Wander(Struct):
    """Wander (M 3.3.11): A toward offset * facing + radius * d."""
    radius: f32
    offset: f32
    rate: f32
    faces: boolean
    slow_radius: f32
    target_radius: f32
    time_to_target: f32


@struct("throng_avoid_obstacles")
class AvoidObstacles(Struct):
    """Obstacle avoidance (B 4.3, R) for the scenery's circles and balls."""
    look_ahead: f32
    look_ahead_time: f32
    strength: f32
    nearest_only: boolean
    sees_all: boolean


@struct("throng_avoid_walls")
class AvoidWalls(Struct):
    """Wall avoidance (M 3.3.15) for all shapes of the scenery, blocked cells and the faces of a box world."""
    rays: Rays
    look_ahead: f32
    look_ahead_time: f32
    avoid_distance: f32
    whisker: f32
    angle: f32
    widest: f32
    spread_rate: f32
    sees_all: boolean


@struct("throng_follow_field")
class FollowField(Struct):
    """Follow a flow field (R): clip((S clip(field(p), 1) - v) / time_to_target, A), with field(p) as in
    throng_world_sample_flow_field: a vector shorter than 1 is a slower walk."""
    index: u32
    time_to_target: f32


@struct("throng_call")
class Call(Struct):
    """Callback: the acceleration that a function of the host writes (callback.h)."""
    index: u32


@struct("throng_follow_path")
class FollowPath(Struct):
    """Follow a path (M 3.3.12) of the world (throng/path.h)."""
    index: u32
    time_to_target: f32
    offset: f32
    offset_time: f32
    predict_time: f32
    window: f32
    slow_radius: f32
    target_radius: f32


@struct("throng_formation")
class Formation(Struct):
    """Keep a formation (M 3.7) of the world (throng/formation.h): arrive at the agent's place, (right, up, forward)
    of the target as in offset_pursuit, and move along with the target: clip((clip(u + w, S) - v) / time_to_target,
    A), with arrive's desired velocity w toward the place."""
    index: u32
    slow_radius: f32
    target_radius: f32
    time_to_target: f32


@struct("throng_align")
class Align(Struct):
    """The angular behaviours, for groups with THRONG_FACING_STEERED."""
    slow_radius: f32
    target_radius: f32
    time_to_target: f32
    offset: f32


@struct("throng_face")
class Face(Struct):
    """Face (M 3.3.9): to yaw(dp), or the direction of dp; none is wanted at the target itself."""
    slow_radius: f32
    target_radius: f32
    time_to_target: f32


@struct("throng_look")
class Look(Struct):
    """Look where you are going (M 3.3.10): to yaw(v), or the direction of v; none is wanted at rest."""
    slow_radius: f32
    target_radius: f32
    time_to_target: f32


@struct("throng_rotation_match")
class RotationMatch(Struct):
    """Rotation match, velocity_match for the rotation (M 3.3.6): clip((w of the target - w) / time_to_target,
    B)."""
    time_to_target: f32


@struct("throng_follow_pattern")
class FollowPattern(Struct):
    """Follow a pattern of the world (throng/pattern.h; B 3.1, 3.3): the acceleration of the agent's current
    instruction."""
    index: u32


@struct("throng_kinematic_seek")
class KinematicSeek(Struct):
    """The kinematic behaviours (M 3.2)."""
    radius: f32
    by_axis: boolean


@struct("throng_kinematic_flee")
class KinematicFlee(Struct):
    """Flee (M 3.2.1): x = -S dir(dp), 0 beyond `radius`."""
    radius: f32
    by_axis: boolean


@struct("throng_kinematic_arrive")
class KinematicArrive(Struct):
    """Arrive (M 3.2.1): x = dir(dp) min(|dp| / time_to_target, S), 0 within `radius`."""
    radius: f32
    time_to_target: f32


@struct("throng_kinematic_wander")
class KinematicWander(Struct):
    """Wander (M 3.2.2), for groups with THRONG_FACING_STEERED and a finite max_speed: x = S along the facing, and
    an angular acceleration clip((turn W b - w) / dt, B); b is the difference of two uniform draws per frame
    (variance 1/6)."""
    turn: f32
    uniform: boolean


@struct("throng_hide")
class Hide(Struct):
    """Hide (R; Buckland, Programming Game AI by Example, ch. 3) from the target, behind the scenery's circles and
    balls and behind blocked cells."""
    reach: f32
    distance: f32
    slow_radius: f32
    target_radius: f32
    time_to_target: f32
    sees_all: boolean


@struct("throng_hug_walls")
class HugWalls(Struct):
    """Hug walls, wall following (R): moves at speed S along surfaces of the scenery, circles and balls included, of
    blocked cells, and along the faces of a box world, at a distance."""
    reach: f32
    distance: f32
    look_ahead_time: f32
    time_to_target: f32
    sees_all: boolean


@struct("throng_heed_attractors")
class HeedAttractors(Struct):
    """Attractors (M 3.3.13): the world's attractors (throng/attractors.h) pull and push."""
    nearest_only: boolean


@union
class BehaviourUnion(Union):
    """The union in throng_behaviour."""
    seek: Seek
    flee: Flee
    arrive: Arrive
    pursue: Pursue
    evade: Evade
    intercept: Intercept
    chase: Chase
    velocity_match: VelocityMatch
    offset_pursuit: OffsetPursuit
    clear_way: ClearWay
    interpose: Interpose
    wander: Wander
    avoid_obstacles: AvoidObstacles
    avoid_walls: AvoidWalls
    follow_field: FollowField
    callback: Call
    follow_path: FollowPath
    align: Align
    face: Face
    look: Look
    follow_pattern: FollowPattern
    kinematic_seek: KinematicSeek
    kinematic_flee: KinematicFlee
    kinematic_arrive: KinematicArrive
    kinematic_wander: KinematicWander
    hide: Hide
    hug_walls: HugWalls
    formation: Formation
    attractors: HeedAttractors
    rotation_match: RotationMatch


@struct("throng_behaviour")
class Behaviour(BehaviourMethods, Struct):
    kind: Kind
    weight: f32
    priority: u32
    target: Target
    other: Target
    union: BehaviourUnion


@struct("throng_parameter")
class Parameter(ParameterMethods, Struct):
    name: text
    type: ParameterType
    infinite: boolean
    offset: u32
    initial: f64
    lowest: f64
    highest: f64
    words: texts


set_results(throng_status_name=text, throng_agent_id_equal=boolean, throng_isa_name=text, throng_isa_from_name=u32,
            throng_isa_is_available=boolean, throng_threads_name=text, throng_threads_from_name=u32,
            throng_pass_name=text, throng_default_behaviour=Behaviour, throng_behaviour_name=text,
            throng_behaviour_get_parameter=boolean, throng_behaviour_get_value=f64, throng_behaviour_set_value=boolean)
