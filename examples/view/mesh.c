/* SPDX-License-Identifier: MIT */
#include "mesh.h"

#include <stddef.h>
#include <stdlib.h>

#define RING_SEGMENTS 96
#define FIRST_CAPACITY 1024u
#define DARKEST 0.45f /* brightness of faces that face away from the light; faces toward it have 1 */

static void add(view_mesh *mesh, const vec3 position, mesh_colour colour) {
  if (mesh->count == mesh->capacity) {
    const size_t capacity = mesh->capacity ? 2 * mesh->capacity : FIRST_CAPACITY;
    mesh_vertex *larger = realloc(mesh->vertices, capacity * sizeof *larger);
    if (!larger) {
      mesh->failed = true;
      return;
    }
    mesh->vertices = larger;
    mesh->capacity = capacity;
  }
  mesh_vertex *vertex = &mesh->vertices[mesh->count++];
  for (int axis = 0; axis < 3; axis++) vertex->position[axis] = position[axis];
  vertex->colour[0] = (uint8_t)(255 * colour.colour.r + 0.5);
  vertex->colour[1] = (uint8_t)(255 * colour.colour.g + 0.5);
  vertex->colour[2] = (uint8_t)(255 * colour.colour.b + 0.5);
  vertex->colour[3] = (uint8_t)(255 * colour.alpha + 0.5f);
}

void mesh_clear(view_mesh *mesh) { mesh->count = 0; }

void mesh_release(view_mesh *mesh) {
  if (mesh->array) {
    glDeleteVertexArrays(1, &mesh->array);
    glDeleteBuffers(1, &mesh->buffer);
  }
  free(mesh->vertices);
  *mesh = (view_mesh){0};
}

mesh_colour mesh_light(mesh_colour colour, vec3 normal) {
  vec3 light = {0.35f, 0.9f, 0.25f};
  glm_vec3_normalize(light);
  const double part = (double)(DARKEST + (1 - DARKEST) * fmaxf(glm_vec3_dot(light, normal), 0));
  colour.colour = (picture_colour){colour.colour.r * part, colour.colour.g * part, colour.colour.b * part};
  return colour;
}

void mesh_line(view_mesh *mesh, const vec3 from, const vec3 to, mesh_colour colour) {
  add(mesh, from, colour);
  add(mesh, to, colour);
}

void mesh_triangle(view_mesh *mesh, const vec3 a, const vec3 b, const vec3 c, mesh_colour colour) {
  add(mesh, a, colour);
  add(mesh, b, colour);
  add(mesh, c, colour);
}

void mesh_quad(view_mesh *mesh, const vec3 a, const vec3 b, const vec3 c, const vec3 d, mesh_colour colour) {
  mesh_triangle(mesh, a, b, c, colour);
  mesh_triangle(mesh, a, c, d, colour);
}

void mesh_lit_quad(view_mesh *mesh, const vec3 a, const vec3 b, const vec3 c, const vec3 d, mesh_colour colour) {
  vec3 first, second, normal;
  for (int axis = 0; axis < 3; axis++) {
    first[axis] = c[axis] - a[axis];
    second[axis] = d[axis] - b[axis];
  }
  glm_vec3_crossn(first, second, normal);
  mesh_quad(mesh, a, b, c, d, mesh_light(colour, normal));
}

void mesh_ribbon(view_mesh *mesh, vec3 from, vec3 to, vec3 normal, float width, mesh_colour colour) {
  vec3 along, side, corner[4];
  glm_vec3_sub(to, from, along);
  glm_vec3_crossn(along, normal, side);
  glm_vec3_scale(side, width / 2, side);
  glm_vec3_sub(from, side, corner[0]);
  glm_vec3_add(from, side, corner[1]);
  glm_vec3_add(to, side, corner[2]);
  glm_vec3_sub(to, side, corner[3]);
  mesh_quad(mesh, corner[0], corner[1], corner[2], corner[3], colour);
}

void mesh_block(view_mesh *mesh, vec3 foot, vec3 half, float half_width, float height, mesh_colour colour) {
  vec3 up = {0, 1, 0}, side, low[4], high[4];
  glm_vec3_crossn(half, up, side);
  for (int k = 0; k < 4; k++) {
    glm_vec3_copy(foot, low[k]);
    glm_vec3_muladds(half, k == 0 || k == 3 ? -1 : 1, low[k]);
    glm_vec3_muladds(side, k < 2 ? half_width : -half_width, low[k]);
    glm_vec3_copy(low[k], high[k]);
    high[k][1] += height;
  }
  mesh_lit_quad(mesh, high[0], high[1], high[2], high[3], colour);
  for (int k = 0; k < 4; k++) {
    const int next = (k + 1) % 4;
    mesh_lit_quad(mesh, low[k], low[next], high[next], high[k], colour);
  }
}

void mesh_ring(view_mesh *mesh, vec3 centre, vec3 u, vec3 v, float inner, float outer, mesh_colour colour) {
  vec3 before[2] = {{0}};
  for (int k = 0; k <= RING_SEGMENTS; k++) {
    const float angle = (float)k * 2 * GLM_PIf / RING_SEGMENTS, radius[2] = {inner, outer};
    vec3 here[2];
    for (int side = 0; side < 2; side++) {
      glm_vec3_copy(centre, here[side]);
      glm_vec3_muladds(u, radius[side] * cosf(angle), here[side]);
      glm_vec3_muladds(v, radius[side] * sinf(angle), here[side]);
    }
    if (k) mesh_quad(mesh, before[0], before[1], here[1], here[0], colour);
    for (int side = 0; side < 2; side++) glm_vec3_copy(here[side], before[side]);
  }
}

void mesh_upload(view_mesh *mesh) {
  if (!mesh->array) {
    glGenVertexArrays(1, &mesh->array);
    glGenBuffers(1, &mesh->buffer);
    glBindVertexArray(mesh->array);
    glBindBuffer(GL_ARRAY_BUFFER, mesh->buffer);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(mesh_vertex), (void *)offsetof(mesh_vertex, position));
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(mesh_vertex), (void *)offsetof(mesh_vertex, colour));
  }
  glBindBuffer(GL_ARRAY_BUFFER, mesh->buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(mesh->count * sizeof(mesh_vertex)), mesh->vertices, GL_STREAM_DRAW);
}

void mesh_draw(const view_mesh *mesh, GLenum primitive) {
  if (mesh->count == 0) return;
  glBindVertexArray(mesh->array);
  glDrawArrays(primitive, 0, (GLsizei)mesh->count);
}
