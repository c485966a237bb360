# Agents per millisecond against the number of threads, a panel for each number of agents. Dashed: the rate per thread with the
# smallest number of threads, times the number of threads. Dotted: the same number of processes of one thread at the same time.
# SPDX-License-Identifier: MIT
machine = ARG1
load "style.gp"

# Older results have no alone.csv, and alone.csv may have no rows for a number of agents. Then a point far below the
# plot is drawn instead.
has_alone(size) = system(sprintf("cat alone.csv 2>/dev/null | grep -c ',%s,'", size)) > 0
rows_alone(size) = has_alone(size) ? sprintf("< awk -F, '$2 == %s' alone.csv", size) : "< echo ,,1,,1e-9"
columns = words(sizes) > 1 ? 2 : 1
lines = (words(sizes) + columns - 1) / columns
base(size, isa) = system(sprintf("awk -F, '$%d == %s && $%d == \"%s\" && $%d == %d { print $%d / $%d }' results.csv", \
                                 AGENTS, size, ISA, isa, THREADS, least_threads, RATE, THREADS)) + 0

set logscale xy
set xlabel "threads"
set ylabel "agents / ms"
set xrange [least_threads * 0.9 : most_threads * 1.1]
set xtics ()
do for [n in counts] { set xtics add (n n + 0) }
set key tmargin center horizontal samplen 2

# One range for all panels, up to the ideal.
ideal = 0
do for [size in sizes] { do for [isa in isas] {
  ideal = base(size, isa) * most_threads > ideal ? base(size, isa) * most_threads : ideal
} }
stats "results.csv" skip 1 using RATE_MAX nooutput
top = 1.2 * (STATS_max > ideal ? STATS_max : ideal)
stats "results.csv" skip 1 using RATE_MIN nooutput
bottom = 0.8 * STATS_min
set yrange [bottom : top]
set ytics ()
do for [decade = 0:8] { do for [digit in top / bottom < 10 ? "1 1.5 2 3 4 5 6 8" : "1 2 5"] {
  set ytics add (grouped(int(digit * 10 ** decade)) digit * 10 ** decade)
} }
do for [format in "png svg"] {
  eval open("threads", format, columns > 1 ? 1040 : 640, lines * 390 + 50)
  set multiplot layout lines, columns title medians font ",13" noenhanced
  do for [size in sizes] {
    set title grouped(size + 0)." agents"
    array slope[words(isas)]
    do for [k = 1:words(isas)] { slope[k] = base(size, word(isas, k)) }
    plot for [k = 1:words(isas)] [least_threads:most_threads] slope[k] * x with lines dashtype 2 linewidth 1.2 \
           linecolor rgb colours[k] notitle, \
         for [k = 1:words(isas)] rows_of(AGENTS, size, ISA, word(isas, k)) using THREADS:RATE:RATE_MIN:RATE_MAX \
           with yerrorlines linewidth 2 linecolor rgb colours[k] pointtype markers[k] pointsize 0.9 title word(isas, k), \
         rows_alone(size) using 3:5 smooth unique with linespoints dashtype 3 linewidth 1.5 linecolor rgb 0x606060 \
           pointtype 2 pointsize 0.8 title has_alone(size) ? "as many processes" : "", \
         NaN with lines dashtype 2 linewidth 1.2 linecolor rgb 0x606060 title "ideal"
  }
  unset multiplot
}
unset output
