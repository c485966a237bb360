/* tests/reference/reference_a_attractors.c: reference A's attractors (docs/ARITHMETIC.md, "Attractors").
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

/* The sum so far; with nearest_only the nearest attractor and its squared distance. */
typedef struct pulls {
  bool nearest_only;
  float nearest;
  vec sum;
} pulls;

static void add_pull(const frame *f, pulls *p, const throng_attractor *at, vec d) {
  const float d_sq = vec_dot(f, d, d), least_sq = at->least_distance * at->least_distance;
  if (!(d_sq < at->radius * at->radius)) return;
  float s = at->strength * (least_sq / (d_sq > least_sq ? d_sq : least_sq));
  if (at->law == THRONG_ATTRACTOR_LINEAR) s = at->strength * ((at->radius - sqrtf(d_sq)) / at->radius);
  const vec pull = vec_scale(vec_dir(f, d), s);
  if (!p->nearest_only) {
    p->sum = vec_add(p->sum, pull);
  } else if (d_sq < p->nearest) {
    p->nearest = d_sq;
    p->sum = pull;
  }
}

/* An image's coordinate along an axis; `n` lengths away. */
static float image(const ref_axis *axis, float q, int n) { return n == 0 ? q : q + (float)n * axis->length; }

vec ref_a_attractors(const frame *f, const crowd_agent *a, const throng_heed_attractors *r) {
  const crowd *c = f->crowd;
  pulls p = {.nearest_only = r->nearest_only, .nearest = INFINITY};
  int n[3];
  for (uint32_t k = 0; k < c->attractor_count; k++) {
    const throng_attractor *at = &c->attractors[k];
    if (!(at->mask >> crowd_group(c, a)->layer & 1)) continue;
    for (int turn = 0; turn < 28; turn++) { /* the attractor itself, then its images */
      const int number = turn == 0 ? 13 : turn - 1;
      n[0] = number / 9 - 1, n[1] = number / 3 % 3 - 1, n[2] = number % 3 - 1;
      bool there = turn == 0 || number != 13;
      for (int axis = 0; axis < 3; axis++) there = there && (n[axis] == 0 || f->axis[axis].periodic);
      if (!there) continue;
      const vec q = {image(&f->axis[0], at->position.x, n[0]), image(&f->axis[1], at->position.y, n[1]),
                     image(&f->axis[2], at->position.z, n[2])};
      vec d = vec_sub(q, a->position);
      if (!f->spatial) d.y = 0.0f;
      add_pull(f, &p, at, d);
    }
  }
  return vec_clip(f, p.sum, crowd_acceleration(c, a));
}
