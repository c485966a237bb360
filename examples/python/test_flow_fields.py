"""Tests of computed flow fields: test_objects.py has those in which agents follow them. SPDX-License-Identifier: MIT"""

import unittest

import numpy as np

import throng


class ComputedFields(unittest.TestCase):
    def test_a_flow_field_leads_across_the_seam(self):
        with throng.World(boundary="periodic", box_max=(20, 0, 20), perception_radius=1) as world:
            field = world.compute_flow_field(np.zeros((20, 20)), (19.5, 0, 3.5))
            self.assertEqual((field.distance[3, 0], field.vectors[3, 0, 0]), (1, -1))
            with self.assertRaisesRegex(throng.ThrongError, "10 m long"):
                world.compute_flow_field(np.zeros((20, 10)), (9.5, 0, 3.5))

    def test_many_flow_fields_at_once(self):
        random = np.random.default_rng(3)
        blocked = random.random((20, 20)) < 0.2
        blocked[3, 4] = blocked[18, 7] = blocked[9, 9] = 0
        goals, radius = [(4.5, 0, 3.5), [(7.5, 0, 18.5), (9.5, 0, 9.5)], (9.5, 0, 9.5)], [0, [2, 1], 3]
        costs = random.uniform(0.5, 2, (3, 20, 20))
        with throng.World(boundary="periodic", box_max=(20, 0, 20), perception_radius=1, thread_count=2) as world:
            for cost in (None, costs[0], costs, list(costs)):
                fields = world.compute_flow_fields(blocked, goals, radius, cost=cost)
                self.assertEqual(len(fields), 3)
                for k, field in enumerate(fields):
                    own = cost if cost is None or np.ndim(cost) == 2 else cost[k]
                    single = world.compute_flow_field(blocked, goals[k], radius[k], cost=own)
                    np.testing.assert_array_equal(field.vectors, single.vectors)
                    np.testing.assert_array_equal(field.distance, single.distance)
            self.assertEqual(world.compute_flow_fields(blocked, []), [])
            self.assertEqual(len(world.compute_flow_fields(blocked, goals, 1.5)), 3)
            with self.assertRaisesRegex(throng.ThrongError, r"ERROR_OUT_OF_RANGE: requests\[1\]: goals\[0\]"):
                world.compute_flow_fields(blocked, [goals[0], (50, 0, 50)])
            with self.assertRaisesRegex(ValueError, "radius has 2 and cost 3 elements, wanted: 3"):
                world.compute_flow_fields(blocked, goals, [0, 0])

    def test_flow_fields_with_many_goals_a_cell_and_an_origin(self):
        field = throng.compute_flow_field(np.zeros((4, 10)), [[5.1, 0, 10.6], [9.5, 0, 12]], radius=[0, 1], cell=0.5,
                                          origin=(5, 0, 10.5))
        middle = np.stack(np.meshgrid(5.25 + 0.5 * np.arange(10), 10.75 + 0.5 * np.arange(4)), -1)
        near = np.hypot(*(middle - (9.5, 12)).transpose(2, 0, 1)) <= 1
        near[0, 0] = True  # the cell of the first goal
        np.testing.assert_array_equal(field.distance == 0, near)


if __name__ == "__main__":
    unittest.main()
