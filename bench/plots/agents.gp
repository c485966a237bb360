# Nanoseconds per agent per frame against the number of agents, with the smallest and with the largest number of threads.
# SPDX-License-Identifier: MIT
machine = ARG1
load "style.gp"

set logscale x
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
stats "results.csv" skip 1 using AGENTS nooutput
set xrange [STATS_min * 0.8 : STATS_max * 1.25]
set xlabel "agents"
set ylabel "nanoseconds / agent and frame"
set title medians font ",13"
set xtics ()
do for [size in sizes] { set xtics add (grouped(size + 0) size + 0) }
ns(column) = 1e6 / column(column)
curve(k, n) = rows_of(ISA, word(isas, k), THREADS, n)
name(k, n) = sprintf("%s, %s", word(isas, k), threads_text(n))
shared = least_threads == most_threads ? 0 : words(isas)
do for [format in "png svg"] {
  eval open("agents", format, 920, 520)
  plot for [n in sprintf("%d %d", least_threads, most_threads)] for [k = 1:words(isas)] curve(k, n) \
         using AGENTS:(ns(RATE)):(ns(RATE_MAX)):(ns(RATE_MIN)) with yerrorbars linewidth 1.5 \
         linecolor rgb colours[k] pointtype markers[k] pointsize 0.9 notitle, \
       for [k = 1:words(isas)] curve(k, least_threads) using AGENTS:(ns(RATE)) with linespoints linewidth 2 \
         linecolor rgb colours[k] pointtype markers[k] pointsize 0.9 title name(k, least_threads), \
       for [k = 1:shared] curve(k, most_threads) using AGENTS:(ns(RATE)) with linespoints linewidth 2 dashtype 2 \
         linecolor rgb colours[k] pointtype markers[k] pointsize 0.9 title name(k, most_threads)
}
unset output
