#!/usr/bin/env python3
"""Compares every number of every agent in a VTK series of throng-run with the CSV files of the same frames.

usage: check_vtk.py VTK_FOLDER CSV_FOLDER FRAMES DT [--goals]
    FRAMES is the number of frames that the series must have; --goals: the agents have goals

SPDX-License-Identifier: MIT"""
import base64
import csv
import math
import os
import struct
import sys
import xml.etree.ElementTree as ElementTree

CODES = {"UInt8": "B", "UInt32": "I", "Int32": "i", "Float32": "f"}


def numbers(element):
    """The values of a DataArray: tuples, or numbers if it has one component."""
    data = base64.b64decode(element.text, validate=True)
    size = struct.unpack_from("<Q", data)[0]
    assert size == len(data) - 8, f"{element.get('Name')}: {size} bytes by its header, {len(data) - 8} there"
    code = CODES[element.get("type")]
    values = struct.unpack(f"<{size // struct.calcsize(code)}{code}", data[8:])
    width = int(element.get("NumberOfComponents"))
    return [values[i : i + width] for i in range(0, len(values), width)] if width > 1 else list(values)


def piece_of(path):
    root = ElementTree.parse(path).getroot()
    assert root.get("type") == "PolyData" and root.get("byte_order") == "LittleEndian"
    assert root.get("header_type") == "UInt64"
    return root.find("PolyData/Piece"), float(root.find("PolyData/FieldData/DataArray").text)


def arrays(piece, section):
    return {array.get("Name"): numbers(array) for array in piece.find(section)}


def single(text):
    return struct.unpack("<f", struct.pack("<f", float(text)))[0]


def check_agents(path, csv_path, seconds, goals):
    piece, time = piece_of(path)
    assert time == seconds, f"{path}: at {time} s instead of {seconds}"
    data, verts = arrays(piece, "PointData"), arrays(piece, "Verts")
    points = arrays(piece, "Points")["position"]
    with open(csv_path, newline="") as file:
        rows = list(csv.DictReader(file))
    count = len(rows)
    assert int(piece.get("NumberOfPoints")) == int(piece.get("NumberOfVerts")) == len(points) == count
    assert verts["connectivity"] == list(range(count)) and verts["offsets"] == list(range(1, count + 1))
    assert all(len(column) == count for column in data.values())
    assert ("goal" in data) == goals, f"{path}: columns {list(data)}"
    for k, row in enumerate(rows):
        assert (data["id"][k], data["group"][k]) == (int(row["id"]), int(row["group"])), f"{path}: agent {k}"
        assert points[k] == tuple(single(row[c]) for c in ("x", "y", "z")), f"{path}: position of agent {k}"
        velocity = tuple(single(row[c]) for c in ("vx", "vy", "vz"))
        assert data["velocity"][k] == velocity, f"{path}: velocity of agent {k}"
        assert math.isclose(data["speed"][k], math.hypot(*data["velocity"][k]), rel_tol=1e-6, abs_tol=1e-12)
        assert math.isclose(math.hypot(*data["facing"][k]), 1, rel_tol=1e-5), f"{path}: facing of agent {k}"
        assert data["body_radius"][k] >= 0
    return count


def check_scenery(path):
    piece, _ = piece_of(path)
    points = arrays(piece, "Points")["position"]
    assert int(piece.get("NumberOfPoints")) == len(points) > 0
    for section, attribute in (("Lines", "NumberOfLines"), ("Polys", "NumberOfPolys")):
        cells = arrays(piece, section)
        ends = cells["offsets"]
        assert len(ends) == int(piece.get(attribute)), f"{path}: {section}"
        assert (ends[-1] if ends else 0) == len(cells["connectivity"]), f"{path}: {section}"
        assert all(b - a >= 2 for a, b in zip([0] + ends, ends)), f"{path}: {section}"
        assert all(0 <= k < len(points) for k in cells["connectivity"]), f"{path}: {section}"
    return int(piece.get("NumberOfPolys"))


def main():
    folder, csv_folder, frames, dt = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    series = ElementTree.parse(os.path.join(folder, "series.pvd")).getroot()
    assert series.get("type") == "Collection"
    sets = series.findall("Collection/DataSet")
    assert len(sets) == frames, f"{len(sets)} frames instead of {frames}"
    assert len([name for name in os.listdir(folder) if name.startswith("agents-")]) == frames
    count = 0
    for entry in sets:
        name = entry.get("file")
        number = int(name[len("agents-") : -len(".vtp")])
        seconds = float(entry.get("timestep"))
        assert math.isclose(seconds, number * single(dt), rel_tol=1e-12), f"{name}: timestep {seconds}"
        csv_path = os.path.join(csv_folder, name.replace(".vtp", ".csv"))
        count = check_agents(os.path.join(folder, name), csv_path, seconds, "--goals" in sys.argv)
    scenery = os.path.join(folder, "scenery.vtp")
    polygons = check_scenery(scenery) if os.path.exists(scenery) else "no"
    print(f"{frames} frames of {count} agents, {polygons} polygons of scenery")


if __name__ == "__main__":
    main()
