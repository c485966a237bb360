"""throng for Python: crowds and flocks in NumPy arrays.

    import numpy as np, throng
    with throng.World(boundary="periodic", box_max=(40, 40, 40)) as world:
        ids = world.add(position=np.random.rand(1000, 3) * 40)
        world.step(1 / 60)
        x, _, z = world.view("position")         # the library's own memory: nothing is copied

The binding is this folder. Copy it to any folder that Python imports from. The package loads the shared library that
$THRONG_LIBRARY names. If that is not set, it loads libthrong.so from this folder, then from the folder above, then the
system's.

The headers in include/throng are the manual: names, units, ranges and defaults are the same here. World(...) takes
the fields of throng_world_def, Group(...) those of throng_group_def. An enumerator is the end of its C name in small
letters: "periodic" is THRONG_BOUNDARY_PERIODIC. A call that fails raises ThrongError and leaves the world unchanged.
SPDX-License-Identifier: MIT"""

import ctypes  # callers need it for pointers to structs: lib.throng_world_view(…, ctypes.byref(view), None)

from .arrays import Block, View
from .behaviours import *
from .enums import *
from .errors import StaleView, ThrongError
from .groups import *
from .library import ID, NEIGHBOUR, lib
from .objects import FlowField, compute_flow_field
from .parameters import GROUP_PARAMETERS
from .parameters import behaviour_parameters, flock_group, moved_group, school_group, vehicles_group, walkers_group
from .recording import Difference, Recorder, Replay
from .structs import *
from .structure import ENUMS, STRUCTS, Struct
from .world import Contribution, Explanation, Neighbours, World
