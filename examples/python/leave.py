#!/usr/bin/env python3
"""People leave a room by a flow field and feel a wind, a callback. The run is recorded and replayed.

usage: leave.py
SPDX-License-Identifier: MIT"""

import io

import numpy as np

import throng


def wind(block):  # up to 256 agents, in throng's axes
    block.acceleration_x[:] = 0.5 * np.sin(block.position_z)


blocked = np.zeros((20, 30))  # a map: 30 cells along x, 20 along z, each of 1 m
blocked[5:, 15] = 1
field = throng.compute_flow_field(blocked, goals=(25, 0, 10), radius=3)
recording = io.BytesIO()
with throng.World(boundary="box", box_max=(30, 1, 20)) as world:
    world.set_cells(blocked)
    world.set_flow_field(0, field.vectors)
    world.set_callback(0, wind)
    walkers = throng.Group()
    walkers.add("follow_field", index=0)
    walkers.add("callback", index=0)
    world.set_group(1, walkers)
    ids = world.add(np.random.rand(200, 3) * (14, 0, 19), group=1)
    world.watch(ids[0])
    with throng.Recorder(world, recording) as recorder:
        for _ in range(100):
            recorder.step(1 / 60)
    print(world.explain(ids[0]).contributions)  # what each rule and behaviour wanted
    replay = throng.Replay(recording.getvalue(), callbacks={0: wind})
    while not replay.has_ended:
        assert replay.step() is None  # or the first difference
    print(hex(replay.world.hash()), hex(world.hash()))
