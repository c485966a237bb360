/* Files of VTK's PolyData, as XML with the numbers inline in base64: what ParaView, VTK, PyVista and VisIt read.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VTK_XML_H
#define BENCH_VTK_XML_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum vtk_type { VTK_UINT8 = 0, VTK_UINT32, VTK_INT32, VTK_FLOAT32 } vtk_type;

/* How many of each the piece has. */
typedef struct vtk_counts {
  uint32_t points, vertices, lines, polygons;
} vtk_counts;

/* The file up to its only piece, and from there. */
void vtk_begin(FILE *stream, double seconds, const vtk_counts *counts);
void vtk_end(FILE *stream);

/* An array of `count` tuples of `components` numbers, which lie one after the other. */
void vtk_array(FILE *stream, const char *name, vtk_type type, uint32_t components, const void *data, size_t count);

#endif
