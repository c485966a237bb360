# Strong and weak scaling over ranks, from ranks.csv of bench/scaling --ranks. Strong: the rate divided by one rank's.
# Weak: the rate per rank divided by one rank's. If one rank was not measured, the smallest number of ranks counts
# instead. Dotted: the same by the slowest rank's time without waiting.
# SPDX-License-Identifier: MIT
machine = ARG1
load "look.gp"

# Numbers of the columns.
SIZE = 3
RANKS = 5
THREADS = 6
ROUNDS = 7
RATE = 8
RATE_MIN = 9
RATE_MAX = 10

distinct(column) = system(sprintf("awk -F, 'NR > 1 && !seen[$%d]++ { print $%d }' ranks.csv", column, column))
rows_of(scaling, size) = sprintf("< awk -F, '$2 == \"%s\" && $%d == %s' ranks.csv", scaling, SIZE, size)
# Agents per millisecond if no rank waited for another one.
busy_rate = "$4 / (($11 + $12 + $13) * $18)"
# A rate per rank with the smallest number of ranks, which is that of the first row.
base(scaling, size, rate) = system(sprintf("awk -F, '$2 == \"%s\" && $%d == %s { print %s / $%d; exit }' ranks.csv", \
                                           scaling, SIZE, size, rate, RANKS)) + 0
busy(agents, step, exchange, contact, imbalance) = agents / ((step + exchange + contact) * imbalance)
sizes = distinct(SIZE)
counts = distinct(RANKS)
least = word(counts, 1) + 0
most = word(counts, words(counts)) + 0
threads = distinct(THREADS) + 0
rounds = distinct(ROUNDS) + 0
what = sprintf("%s on %s%s", distinct(1), machine, threads > 1 ? sprintf(", %d threads per rank", threads) : "")
what = rounds > 1 ? sprintf("%s\nmedians of %d rounds, bars from least to most", what, rounds) : what

# The lowest point of strong scaling.
lowest = system("awk -F, '$2 == \"strong\" { if (!($3 in base)) base[$3] = $8 / $5; low = $9 / base[$3] } " \
                ."$2 == \"strong\" && (!rows++ || low < least) { least = low } END { print least }' ranks.csv") + 0

set xlabel "ranks"
set logscale x 2
set xrange [least * 0.9 : most * 1.1]
set xtics ()
do for [n in counts] { set xtics add (n n + 0) }
set key tmargin center horizontal samplen 2
array slope[words(sizes)]
array slope_busy[words(sizes)]
do for [format in "png svg"] {
  eval open("ranks", format, 1040, 520)
  set multiplot layout 1, 2 title what font ",13" noenhanced
  set logscale y 2
  set yrange [lowest * 0.85 : most * 1.2]
  set ytics (0.125, 0.25, 0.5)
  do for [n in counts] { set ytics add (n n + 0) }
  do for [scaling in "strong weak"] {
    strong = scaling eq "strong"
    set title strong ? "strong scaling: rate, over that of one rank" \
                     : "weak scaling: rate per rank, over that of one rank"
    if (!strong) {
      unset logscale y
      set yrange [0:1.2]
      set ytics 0.2
    }
    do for [k = 1:words(sizes)] {
      slope[k] = base(scaling, word(sizes, k), "$8")
      slope_busy[k] = base(scaling, word(sizes, k), busy_rate)
    }
    part(rate, ranks) = strong ? rate : rate / ranks
    plot [least:most] strong ? x : 1 with lines dashtype 2 linewidth 1.2 linecolor rgb 0x606060 title "ideal", \
         for [k = 1:words(sizes)] rows_of(scaling, word(sizes, k)) using RANKS:(part(column(RATE), $5) / slope[k]): \
           (part(column(RATE_MIN), $5) / slope[k]):(part(column(RATE_MAX), $5) / slope[k]) with yerrorlines \
           linewidth 2 linecolor rgb colours[k] pointtype markers[k] pointsize 0.9 \
           title grouped(word(sizes, k) + 0).(strong ? " agents" : " per rank"), \
         for [k = 1:words(sizes)] rows_of(scaling, word(sizes, k)) using \
           RANKS:(part(busy($4, $11, $12, $13, $18), $5) / slope_busy[k]) with linespoints dashtype 3 linewidth 1.5 \
           linecolor rgb colours[k] pointtype 2 pointsize 0.7 notitle, \
         NaN with linespoints dashtype 3 linewidth 1.5 pointtype 2 pointsize 0.7 linecolor rgb 0x606060 \
           title "without waiting"
  }
  unset multiplot
}
unset output
