"""All other structs. Made by docs/manual/api: do not change it by hand.

The headers in include/throng are the manual. SPDX-License-Identifier: MIT"""

from .behaviours import AgentId, Allocator, AssertHook, JobSystem, LogHook, TraceHook, Vec3
from .enums import (AttractorLaw, Axis, Boundary, Column, Combine, Curve, InstanceForm, Isa, SeparationLaw, Space,
                    SpeedZoneShape, Threads, Update)
from .library import set_results
from .methods import AxesMethods
from .structure import Struct, boolean, f32, pointer, several, size_t, struct, text, u16, u32, u64

__all__ = ["Axes", "WorldDef", "Span", "AgentsDef", "ViewStruct", "EditStruct", "InstancesDef", "PathDef", "CurveDef",
           "Instruction", "PatternDef", "FormationDef", "FormationFill", "Attractor", "AttractorsDef", "CellsDef",
           "SceneryDef", "SpeedZone", "SpeedRaster", "SpeedZonesDef", "FlowFieldDef", "FlowGoal", "FlowRequest",
           "Neighbour", "BlockStruct", "ContributionStruct", "ExplanationStruct", "Profile", "RecordHook",
           "ReplayStruct", "DifferenceStruct"]


@struct("throng_axes")
class Axes(AxesMethods, Struct):
    x: Axis
    y: Axis
    z: Axis
    units_per_metre: f32


@struct("throng_world_def")
class WorldDef(Struct):
    """The definition of a world."""
    space: Space
    boundary: several(Boundary, 3)
    axes: Axes
    box_min: Vec3
    box_max: Vec3
    perception_radius: f32
    separation_law: SeparationLaw
    update: Update
    seed: u64
    capacity: u32
    id_world: u16
    neighbour_budget: u32
    contact_iterations: u32
    thread_count: u32
    threads: Threads
    isa: Isa
    profile: boolean
    allocator: Allocator
    log: LogHook
    assertion: AssertHook
    trace: TraceHook
    jobs: JobSystem
    sparse_ids: boolean
    keep_previous_pose: boolean
    cookie: u32


@struct("throng_span")
class Span(Struct):
    """Values of many agents in the caller's memory: value k is at (char *)data + k * stride."""
    data: pointer
    stride: size_t


@struct("throng_agents_def")
class AgentsDef(Struct):
    """The values of new agents. data == NULL: the default of that column."""
    position: Span
    velocity: Span
    facing: Span
    group: Span
    goal: Span
    perception_radius: Span
    body_radius: Span
    mass: Span
    max_speed: Span
    steer_period: Span
    target: Span
    cookie: u32


@struct("throng_view")
class ViewStruct(Struct):
    """Pointers to the columns."""
    count: u32
    id_world: u16
    id_index: pointer
    meta: pointer
    position_x: pointer
    position_y: pointer
    position_z: pointer
    velocity_x: pointer
    velocity_y: pointer
    velocity_z: pointer
    yaw: pointer
    facing_x: pointer
    facing_y: pointer
    facing_z: pointer
    goal_x: pointer
    goal_y: pointer
    goal_z: pointer
    acceleration_x: pointer
    acceleration_y: pointer
    acceleration_z: pointer
    yaw_rate: pointer
    yaw_acceleration: pointer


@struct("throng_edit")
class EditStruct(Struct):
    """Pointers to the columns that a host may write."""
    count: u32
    id_index: pointer
    position_x: pointer
    position_y: pointer
    position_z: pointer
    velocity_x: pointer
    velocity_y: pointer
    velocity_z: pointer
    acceleration_x: pointer
    acceleration_y: pointer
    acceleration_z: pointer
    yaw_acceleration: pointer


@struct("throng_instances_def")
class InstancesDef(Struct):
    """How throng_agents_read_instances writes."""
    form: InstanceForm
    by_id: boolean
    stride: size_t
    scale: f32
    offset: Vec3
    alpha: f32
    cookie: u32


@struct("throng_path_def")
class PathDef(Struct):
    """Straight segments from point to point."""
    points: Span
    count: u32
    closed: boolean
    cookie: u32


@struct("throng_curve_def")
class CurveDef(Struct):
    """A curve for throng_curve_flatten."""
    points: Span
    count: u32
    kind: Curve
    closed: boolean
    tolerance: f32
    cookie: u32


@struct("throng_pattern_instruction")
class Instruction(Struct):
    """Gives clip(f thrust A + r right taper A, A). f: facing; r: unit vector to the right; A: max_acceleration;
    clip(a, m) shortens a to length m if it is longer."""
    right: f32
    thrust: f32
    heading: f32
    distance: f32
    cue: f32
    turn: f32
    step: f32
    wait: f32


@struct("throng_pattern_def")
class PatternDef(Struct):
    """A list of instructions."""
    instructions: pointer
    count: u32
    loop: boolean
    stands: boolean
    cookie: u32


@struct("throng_formation_def")
class FormationDef(Struct):
    """The places of a formation."""
    places: Span
    count: u32
    cookie: u32


@struct("throng_formation_fill")
class FormationFill(Struct):
    """The result of throng_world_fill_formation."""
    placed: u32
    open_places: u32
    left_over: u32


@struct("throng_attractor")
class Attractor(Struct):
    """One attractor."""
    position: Vec3
    strength: f32
    radius: f32
    least_distance: f32
    law: AttractorLaw
    mask: u32


@struct("throng_attractors_def")
class AttractorsDef(Struct):
    """The attractors of a world."""
    attractors: pointer
    count: u32
    cookie: u32


@struct("throng_cells_def")
class CellsDef(Struct):
    """A map: a grid of blocked and free cells in the x-z plane of a planar world."""
    width: u32
    height: u32
    cell: f32
    origin: Vec3
    blocked: pointer
    cost: pointer
    cookie: u32


@struct("throng_scenery_def")
class SceneryDef(Struct):
    """Obstacles, walls, boxes and planes that do not move; moving obstacles are agents."""
    obstacle_centre: Span
    obstacle_radius: Span
    obstacle_count: u32
    wall_from: Span
    wall_to: Span
    wall_count: u32
    box_min: Span
    box_max: Span
    box_count: u32
    plane_point: Span
    plane_normal: Span
    plane_count: u32
    cookie: u32


@struct("throng_speed_zone")
class SpeedZone(Struct):
    """One zone."""
    centre: Vec3
    shape: SpeedZoneShape
    radius: f32
    width: f32
    length: f32
    yaw: f32
    height: f32
    factor: f32
    mask: u32


@struct("throng_speed_raster")
class SpeedRaster(Struct):
    """Factors on a grid, such as a map of terrain."""
    factor: pointer
    width: u32
    height: u32
    cell: f32
    origin: Vec3
    mask: u32


@struct("throng_speed_zones_def")
class SpeedZonesDef(Struct):
    """The speed zones of a world."""
    zones: pointer
    count: u32
    raster: SpeedRaster
    cookie: u32


@struct("throng_flow_field_def")
class FlowFieldDef(Struct):
    """A grid of vectors in the x-z plane."""
    width: u32
    height: u32
    cell: f32
    origin: Vec3
    vectors: pointer
    cookie: u32


@struct("throng_flow_goal")
class FlowGoal(Struct):
    """A goal of a computed field."""
    point: Vec3
    radius: f32


@struct("throng_flow_request")
class FlowRequest(Struct):
    """One of several fields: the arguments that throng_world_compute_flow_field has for it, with the same
    ranges."""
    cells: pointer
    goals: pointer
    goal_count: u32
    vectors: pointer
    distance: pointer


@struct("throng_neighbour")
class Neighbour(Struct):
    """One result of a query."""
    id: AgentId
    distance: f32


@struct("throng_block")
class BlockStruct(Struct):
    """A callback block: `count` agents, 1 to 256, in their state at the beginning of the frame."""
    count: u32
    frame: u64
    dt: f32
    id_index: pointer
    group: pointer
    wanted: pointer
    position_x: pointer
    position_y: pointer
    position_z: pointer
    velocity_x: pointer
    velocity_y: pointer
    velocity_z: pointer
    yaw: pointer
    facing_x: pointer
    facing_y: pointer
    facing_z: pointer
    goal_x: pointer
    goal_y: pointer
    goal_z: pointer
    acceleration_x: pointer
    acceleration_y: pointer
    acceleration_z: pointer


@struct("throng_contribution")
class ContributionStruct(Struct):
    """What one rule or behaviour wanted."""
    name: text
    weight: f32
    priority: u32
    acceleration: Vec3
    yaw_acceleration: f32


@struct("throng_explanation")
class ExplanationStruct(Struct):
    """What an agent's rules and behaviours wanted, and its state at the beginning of the frame."""
    agent: AgentId
    frame: u64
    group: u32
    position: Vec3
    velocity: Vec3
    combine: Combine
    max_acceleration: f32
    count: u32
    contribution: ContributionStruct * 13
    acceleration: Vec3
    yaw_acceleration: f32


@struct("throng_profile")
class Profile(Struct):
    """Sums since throng_world_create or throng_world_reset_profile."""
    frames: u64
    agent_updates: u64
    frame_ns: u64
    steer_ns: u64
    neighbours_ns: u64
    behaviours_ns: u64
    integrate_ns: u64
    constrain_ns: u64
    contact_ns: u64
    index_ns: u64
    candidates_tested: u64
    neighbours_found: u64
    lost_moves: u64


@struct("throng_record_hook")
class RecordHook(Struct):
    """Receives the bytes of a recording, in order."""
    write: pointer
    context: pointer


@struct("throng_replay")
class ReplayStruct(Struct):
    """The state of a replay. throng_replay_begin sets it and throng_replay_step changes it; do not change it."""
    bytes: pointer
    size: size_t
    at: size_t


@struct("throng_replay_difference")
class DifferenceStruct(Struct):
    """The first difference between a replay and its recording."""
    differs: boolean
    frame: u64
    agent: AgentId
    column: Column
    recorded: u64
    replayed: u64


set_results(throng_axes_own=Axes, throng_axes_unity=Axes, throng_axes_unreal=Axes, throng_axes_godot=Axes,
            throng_default_world_def=WorldDef, throng_world_def_set_boundary=None, throng_world_destroy=None,
            throng_world_get_def=WorldDef, throng_world_is_indexed=boolean, throng_world_frame=u64,
            throng_world_hash=u64, throng_world_check=boolean, throng_column_name=text, throng_column_components=u32,
            throng_default_agents_def=AgentsDef, throng_agents_count=u32, throng_agents_is_valid=boolean,
            throng_default_instances_def=InstancesDef, throng_instance_bytes=size_t, throng_default_path_def=PathDef,
            throng_world_path_length=f32, throng_default_curve_def=CurveDef, throng_default_pattern_def=PatternDef,
            throng_world_pattern_instruction_count=u32, throng_default_formation_def=FormationDef,
            throng_world_formation_place_count=u32, throng_default_attractor=Attractor,
            throng_default_attractors_def=AttractorsDef, throng_world_attractor_count=u32,
            throng_default_cells_def=CellsDef, throng_default_scenery_def=SceneryDef, throng_world_is_free=boolean,
            throng_default_speed_zone=SpeedZone, throng_default_speed_zones_def=SpeedZonesDef,
            throng_world_speed_zone_count=u32, throng_default_flow_field_def=FlowFieldDef,
            throng_recorder_destroy=None, throng_replay_has_ended=boolean)
