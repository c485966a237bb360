/* tests/support/model_queries.c: the model's queries and views, compared with loops over all agents.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/model.h"

/* Returns the allowed difference, in metres, of a distance in world and model. The world's is rounded to a float. */
static double slack(double distance) { return 1e-4 + 1e-6 * distance; }

/* Returns the distance in metres; by the minimum image along periodic axes. */
static double distance_to(const model *m, throng_vec3 from, throng_vec3 to) {
  const double d[3] = {(double)to.x - (double)from.x, (double)to.y - (double)from.y, (double)to.z - (double)from.z};
  double sum = 0.0;
  for (int c = 0; c < 3; c++) {
    double along = fabs(d[c]);
    if (c == 1 && !model_is_spatial(m)) continue;
    if (m->def.boundary[c] == THRONG_BOUNDARY_PERIODIC && along > 0.5 * MODEL_SIDE) along = MODEL_SIDE - along;
    sum += along * along;
  }
  return sqrt(sum);
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Writes all agents' distances from `centre`, ascending. */
static void distances_to(const model *m, throng_vec3 centre, double distance[MODEL_AGENTS]) {
  for (uint32_t k = 0; k < m->count; k++) distance[k] = distance_to(m, centre, m->agent[k].position);
  qsort(distance, m->count, sizeof *distance, ascending);
}

/* Checks that the agents found are live, in the right order and at the reported distances, and that no other agent is
 * nearer. */
static bool is_nearest(model *m, throng_vec3 centre, const throng_neighbour *found, uint32_t count) {
  double distance[MODEL_AGENTS];
  distances_to(m, centre, distance);
  for (uint32_t k = 0; k < count; k++) {
    const model_agent *agent = model_find(m, found[k].id);
    EXPECT(agent != NULL, "a query found agent %u, which is not live", found[k].id.index);
    const double d = distance_to(m, centre, agent->position);
    EXPECT(fabs(d - (double)found[k].distance) < slack(d), "agent %u is %g m away, not %g", found[k].id.index, d,
           (double)found[k].distance);
    EXPECT(fabs(distance[k] - d) < slack(d), "the agent of rank %u is %g m away, but the one found is %g m away", k,
           distance[k], d);
    const bool in_order = k == 0 || found[k - 1].distance < found[k].distance ||
                          (found[k - 1].distance == found[k].distance && found[k - 1].id.index < found[k].id.index);
    EXPECT(in_order, "the results of a query are out of order at %u", k);
  }
  return true;
}

/* Counts the agents that are certainly within the radius (*least), and those that may be within it, because of rounding
 * (*most). */
static void count_within(const model *m, throng_vec3 centre, float radius, uint32_t *least, uint32_t *most) {
  *least = *most = 0;
  for (uint32_t k = 0; k < m->count; k++) {
    const double d = distance_to(m, centre, m->agent[k].position);
    *least += d < (double)radius - slack(d);
    *most += d < (double)radius + slack(d);
  }
}

static throng_vec3 random_centre(model *m, test_rng *rng) {
  if (m->count > 0 && rng_chance(rng, 0.3f)) return m->agent[rng_below(rng, m->count)].position;
  return model_place(m, rng);
}

static throng_status readiness(const model *m) { return m->indexed ? THRONG_OK : THRONG_ERROR_NOT_INDEXED; }

bool call_radius(model *m, test_rng *rng) {
  throng_neighbour found[MODEL_AGENTS];
  static const float radii[] = {0.0f, 1e-45f, 0.5f, 1.0f, 3.0f, 8.0f, 1e30f};
  const throng_vec3 centre = random_centre(m, rng);
  const float radius = rng_pick(rng, radii, 7);
  uint32_t count = 0, least, most;
  throng_error error;
  model_expect(m, readiness(m));
  const throng_status got =
      throng_world_query_radius(m->world, centre, radius, THRONG_ALL_LAYERS, found, MODEL_AGENTS, &count, &error);
  DO(model_answers(m, got, readiness(m), &error, "query_radius"));
  if (got != THRONG_OK) return true;
  count_within(m, centre, radius, &least, &most);
  EXPECT(count >= least && count <= most, "%u agents within %g m, expected %u to %u", count, (double)radius, least,
         most);
  DO(is_nearest(m, centre, found, count));
  if (count == 0) return true;
  uint32_t again = 0; /* the capacity is one too small */
  model_expect(m, THRONG_ERROR_CAPACITY);
  const throng_status cramped =
      throng_world_query_radius(m->world, centre, radius, THRONG_ALL_LAYERS, found, count - 1, &again, &error);
  EXPECT(again == count, "query_radius counted %u agents; with too little capacity %u", count, again);
  return model_answers(m, cramped, THRONG_ERROR_CAPACITY, &error, "query_radius");
}

bool call_nearest(model *m, test_rng *rng) {
  throng_neighbour found[MODEL_AGENTS + 8];
  const throng_vec3 centre = random_centre(m, rng);
  const uint32_t k = 1 + rng_below(rng, rng_chance(rng, 0.3f) ? MODEL_AGENTS : 6);
  uint32_t count = 0;
  throng_error error;
  model_expect(m, readiness(m));
  const throng_status got = throng_world_query_nearest(m->world, centre, k, THRONG_ALL_LAYERS, found, &count, &error);
  DO(model_answers(m, got, readiness(m), &error, "query_nearest"));
  if (got != THRONG_OK) return true;
  EXPECT(count == (k < m->count ? k : m->count), "query_nearest of %u among %u agents found %u", k, m->count, count);
  return is_nearest(m, centre, found, count);
}

/* Checks that each query of a batch has the same results as a single query. */
bool call_batch(model *m, test_rng *rng) {
  enum { QUERIES = 20, ROOM = 12 };
  static throng_neighbour found[QUERIES * ROOM], alone[ROOM];
  throng_vec3 centres[QUERIES];
  uint32_t counts[QUERIES] = {0}, count;
  throng_error error;
  for (uint32_t q = 0; q < QUERIES; q++) centres[q] = random_centre(m, rng);
  model_expect(m, readiness(m));
  const throng_status got =
      throng_world_query_nearest_batch(m->world, centres, QUERIES, ROOM, THRONG_ALL_LAYERS, found, counts, &error);
  DO(model_answers(m, got, readiness(m), &error, "query_nearest_batch"));
  for (uint32_t q = 0; q < QUERIES && got == THRONG_OK; q++) {
    throng_world_query_nearest(m->world, centres[q], ROOM, THRONG_ALL_LAYERS, alone, &count, NULL);
    EXPECT(counts[q] == count && memcmp(alone, found + q * ROOM, count * sizeof *alone) == 0,
           "query %u of query_nearest_batch differs from query_nearest", q);
  }
  const throng_status within =
      throng_world_query_radius_batch(m->world, centres, QUERIES, 2.0f, THRONG_ALL_LAYERS, NULL, 0, counts, &error);
  DO(model_answers(m, within, readiness(m), &error, "query_radius_batch"));
  for (uint32_t q = 0; q < QUERIES && within == THRONG_OK; q++) {
    uint32_t least, most;
    count_within(m, centres[q], 2.0f, &least, &most);
    EXPECT(counts[q] >= least && counts[q] <= most, "query %u of query_radius_batch counted %u, expected %u to %u", q,
           counts[q], least, most);
  }
  return true;
}

/* Checks that the view has each agent once, and the errors of watch and explain. */
bool call_look(model *m, test_rng *rng) {
  throng_view view;
  throng_error error;
  if (m->removed) {
    model_expect(m, THRONG_ERROR_NOT_INDEXED);
    return model_answers(m, throng_world_view(m->world, &view, &error), THRONG_ERROR_NOT_INDEXED, &error, "view");
  }
  DO(model_answers(m, throng_world_view(m->world, &view, &error), THRONG_OK, &error, "view"));
  uint64_t indices = 0, expected = 0;
  for (uint32_t k = 0; k < view.count; k++) indices += (uint64_t)view.id_index[k] * view.id_index[k];
  for (uint32_t k = 0; k < m->count; k++) expected += (uint64_t)m->agent[k].id.index * m->agent[k].id.index;
  EXPECT(view.count == m->count && indices == expected, "the view does not have each agent once");
  const throng_agent_id gone = m->gone[rng_below(rng, MODEL_GONE)];
  if (gone.index != 0) {
    model_expect(m, THRONG_ERROR_STALE_ID);
    DO(model_answers(m, throng_world_watch(m->world, gone, &error), THRONG_ERROR_STALE_ID, &error, "watch"));
  }
  if (m->count == 0) return true;
  const throng_agent_id id = m->agent[rng_below(rng, m->count)].id;
  DO(model_answers(m, throng_world_watch(m->world, id, &error), THRONG_OK, &error, "watch"));
  throng_explanation explanation;
  model_expect(m, THRONG_ERROR_NOT_STEERED);
  return model_answers(m, throng_world_explain(m->world, id, &explanation, &error), THRONG_ERROR_NOT_STEERED, &error,
                       "explain");
}
