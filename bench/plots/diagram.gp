# The fundamental diagram: speed against density, one way and both ways, with Weidmann's curve.
# SPDX-License-Identifier: MIT
load "validation.gp"

weidmann(x) = 1.34 * (1 - exp(-1.913 * (1 / x - 1 / 5.4)))

set xrange [0:4.2]
set yrange [0:1.5]
set xlabel "persons / m²"
set ylabel "m / s along the way"
set title "Speed in a crowd: full lines one way, dashed lines both ways" font ",13"
set style fill transparent solid 0.15 noborder
do for [format in "png svg"] {
  eval open("diagram", format, 920, 520)
  plot [x = 0.1:4.2] '+' using 1:(0.85 * weidmann($1)):(1.15 * weidmann($1)) with filledcurves linecolor rgb 0x707070 \
         title "Weidmann 1993, ±15 %", \
       '+' using 1:(weidmann($1)) with lines linewidth 2 linecolor rgb 0x404040 notitle, \
       for [k = 1:words(models)] rows_of(word(models, k), "rimea-4", "speed") using AT:MEAN:LEAST:MOST \
         with yerrorlines linewidth 2 linecolor rgb colours[k] pointtype markers[k] pointsize 0.9 title word(models, k), \
       for [k = 1:words(models)] rows_of(word(models, k), "counterflow", "speed") using AT:MEAN:LEAST:MOST \
         with yerrorlines linewidth 2 dashtype 2 linecolor rgb colours[k] pointtype markers[k] pointsize 0.7 notitle
}
unset output
