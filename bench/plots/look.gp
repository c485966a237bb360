# The colours, axes and terminals of all plots.
# SPDX-License-Identifier: MIT
set datafile separator comma

# Okabe and Ito's colours, which colour-blind readers can distinguish.
array colours[7] = [0x0072B2, 0xE69F00, 0x009E73, 0xD55E00, 0x56B4E9, 0xCC79A7, 0x707070]
array markers[7] = [7, 5, 9, 13, 11, 15, 3]

set border 3 linecolor rgb 0x606060
set tics nomirror out textcolor rgb 0x303030
set grid linecolor rgb 0xD8D8D8 linewidth 0.7 linetype 1
set key outside right top vertical Left reverse samplen 3 spacing 1.2 textcolor rgb 0x303030

# Opens NAME.png or NAME.svg, after FORMAT.
open(name, format, width, height) = \
  sprintf("set terminal %s size %d, %d noenhanced font 'DejaVu Sans,11' background 'white'; set output '%s.%s'", \
          format eq "png" ? "pngcairo" : "svg", width, height, name, format)

# 50000 as "50 000".
grouped(n) = n < 1000    ? sprintf("%d", n) \
           : n < 1000000 ? sprintf("%d %03d", n / 1000, n % 1000) \
                         : sprintf("%d %03d %03d", n / 1000000, n / 1000 % 1000, n % 1000)
