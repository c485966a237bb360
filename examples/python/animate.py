#!/usr/bin/env python3
"""Draws a flock and a hunter with matplotlib, in a window or into a file.

usage: animate.py [FILE.gif | FILE.mp4 | FILE.png] [--agents N] [--frames N] [--seed N]
    A PNG shows the last frame. An MP4 needs ffmpeg. Without a FILE there must be a display.
SPDX-License-Identifier: MIT"""

import argparse
import os
import sys

try:
    import matplotlib
    import matplotlib.animation
    import matplotlib.pyplot as plt
    import numpy as np
except ImportError as missing:
    sys.exit(f"{missing}. On Debian: apt-get install python3-numpy python3-matplotlib, "
             f"and /usr/bin/python3 {sys.argv[0]}")

try:
    import throng
except ImportError as missing:
    sys.exit(f"animate.py: {missing}")

DT = 1 / 30
STEPS = 2  # per picture
AGENTS_A_METRE = 1.1  # agents per square metre at the start
HUNTERS = 1
REACH = 2.5  # the perception radius, metres


def make_world(agents, seed):
    """A periodic plane with a flock in group 0. It flees from the hunter, which is group 1."""
    side = max((agents / AGENTS_A_METRE) ** 0.5, 4 * REACH)  # periodic worlds need at least 4 perception radii
    world = throng.World(boundary="periodic", box_max=(side, side, side), perception_radius=REACH, seed=seed)
    random = np.random.default_rng(seed)
    position = random.random((agents, 3)) * (side, 0, side)
    angle = random.normal(0.8, 0.9, agents)
    flock = world.add(position, velocity=np.stack([np.sin(angle), 0 * angle, np.cos(angle)], 1) * 2)

    hunting = throng.Group(max_speed=5, max_acceleration=9, layer=1, separation={"weight": 0}, cohesion={"weight": 0},
                           alignment={"weight": 0})
    hunting.add("pursue", target=flock[0])
    hunting.add("wander", weight=0.6)
    world.set_group(1, hunting)
    hunter = world.add([[side / 2, 0, side / 2]] * HUNTERS, group=1)[0]

    flocking = throng.Group(max_speed=3, max_acceleration=6, facing="smooth",
                            separation={"radius": 1, "strength": 2, "mask": 1},
                            cohesion={"weight": 0.6, "mask": 1}, alignment={"weight": 1, "mask": 1})
    flocking.add("evade", target=hunter, panic_radius=5, weight=4)
    flocking.add("wander", weight=0.3)
    world.set_group(0, flocking)
    return world, side


def arrows(x, z, yaw, length):
    """A slim triangle for each agent: (agents, 3 corners, 2)."""
    ahead = np.stack([np.sin(yaw), np.cos(yaw)], 1)
    aside = np.stack([ahead[:, 1], -ahead[:, 0]], 1)
    position = np.stack([x, z], 1)
    tip, half = position + length * ahead, length / 2
    return np.stack([tip, position - half * (ahead - aside), position - half * (ahead + aside)], 1)


class Picture:
    def __init__(self, world, side):
        self.world, self.length = world, 0.008 * side + 0.12
        self.figure = plt.figure(figsize=(4.4, 4.4), dpi=100, facecolor="#10141c")
        axes = self.figure.add_axes((0, 0, 1, 1), xlim=(0, side), ylim=(0, side), aspect="equal")
        axes.set_axis_off()
        colours = matplotlib.colormaps["hsv"] if hasattr(matplotlib, "colormaps") else plt.get_cmap("hsv")
        self.flock = matplotlib.collections.PolyCollection([], cmap=colours, linewidths=0)
        self.flock.set_clim(-np.pi, np.pi)
        self.hunter = matplotlib.collections.PolyCollection([], facecolors="white", linewidths=0)
        axes.add_collection(self.flock)
        axes.add_collection(self.hunter)

    def draw(self, _=None):
        for _ in range(STEPS):
            self.world.step(DT)
        view = self.world.view()
        x, _, z = view.position  # the library's own memory, not copies
        hunters = self.hunters(view)
        self.flock.set_verts(arrows(x, z, view.yaw, self.length)[~hunters])
        self.flock.set_array(view.yaw[~hunters])
        self.hunter.set_verts(arrows(x[hunters], z[hunters], view.yaw[hunters], 3 * self.length))
        return self.flock, self.hunter

    def hunters(self, view):
        """Returns for each element of the view whether it is a hunter. The order of agents in memory changes every
        frame, but the hunters always have the last ids."""
        return view.id_index > len(view) - HUNTERS


def show(picture, frames):
    if matplotlib.get_backend().lower() == "agg":
        sys.exit("animate.py: there is no display, or no toolkit for it (Debian: python3-tk): "
                 "name a FILE.gif, .mp4 or .png")
    animation = matplotlib.animation.FuncAnimation(
        picture.figure, picture.draw, frames=frames, interval=1000 * DT * STEPS, blit=True)
    plt.show()
    return animation


def write(picture, frames, path):
    kind = os.path.splitext(path)[1]
    if kind == ".png":
        for _ in range(frames):
            picture.draw()
        picture.figure.savefig(path, facecolor=picture.figure.get_facecolor())
        return
    fps = 1 / (DT * STEPS)
    if kind == ".mp4" and not matplotlib.animation.FFMpegWriter.isAvailable():
        sys.exit("animate.py: an MP4 needs ffmpeg; a GIF does not")
    writer = (matplotlib.animation.FFMpegWriter if kind == ".mp4" else matplotlib.animation.PillowWriter)(fps=fps)
    with writer.saving(picture.figure, path, dpi=picture.figure.dpi):
        for _ in range(frames):
            picture.draw()
            writer.grab_frame(facecolor=picture.figure.get_facecolor())


def main():
    parser = argparse.ArgumentParser(description="A flock and a hunter, drawn by matplotlib.")
    parser.add_argument("file", nargs="?", help="FILE.gif, FILE.mp4 or FILE.png; none: a window")
    parser.add_argument("--agents", type=int, default=1500, help="1 to 100000 (default %(default)s)")
    parser.add_argument("--frames", type=int, default=150, help="pictures (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not 1 <= options.agents <= 100000:
        parser.error(f"--agents is {options.agents}, allowed: 1 to 100000")
    if options.frames < 1:
        parser.error(f"--frames is {options.frames}, allowed: 1 or more")
    if options.file and os.path.splitext(options.file)[1] not in (".gif", ".mp4", ".png"):
        parser.error(f"the file is {options.file}, allowed: a .gif, .mp4 or .png")
    world, side = make_world(options.agents, options.seed)
    with world:
        picture = Picture(world, side)
        if options.file:
            write(picture, options.frames, options.file)
        else:
            show(picture, options.frames)


if __name__ == "__main__":
    main()
