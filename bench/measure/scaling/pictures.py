"""Draws results with the gnuplot scripts of bench/plots.

SPDX-License-Identifier: MIT
"""
import os
import re
import shutil

from measure.machine import short_name
from measure.programs import BENCH, must_run, run


def have_gnuplot():
    """Whether gnuplot is installed. Installs it if it is missing."""
    return bool(shutil.which("gnuplot")) or \
        run(BENCH / "install-packages", "gnuplot-nox", "fonts-dejavu-core").returncode == 0


def draw(folder, plots):
    """Draws each of `plots` as .png and .svg from the results in a folder. The title has the processor's name."""
    cpu = re.search("^cpu +(.*)$", (folder / "machine.txt").read_text(errors="replace"), re.MULTILINE)
    environment = {**os.environ, "GNUPLOT_LIB": str(BENCH / "plots")}
    for plot in plots:
        must_run("gnuplot", "-c", BENCH / "plots" / f"{plot}.gp", short_name(cpu[1]) if cpu else "", cwd=folder,
                 env=environment)
