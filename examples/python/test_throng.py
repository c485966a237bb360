"""Tests of the package throng.

$THRONG_LIBRARY is the library, $THRONG_INCLUDE the folder of its headers, $THRONG_HELLO the README's program. $CC
compiles a program that prints the layouts of the structs. SPDX-License-Identifier: MIT"""

import contextlib
import inspect
import io
import os
import pathlib
import runpy
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import throng

HERE = pathlib.Path(__file__).resolve().parent


def random_world(count=200, side=10.0, seed=3, **fields):
    world = throng.World(boundary="periodic", box_max=(side, side, side), **fields)
    random = np.random.default_rng(seed)
    position = random.random((count, 3), np.float32) * np.float32(side)
    velocity = random.random((count, 3), np.float32) - np.float32(0.5)
    position[:, 1] = velocity[:, 1] = 0
    return world, world.add(position, velocity=velocity)


def members(struct):
    """Yields (name in C, offset, size) of a struct's fields. Those of a union without a name follow each other."""
    for name, kind in struct._fields_:
        field = getattr(struct, name)
        if name in struct._anonymous_:
            yield from ((member, field.offset, getattr(kind, member).size) for member, _ in kind._fields_)
        else:
            yield name.rstrip("_"), field.offset, field.size


class Layouts(unittest.TestCase):
    """Structs and enumerations are those of the headers. A generated C program prints what the compiler has."""

    def test_structs_and_enumerators(self):
        lines, expected = [], []
        for struct in throng.STRUCTS:
            lines.append(f'printf("{struct.c_name} %zu\\n", sizeof(struct {struct.c_name}));')
            expected.append(f"{struct.c_name} {throng.ctypes.sizeof(struct)}")
            for name, place, size in members(struct):
                member = f"((struct {struct.c_name} *)0)->{name}"
                offset = f"offsetof(struct {struct.c_name}, {name})"
                lines.append(f'printf("{name} %zu %zu\\n", {offset}, sizeof({member}));')
                expected.append(f"{name} {place} {size}")
        for enumeration in throng.ENUMS:
            for member in enumeration:
                constant = enumeration.prefix + member.name
                lines.append(f'printf("{constant} %d\\n", (int){constant});')
                expected.append(f"{constant} {member.value}")
        counts = {"THRONG_ISA_COUNT": throng.Isa, "THRONG_THREADS_COUNT": throng.Threads,
                  "THRONG_PASS_COUNT": throng.Pass, "THRONG_BEHAVIOUR_KINDS": throng.Kind,
                  "THRONG_COLUMN_COUNT": throng.Column}
        for constant, enumeration in counts.items():
            lines.append(f'printf("{constant} %d\\n", (int){constant});')
            expected.append(f"{constant} {len(enumeration)}")
        self.assertEqual(self.run_c(lines), expected)

    def test_no_field_is_left_out(self):
        for struct in throng.STRUCTS:
            end = 0
            for name, kind in struct._fields_:
                field, alignment = getattr(struct, name), throng.ctypes.alignment(kind)
                aligned = (end + alignment - 1) // alignment * alignment
                self.assertEqual(field.offset, aligned, f"{struct.c_name}.{name}")
                end = field.offset + field.size
            self.assertLess(throng.ctypes.sizeof(struct) - end, throng.ctypes.alignment(struct), struct.c_name)

    def test_words_are_the_librarys(self):
        named = {throng.Isa: "isa_name", throng.Threads: "threads_name", throng.Pass: "pass_name",
                 throng.Kind: "behaviour_name", throng.Column: "column_name", throng.Status: "status_name"}
        for enumeration, function in named.items():
            for member in enumeration:
                word = getattr(throng.lib, f"throng_{function}")(member).decode()
                self.assertEqual(word.removeprefix("THRONG_").upper(), member.name)
        parameters = dict(throng.GROUP_PARAMETERS)
        for kind in throng.Kind:
            parameters.update(throng.behaviour_parameters(kind))
        words = [[member.name.lower() for member in enumeration] for enumeration in throng.ENUMS]
        for name, parameter in parameters.items():
            self.assertIn(parameter.choices, [*words, []], name)

    def run_c(self, lines):
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder, "layouts.c"), pathlib.Path(folder, "layouts")
            head = "#include <stdio.h>\n#include <throng/throng.h>\nint main(void) {\n"
            source.write_text(head + "\n".join(lines) + "\n}\n")
            compiler = os.environ.get("CC", "cc")
            subprocess.run([compiler, f"-I{os.environ['THRONG_INCLUDE']}", str(source), "-o", str(program)], check=True)
            return subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines()


class SameAsC(unittest.TestCase):
    def test_hello(self):
        """The README's program in Python prints the same position and hash as in C."""
        k = np.arange(10000)
        position, velocity = np.zeros((2, 10000, 3), np.float32)
        position[:, 0] = np.float32(0.4) * (k % 100).astype(np.float32)
        position[:, 2] = np.float32(0.4) * (k // 100).astype(np.float32)
        velocity[:, 0] = np.where(k % 3, 1.0, -1.0)
        velocity[:, 2] = np.where(k % 5, 0.5, -0.5)
        with throng.World(boundary="periodic", box_max=(40, 40, 40)) as world:
            ids = world.add(position, velocity=velocity)
            for _ in range(600):
                world.step(1 / 60)
            x, _, z = world.read("position", ids[42])
            said = f"agent 42 is at ({x:.3f}, {z:.3f}), hash {world.hash():016x}\n"
        hello = subprocess.run([os.environ["THRONG_HELLO"]], check=True, capture_output=True, text=True).stdout
        self.assertEqual(said, hello)

    def test_the_pages(self):
        """The Python programs of README.md and docs/INTEGRATION.md run."""
        for page in ("README.md", "docs/INTEGRATION.md"):
            blocks = (HERE.parent.parent / page).read_text().split("```python\n")[1:]
            self.assertTrue(blocks)
            for block in blocks:
                with contextlib.redirect_stdout(io.StringIO()) as said:
                    exec(block.split("```")[0], {})
                self.assertIn("0x", said.getvalue())

    def test_leave(self):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            runpy.run_path(str(HERE / "leave.py"))
        first, second = said.getvalue().split()[-2:]
        self.assertEqual(first, second)

    def test_default_definitions(self):
        self.assertEqual(throng.Group().max_speed, 1.5)
        self.assertEqual(throng.Group().separation.mask, throng.ALL_LAYERS)
        walkers = throng.walkers_group(max_speed=1)
        self.assertEqual((walkers.max_speed, walkers.contact, walkers.behaviour_count), (1, 1, 1))
        self.assertTrue(throng.flock_group().drag > 0 and throng.school_group().drag > 0)
        self.assertEqual(throng.vehicles_group().actuation, throng.Actuation.VEHICLE)
        with throng.World() as world:
            self.assertEqual(world.definition.seed, 1)
            self.assertEqual(world.group(0).cohesion.weight, 1)


class Agents(unittest.TestCase):
    def test_instances(self):
        with throng.World() as world:
            world.add([[0, 0, 0], [3, 0, 4]])
            world.write("facing", [0, np.pi / 2])
            world.index()
            rows = world.instances(by_id=True, scale=2, offset=(0, 5, 0))
            np.testing.assert_allclose(rows[0].reshape(3, 4), [[2, 0, 0, 0], [0, 2, 0, 5], [0, 0, 2, 0]])
            np.testing.assert_allclose(rows[1].reshape(3, 4), [[0, 0, 2, 3], [0, 2, 0, 5], [-2, 0, 0, 4]], atol=1e-6)
            columns = world.instances("columns_4x4", by_id=True)[1].reshape(4, 4)
            np.testing.assert_allclose(columns.T[:3, :3], rows[1].reshape(3, 4)[:, :3] / 2, atol=1e-6)
            self.assertEqual(world.instances("position_rotation").shape, (2, 7))
            with self.assertRaisesRegex(throng.ThrongError, "scale"):
                world.instances(scale=0)
            with self.assertRaisesRegex(throng.ThrongError, "keep_previous_pose"):
                world.instances(alpha=0.5)

    def test_instances_between_two_steps(self):
        with throng.World(keep_previous_pose=True) as world:
            world.add([[0, 0, 0], [30, 0, 0]], velocity=(0, 0, 1))
            world.step(0.5)
            before = world.instances("position_yaw", by_id=True)
            world.step(0.5)
            now = world.instances("position_yaw", by_id=True)
            np.testing.assert_array_equal(world.instances("position_yaw", by_id=True, alpha=0), before)
            np.testing.assert_allclose(world.instances("position_yaw", by_id=True, alpha=0.25),
                                       before + 0.25 * (now - before), rtol=1e-6)
            self.assertTrue((now[:, 2] > before[:, 2]).all())

    def test_add_read_write_remove(self):
        with throng.World() as world:
            ids = world.add(np.arange(12).reshape(4, 3), velocity=(1, 0, 0), goal=[[9, 0, 9]] * 4,
                            mass=[70, 80, 90, 100])
            self.assertEqual(len(world), 4)
            self.assertTrue((world.ids() == ids).all())
            np.testing.assert_array_equal(world.read("position"), np.arange(12).reshape(4, 3))
            np.testing.assert_array_equal(world.read("velocity"), [[1, 0, 0]] * 4)
            np.testing.assert_array_equal(world.read("mass", ids[::-1]), [100, 90, 80, 70])
            np.testing.assert_array_equal(world.read("goal", ids[2]), [9, 0, 9])
            world.write("position", (5, 0, 5), ids[1])
            np.testing.assert_array_equal(world.read("position", ids[1]), [5, 0, 5])
            world.write("group", 0)
            self.assertEqual(world.read("group").dtype, np.uint8)
            world.write("max_speed", 0.5, ids[0])
            np.testing.assert_array_equal(world.read("max_speed"), [0.5, 1.5, 1.5, 1.5])
            world.write("target", ids[[1, 2]], ids[[0, 3]])
            self.assertTrue((world.read("target", ids[[0, 3]]) == ids[[1, 2]]).all())
            self.assertEqual(world.read("target", ids[1])["index"], 0)
            world.remove(ids[1:3])
            self.assertEqual(world.ids()["index"].tolist(), [1, 4])
            group = world.group(0)
            group.add(throng.Kind.SEEK).target = throng.Target(throng.TargetKind.OWN)
            world.set_group(0, group)
            self.assertEqual([world.lost_target_count(), world.lost_agents()["index"].tolist()], [2, [1, 4]])
            with self.assertRaises(throng.ThrongError) as caught:
                world.read("position", ids[1])
            self.assertEqual(caught.exception.status, throng.Status.ERROR_STALE_ID)

    def test_spatial_facings_have_three_components(self):
        with throng.World(space="spatial") as world:
            world.add(np.zeros((1, 3)), velocity=(0, 2, 0))
            np.testing.assert_array_equal(world.read("facing"), [[0, 1, 0]])

    def test_values_of_any_type_and_order(self):
        with throng.World() as world:
            world.add(np.asfortranarray(np.arange(6.0).reshape(2, 3)))
            world.add([[7, 0, 7]])
            np.testing.assert_array_equal(world.read("position"), [[0, 1, 2], [3, 4, 5], [7, 0, 7]])

    def test_two_worlds(self):
        first, ids = random_world(id_world=1)
        second, _ = random_world(id_world=2)
        with first, second:
            for _ in range(5):
                first.step(0.02)
            self.assertNotEqual(first.hash(), second.hash())
            for _ in range(5):
                second.step(0.02)
            np.testing.assert_array_equal(first.read("position"), second.read("position"))
            with self.assertRaises(throng.ThrongError) as caught:
                second.read("position", ids)
            self.assertEqual(caught.exception.status, throng.Status.ERROR_FOREIGN_ID)


class Views(unittest.TestCase):
    def test_nothing_is_copied(self):
        world, _ = random_world()
        with world:
            world.step(0.02)
            fields = throng.ViewStruct()
            throng.lib.throng_world_view(world._world, throng.ctypes.byref(fields), None)
            view = world.view()
            self.assertEqual(view.position_x.ctypes.data, fields.position_x)
            self.assertEqual(world.view("velocity")[2].ctypes.data, fields.velocity_z)
            self.assertEqual(len(view), 200)
            self.assertFalse(view.yaw.flags.writeable)
            self.assertIsNone(view.facing_x)
            order = np.argsort(view.id_index)
            np.testing.assert_array_equal(view.position_x[order], world.read("position")[:, 0])

    def test_groups_goals_and_ids(self):
        world, ids = random_world(id_world=3)
        with world:
            world.set_group(5, throng.Group())
            world.write("group", 5, ids[10:20])
            self.assertIsNone(world.view().goal_x)
            world.write("goal", [1, 2, 3], ids[7])
            world.remove(ids[0])
            world.add([[0, 0, 0]])  # reuses the index of the removed agent, with the next generation
            world.step(0.02)
            view = world.view()
            np.testing.assert_array_equal(np.sort(view.ids()), np.sort(world.ids()))
            self.assertEqual((view.count, view.id_world), (len(view), 3))
            np.testing.assert_array_equal(world.read("group", view.ids()), view.group)
            np.testing.assert_array_equal(world.read("goal", view.ids()), np.transpose(view.goal))
            self.assertEqual(view.generation.max(), 2)

    def test_an_edit_moves_agents(self):
        world, ids = random_world()
        with world:
            edit = world.edit()
            edit.position_x[:] = 1.5
            self.assertFalse(world.is_indexed)
            world.index()
            self.assertEqual(world.read("position", ids[7])[0], 1.5)
            edit = world.edit()
            edit.position_z[3] = np.nan
            with self.assertRaises(throng.ThrongError) as caught:
                world.step(0.02)
            self.assertEqual(caught.exception.status, throng.Status.ERROR_NOT_FINITE)
            self.assertIsNotNone(caught.exception.agent)

    def test_own_forces(self):
        world, ids = random_world()
        with world:
            world.steer(0.1)
            edit = world.edit_accelerations()
            edit.acceleration_x[:] = 1
            edit.acceleration_z[:] = 0
            before = world.read("velocity", ids)[:, 0]
            world.integrate(0.1)
            np.testing.assert_allclose(world.read("velocity", ids)[:, 0] - before, 0.1, rtol=1e-4)

    def test_stale_views_raise(self):
        world, ids = random_world()
        with world:
            changes = [lambda: world.step(0.01), lambda: world.add([[1, 0, 1]]), lambda: world.remove(ids[:1]),
                       lambda: world.move(ids[5], 1), world.index, lambda: world.load(world.save()),
                       lambda: world.write("position", 1)]
            for change in changes:
                world.index()  # views refuse after removals
                view = world.view()
                view.position_x
                change()
                with self.assertRaises(throng.StaleView):
                    view.position_x

    def test_arrays_keep_the_world(self):
        world, _ = random_world()
        x = world.view().position_x
        total = float(x.sum())
        del world
        self.assertEqual(float(x.sum()), total)


class Groups(unittest.TestCase):
    def test_rules_and_behaviours(self):
        walkers = throng.Group(max_speed=2, cohesion={"weight": 0, "form": "arrive"}, facing="smooth")
        walkers.alignment.weight = 0
        arrive = walkers.add("arrive", slow_radius=3)
        arrive.weight = 2
        with throng.World() as world:
            ids = world.add([[0, 0, 0], [20, 0, 0]], goal=[10, 0, 0])
            walkers.add("flee", target=ids[1], panic_radius=1)
            walkers.add("seek", target=(1, 2, 3), weight=0)
            world.set_group(1, walkers)
            world.write("group", 1, ids[:1])
            back = world.group(1)
            self.assertEqual([back.max_speed, back.cohesion.form, back.facing],
                             [2, throng.CohesionForm.ARRIVE, throng.Facing.SMOOTH])
            self.assertEqual([back.behaviour_count, back.behaviour[0].slow_radius, back.behaviour[0].weight], [3, 3, 2])
            self.assertEqual(back.behaviour[1].target.agent.index, ids[1]["index"])
            self.assertEqual(back.behaviour[2].target.point.z, 3)
            for _ in range(400):
                world.step(0.05)
            self.assertLess(abs(world.read("position", ids[0])[0] - 10), 0.2)

    def test_parameters_are_the_librarys(self):
        slow_radius = throng.behaviour_parameters("arrive")["slow_radius"]
        self.assertEqual([slow_radius.initial, slow_radius.lowest, slow_radius.highest], [2.0, 0.0, 1e9])
        for kind in throng.Kind:
            for name, parameter in throng.behaviour_parameters(kind).items():
                self.assertEqual(getattr(throng.Group().add(kind), name), parameter.python(parameter.initial))

    def test_parameters_in_the_union(self):
        arrive = throng.Group().add("arrive", slow_radius=3)
        self.assertEqual(arrive.arrive.slow_radius, 3)
        arrive.arrive.slow_radius = 4
        self.assertEqual(arrive.slow_radius, 4)
        self.assertRegex(repr(arrive), r"^Behaviour\('arrive', weight=1.0, .*slow_radius=4.0")
        self.assertIn("Keywords change them", inspect.getdoc(throng.Group))

    def test_parameters_have_types(self):
        walls = throng.Group().add("avoid_walls", rays="whiskers", look_ahead=2)
        self.assertEqual([walls.rays, walls.look_ahead], ["whiskers", 2.0])
        walls.rays = 1
        self.assertEqual(walls.rays, "parallel")
        pursue = throng.Group().add("pursue", by_speed=True)
        self.assertEqual([pursue.by_speed, pursue.stop_at_walls], [True, False])
        self.assertEqual(throng.Group().add("follow_path", index=63).index, 63)
        for kind, name, value in [("avoid_walls", "rays", "hook"), ("pursue", "by_speed", 0.5),
                                  ("follow_path", "index", -1), ("follow_path", "index", 1.5)]:
            with self.assertRaisesRegex(ValueError, f"{name} is {value!r}, allowed: "):
                throng.Group().add(kind, **{name: value})

    def test_the_boundary_of_each_axis(self):
        with throng.World(boundary=["periodic", "unbounded", "box"], box_max=(20, 1, 20)) as world:
            self.assertEqual(repr(world.definition.boundary), "['periodic', 'unbounded', 'box']")
            ids = world.add([[19, 0, 19]], velocity=(1, 0, 1))
            for _ in range(20):
                world.step(0.1)
            x, _, z = world.read("position", ids)[0]
            self.assertTrue(0 < x < 2 and 19.9 < z < 20)
        with throng.World(boundary="box") as world:
            self.assertEqual(list(world.definition.boundary), [1, 1, 1])
        with self.assertRaisesRegex(ValueError, "boundary has 2 words, wanted: 1 or 3"):
            throng.World(boundary=["box", "box"])

    def test_scenery_cells_and_paths(self):
        with throng.World(boundary="box", box_max=(20, 1, 20)) as world:
            ids = world.add([[1, 0, 1], [5, 0, 1]], velocity=(1, 0, 0))
            world.set_scenery(wall_from=[[3, 0, 0]], wall_to=[[3, 0, 5]],
                              obstacle_centre=(12, 0, 12), obstacle_radius=1)
            lone = throng.Group(separation={"weight": 0}, cohesion={"weight": 0}, alignment={"weight": 0})
            lone.add("follow_path", index=2)
            world.set_group(0, lone)
            world.set_path(2, [[1, 0, 1], [19, 0, 1]])
            for _ in range(200):
                world.step(0.05)
            x = world.read("position", ids)[:, 0]
            self.assertTrue(2.7 < x[0] < 3 and x[1] > 10, x)
            blocked = np.zeros((20, 20))
            blocked[1, int(x[1])] = 1
            with self.assertRaises(throng.ThrongError) as caught:
                world.set_cells(blocked)
            self.assertEqual(caught.exception.status, throng.Status.ERROR_BLOCKED)


class Queries(unittest.TestCase):
    def test_against_numpy(self):
        world, ids = random_world()
        with world:
            world.index()
            position = world.read("position", ids)
            points = position[:5]
            apart = np.abs(position[None] - points[:, None])
            distance = np.sqrt((np.minimum(apart, 10 - apart) ** 2).sum(2))
            found = world.neighbours(points, 1.5)
            np.testing.assert_array_equal(found.count, (distance <= 1.5).sum(1))
            one = world.neighbours(points[3], 1.5)
            self.assertEqual(one.count, found.count[3])
            order = np.argsort(distance[3])[: one.count]
            np.testing.assert_array_equal(one.ids["index"], ids[order]["index"])
            np.testing.assert_allclose(one.distance, distance[3][order], rtol=1e-5, atol=1e-6)
            nearest = world.nearest(points, 4)
            np.testing.assert_array_equal(nearest.ids["index"], ids[np.argsort(distance, 1)[:, :4]]["index"])
            self.assertEqual(world.neighbours(points[0], 1.5, mask=0).count, 0)

    def test_moved_agents_are_found_at_once(self):
        world, ids = random_world()
        with world:
            world.index()
            velocity = world.read("velocity", ids[7])
            world.move(ids[7], (5, 0, 5.25))
            self.assertTrue(world.is_indexed)
            self.assertIn(ids[7], world.neighbours((5, 0, 5.25), 0).ids)
            np.testing.assert_array_equal(world.read("velocity", ids[7]), velocity)
            world.remove(ids[7])
            self.assertEqual(world.neighbours((5, 0, 5.25), 0).count, 0)
            world.move(ids[8:10], [[1, 0, 2], [3, 0, 4]], velocity=(1, 0, 0))
            self.assertTrue(world.is_indexed)
            with self.assertRaises(throng.ThrongError) as caught:
                world.view()
            self.assertEqual(caught.exception.status, throng.Status.ERROR_NOT_INDEXED)
            with self.assertRaises(throng.ThrongError) as caught:
                world.move(ids[8:10], [[1, 0, 2], [3, 0, 40]])
            self.assertEqual(caught.exception.agent["index"], ids[9]["index"])
            np.testing.assert_array_equal(world.read("position", ids[8:10]), [[1, 0, 2], [3, 0, 4]])
            np.testing.assert_array_equal(world.read("velocity", ids[8:10]), [[1, 0, 0]] * 2)
            world.step(0.02)
            self.assertEqual(len(world.view()), 199)

    def test_a_dirty_world_is_not_indexed(self):
        world, _ = random_world()
        with world, self.assertRaises(throng.ThrongError) as caught:
            world.nearest((0, 0, 0))
        self.assertEqual(caught.exception.status, throng.Status.ERROR_NOT_INDEXED)


class State(unittest.TestCase):
    def test_snapshots(self):
        world, _ = random_world(seed=2)
        with world:
            world.step(0.02)
            snapshot, at = world.save(), world.hash()
            world.step(0.02)
            later = world.hash()
            world.load(snapshot)
            self.assertEqual(world.hash(), at)
            with throng.World.from_snapshot(snapshot, thread_count=1) as twin:
                twin.step(0.02)
                self.assertEqual(twin.hash(), later)
            with self.assertRaises(throng.ThrongError):
                world.load(snapshot[:-1])
            self.assertEqual(world.hash(), at)

    def test_hashes_are_64_bits_and_by_column(self):
        world, _ = random_world()
        with world:
            self.assertEqual(world.hash(), world.hash("position", "velocity", "facing"))
            self.assertNotEqual(world.hash(), world.hash("position"))
            self.assertGreater(max(world.hash(column) for column in ("position", "velocity", "facing")), 2**32)

    def test_profile(self):
        world, _ = random_world(profile=True)
        with world:
            world.step(0.02)
            self.assertEqual([world.profile()["frames"], world.profile()["agent_updates"]], [1, 200])
            world.reset_profile()
            self.assertEqual(world.profile()["frames"], 0)
        world, _ = random_world()
        with world, self.assertRaises(throng.ThrongError):
            world.profile()


class Errors(unittest.TestCase):
    def test_the_text_names_what(self):
        with throng.World() as world:
            with self.assertRaisesRegex(throng.ThrongError, r"ERROR_NOT_FINITE: position\[1\] is \(nan, 0, 0\)"):
                world.add([[0, 0, 0], [np.nan, 0, 0]])
            self.assertEqual(len(world), 0)
            with self.assertRaisesRegex(throng.ThrongError, "dt"):
                world.step(-1)

    def test_misspelt_and_misshapen(self):
        wrong = [
            (AttributeError, "no 'boundry'", lambda world: throng.World(boundry="box")),
            (ValueError, "'boxx', allowed: unbounded, box, periodic", lambda world: throng.World(boundary="boxx")),
            (ValueError, "seed is -1, allowed", lambda world: throng.World(seed=-1)),
            (ValueError, r"box_max has shape \(2,\)", lambda world: throng.World(box_max=(1, 2))),
            (TypeError, "perception_radius is 'x'", lambda world: throng.World(perception_radius="x")),
            (AttributeError, "Cohesion has no 'weigth'", lambda world: throng.Group(cohesion={"weigth": 1})),
            (AttributeError, "arrive has no 'slow'", lambda world: throng.Group().add("arrive", slow=1)),
            (ValueError, "allowed: seek, flee", lambda world: throng.Group().add("arive")),
            (TypeError, "'hat'; allowed: velocity", lambda world: world.add([[0, 0, 0]], hat=1)),
            (ValueError, r"wanted: \(agents, 3\)", lambda world: world.add([[0, 0]])),
            (ValueError, r"goal has shape \(2, 3\), wanted: \(1, 3\)",
             lambda world: world.add([[0, 0, 0]], goal=[[0, 0, 0]] * 2)),
            (ValueError, "from 0 to 255", lambda world: world.add([[0, 0, 0]], group=256)),
            (ValueError, "from 0 to 255", lambda world: world.add([[0, 0, 0]], group=float("nan"))),
            (ValueError, "from 0 to 255", lambda world: world.add([[0, 0, 0]], group=0.9)),
            (ValueError, "number is 4294967296, allowed", lambda world: world.set_group(2**32, throng.Group())),
            (ValueError, "index is -1, allowed", lambda world: world.set_path(-1, None)),
            (ValueError, "99 is not a valid Column", lambda world: world.hash(99)),
            (ValueError, "allowed: position", lambda world: world.read("positon")),
            (AttributeError, "no 'position_w'", lambda world: world.view("position_w")),
            (TypeError, "no 'box'", lambda world: world.set_scenery(box=[[0, 0, 0]])),
            (ValueError, "wanted: 2", lambda world: world.set_scenery(wall_from=[[0, 0, 0]] * 2, wall_to=[[1, 0, 0]])),
        ]
        with throng.World() as world:
            for kind, text, call in wrong:
                with self.subTest(text), self.assertRaisesRegex(kind, text):
                    call(world)

    def test_a_full_list(self):
        group = throng.Group()
        for _ in range(throng.MAX_BEHAVIOURS):
            group.add("seek")
        with self.assertRaisesRegex(ValueError, "8 behaviours already"):
            group.add("seek")

    def test_a_closed_world(self):
        world, _ = random_world()
        view = world.view()
        world.close()
        world.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            world.step(0.1)
        with self.assertRaises(throng.StaleView):
            view.position_x

    def test_no_library(self):
        environment = dict(os.environ, THRONG_LIBRARY="/nowhere/libthrong.so")
        run = self.run_python("import throng", HERE, environment)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("/nowhere/libthrong.so", run.stderr)

    def test_a_library_of_another_version(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(HERE / "throng", pathlib.Path(folder, "throng"))
            enums = pathlib.Path(folder, "throng/enums.py")
            enums.write_text(enums.read_text().replace("    ERROR_BUSY = ", "    ERROR_NEW = 17\n    ERROR_BUSY = "))
            run = self.run_python("import throng", folder, dict(os.environ))
            self.assertIn("another number of throng_status than this package", run.stderr)

    def test_library_in_the_package_or_beside_it(self):
        environment = {name: value for name, value in os.environ.items() if name != "THRONG_LIBRARY"}
        for place in ("throng", "."):
            with self.subTest(place), tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder).resolve()
                shutil.copytree(HERE / "throng", folder / "throng")
                library = folder / place / "libthrong.so"
                library.symlink_to(os.environ["THRONG_LIBRARY"])
                run = self.run_python("import throng; print(throng.lib._name)", folder, environment)
                self.assertEqual(run.stdout, f"{library}\n", run.stderr)

    @staticmethod
    def run_python(program, folder, environment):
        command = [sys.executable, "-c", program]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


if __name__ == "__main__":
    unittest.main()
