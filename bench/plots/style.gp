# The settings and functions that all plots share. Draw them in a folder that has results.csv of throng-run --csv:
#   GNUPLOT_LIB=PLOTS gnuplot -c PLOTS/threads.gp MACHINE      with PLOTS this folder; writes threads.png and threads.svg
# SPDX-License-Identifier: MIT
load "look.gp"

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

threads_text(n) = sprintf("%d thread%s", n, n == 1 ? "" : "s")
