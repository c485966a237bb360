# The settings and functions that the plots of bench/validate share. Draw them in a folder with its results.csv:
#   GNUPLOT_LIB=PLOTS gnuplot -c PLOTS/diagram.gp      with PLOTS this folder; writes diagram.png and diagram.svg
# SPDX-License-Identifier: MIT
load "look.gp"

# Numbers of the columns.
MODEL = 1
TEST = 2
FIGURE = 3
AT = 4
LEAST = 9
MEAN = 10
MOST = 11

models = system("awk -F, 'NR > 1 && !seen[$1]++ { print $1 }' results.csv")
# The rows of a model in a test whose figure begins with a word. A text without such rows gives one point far outside.
rows_of(model, test, word) = sprintf("< awk -F, -v OFS=, '$1 == \"%s\" && $2 == \"%s\" && $3 ~ /^\"%s/ { print; found = 1 } " \
                                     ."END { if (!found) print \"-,-,-,-9,-,-,-,-,-9,-9,-9\" }' results.csv", \
                                     model, test, word)
