# The flow through doors of several widths, and the flow that was measured with people.
# SPDX-License-Identifier: MIT
load "validation.gp"

set xrange [0.7:2.1]
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
set xlabel "width of the door, m"
set ylabel "persons / (m s)"
set title "Flow through a door" font ",13"
set style fill transparent solid 0.15 noborder
do for [format in "png svg"] {
  eval open("doors", format, 920, 520)
  plot [x = 0.7:2.1] '+' using 1:(1.6):(2.1) with filledcurves linecolor rgb 0x707070 title "people, 1.6 to 2.1", \
       for [k = 1:words(models)] rows_of(word(models, k), "bottleneck", "flow") using AT:MEAN:LEAST:MOST \
         with yerrorlines linewidth 2 linecolor rgb colours[k] pointtype markers[k] pointsize 0.9 title word(models, k)
}
unset output
