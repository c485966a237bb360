/* SPDX-License-Identifier: MIT */
#include "scene/trails.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_POINTS 8u
#define INTENDED_POSITIONS 2000000u /* of all agents */

bool trails_create(trail_ring *ring, const bench_scene *scene, double seconds, uint32_t largest_id,
                   bench_problem *problem) {
  const uint32_t ids = largest_id ? largest_id : 1, share = INTENDED_POSITIONS / ids;
  const uint32_t most = share < LEAST_POINTS ? LEAST_POINTS : share > TRAIL_MOST_POINTS ? TRAIL_MOST_POINTS : share;
  const double frames = scene->dt > 0 ? fmax(seconds / (double)scene->dt, 1) : 1;
  const double every = fmin(ceil(frames / (most - 1)), SCENE_MAX_FRAMES);
  *ring = (trail_ring){.scene = scene, .seconds = seconds, .frames = frames, .every = (uint32_t)every, .ids = ids};
  ring->rows = (uint32_t)fmin(ceil(frames / every) + 1, most);
  ring->frame = calloc(ring->rows, sizeof *ring->frame);
  ring->position = malloc((size_t)ring->rows * ids * sizeof *ring->position);
  ring->generation = calloc(ids, sizeof *ring->generation);
  if (ring->frame && ring->position && ring->generation) return true;
  trails_release(ring);
  return problem_set(problem, "out of memory for trails of %u agents", ids);
}

void trails_release(trail_ring *ring) {
  free(ring->frame);
  free(ring->position);
  free(ring->generation);
  *ring = (trail_ring){0};
}

void trails_clear(trail_ring *ring) { ring->filled = ring->newest = 0; }

static throng_vec3 *row_of(const trail_ring *ring, uint32_t row) { return ring->position + (size_t)row * ring->ids; }

/* Deletes the trail of the agent that had the same id index before. */
static void forget(trail_ring *ring, uint32_t column) {
  for (uint32_t row = 0; row < ring->filled; row++) row_of(ring, row)[column].x = NAN;
}

void trails_add(trail_ring *ring, const throng_world *world) {
  throng_view view;
  if (throng_world_view(world, &view, NULL) != THRONG_OK) return;
  ring->newest = ring->filled ? (ring->newest + 1) % ring->rows : 0;
  if (ring->filled < ring->rows) ring->filled++;
  throng_vec3 *row = row_of(ring, ring->newest);
  ring->frame[ring->newest] = throng_world_frame(world);
  for (uint32_t k = 0; k < ring->ids; k++) row[k].x = NAN;
  for (uint32_t k = 0; k < view.count; k++) {
    const throng_agent_id id = throng_view_id(&view, k);
    const uint32_t column = id.index - 1;
    if (column >= ring->ids) continue;
    if (ring->generation[column] != id.generation) {
      forget(ring, column);
      ring->generation[column] = id.generation;
    }
    row[column] = (throng_vec3){view.position_x[k], view.position_y ? view.position_y[k] : 0, view.position_z[k]};
  }
}

/* Whether the shorter way between two positions leads across a seam. */
static bool crosses_seam(const bench_scene *scene, throng_vec3 from, throng_vec3 to) {
  for (int axis = 0; axis < 3; axis++) {
    const double a = (double)(&from.x)[axis], b = (double)(&to.x)[axis];
    if (!scene_has_axis(scene, axis) || scene->world.boundary[axis] != THRONG_BOUNDARY_PERIODIC) continue;
    if (fabs(b - a) > 0.5 * ((double)(&scene->world.box_max.x)[axis] - (double)(&scene->world.box_min.x)[axis]))
      return true;
  }
  return false;
}

static throng_vec3 between(throng_vec3 from, throng_vec3 to, double part) {
  const float p = (float)part;
  return (throng_vec3){from.x + (to.x - from.x) * p, from.y + (to.y - from.y) * p, from.z + (to.z - from.z) * p};
}

uint32_t trails_pieces(const trail_ring *ring, uint64_t now, uint32_t id, throng_vec3 position,
                       trail_piece pieces[TRAIL_MOST_POINTS]) {
  uint32_t count = 0;
  double age = 0;
  throng_vec3 to = position;
  if (id == 0 || id > ring->ids) return 0;
  for (uint32_t back = 0; back < ring->filled && age < 1; back++) {
    const uint32_t row = (ring->newest + ring->rows - back) % ring->rows;
    if (ring->frame[row] > now) continue;
    throng_vec3 from = row_of(ring, row)[id - 1];
    double older = (double)(now - ring->frame[row]) / ring->frames;
    const bool whole = !isnan(from.x) && !isnan(to.x) && !crosses_seam(ring->scene, from, to);
    const throng_vec3 next = from;
    if (older > 1 && whole) from = between(to, from, (1 - age) / (older - age));
    older = fmin(older, 1);
    if (whole && (from.x != to.x || from.y != to.y || from.z != to.z))
      pieces[count++] = (trail_piece){from, to, 0.5 * (age + older)};
    to = next;
    age = older;
  }
  return count;
}
