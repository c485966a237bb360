"""What a world has besides agents: groups, scenery, flow fields, paths, patterns, formations, attractors, speed zones
and callbacks.
SPDX-License-Identifier: MIT"""

import collections
import ctypes
import threading
from ctypes import byref, c_float, c_uint32, c_void_p

import numpy as np

from .arrays import Block, packed, span_of
from .behaviours import Vec3
from .enums import ALL_LAYERS, Kind, Status
from .errors import ThrongError, call
from .groups import Group
from .library import ID, lib, uint32
from .structs import Attractor, BlockStruct, FlowGoal, FlowRequest, FormationFill, Instruction, SceneryDef, SpeedZone

FlowField = collections.namedtuple("FlowField", "vectors distance", module=__package__)

# The kinds of behaviours that name an object of the world by its index: what they need and what makes it.
_NEEDS = {Kind.FOLLOW_FIELD: "flow_field", Kind.FOLLOW_PATH: "path", Kind.FOLLOW_PATTERN: "pattern",
          Kind.FORMATION: "formation", Kind.CALLBACK: "callback"}
_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.POINTER(BlockStruct), c_void_p)
_thread = threading.local()  # .world: the world whose callback the thread runs, as its list of failures


def _cells(definition, blocked, cell, origin):
    """The definition of cells, and the array that it points to."""
    blocked = np.ascontiguousarray(np.asarray(blocked) != 0, np.uint8)
    if blocked.ndim != 2:
        raise ValueError(f"blocked has shape {blocked.shape}, wanted: (height, width)")
    height, width = blocked.shape
    definition._set(width=width, height=height, cell=cell, origin=origin, blocked=blocked.ctypes.data)
    return definition, blocked


def _request(blocked, goals, radius, cell, origin, cost):
    """The request of a flow field, its result, and the objects that the request points to."""
    definition, blocked = _cells(lib.throng_default_cells_def(), blocked, cell, origin)
    if cost is not None:
        cost = packed(cost, blocked.shape, "cost")
        definition.cost = cost.ctypes.data
    points = np.atleast_2d(np.asarray(goals, np.float32))
    points = packed(points, (len(points), 3), "goals")
    radii = packed(radius, (len(points),), "radius")
    wanted = (FlowGoal * len(points))(*[FlowGoal(Vec3(*point), r) for point, r in zip(points.tolist(), radii.tolist())])
    field = FlowField(np.zeros((*blocked.shape, 2), np.float32), np.zeros(blocked.shape, np.float32))
    request = FlowRequest(ctypes.addressof(definition), ctypes.addressof(wanted), len(points),
                          field.vectors.ctypes.data, field.distance.ctypes.data)
    return request, field, (definition, blocked, cost, wanted)


def _compute(name, ground, *arguments):
    """Calls the C function `name`, which computes a flow field on `ground`: a pointer to a world or to axes."""
    request, field, _kept = _request(*arguments)
    call(name, ground, c_void_p(request.cells), c_void_p(request.goals), c_uint32(request.goal_count),
         c_void_p(request.vectors), c_void_p(request.distance), None)
    return field


def compute_flow_field(blocked, goals, radius=0.0, cell=1.0, origin=(0.0, 0.0, 0.0), axes=None, cost=None):
    """Computes the shortest routes of a map around its blocked cells, as (vectors, distance).

    blocked[j, i] is as in set_cells(). `goals` is a point or (n, 3) points. `radius`, one number or n, is how far a
    goal's cells extend: agents stop inside of them, so that a crowd needs a large one. vectors[j, i] is the direction
    (x, z) of each cell, for set_flow_field() with the same cell and origin. distance[j, i] is the length of the way to
    the nearest goal, inf where there is none. `axes`: those of the world (Axes), throng's own unless given. `cost`: a
    metre in cell [j, i] counts as cost[j, i] metres, as World.zone_costs() makes them; 1 unless given."""
    return _compute("throng_flow_field_compute", byref(axes) if axes else None, blocked, goals, radius, cell, origin,
                    cost)


class Objects:
    """The part of World for its objects."""

    @property
    def _in_callback(self):
        return getattr(_thread, "world", None) is self._failures

    def _begin_change(self):
        """Must come before every call that changes the world."""
        if self._in_callback:
            raise ValueError("a callback cannot change its world")

    def _set_object(self, what, index, definition):
        """Sets object `index` of its type, or removes it if `definition` is None."""
        self._begin_change()
        number = uint32(index, "index")
        call(f"throng_world_set_{what}", self._world, number, None if definition is None else byref(definition))
        self._note(what, index, definition)

    def _note(self, what, index, definition):
        if definition is None:
            self._removed.add((what, index))
        else:
            self._removed.discard((what, index))

    # Groups

    def set_group(self, number, group):
        """Defines the group `number`, 0 to 255, or changes it.

        Behaviours such as follow_path name an object of the world by its index, 0 unless given. If the world lacks it
        when agents of the group are to move, step() and steer() raise ValueError, because the behaviour would do
        nothing. Only objects that were removed with None may be missing."""
        self._begin_change()
        call("throng_world_set_group", self._world, uint32(number, "number"), byref(group))
        self._unchecked.add(number)

    def group(self, number):
        """A copy of a group's definition. To change the group, change the copy and pass it to set_group()."""
        group = Group()
        call("throng_world_get_group", self._world, uint32(number, "number"), byref(group))
        return group

    def group_agent_count(self, number):
        return lib.throng_world_group_agent_count(self._world, uint32(number, "number"))

    def lost_target_count(self):
        """The number of agents with a behaviour whose target agent was removed. It gives them no acceleration."""
        return lib.throng_world_lost_target_count(self._world)

    def lost_agents(self):
        """The ids of these agents by ascending index."""
        ids, count = np.zeros(self.lost_target_count(), ID), c_uint32()
        call("throng_world_get_lost_agents", self._world, c_void_p(ids.ctypes.data), c_uint32(len(ids)), byref(count))
        return ids

    def _check_groups(self):
        """Raises ValueError if agents of a group that is not yet checked follow something that does not exist."""
        for number in sorted(self._unchecked):
            if self.group_agent_count(number) == 0:
                continue
            for behaviour in self._list(number):
                if self._is_missing(number, behaviour):
                    kind, what, index = Kind(behaviour.kind).name.lower(), _NEEDS[behaviour.kind], behaviour.index
                    raise ValueError(
                        f"group {number} has {kind} with index {index}, but the world has no {what} {index}: call "
                        f"set_{what}({index}, …), or set_{what}({index}, None) if it shall do nothing")
            self._unchecked.discard(number)

    def _list(self, number):
        group = self.group(number)
        return [group.behaviour[k] for k in range(group.behaviour_count)]

    def _is_missing(self, number, behaviour):
        what = _NEEDS.get(behaviour.kind)
        if what is None or behaviour.weight == 0 or (what, behaviour.index) in self._removed:
            return False
        if what == "pattern" and not self._follows_group_pattern(number):
            return False
        return not getattr(self, f"_has_{what}")(behaviour.index)

    def _follows_group_pattern(self, number):
        """Whether an agent of the group has no pattern of its own in the column "pattern"."""
        return bool(np.isnan(self.read("pattern")[self.read("group") == number]).any())

    # Scenery

    def set_cells(self, blocked, cell=1.0, origin=(0.0, 0.0, 0.0)):
        """Sets the map of scenery cells. None removes it.

        blocked[j, i] is the cell that is i cells along throng's +x and j cells along its +z from `origin`."""
        if blocked is None:
            return self._change("throng_world_set_cells", None)
        definition, blocked = _cells(lib.throng_default_cells_def(), blocked, cell, origin)
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
            arrays[name] = packed(values, (count, 3) if vectors else (count,), name)
            counter = f"{name.split('_')[0]}_count"
            if getattr(definition, counter) not in (0, count):
                raise ValueError(f"{name} has {count} rows, wanted: {getattr(definition, counter)}")
            definition._set(**{name: span_of(arrays[name]), counter: count})
        self._change("throng_world_set_scenery", byref(definition))

    def is_free(self, point, radius=0.0):
        """Whether an agent with this body radius could be at the point. Other agents do not count."""
        return lib.throng_world_is_free(self._world, Vec3.from_value(point, "point"), c_float(radius))

    # Flow fields, paths, patterns and formations

    def set_flow_field(self, index, vectors, cell=1.0, origin=(0.0, 0.0, 0.0)):
        """Sets the flow field `index`, 0 to 63, that follow_field follows. None removes it.

        vectors[j, i] is the vector (x, z), in throng's axes, of the cell that is i cells along throng's +x and j cells
        along its +z from `origin`. compute_flow_field() makes them from a map; its result can be given as it is."""
        if vectors is None:
            return self._set_object("flow_field", index, None)
        if isinstance(vectors, FlowField):
            vectors = vectors.vectors
        vectors = np.ascontiguousarray(vectors, np.float32)
        if vectors.ndim != 3 or vectors.shape[2] != 2:
            raise ValueError(f"vectors has shape {vectors.shape}, wanted: (height, width, 2)")
        height, width, _ = vectors.shape
        self._set_object("flow_field", index, lib.throng_default_flow_field_def()._set(
            width=width, height=height, cell=cell, origin=origin, vectors=vectors.ctypes.data))

    def compute_flow_field(self, blocked, goals, radius=0.0, cell=1.0, origin=(0.0, 0.0, 0.0), cost=None):
        """As throng.compute_flow_field(), in the world's axes, and across the seams of its periodic axes."""
        return _compute("throng_world_compute_flow_field", self._world, blocked, goals, radius, cell, origin, cost)

    def compute_flow_fields(self, blocked, goals, radius=0.0, cell=1.0, origin=(0.0, 0.0, 0.0), cost=None):
        """A list of flow fields of one map, computed at once on the world's threads: those of compute_flow_field().

        `goals` has an element for each field: a point or (n, 3) points. `radius` is one number, or a list with an
        element for each field; `cost` is one array for all fields, or a list of arrays."""
        self._begin_change()
        goals = list(goals)
        radius = [radius] * len(goals) if np.isscalar(radius) else list(radius)
        cost = list(cost) if isinstance(cost, (list, tuple)) or np.ndim(cost) == 3 else [cost] * len(goals)
        if not len(radius) == len(cost) == len(goals):
            raise ValueError(f"radius has {len(radius)} and cost {len(cost)} elements, wanted: {len(goals)} as goals")
        made = [_request(blocked, *of_field, cell, origin, c) for *of_field, c in zip(goals, radius, cost)]
        call("throng_world_compute_flow_fields", self._world,
             (FlowRequest * len(made))(*[request for request, _, _ in made]), c_uint32(len(made)), None)
        return [field for _, field, _ in made]

    def sample_flow_field(self, index, point):
        """The flow field's vector at a point, or at each of (n, 3) points, in the host's axes."""
        points = np.asarray(point, np.float32)
        rows = packed(np.atleast_2d(points), (len(np.atleast_2d(points)), 3), "point")
        vectors = np.zeros((len(rows), 3), np.float32)
        for row, vector in zip(rows.tolist(), vectors):
            call("throng_world_sample_flow_field", self._world, uint32(index, "index"), Vec3(*row),
                 c_void_p(vector.ctypes.data))
        return vectors if points.ndim == 2 else vectors[0]

    def _has_flow_field(self, index):
        try:
            self.sample_flow_field(index, (0, 0, 0))
        except ThrongError as error:
            if error.status != Status.ERROR_BAD_VALUE:
                raise
            return False
        return True

    def set_path(self, index, points, closed=False):
        """Sets the path `index`, 0 to 63, to a polyline of (n, 3) points that follow_path follows. None removes it."""
        if points is None:
            return self._set_object("path", index, None)
        points = packed(points, (len(points), 3), "points")
        self._set_object("path", index, lib.throng_default_path_def()._set(
            points=span_of(points), count=len(points), closed=closed))

    def path_length(self, index):
        """The length of a path; 0 if there is no such path."""
        return lib.throng_world_path_length(self._world, uint32(index, "index"))

    def _has_path(self, index):
        return self.path_length(index) > 0

    def set_pattern(self, index, instructions, loop=True, stands=False):
        """Sets the pattern `index`, 0 to 63, that follow_pattern plays. None removes it.

        `instructions` are Instruction structs, dicts of their fields, or rows (right, thrust, heading, distance,
        cue, turn, step, wait). With `stands` agents stand at the end of a pattern without a loop."""
        if instructions is None:
            return self._set_object("pattern", index, None)
        made = [_instruction(one) for one in instructions]
        made = (Instruction * len(made))(*made)
        self._set_object("pattern", index, lib.throng_default_pattern_def()._set(
            instructions=ctypes.addressof(made), count=len(made), loop=loop, stands=stands))

    def pattern_instruction_count(self, index):
        """The number of a pattern's instructions; 0 if there is no such pattern."""
        return lib.throng_world_pattern_instruction_count(self._world, uint32(index, "index"))

    def _has_pattern(self, index):
        return self.pattern_instruction_count(index) > 0

    def set_formation(self, index, places):
        """Sets the formation `index`, 0 to 63, to (n, 3) places (right, up, forward) of a target. None removes it.

        An agent without a place does not move by it: call fill_formation(), or write the column "formation_place"."""
        if places is None:
            return self._set_object("formation", index, None)
        places = packed(places, (len(places), 3), "places")
        self._set_object("formation", index, lib.throng_default_formation_def()._set(
            places=span_of(places), count=len(places)))

    def formation_place_count(self, index):
        """The number of a formation's places; 0 if there is no such formation."""
        return lib.throng_world_formation_place_count(self._world, uint32(index, "index"))

    def _has_formation(self, index):
        return self.formation_place_count(index) > 0

    def fill_formation(self, group):
        """Gives open places of the group's formation to its agents without one, the nearest first.

        The result has placed, open_places and left_over (agents without a place)."""
        self._begin_change()
        fill = FormationFill()
        call("throng_world_fill_formation", self._world, uint32(group, "group"), byref(fill))
        return fill

    def set_attractors(self, attractors):
        """Replaces all points that attract or repel, for the behaviour "attractors". None or [] removes them.

        `attractors` are Attractor structs or dicts of their fields; missing fields have the library's defaults."""
        made = [one if isinstance(one, Attractor) else lib.throng_default_attractor()._set(**one)
                for one in attractors or ()]
        made = (Attractor * len(made))(*made)
        self._change("throng_world_set_attractors", byref(lib.throng_default_attractors_def()._set(
            attractors=ctypes.addressof(made) if len(made) else None, count=len(made))))

    def attractor_count(self):
        return lib.throng_world_attractor_count(self._world)

    # Speed zones

    def set_speed_zones(self, zones, raster=None, cell=1.0, origin=(0.0, 0.0, 0.0), mask=ALL_LAYERS):
        """Replaces all zones that multiply the maximum speed of the agents inside. None or [] removes them.

        `zones` are SpeedZone structs or dicts of their fields; missing fields have the library's defaults. raster[j, i]
        is the factor of the cell from origin + (i, j) * cell on, for groups in the layers of the bits `mask`; 1 where
        there is no zone. None removes the raster."""
        made = [one if isinstance(one, SpeedZone) else lib.throng_default_speed_zone()._set(**one)
                for one in zones or ()]
        made = (SpeedZone * len(made))(*made)
        definition = lib.throng_default_speed_zones_def()._set(
            zones=ctypes.addressof(made) if len(made) else None, count=len(made))
        if raster is not None:
            raster = np.ascontiguousarray(raster, np.float32)
            if raster.ndim != 2:
                raise ValueError(f"raster has shape {raster.shape}, wanted: (height, width)")
            definition.raster._set(factor=raster.ctypes.data, width=raster.shape[1], height=raster.shape[0], cell=cell,
                                   origin=origin, mask=uint32(mask, "mask").value)
        self._change("throng_world_set_speed_zones", byref(definition))

    def zone_costs(self, shape, cell=1.0, origin=(0.0, 0.0, 0.0), layers=ALL_LAYERS):
        """The costs of a map of shape (height, width) for compute_flow_field(): 1 / the smallest factor of the speed
        zones that the middle of each cell is in, 1 outside of zones. Zones of the bits `layers` count."""
        height, width = shape
        cost = np.zeros((height, width), np.float32)
        definition = lib.throng_default_cells_def()._set(width=width, height=height, cell=cell, origin=origin)
        call("throng_world_compute_zone_costs", self._world, byref(definition), uint32(layers, "layers"),
             c_void_p(cost.ctypes.data))
        return cost

    def speed_zone_count(self):
        return lib.throng_world_speed_zone_count(self._world)

    # Callbacks

    def set_callback(self, index, function):
        """Sets the callback `index`, 0 to 7: function(block) for the behaviour "callback". None removes it.

        In each frame it is called with Blocks of up to 256 agents, and writes their accelerations. It may read the
        world and query it, but not change it. The world's threads call it, in any order, one at a time: Python code
        runs on one thread. If it raises an exception, the frame fails, the world is as before the call, and that call,
        such as step(), raises the exception."""
        self._begin_change()
        if function is not None and not callable(function):
            raise TypeError(f"function is {function!r}, wanted: a callable or None")
        native = None if function is None else _CALLBACK(self._wrap(function))
        call("throng_world_set_callback", self._world, uint32(index, "index"), native, None)
        if native is None:
            self._callbacks.pop(index, None)
        else:
            self._callbacks[index] = native  # ctypes frees a function that nothing refers to
        self._note("callback", index, native)

    def _wrap(self, function):
        failures = self._failures

        def run(block, _):
            before, _thread.world = getattr(_thread, "world", None), failures
            block = Block(None, block.contents)
            try:
                function(block)
            except BaseException as failure:  # it must not leave through C: _change() raises it
                failures.append(failure)
                block.acceleration_x[:] = np.nan  # the frame then fails
            finally:
                block._fresh = False
                _thread.world = before

        return run

    def _has_callback(self, index):
        return index in self._callbacks


def _instruction(value):
    if isinstance(value, Instruction):
        return value
    if isinstance(value, dict):
        return Instruction()._set(**value)
    if not 4 <= len(value) <= 8:
        raise ValueError(f"an instruction has {len(value)} numbers, wanted: 4 (right, thrust, heading, distance) to 8 "
                         "(cue, turn, step, wait)")
    return Instruction(*[float(number) for number in value])
