# The time of each pass with the smallest number of threads: a bar for each number of agents and instruction set. The height of
# a bar is the median time without a profile; a profile gives the fractions of the passes.
# SPDX-License-Identifier: MIT
machine = ARG1
load "style.gp"

set style data histograms
set style histogram rowstacked gap 1
set style fill solid 1 border rgb 0xFFFFFF
set boxwidth 0.8
set grid noxtics ytics
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
set bmargin 4
set xtics scale 0
set ylabel "nanoseconds / agent and frame"
set title sprintf("%s\npasses, %s", what, threads_text(least_threads)) font ",13"
set key invert
profiled(p) = column(FIRST_PASS + p - 1)
share(p) = profiled(p) / (sum [q = 1:words(passes)] profiled(q)) * 1e6 / column(RATE)
# newhistogram cannot be in a plot iteration, so the command is built as text.
bars = ""
do for [size in sizes] {
  bars = bars.sprintf("%s newhistogram '%s agents' offset 0, -0.6, for [p = 1:words(passes)] " \
                      ."rows_of(AGENTS, %s, THREADS, least_threads) using (share(p)):xtic(ISA) " \
                      ."linecolor rgb colours[p] title %s", \
                      strlen(bars) ? "," : "plot", grouped(size + 0), size, strlen(bars) ? "''" : "word(passes, p)")
}
do for [format in "png svg"] {
  eval open("passes", format, 400 + 56 * (words(isas) + 1) * words(sizes), 520)
  eval bars
}
unset output
