/* SPDX-License-Identifier: MIT */
#include "runner/explain.h"

#include <inttypes.h>
#include <math.h>

bool explain_record(throng_explanation *explanation, const measurement *run, const measure_context *context,
                    uint32_t id, bench_problem *problem) {
  const throng_agent_id agent = {.index = id, .generation = 1};
  return measure_watched(run, context, agent, explanation, problem);
}

static double length(throng_vec3 v) {
  return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

static void print_row(FILE *stream, const char *name, const char *priority, const char *weight, throng_vec3 a,
                      double weighted) {
  fprintf(stream, "  %-20s %8s %8s %10.4f %10.4f %10.4f %10.4f %10.4f\n", name, priority, weight, (double)a.x,
          (double)a.y, (double)a.z, length(a), weighted);
}

/* Users count frames from 1, the kernel from 0. */
void explain_print(FILE *stream, const throng_explanation *e) {
  static const char *const combine[] = {"by weight", "by priority", "as shares of a budget", "by dithering"};
  fprintf(stream, "\nagent %u, group %u, frame %" PRIu64 ": at (%g, %g, %g) m with velocity (%g, %g, %g) m/s\n",
          e->agent.index, e->group, e->frame + 1, (double)e->position.x, (double)e->position.y, (double)e->position.z,
          (double)e->velocity.x, (double)e->velocity.y, (double)e->velocity.z);
  fprintf(stream, "  %-20s %8s %8s %10s %10s %10s %10s %10s\n", "m/s^2", "priority", "weight", "x", "y", "z", "length",
          "weighted");
  for (uint32_t k = 0; k < e->count; k++) {
    const throng_contribution *c = &e->contribution[k];
    char priority[16], weight[16];
    snprintf(priority, sizeof priority, "%u", c->priority);
    snprintf(weight, sizeof weight, "%g", (double)c->weight);
    print_row(stream, c->name, priority, weight, c->acceleration, (double)fabsf(c->weight) * length(c->acceleration));
  }
  print_row(stream, "together", "", "", e->acceleration, length(e->acceleration));
  fprintf(stream, "  combined %s, at most %g m/s^2\n", combine[e->combine], (double)e->max_acceleration);
}
