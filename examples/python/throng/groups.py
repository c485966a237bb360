"""Groups. Made by docs/manual/api: do not change it by hand.

The headers in include/throng are the manual. SPDX-License-Identifier: MIT"""

from .behaviours import Behaviour
from .enums import (Actuation, AlignmentForm, AvoidanceForm, CohesionForm, Combine, Facing, OwnWeight, SeparationForm,
                    SeparationLaw, WhenLost)
from .library import set_results
from .methods import GroupMethods
from .structure import Struct, boolean, f32, f64, pointer, struct, u32

__all__ = ["Vehicle", "RigidBody", "Separation", "Attraction", "Cohesion", "Alignment", "Avoidance", "Queue", "Pace",
           "Group"]


@struct("throng_vehicle")
class Vehicle(Struct):
    """The limits of a VEHICLE."""
    max_thrust: f32
    max_brake: f32
    max_lateral: f32
    turning_radius: f32


@struct("throng_rigid_body")
class RigidBody(Struct):
    """The forces of a RIGID_BODY, besides the group's mass and moment_of_inertia."""
    max_thrust: f32
    max_reverse: f32
    max_side: f32
    bow: f32
    max_lift: f32


@struct("throng_separation")
class Separation(Struct):
    """Separation (M 3.3.13, B 4.2.5): accelerates away from every neighbour within `radius`. `law` gives the
    strength, and `form` the direction."""
    weight: f32
    radius: f32
    strength: f32
    field_of_view: f32
    mask: u32
    priority: u32
    nearest_only: boolean
    law: SeparationLaw
    form: SeparationForm
    nearest: u32


@struct("throng_attraction")
class Attraction(Struct):
    """Attraction (M 3.3.13, the inverse-square law with the opposite sign): accelerates toward every neighbour
    within `radius`, by min(strength / d^2, max_acceleration) each."""
    weight: f32
    radius: f32
    strength: f32
    mask: u32
    priority: u32


@struct("throng_cohesion")
class Cohesion(Struct):
    """Cohesion: accelerates toward the mean position of the neighbours."""
    weight: f32
    radius: f32
    mask: u32
    priority: u32
    form: CohesionForm
    slow_radius: f32
    target_radius: f32
    time_to_target: f32
    coast: boolean
    nearest: u32


@struct("throng_alignment")
class Alignment(Struct):
    """Alignment: accelerates toward the mean velocity of the neighbours."""
    weight: f32
    radius: f32
    time_to_target: f32
    mask: u32
    priority: u32
    form: AlignmentForm
    turn_slow_radius: f32
    turn_target_radius: f32
    turns: boolean
    nearest: u32


@struct("throng_avoidance")
class Avoidance(Struct):
    """Collision avoidance, as described at throng_avoidance_form."""
    weight: f32
    horizon: f32
    mask: u32
    priority: u32
    form: AvoidanceForm
    cone: f32
    radius: f32
    alike: f32
    margin: f32
    wall_horizon: f32
    urgency: f32


@struct("throng_queue")
class Queue(Struct):
    """A queue: agents wait behind the agent ahead."""
    width: f32
    gap: f32
    time_to_target: f32
    oncoming: f32
    mask: u32


@struct("throng_pace")
class Pace(Struct):
    """Pace: in a crowd people walk slower."""
    radius: f32
    self: f32
    oncoming: f32
    time_to_target: f32
    mask: u32
    points: u32
    density: f32 * 32
    factor: f32 * 32
    on: boolean
    oncoming_weight: f32
    time_gap: f32
    gap: f32
    alike: f32
    push: f32


@struct("throng_group_def")
class Group(GroupMethods, Struct):
    max_speed: f32
    max_acceleration: f32
    drag: f32
    body_radius: f32
    mass: f32
    contact: f32
    max_push_speed: f32
    perception_radius: f32
    field_of_view: f32
    walls_hide: boolean
    facing: Facing
    facing_time: f32
    facing_speed: f32
    max_yaw_rate: f32
    max_yaw_acceleration: f32
    angular_drag: f32
    actuation: Actuation
    vehicle: Vehicle
    layer: u32
    steer_period: u32
    separation: Separation
    cohesion: Cohesion
    alignment: Alignment
    avoidance: Avoidance
    attraction: Attraction
    queue: Queue
    behaviour: Behaviour * 9
    behaviour_count: u32
    combine: Combine
    combine_threshold: f32
    combine_chance: f32 * 8
    when_target_lost: WhenLost
    upright: boolean
    steering_is_force: boolean
    moment_of_inertia: f32
    rigid_body: RigidBody
    radii_in_bodies: boolean
    pace: Pace
    own_bodies: boolean
    look_ahead_in_bodies: boolean
    own_weight: OwnWeight
    own_weight_entry: u32
    cookie: u32


set_results(throng_default_group_def=Group, throng_flock_group_def=Group, throng_school_group_def=Group,
            throng_walkers_group_def=Group, throng_vehicles_group_def=Group, throng_moved_group_def=Group,
            throng_group_def_get_parameter=boolean, throng_group_def_get_value=f64, throng_group_def_set_value=boolean,
            throng_group_def_add=pointer, throng_group_def_find=pointer, throng_world_lost_target_count=u32,
            throng_world_group_agent_count=u32)
