#!/usr/bin/env python3
"""Reads a file of throng-run --trajectories as PedPy and JuPedSim's viewer do, and compares it with the VTK series of
the same frames: ids, positions, facings, frame rate. Checks that the walkable area is valid and has all positions.

usage: check_trajectories.py FILE VTK_FOLDER EVERY DT PARTS AREA [--period X Z]
    EVERY frames of the series are one frame of the file; the series has all of them. The area must have PARTS
    polygons and AREA square metres. --period: the sides of a periodic box, 0 for a side that is not periodic

The text is read as pedpy/io/ped_data_archive_loader.py does, the database as pedpy/io/jupedsim_loader.py and
jupedsim/recording.py do.

SPDX-License-Identifier: MIT"""
import collections
import math
import os
import re
import sqlite3
import sys

import check_vtk


def read_text(path):
    """Returns frame rate, area and rows (frame, id, x, y) of a text."""
    rate = unit = area = None
    rows = []
    with open(path, encoding="utf-8-sig") as file:
        for line in file:
            if line.startswith("#"):
                assert not rows, "PedPy reads the head only up to the first line without '#'"
                if "framerate" in line:
                    for word in line.split():
                        try:
                            rate = float(word) if rate is None else rate
                        except ValueError:
                            continue
                if "x/cm" in line.lower() or "in cm" in line.lower():
                    unit = "cm"
                if "x/m" in line.lower() or "in m" in line.lower():
                    unit = "m"
                if line.startswith("#geometry: "):
                    area = line[len("#geometry: ") :].strip()
            else:
                ident, frame, x, y = line.split()
                rows.append((int(frame), int(ident), float(x), float(y)))
    assert unit == "m", f"unit {unit}"
    return rate, area, rows, None


def read_database(path):
    """Returns the same of a database, and the facings."""
    base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    assert base.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    metadata = dict(base.execute("SELECT key, value FROM metadata"))
    assert metadata["version"] == "2" and all(isinstance(value, str) for value in metadata.values())
    columns = [(row[1], row[2]) for row in base.execute("PRAGMA table_info(trajectory_data)")]
    assert columns == [("frame", "INTEGER"), ("id", "INTEGER")] + [
        (name, "REAL") for name in ("pos_x", "pos_y", "ori_x", "ori_y")
    ], columns
    indices = {row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type = 'index'")}
    assert {"frame_id_idx", "geometry_hash"} <= indices, indices
    data = base.execute("SELECT frame, id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data ORDER BY rowid").fetchall()
    geometries = dict(base.execute("SELECT hash, wkt FROM geometry"))
    frames = base.execute("SELECT frame, geometry_hash FROM frame_data ORDER BY frame").fetchall()
    assert len(geometries) == 1 and all(key in geometries for _, key in frames)
    # The viewer shows the frames 0 to n - 1, where n is the number of rows.
    assert [frame for frame, _ in frames] == list(range(len(frames))) and frames
    assert {row[0] for row in data} <= set(range(len(frames)))
    area = list(geometries.values())[0]
    bounds = [float(metadata[key]) for key in ("xmin", "xmax", "ymin", "ymax")]
    points = [point for part in parts_of(area) for ring in part for point in ring]
    seen = [limit([p[axis] for p in points]) for axis in (0, 1) for limit in (min, max)]
    assert bounds == seen, f"bounds {bounds} instead of {seen}"
    return float(metadata["fps"]), area, [row[:4] for row in data], [row[4:] for row in data]


def parts_of(wkt):
    """The polygons of a WKT: lists of rings, which are lists of points."""
    match = re.fullmatch(r"POLYGON (\(\(.*\)\))|MULTIPOLYGON \((\(\(.*\)\))\)", wkt)
    assert match, f"WKT {wkt[:60]}"
    polygons = [match.group(1)] if match.group(1) else match.group(2).split(")), ((")
    rings = [re.split(r"\)\s*,\s*\(", polygon.strip("()")) for polygon in polygons]
    return [[[tuple(map(float, p.split())) for p in ring.split(",")] for ring in polygon] for polygon in rings]


def turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def area_of(ring):
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, ring[1:])) / 2


def has(part, x, y):
    inside = False
    for ring in part:
        for a, b in zip(ring, ring[1:]):
            if (a[1] <= y) != (b[1] <= y) and x < a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]):
                inside = not inside
    return inside


def check_area(wkt, parts, area):
    """Closed simple rings that do not cross; shells turn left, holes turn right and are inside."""
    found = parts_of(wkt)
    assert len(found) == parts, f"{len(found)} parts instead of {parts}"
    for part in found:
        for number, ring in enumerate(part):
            assert len(ring) >= 4 and ring[0] == ring[-1], f"a ring that is not closed: {ring}"
            assert len(set(ring)) == len(ring) - 1, f"a ring that touches itself: {ring}"
            assert (area_of(ring) > 0) == (number == 0), f"ring {number} turns to the wrong side"
            assert number == 0 or any(has(part[:1], *p) for p in ring), f"hole {number} is outside"
    edges = [edge for part in found for ring in part for edge in zip(ring, ring[1:])]
    for k, (a, b) in enumerate(edges):
        for c, d in edges[:k]:
            crosses = turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0
            assert not crosses, f"edges that cross: {a} {b}, {c} {d}"
    total = sum(area_of(ring) for part in found for ring in part)
    assert math.isclose(total, area, abs_tol=1e-6), f"{total!r} square metres instead of {area!r}"
    return found


def check_frames(rows, facings, folder, every, periods):
    """Compares each frame with its file of the series. Returns the number of frames."""
    by_frame = collections.defaultdict(list)
    for k, row in enumerate(rows):
        by_frame[row[0]].append((row[1:], facings[k] if facings else None))
    last, known = {}, None
    series = sorted(name for name in os.listdir(folder) if name.startswith("agents-"))
    for number, name in enumerate(series[::every]):
        piece, _ = check_vtk.piece_of(os.path.join(folder, name))
        data, points = check_vtk.arrays(piece, "PointData"), check_vtk.arrays(piece, "Points")["position"]
        here = by_frame.pop(number, [])
        assert len(here) == len(points), f"frame {number}: {len(here)} agents instead of {len(points)}"
        known = known or list(data["id"])
        largest = max([*known, *last], default=0)
        for k, ((ident, x, y), facing) in enumerate(here):
            assert (check_vtk.single(x), check_vtk.single(y)) == (points[k][0], points[k][2]), f"frame {number}, {k}"
            if facing:
                want = (data["facing"][k][0], data["facing"][k][2])
                assert math.dist(facing, want) < 1e-5, f"frame {number}: facing {facing} instead of {want}"
            before = last.get(known[k], (x, y))
            jumps = any(p and abs(b - a) > p / 2 for p, a, b in zip(periods, before, (x, y)))
            assert (ident > largest) if jumps else (ident == known[k]), f"frame {number}: agent {known[k]} is {ident}"
            known[k] = ident
        assert len(set(known)) == len(known), f"frame {number}: an id twice"
        last.update((ident, (x, y)) for (ident, x, y), _ in here)
    assert not by_frame, f"frames {list(by_frame)} are not in the series"
    return number + 1, len(last) - len(known)


def main():
    path, folder, every, dt, parts, area = sys.argv[1:7]
    periods = (0, 0)
    if "--period" in sys.argv:
        at = sys.argv.index("--period")
        periods = tuple(map(float, sys.argv[at + 1 : at + 3]))
    rate, wkt, rows, facings = (read_database if path.endswith(".sqlite") else read_text)(path)
    want = 1 / (check_vtk.single(dt) * int(every))
    assert rate is not None and math.isclose(rate, want, rel_tol=1e-6), f"{rate} frames per second instead of {want}"
    found = check_area(wkt, int(parts), float(area))
    for _, _, x, y in rows:
        assert any(has(part, x, y) for part in found), f"({x}, {y}) is not in the area"
    frames, crossings = check_frames(rows, facings, folder, int(every), periods)
    assert bool(crossings) == any(periods), f"{crossings} crossings of seams"
    print(f"{frames} frames, {crossings} crossings, {rate} frames per second")


main()
