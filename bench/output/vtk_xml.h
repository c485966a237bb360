/* Writes VTK PolyData as XML with numbers in base64. ParaView, VTK, PyVista and VisIt read it.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VTK_XML_H
#define BENCH_VTK_XML_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum vtk_type { VTK_UINT8 = 0, VTK_UINT32, VTK_INT32, VTK_FLOAT32 } vtk_type;

/* How many points and cells the file has. */
typedef struct vtk_counts {
  uint32_t points, vertices, lines, polygons;
} vtk_counts;

/* Writes the beginning of a file. `seconds`: the time of the frame. */
void vtk_begin(FILE *stream, double seconds, const vtk_counts *counts);
/* Writes the end of a file. */
void vtk_end(FILE *stream);

/* Writes an array of `count` tuples of `components` numbers each. */
void vtk_array(FILE *stream, const char *name, vtk_type type, uint32_t components, const void *data, size_t count);

#endif
