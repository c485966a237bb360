"""The table and the files of bench/compare.

SPDX-License-Identifier: MIT
"""
import csv
import json
import statistics

from measure.compare.interval import LEVEL, differs, half_width, sees_one_per_cent, verdict

FIELDS = ("scene", "agents", "frames", "isa", "threads", "pairs", "old_frame_us", "new_frame_us", "old_agents_per_ms",
          "new_agents_per_ms", "ratio", "low", "high", "step", "half_width", "differs", "sees_one_per_cent",
          "same_bits", "verdict")


def summary(row):
    """Returns the row as a dictionary with the FIELDS."""
    interval = row.interval()
    values = {name: row.label(name) for name in ("scene", "agents", "frames", "isa", "threads")}
    values["pairs"] = len(row.first)
    for value, name in (("frame_us_median", "frame_us"), ("agents_per_ms", "agents_per_ms")):
        for k, side in enumerate(("old", "new")):
            values[f"{side}_{name}"] = statistics.median(row.column(k, value))
    values |= interval._asdict()
    values["half_width"] = half_width(interval)
    values["differs"] = differs(interval)
    values["sees_one_per_cent"] = sees_one_per_cent(interval)
    values["same_bits"] = row.same_bits()
    values["verdict"] = verdict(interval, len(row.first))
    return values


def print_table(rows):
    print(f"\n{'':33} {'median frame, µs':>19}  {'agents/ms':>15}  {'':5}  new / old: median of the pairs")
    print(f"{'scene':12} {'agents':>9} {'isa':>9}   {'old':>9} {'new':>9}  {'old':>7} {'new':>7}  pairs  verdict")
    for row in rows:
        value = summary(row)
        isa = f"{value['isa']} ×{value['threads']}"
        print(f"{value['scene']:12} {value['agents']:>9} {isa:>11} {value['old_frame_us']:9.1f} "
              f"{value['new_frame_us']:9.1f}  {value['old_agents_per_ms']:7.0f} {value['new_agents_per_ms']:7.0f}  "
              f"{value['pairs']:5}  {value['verdict']}; {'same bits' if value['same_bits'] else 'BITS DIFFER'}")


def write(folder, rows, context):
    """Writes results.csv, pairs.csv and results.json."""
    summaries = [summary(row) for row in rows]
    with open(folder / "results.csv", "w", newline="", encoding="utf-8") as stream:
        table = csv.DictWriter(stream, FIELDS, lineterminator="\n")
        table.writeheader()
        table.writerows(summaries)
    with open(folder / "pairs.csv", "w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(["scene", "isa", "threads", "pair", "first", "side", "frame_us_median", "agents_per_ms", "hash"])
        for row in rows:
            for pair, first in enumerate(row.first):
                for k, side in enumerate(("old", "new")):
                    run = row.runs[k][pair]
                    table.writerow([run["scene"], run["isa"], run["threads"], pair + 1, ("old", "new")[first], side,
                                    run["frame_us_median"], run["agents_per_ms"], run["hash"]])
    with open(folder / "results.json", "w", encoding="utf-8") as stream:
        json.dump({"context": {**context, "level": LEVEL}, "rows": summaries}, stream, indent=2, ensure_ascii=False)
        stream.write("\n")
