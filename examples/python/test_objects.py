"""Tests of what a world has besides agents: flow fields, paths, patterns, formations, callbacks, explanations,
recordings and axes. test_throng.py tests the rest. SPDX-License-Identifier: MIT"""

import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np

import throng

HERE = pathlib.Path(__file__).resolve().parent
KERNEL = HERE.parent.parent / "kernel"


def lone(**fields):
    """A group without rules over neighbours."""
    return throng.Group(separation={"weight": 0}, cohesion={"weight": 0}, alignment={"weight": 0}, **fields)


def run(world, seconds, dt=0.05):
    for _ in range(round(seconds / dt)):
        world.step(dt)


class Guides(unittest.TestCase):
    def test_a_computed_flow_field_leads_round_a_wall(self):
        blocked = np.zeros((12, 20))
        blocked[:9, 10] = 1  # the way around it is above
        field = throng.compute_flow_field(blocked, (15.5, 0, 2.5), radius=2)
        self.assertEqual([field.vectors.shape, field.distance.shape], [(12, 20, 2), (12, 20)])
        self.assertEqual([field.distance[2, 15], np.isinf(field.distance[3, 10])], [0, True])
        self.assertGreater(field.distance[2, 2], 18)  # 13 m straight through the wall
        walkers = lone(max_speed=1.4)
        walkers.add("follow_field", index=7)
        with throng.World(boundary="box", box_max=(20, 1, 12)) as world:
            world.set_cells(blocked)
            world.set_flow_field(7, field)
            world.set_group(0, walkers)
            agent = world.add([[2.5, 0, 2.5]])[0]
            highest = 0
            for _ in range(600):
                world.step(0.05)
                highest = max(highest, world.read("position", agent)[2])
            x, _, z = world.read("position", agent)
            self.assertGreater(highest, 9)
            self.assertLess(np.hypot(x - 15.5, z - 2.5), 3)
            np.testing.assert_array_equal(world.sample_flow_field(7, (2.5, 0, 2.5))[[0, 2]], field.vectors[2, 2])
            self.assertEqual(world.sample_flow_field(7, np.zeros((4, 3))).shape, (4, 3))

    def test_paths_and_their_length(self):
        with throng.World() as world:
            self.assertEqual(world.path_length(3), 0)
            world.set_path(3, [[0, 0, 0], [3, 0, 0], [3, 0, 4]], closed=True)
            self.assertEqual(world.path_length(3), 12)
            world.set_path(3, None)
            self.assertEqual(world.path_length(3), 0)

    def test_a_pattern_turns_agents(self):
        walkers = lone(max_speed=2, max_acceleration=4)
        walkers.add("follow_pattern", index=1)
        turn = throng.Instruction(right=0.5, thrust=0.2, heading=np.pi / 2)
        for ways in ([{"thrust": 1, "distance": 2}, turn], [(0, 1, 0, 2), (0.5, 0.2, np.pi / 2, 0)]):
            with throng.World() as world:
                world.set_pattern(1, ways, loop=False)
                self.assertEqual(world.pattern_instruction_count(1), 2)
                world.set_group(0, walkers)
                agent = world.add([[0, 0, 0]], facing=0)[0]
                run(world, 20)
                self.assertAlmostEqual(float(world.read("facing", agent)), -np.pi / 2, delta=0.1)  # right is -x
                self.assertEqual(world.read("pattern_instruction", agent), 2)

    def test_formations_fill_and_move(self):
        followers = lone(max_speed=3)
        places = [[-1, 0, -1], [1, 0, -1], [0, 0, -2]]
        with throng.World() as world:
            leader = world.add([[0, 0, 0]], velocity=(0, 0, 1))[0]
            followers.add("formation", index=4, target=leader)
            world.set_group(1, followers)
            world.set_group(0, lone(max_speed=1))
            ids = world.add([[5, 0, 0], [-5, 0, 0], [0, 0, -9], [0, 0, -20]], group=1)
            world.set_formation(4, places)
            self.assertEqual(world.formation_place_count(4), 3)
            fill = world.fill_formation(1)
            self.assertEqual([fill.placed, fill.open_places, fill.left_over], [3, 0, 1])
            run(world, 20)
            apart = world.read("position", ids[:3]) - world.read("position", leader)
            place = world.read("formation_place", ids[:3]).astype(int)
            wanted = np.array(places)[place] * (-1, 1, 1)  # a right of 1 m is an x of -1 m
            np.testing.assert_allclose(apart, wanted, atol=0.1)
            self.assertTrue(np.isnan(world.read("formation_place", ids[3])))

    def test_attractors_pull_and_push(self):
        drawn = lone(max_speed=3)
        drawn.add("attractors")
        with throng.World() as world:
            world.set_group(0, drawn)
            ids = world.add([[0, 0, 0], [20, 0, 0]])
            world.set_attractors([{"position": (4, 0, 0)}, throng.Attractor(
                position=(20, 0, 3), strength=-2, radius=5, least_distance=1, law="inverse_square", mask=1)])
            self.assertEqual(world.attractor_count(), 2)
            run(world, 1)
            (x, _, z), (_, _, back) = world.read("position", ids)
            self.assertTrue(x > 0.1 and z == 0 and back < -0.05)
            with self.assertRaisesRegex(throng.ThrongError, r"attractors\[0\].radius"):
                world.set_attractors([{"radius": float("nan")}])
            self.assertEqual(world.attractor_count(), 2)
            world.set_attractors(None)
            self.assertEqual(world.attractor_count(), 0)

    def test_speed_zones_slow_and_speed_up(self):
        walker = lone(max_speed=2)
        walker.add("seek")
        with throng.World() as world:
            world.set_group(0, walker)
            ids = world.add([[0, 0, 0], [20, 0, 0], [40, 0, 0]], goal=[[0, 0, 90], [20, 0, 90], [40, 0, 90]])
            world.set_speed_zones([{"radius": 9, "factor": 0.25}, throng.SpeedZone(
                centre=(20, 0, 0), shape="rectangle", width=9, length=90, height=1, factor=2, mask=1)])
            self.assertEqual(world.speed_zone_count(), 2)
            run(world, 2)
            np.testing.assert_allclose(np.linalg.norm(world.read("velocity", ids), axis=1), [0.5, 4, 2], rtol=1e-3)
            with self.assertRaisesRegex(throng.ThrongError, r"zones\[0\].factor"):
                world.set_speed_zones([{"factor": 5}])
            self.assertEqual(world.speed_zone_count(), 2)
            world.set_speed_zones(None)
            self.assertEqual(world.speed_zone_count(), 0)

    def test_a_raster_slows_and_speeds_up(self):
        walker = lone(max_speed=2)
        walker.add("seek")
        factors = np.ones((3, 2))
        factors[:] = 0.25, 4
        with throng.World() as world:
            world.set_group(0, walker)
            ids = world.add([[0, 0, 0], [20, 0, 0], [40, 0, 0]], goal=[[0, 0, 900], [20, 0, 900], [40, 0, 900]])
            world.set_speed_zones([{"centre": (20, 0, 0), "radius": 19, "factor": 3}], factors, 20, (-10, 0, -10))
            np.testing.assert_array_equal(world.zone_costs((3, 2), 20, (-10, 0, -10))[:, 0], 4)
            run(world, 2)
            np.testing.assert_allclose(np.linalg.norm(world.read("velocity", ids), axis=1), [0.5, 6, 2], rtol=1e-3)
            with self.assertRaisesRegex(throng.ThrongError, r"raster.factor\[1\] is 5"):
                world.set_speed_zones(None, [[1, 5]])
            with self.assertRaisesRegex(ValueError, "raster"):
                world.set_speed_zones(None, [1, 1])
            world.set_speed_zones(None)
            np.testing.assert_array_equal(world.zone_costs((3, 2), 20, (-10, 0, -10)), 1)

    def test_costs_lead_round_a_swamp(self):
        with throng.World() as world:
            world.set_speed_zones([{"centre": (10, 0, 10), "shape": "rectangle", "width": 10, "length": 10,
                                    "factor": 0.125}])
            cost = world.zone_costs((20, 20))
            self.assertTrue(np.all(cost[6:14, 6:14] == 8) and np.count_nonzero(cost == 8) == 100)
            for field in (world.compute_flow_field(np.zeros((20, 20)), (19.5, 0, 10.5), cost=cost),
                          throng.compute_flow_field(np.zeros((20, 20)), (19.5, 0, 10.5), cost=cost)):
                self.assertTrue(23 < field.distance[10, 0] < 27)
                self.assertGreater(abs(field.vectors[10, 3, 1]), 0.5)  # to the side, not into it
            with self.assertRaisesRegex(ValueError, "cost"):
                world.compute_flow_field(np.zeros((20, 20)), (19.5, 0, 10.5), cost=np.ones((3, 3)))

    def test_what_a_group_follows_must_be_there(self):
        make = {"follow_field": lambda world: world.set_flow_field(2, np.ones((3, 3, 2))),
                "follow_path": lambda world: world.set_path(2, [[0, 0, 0], [9, 0, 0]]),
                "follow_pattern": lambda world: world.set_pattern(2, [{"thrust": 1}]),
                "formation": lambda world: world.set_formation(2, [[1, 0, 0]]),
                "callback": lambda world: world.set_callback(2, lambda block: None)}
        for kind, repair in make.items():
            with self.subTest(kind), throng.World() as world:
                group = lone()
                group.add(kind, index=2)
                world.set_group(1, group)
                world.step(0.1)  # the group has no agents
                world.add([[0, 0, 0]], group=1)
                for frame in (world.step, world.steer, throng.Recorder(world, io.BytesIO()).step):
                    with self.assertRaisesRegex(ValueError, f"group 1 has {kind} with index 2, but the world has no"):
                        frame(0.1)
                self.assertEqual(world.frame, 1)
                repair(world)
                world.step(0.1)
                remove = getattr(world, {"follow_field": "set_flow_field", "follow_path": "set_path",
                                         "follow_pattern": "set_pattern", "formation": "set_formation",
                                         "callback": "set_callback"}[kind])
                remove(2, None)
                world.set_group(1, group)
                world.step(0.1)

    def test_the_default_index_must_be_there_too(self):
        group = throng.Group()
        group.add("follow_field")
        with throng.World() as world:
            world.add([[0, 0, 0]])
            world.set_group(0, group)
            with self.assertRaisesRegex(ValueError, r"no flow_field 0: call set_flow_field\(0, …\)"):
                world.step(0.1)
            group.behaviour[0].weight = 0
            world.set_group(0, group)
            world.step(0.1)

    def test_agents_with_patterns_of_their_own(self):
        group = lone()
        group.add("follow_pattern")
        with throng.World() as world:
            ids = world.add(np.zeros((2, 3)))
            world.set_group(0, group)
            world.set_pattern(5, [{"thrust": 1}])
            world.write("pattern", 5, ids[:1])
            with self.assertRaises(ValueError):
                world.step(0.1)
            world.write("pattern", 5)
            world.step(0.1)

    def test_is_free(self):
        with throng.World() as world:
            world.set_scenery(obstacle_centre=(5, 0, 5), obstacle_radius=1)
            self.assertEqual([world.is_free((5, 0, 5)), world.is_free((7, 0, 5)), world.is_free((6.5, 0, 5), 1)],
                             [False, True, False])

    def test_misshapen(self):
        wrong = [
            (ValueError, r"vectors has shape \(3, 3\), wanted: \(height, width, 2\)",
             lambda world: world.set_flow_field(0, np.zeros((3, 3)))),
            (ValueError, r"blocked has shape \(3,\)", lambda world: world.set_cells([0, 1, 0])),
            (ValueError, r"blocked has shape \(3,\)", lambda world: throng.compute_flow_field([0, 0, 0], (0, 0, 0))),
            (ValueError, r"goals has shape \(1, 2\)", lambda world: throng.compute_flow_field([[0]], (0, 0))),
            (throng.ThrongError, "ERROR_BLOCKED", lambda world: throng.compute_flow_field([[1]], (0, 0, 0))),
            (ValueError, "2 numbers, wanted: 4", lambda world: world.set_pattern(0, [(1, 2)])),
            (AttributeError, "no 'rite'", lambda world: world.set_pattern(0, [{"rite": 1}])),
            (throng.ThrongError, "index", lambda world: world.set_formation(64, [[0, 0, 0]])),
            (ValueError, "index is -1", lambda world: world.set_callback(-1, print)),
            (TypeError, "", lambda world: world.set_callback(0, 7)),
            (ValueError, r"point has shape \(2,\)", lambda world: world.is_free((0, 0))),
        ]
        with throng.World() as world:
            for kind, text, call in wrong:
                with self.subTest(text), self.assertRaisesRegex(kind, text):
                    call(world)


class Callbacks(unittest.TestCase):
    def world(self, count=2000, **fields):
        world = throng.World(**fields)
        group = lone(max_acceleration=10)
        group.add("callback", index=3)
        world.set_group(1, group)
        world.set_group(0, lone())
        position = np.random.default_rng(5).random((count, 3), np.float32) * 60
        ids = world.add(position * (1, 0, 1), group=(np.arange(count) % 2).astype(int), goal=(7, 0, 8))
        return world, ids

    def test_a_callback_accelerates_its_agents(self):
        seen = []

        def wind(block):
            self.assertEqual([len(block), block.dt], [block.count, np.float32(0.1)])
            self.assertEqual([block.goal[0][0], block.velocity_y], [7, None])
            np.testing.assert_array_equal(block.wanted, block.group)
            seen.extend(block.id_index)
            block.acceleration_x[:] = 1 + block.id_index % 3
            with self.assertRaises(ValueError):
                block.position_x[:] = 0

        for threads in (1, 2):
            world, ids = self.world(thread_count=threads)
            seen.clear()
            with world:
                world.set_callback(3, wind)
                world.step(0.1)
                world.step(0.1)
                index = ids["index"]
                np.testing.assert_array_equal(np.sort(seen), np.sort(np.repeat(index, 2)))
                wanted = np.where(np.arange(2000) % 2, np.float32(0.2) * (1 + index % 3), 0)
                np.testing.assert_allclose(world.read("velocity", ids)[:, 0], wanted, rtol=1e-5)

    def test_a_callback_may_read_and_query(self):
        results = []

        def crowd(block):
            here = np.stack([block.position_x, 0 * block.position_x, block.position_z], 1)
            found, one = world.neighbours(here[:3], 2.0), world.nearest(here[0], 4)
            total = world.read("position").sum()
            self.assertEqual([world.neighbours(here[0], 2.0).count, len(world.view())], [found.count[0], 2000])
            # One append: during the calls above, another thread may run this function for another block.
            results.append((here[:3].copy(), found.count.tolist(), one.ids["index"].tolist(), total))

        world, _ = self.world(thread_count=2)
        with world:
            world.index()
            world.set_callback(3, crowd)
            world.steer(0.1)  # moves no agent
            self.assertTrue(results)
            for three, count, ids, total in results:
                self.assertEqual(world.neighbours(three, 2.0).count.tolist(), count)
                self.assertEqual(world.nearest(three[0], 4).ids["index"].tolist(), ids)
                self.assertEqual(world.read("position").sum(), total)

    def test_what_a_callback_raises(self):
        def bad(block):
            kept.append(block)
            raise KeyError("oh")

        kept = []
        world, _ = self.world(thread_count=2)
        with world:
            world.set_callback(3, bad)
            before = world.hash()
            for frame in (world.step, world.steer, throng.Recorder(world, io.BytesIO()).step):
                with self.assertRaisesRegex(KeyError, "oh"):
                    frame(0.1)
            self.assertEqual([world.hash(), world.frame], [before, 0])
            with self.assertRaises(throng.StaleView):
                kept[0].position_x
            world.set_callback(3, lambda block: block.acceleration_z.fill(np.nan))
            with self.assertRaisesRegex(throng.ThrongError, "ERROR_NOT_FINITE: a callback gave agent"):
                world.step(0.1)
            for change in [world.close, world.index, lambda: world.step(0.1), lambda: world.set_group(2, lone()),
                           lambda: world.set_path(0, None), lambda: world.set_callback(3, None),
                           lambda: world.watch(None), lambda: world.fill_formation(0)]:
                world.set_callback(3, lambda block: change())
                with self.assertRaisesRegex(ValueError, "a callback cannot change its world"):
                    world.step(0.1)
            world.set_callback(3, None)
            world.step(0.1)
            self.assertEqual(world.frame, 1)

    def test_snapshots_need_the_callbacks(self):
        world, _ = self.world(200)
        with world:
            push = lambda block: block.acceleration_x.fill(2)
            world.set_callback(3, push)
            world.step(0.1)
            snapshot = world.save()
            world.step(0.1)
            with self.assertRaisesRegex(throng.ThrongError, r"set_callback\(\) before the load"):
                throng.World.from_snapshot(snapshot)
            with throng.World.from_snapshot(snapshot, callbacks={3: push}) as twin:
                twin.step(0.1)
                self.assertEqual(twin.hash(), world.hash())

    def test_worlds_on_two_threads(self):
        worlds = [self.world(500, thread_count=1)[0] for _ in range(2)]
        for world in worlds:
            world.set_callback(3, lambda block: block.acceleration_x.fill(1))
        threads = [threading.Thread(target=run, args=(world, 2)) for world in worlds]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(worlds[0].hash(), worlds[1].hash())
        self.assertEqual(worlds[0].frame, 40)


class Explanations(unittest.TestCase):
    def test_explain(self):
        group = lone(max_speed=2, max_acceleration=5)
        group.add("seek", target=(10, 0, 0), weight=0.5)
        group.add("flee", target=(0, 0, -1), priority=1)
        with throng.World() as world:
            world.set_group(3, group)
            ids = world.add([[0, 0, 0], [0, 0, 9]], group=3)
            with self.assertRaisesRegex(throng.ThrongError, r"since watch\(\)"):
                world.explain(ids[0])
            world.watch(ids[0])
            world.step(0.1)
            told = world.explain(ids[0])
            self.assertEqual([told.agent, told.frame, told.group, told.combine],
                             [ids[0], 0, 3, throng.Combine.WEIGHTED])
            self.assertEqual([(one.name, one.weight, one.priority) for one in told.contributions],
                             [("seek", 0.5, 0), ("flee", 1, 1)])
            np.testing.assert_allclose(told.contributions[0].acceleration, [5, 0, 0])
            np.testing.assert_allclose(told.contributions[1].acceleration, [0, 0, 5])
            np.testing.assert_allclose(told.acceleration * 0.1, world.read("velocity", ids[0]), rtol=1e-5)
            np.testing.assert_array_equal([told.position, told.velocity], np.zeros((2, 3)))
            with self.assertRaises(throng.ThrongError):
                world.explain(ids[1])
            world.watch(None)
            world.step(0.1)
            with self.assertRaises(throng.ThrongError):
                world.explain(ids[0])


class Recordings(unittest.TestCase):
    def record(self, detail):
        file = io.BytesIO()
        with throng.World(seed=4) as world:
            group = lone(max_speed=2)
            group.add("wander")
            world.set_group(0, group)
            ids = world.add(np.random.default_rng(4).random((50, 3)) * (9, 0, 9))
            with throng.Recorder(world, file, detail) as recorder:
                for k in range(10):
                    if k == 5:
                        world.remove(ids[:3])
                    recorder.step(0.05)
            self.assertEqual(world.frame, 10)
            return file.getvalue(), world.hash()

    def test_a_replay_repeats_it(self):
        recording, at = self.record("frames")
        replay = throng.Replay(recording, thread_count=1)
        with replay.world as world:
            while not replay.has_ended:
                self.assertIsNone(replay.step())
            self.assertEqual([world.frame, len(world), world.hash()], [10, 47, at])
            with self.assertRaisesRegex(throng.ThrongError, "no frame is left"):
                replay.step()

    def test_a_replay_names_the_first_difference(self):
        for detail in ("frames", "agents"):
            recording, _ = self.record(detail)
            replay = throng.Replay(recording)
            with replay.world as world:
                for _ in range(7):
                    self.assertIsNone(replay.step())
                odd = world.ids()[20]
                world.write("velocity", (0, 0, 1), odd)
                found = replay.step()
                self.assertEqual([found.frame, found.column], [8, "position"])
                self.assertNotEqual(found.recorded, found.replayed)
                self.assertEqual(found.agent, odd if detail == "agents" else None)

    def test_files_that_cannot_be_written(self):
        class Full:
            def write(self, data):
                if self.full:
                    raise OSError("the disk is full")

            full = False

        file = Full()
        with throng.World() as world:
            world.add([[0, 0, 0]], velocity=(1, 0, 0))
            recorder = throng.Recorder(world, file)
            recorder.step(0.1)
            before, file.full = world.hash(), True
            with self.assertRaisesRegex(OSError, "the disk is full"):
                recorder.step(0.1)
            self.assertEqual([world.hash(), world.frame], [before, 1])
            file.write = lambda data: len(data) - 1
            with self.assertRaisesRegex(throng.ThrongError, "ERROR_WRITE"):
                recorder.step(0.1)
            with self.assertRaisesRegex(ValueError, "allowed: frames, agents"):
                throng.Recorder(world, file, "all")
            with self.assertRaisesRegex(TypeError, "file is 'run.throng', wanted"):
                throng.Recorder(world, "run.throng")
            world.close()
            recorder.close()
            with self.assertRaisesRegex(ValueError, "closed"):
                recorder.step(0.1)

    def test_a_recorder_outlives_its_world(self):
        world = throng.World()
        recorder = throng.Recorder(world, io.BytesIO())
        pair = [recorder]
        pair.append(pair)  # garbage in a cycle: Python may delete it in any order
        del world, recorder, pair


class HostAxes(unittest.TestCase):
    def test_worlds_of_a_host(self):
        with throng.World(axes=throng.Axes.unreal(), boundary="box", box_max=(10000, 5000, 0)) as world:
            ids = world.add([[100, 200, 50]])
            np.testing.assert_allclose(world.read("position", ids[0]), [100, 200, 50], rtol=1e-6)
            world.index()
            self.assertAlmostEqual(float(world.view("position")[2][0]), 1, places=6)

    def test_conversions(self):
        for name, there in [("own", (1, 2, 3)), ("unity", (-1, 2, 3)), ("unreal", (300, -100, 200)),
                            ("godot", (-1, 2, -3))]:
            axes = getattr(throng.Axes, name)()
            np.testing.assert_array_equal(axes.to_host((1, 2, 3)), there)
            np.testing.assert_array_equal(axes.to_throng([there, there]), [[1, 2, 3]] * 2)
        robot = throng.Axes("y", "z", "x")
        np.testing.assert_array_equal(robot.to_host((1, 2, 3)), [3, 1, 2])
        with self.assertRaisesRegex(ValueError, r"wanted: \(3,\) or \(n, 3\)"):
            robot.to_host((1, 2))
        with self.assertRaisesRegex(ValueError, "axes"):
            throng.Axes("x", "x", "z").to_host((1, 2, 3))

    def test_flow_fields_of_a_host(self):
        unity = throng.Axes.unity()
        field = throng.compute_flow_field(np.zeros((1, 5)), (-4.5, 0, 0.5), axes=unity)  # throng's x of 4.5
        np.testing.assert_array_equal(field.vectors[0, :, 0], [1, 1, 1, 1, 0])


class Small(unittest.TestCase):
    def test_reserve_chosen_ids_and_validity(self):
        with throng.World() as world:
            world.reserve(1000)
            wanted = np.array([(7, 3, 0), (9, 1, 0)], throng.ID)
            ids = world.add([[0, 0, 0], [1, 0, 0]], ids=wanted)
            self.assertTrue((ids == wanted).all() and (world.ids() == wanted).all())
            with self.assertRaisesRegex(throng.ThrongError, "ERROR_STALE_ID"):
                world.add([[0, 0, 0]], ids=wanted[:1])
            world.remove(ids[:1])
            self.assertEqual([world.is_valid(one) for one in ids], [False, True])
            self.assertEqual([world.group_agent_count(0), world.lost_target_count()], [1, 0])
            world.check()

    def test_shift_origin(self):
        with throng.World() as world:
            ids = world.add([[1000, 0, 2000]])
            exact = world.shift_origin((999.9, 0, 2000.1))
            np.testing.assert_array_equal(exact, [1000, 0, 2000])
            np.testing.assert_array_equal(world.read("position", ids[0]), [0, 0, 0])


class Texts(unittest.TestCase):
    def test_they_name_pythons_calls(self):
        with throng.World() as world:
            ids = world.add([[0, 0, 0]])
            for text, call in [(r"index\(\) or a step first", lambda: world.nearest((0, 0, 0))),
                               (r"index\(\) before save\(\)", world.save),
                               (r"only after steer\(\)", lambda: world.read("acceleration")),
                               (r"integrate\(\) needs a steer\(\)", lambda: world.integrate(0.1)),
                               (r"without World\(profile=…\)", world.profile),
                               (r"since watch\(\)", lambda: world.explain(ids[0]))]:
                with self.subTest(text), self.assertRaisesRegex(throng.ThrongError, text):
                    call()
            world.steer(0.1)
            with self.assertRaisesRegex(throng.ThrongError, r"which edit_accelerations\(\) writes"):
                world.write("acceleration", 0)

    def test_every_text_of_the_kernel(self):
        """Error texts of the kernel name C functions; in Python each such name becomes a Python name. Python has no
        passes, curves, pieces and MPI."""
        found = set()
        for source in KERNEL.rglob("*.c"):
            for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', source.read_text()):
                if "throng_" in text and "/" not in text and not re.search("_(passes|curve|piece|mpi)_", text):
                    found.add(text)
        self.assertGreater(len(found), 10)
        for text in sorted(found):
            said = throng.errors.python_text(text)
            with self.subTest(said):
                self.assertNotIn("throng_", said)
                for name in re.findall(r"([A-Za-z_.]+)\(", said):
                    self.assertTrue(name == "len" or hasattr(throng.World, name) or hasattr(throng, name)
                                    or name == "Group.add", name)

    def test_no_other_kernel_text_has_an_enumerator(self):
        self.assertEqual(throng.errors.python_text("kind is THRONG_BEHAVIOUR_ARRIVE, THRONG_ISA=avx2, "
                                                   "THRONG_ERROR_NO_GROUP"),
                         "kind is arrive, THRONG_ISA=avx2, ERROR_NO_GROUP")


class NoLibrary(unittest.TestCase):
    def import_with(self, library):
        environment = dict(os.environ, THRONG_LIBRARY=str(library))
        return subprocess.run([sys.executable, "-c", "import throng"], cwd=HERE, env=environment, capture_output=True,
                              text=True)

    def test_one_clear_line(self):
        with tempfile.TemporaryDirectory() as folder:
            text, other = pathlib.Path(folder, "text.so"), pathlib.Path(folder, "other.so")
            text.write_text("no library")
            source = pathlib.Path(folder, "other.c")
            source.write_text("int other;\n")
            subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", str(source), "-o", str(other)], check=True)
            for library, wanted in [("/nowhere/libthrong.so", "names /nowhere/libthrong.so, which cannot be loaded: "),
                                    (text, "cannot be loaded: "),
                                    (other, "has no throng_status_name: it is no libthrong of")]:
                with self.subTest(library):
                    said = self.import_with(library)
                    lines = said.stderr.strip().splitlines()
                    self.assertEqual(said.returncode, 1)
                    self.assertRegex(lines[-1], f"^ImportError: .*{re.escape(wanted)}")
                    self.assertEqual(len(re.findall("(?m)^\\w*Error:", said.stderr)), 1)  # no second error

    def test_animate_says_it_in_one_line(self):
        environment = dict(os.environ, THRONG_LIBRARY="/nowhere/libthrong.so")
        said = subprocess.run([sys.executable, str(HERE / "animate.py"), "x.png"], env=environment, capture_output=True,
                              text=True)
        self.assertEqual([said.returncode, len(said.stderr.splitlines())], [1, 1], said.stderr)
        self.assertIn("THRONG_LIBRARY names /nowhere/libthrong.so", said.stderr)


if __name__ == "__main__":
    unittest.main()
