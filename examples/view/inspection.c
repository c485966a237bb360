/* SPDX-License-Identifier: MIT */
#include "inspection.h"

#include <stdlib.h>

#define PICK_PIXELS 24.0f      /* agents farther from the pointer than this are not selected */
#define HUE_STEP 0.38196601125 /* fraction of a turn between hues: the golden ratio keeps any number of hues apart */

bool inspection_open(view_inspection *inspection, const view_session *session, bench_problem *problem) {
  inspection->mark = calloc((size_t)session->largest_id + 1, 1);
  return inspection->mark || problem_set(problem, "out of memory for %u agents", session->start.count);
}

void inspection_close(view_inspection *inspection) {
  free(inspection->mark);
  free(inspection->neighbours);
}

static void set_marks(view_inspection *inspection, agent_mark mark) {
  for (uint32_t k = 0; k < inspection->neighbour_count; k++)
    inspection->mark[inspection->neighbours[k].id.index] = (uint8_t)mark;
}

static bool read_columns(view_inspection *inspection, const view_session *session, throng_error *error) {
  const throng_world *world = session->world;
  const throng_agent_id *id = &session->selected;
  bool ok =
      throng_agents_read(world, THRONG_COLUMN_POSITION, id, 1, &inspection->position, 0, error) == THRONG_OK &&
      throng_agents_read(world, THRONG_COLUMN_VELOCITY, id, 1, &inspection->velocity, 0, error) == THRONG_OK &&
      throng_agents_read(world, THRONG_COLUMN_GOAL, id, 1, &inspection->goal, 0, error) == THRONG_OK &&
      throng_agents_read(world, THRONG_COLUMN_BODY_RADIUS, id, 1, &inspection->body_radius, 0, error) == THRONG_OK &&
      throng_agents_read(world, THRONG_COLUMN_PERCEPTION_RADIUS, id, 1, &inspection->perception_radius, 0, error) ==
          THRONG_OK;
  inspection->has_goal = ok && !isnan(inspection->goal.x);
  inspection->group = session->group_of[id->index];
  return ok;
}

/* Makes the array large enough for `count` neighbours. */
static bool reserve(view_inspection *inspection, uint32_t count, bench_problem *problem) {
  if (count <= inspection->capacity) return true;
  throng_neighbour *larger = realloc(inspection->neighbours, count * sizeof *larger);
  if (!larger) return problem_set(problem, "out of memory for %u neighbours", count);
  inspection->neighbours = larger;
  inspection->capacity = count;
  return true;
}

static bool find_neighbours(view_inspection *inspection, const view_session *session, bench_problem *problem) {
  const throng_world *world = session->world;
  const throng_vec3 centre = inspection->position;
  const float radius = inspection->perception_radius;
  uint32_t count = 0;
  throng_error error;
  if (throng_world_query_radius(world, centre, radius, THRONG_ALL_LAYERS, NULL, 0, &count, &error) != THRONG_OK)
    return problem_set(problem, "neighbours: %s: %s", throng_status_name(error.status), error.text);
  if (!reserve(inspection, count, problem)) return false;
  if (throng_world_query_radius(world, centre, radius, THRONG_ALL_LAYERS, inspection->neighbours, count, &count,
                                &error) != THRONG_OK)
    return problem_set(problem, "neighbours: %s: %s", throng_status_name(error.status), error.text);
  inspection->neighbour_count = count;
  return true;
}

bool inspection_update(view_inspection *inspection, const view_session *session, bench_problem *problem) {
  throng_error error;
  set_marks(inspection, MARK_NONE);
  inspection->neighbour_count = 0;
  inspection->valid = session->selected.index != 0;
  if (!inspection->valid) return true;
  if (!read_columns(inspection, session, &error))
    return problem_set(problem, "agent %u: %s: %s", session->selected.index, throng_status_name(error.status),
                       error.text);
  if (!find_neighbours(inspection, session, problem)) return false;
  set_marks(inspection, MARK_NEIGHBOUR);
  const throng_view view = session_view(session);
  for (uint32_t k = 0; k < view.count; k++)
    if (view.id_index[k] == session->selected.index) inspection->drawn = session_drawn_position(session, k);
  inspection->mark[session->selected.index] = MARK_SELECTED;
  /* The only possible error is NOT_STEERED, before the first frame since the agent was selected. */
  inspection->explained =
      throng_world_explain(session->world, session->selected, &inspection->explanation, &error) == THRONG_OK;
  return true;
}

uint32_t pick_agent(const view_session *session, view_camera *camera, float x, float y) {
  const throng_view view = session_view(session);
  float nearest = PICK_PIXELS;
  uint32_t found = 0;
  for (uint32_t k = 0; k < view.count; k++) {
    vec3 pixel;
    const throng_vec3 p = session_drawn_position(session, k);
    if (!camera_project(camera, p.x, p.y, p.z, pixel)) continue;
    const float distance = hypotf(pixel[0] - x, pixel[1] - y);
    if (!(distance < nearest)) continue;
    nearest = distance;
    found = view.id_index[k];
  }
  return found;
}

float contribution_size(const throng_contribution *contribution) {
  const throng_vec3 a = contribution->acceleration;
  return fabsf(contribution->weight) * sqrtf(a.x * a.x + a.y * a.y + a.z * a.z);
}

picture_colour contribution_colour(uint32_t place) { return colour_of_hue(0.06 + place * HUE_STEP); }
