# The settings and functions that all plots share. Draw them in a folder that has results.csv of throng-run --csv:
#   GNUPLOT_LIB=PLOTS gnuplot -c PLOTS/threads.gp MACHINE      with PLOTS this folder; writes threads.png and threads.svg
# SPDX-License-Identifier: MIT
set datafile separator comma

# Numbers of the columns.
SCENE = 1
AGENTS = 2
THREADS = 4
ISA = 5
ROUNDS = 6
RATE = 7
RATE_MIN = 8
RATE_MAX = 9
FIRST_PASS = 10
passes = "index neighbours behaviours integrate constrain"

# The distinct values of a column, in the order of the rows.
distinct(column) = system(sprintf("awk -F, 'NR > 1 && !seen[$%d]++ { print $%d }' results.csv", column, column))
isas = distinct(ISA)
sizes = distinct(AGENTS)
counts = distinct(THREADS)
least_threads = word(counts, 1) + 0
most_threads = word(counts, 1) + 0
do for [n in counts] {
  if (n + 0 < least_threads) { least_threads = n + 0 }
  if (n + 0 > most_threads) { most_threads = n + 0 }
}

# The rows where one column is v1 and another v2.
rows_of(c1, v1, c2, v2) = sprintf("< awk -F, '$%d == \"%s\" && $%d == \"%s\"' results.csv", c1, "".v1, c2, "".v2)

what = sprintf("%s on %s", distinct(SCENE), machine)
rounds = distinct(ROUNDS) + 0
medians = rounds > 1 ? sprintf("%s\nmedians of %d rounds, bars from least to most", what, rounds) : what

# 50000 as "50 000".
grouped(n) = n < 1000    ? sprintf("%d", n) \
           : n < 1000000 ? sprintf("%d %03d", n / 1000, n % 1000) \
                         : sprintf("%d %03d %03d", n / 1000000, n / 1000 % 1000, n % 1000)
threads_text(n) = sprintf("%d thread%s", n, n == 1 ? "" : "s")

# Okabe and Ito's colours, which colour-blind readers can distinguish.
array colours[7] = [0x0072B2, 0xE69F00, 0x009E73, 0xD55E00, 0x56B4E9, 0xCC79A7, 0x707070]
array markers[4] = [7, 5, 9, 13]

set border 3 linecolor rgb 0x606060
set tics nomirror out textcolor rgb 0x303030
set grid linecolor rgb 0xD8D8D8 linewidth 0.7 linetype 1
set key outside right top vertical Left reverse samplen 3 spacing 1.2 textcolor rgb 0x303030

# Opens NAME.png or NAME.svg, after FORMAT.
open(name, format, width, height) = \
  sprintf("set terminal %s size %d, %d noenhanced font 'DejaVu Sans,11' background 'white'; set output '%s.%s'", \
          format eq "png" ? "pngcairo" : "svg", width, height, name, format)
