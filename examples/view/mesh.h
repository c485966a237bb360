/* mesh.h: coloured triangles or lines. They are collected in memory and drawn from the graphics card's memory.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_MESH_H
#define VIEW_MESH_H

#include <cglm/cglm.h>
#include <epoxy/gl.h>
#include <stdbool.h>
#include <stdint.h>

#include "output/colour.h"

typedef struct mesh_vertex {
  float position[3];
  uint8_t colour[4];
} mesh_vertex;

typedef struct view_mesh {
  mesh_vertex *vertices;
  size_t count, capacity;
  bool failed; /* memory ran out: some vertices are missing */
  GLuint array, buffer;
} view_mesh;

typedef struct mesh_colour {
  picture_colour colour;
  float alpha;
} mesh_colour;

static inline mesh_colour mesh_hex(uint32_t rgb, float alpha) { return (mesh_colour){colour_from_hex(rgb), alpha}; }

void mesh_clear(view_mesh *mesh);
void mesh_release(view_mesh *mesh);
void mesh_line(view_mesh *mesh, const vec3 from, const vec3 to, mesh_colour colour);
void mesh_triangle(view_mesh *mesh, const vec3 a, const vec3 b, const vec3 c, mesh_colour colour);
/* Adds a quadrilateral with anticlockwise corners. How light it is depends on the direction that it faces. */
void mesh_lit_quad(view_mesh *mesh, const vec3 a, const vec3 b, const vec3 c, const vec3 d, mesh_colour colour);
void mesh_quad(view_mesh *mesh, const vec3 a, const vec3 b, const vec3 c, const vec3 d, mesh_colour colour);
/* Adds a line with a width. Its surface faces along `normal`. */
void mesh_ribbon(view_mesh *mesh, vec3 from, vec3 to, vec3 normal, float width, mesh_colour colour);
/* Adds a box. `foot`: the centre of its base; `half`: half of its length, as a horizontal vector. */
void mesh_block(view_mesh *mesh, vec3 foot, vec3 half, float half_width, float height, mesh_colour colour);
/* Adds the ring between two radii in the plane of the unit vectors u and v. */
void mesh_ring(view_mesh *mesh, vec3 centre, vec3 u, vec3 v, float inner, float outer, mesh_colour colour);
/* Returns the colour of a surface with that normal in the light. */
mesh_colour mesh_light(mesh_colour colour, vec3 normal);

/* Copies the vertices to the graphics card. */
void mesh_upload(view_mesh *mesh);
void mesh_draw(const view_mesh *mesh, GLenum primitive);

#endif
