/* tests/reference/reference_a_reciprocal.c: reference A's reciprocal avoidance, as in docs/ARITHMETIC.md, for one agent
 * at a time. SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

#include "reference/reference_scenery.h"

#define LEAST 1e-5f
#define STEPS 24
#define HARD 16 /* most hard lines */

typedef struct line {
  float x, z, c;
} line;
typedef struct velocity {
  float x, z;
} velocity;

/* The lines of an agent. */
typedef struct lines {
  const line *line;
  int count;
} lines;

typedef struct program {
  velocity wish, v;
  float limit;
  lines hard, soft;
  line active[2 * STEPS];
  int actives;
} program;

static float rate_of(float time) { return time > 1e-6f ? 1.0f / time : 1e6f; }

static vec course_of(const frame *f, const crowd_agent *a) {
  if (a->goal.x == a->goal.x) return vec_dir(f, frame_difference(f, a->position, a->goal));
  return frame_facing(f, a);
}

/* The half-plane that a neighbour at d leaves. */
static line half_plane(const frame *f, const crowd_agent *me, vec d, float d2, vec u, float b) {
  const throng_group_def *g = crowd_group(f->crowd, me);
  const bool touch = d2 <= b * b;
  const float rate = rate_of(g->avoidance.horizon), h = touch && !(g->contact > 0.0f) ? frame_rate(f) : rate;
  const vec w = vec_sub(u, vec_scale(d, h));
  const float q = vec_dot(f, w, w), x = vec_dot(f, w, d);
  line n;
  float change;
  if (touch || (x < 0.0f && b * b * q < x * x)) {
    const float s = sqrtf(q), inverse = 1.0f / s;
    n.x = w.x * inverse;
    n.z = w.z * inverse;
    if (!(q > 0x1p-120f)) {
      const vec away = vec_scale(d, -vec_inv_len(f, d));
      n.x = away.x;
      n.z = away.z;
    }
    change = b * h - s;
  } else {
    const float s = sqrtf(d2 - b * b), inverse = 1.0f / d2, side = d.x * w.z - d.z * w.x > 0.0f ? s : -s;
    n.x = -(d.x * b + d.z * side) * inverse;
    n.z = (d.x * side - d.z * b) * inverse;
    change = -(u.x * n.x + u.z * n.z);
  }
  n.c = (n.x * me->velocity.x + n.z * me->velocity.z) + change * 0.5f;
  return n;
}

/* Writes the half-planes of the neighbours that count, and returns their number. */
static int find_half_planes(const frame *f, uint32_t i, const neighbour *found, uint32_t count, line *out) {
  const crowd *c = f->crowd;
  const crowd_agent *me = &c->agents[i];
  const throng_group_def *g = crowd_group(c, me);
  const throng_avoidance *r = &g->avoidance;
  const vec course = course_of(f, me), facing = frame_facing(f, me);
  int planes = 0;
  for (uint32_t k = 0; k < count; k++) {
    const neighbour *n = &found[k];
    const crowd_agent *other = &c->agents[n->place.agent];
    const float b = crowd_body(c, me) + r->margin + crowd_body(c, other);
    const vec way = course_of(f, other);
    const float near = b + b;
    if (!(r->mask & 1u << crowd_group(c, other)->layer)) continue;
    if (!(n->d2 <= near * near) && !ref_a_in_view(f, g->field_of_view, facing, n)) continue;
    if (!n->coincident && r->radius > 0.0f && !(n->d2 <= r->radius * r->radius)) continue;
    if (!(b > 0.0f) || !(way.x * course.x + way.z * course.z < r->alike)) continue;
    const line plane = half_plane(f, me, n->d, n->d2, vec_sub(me->velocity, other->velocity), b);
    if (-crowd_max_speed(c, me) < plane.c) out[planes++] = plane;
  }
  return planes;
}

/* The rate at which an agent may approach surfaces. */
static float wall_rate(const frame *f, const crowd_agent *me) {
  const float rate = rate_of(crowd_group(f->crowd, me)->avoidance.wall_horizon);
  return rate < frame_rate(f) ? rate : frame_rate(f);
}

/* Adds the line of a surface. If there are HARD, it takes the place of the first loosest one. */
static void add_hard_line(const frame *f, const crowd_agent *me, line *out, int *count, float distance, float x,
                          float z) {
  const float body = crowd_body(f->crowd, me), gap = distance - (body < 1e12f ? body : 1e12f);
  const float c = -((gap > 0.0f ? gap : 0.0f) * wall_rate(f, me));
  int loosest = 0;
  if (!(-crowd_max_speed(f->crowd, me) < c)) return;
  if (*count < HARD) {
    out[(*count)++] = (line){x, z, c};
    return;
  }
  for (int k = 1; k < HARD; k++)
    if (out[k].c < out[loosest].c) loosest = k;
  if (c > out[loosest].c) out[loosest] = (line){x, z, c};
}

static int find_hard_lines(const frame *f, const crowd_agent *me, line out[HARD]) {
  const crowd *c = f->crowd;
  const float body = crowd_body(c, me), rate = wall_rate(f, me);
  const float reach = (body < 1e12f ? body : 1e12f) + crowd_max_speed(c, me) / rate;
  const ref_feeler who = {.p = me->position, .cells = c->cells, .repeats = {f->axis[0].periodic, f->axis[2].periodic}};
  ref_surface found[64];
  int count = 0;
  const uint32_t surfaces = ref_surfaces(c->scenery, &who, reach < 1e12f ? reach : 1e12f, found, 64);
  for (uint32_t k = 0; k < surfaces; k++)
    add_hard_line(f, me, out, &count, found[k].distance, found[k].normal.x, found[k].normal.z);
  const float p[3] = {me->position.x, 0.0f, me->position.z};
  for (int k = 0; k < 3; k += 2) {
    if (!f->axis[k].boxed) continue;
    const bool along_x = k == 0;
    add_hard_line(f, me, out, &count, p[k] - f->axis[k].min, along_x ? 1.0f : 0.0f, along_x ? 0.0f : 1.0f);
    add_hard_line(f, me, out, &count, f->axis[k].max - p[k], along_x ? -1.0f : 0.0f, along_x ? 0.0f : -1.0f);
  }
  return count;
}

/* Finds the first of the lines that are violated most, if that is more than *violation. */
static bool find_worst(lines of, velocity v, float *violation, line *worst) {
  bool any = false;
  for (int k = 0; k < of.count; k++) {
    const line n = of.line[k];
    const float by = n.c - (n.x * v.x + n.z * v.z);
    if (!(by > *violation)) continue;
    *violation = by;
    *worst = n;
    any = true;
  }
  return any;
}

/* The part of a line in the disc that satisfies other lines; false if it is empty. */
static bool part_of(line n, float limit, lines of, float *low, float *high) {
  const float square = limit * limit - n.c * n.c;
  if (!(square >= 0.0f)) return false;
  *high = sqrtf(square);
  *low = -*high;
  for (int k = 0; k < of.count; k++) {
    const line m = of.line[k];
    const float slope = m.x * n.z - m.z * n.x, rest = m.c - n.c * (m.x * n.x + m.z * n.z), t = rest / slope;
    if (slope > LEAST) {
      if (t > *low) *low = t;
    } else if (slope < -LEAST) {
      if (t < *high) *high = t;
    } else if (rest > 0.0f) {
      return false;
    }
  }
  return *low <= *high;
}

static velocity point_of(line n, float t) { return (velocity){n.x * n.c + n.z * t, n.z * n.c - n.x * t}; }

/* Satisfies the lines. Returns false if the line *last cannot be satisfied with those before it. */
static bool satisfy(program *p, line *last, bool *hard) {
  for (int step = 0; step < STEPS; step++) {
    float violation = LEAST, low, high;
    *hard = find_worst(p->hard, p->v, &violation, last);
    if (!*hard && !find_worst(p->soft, p->v, &violation, last)) return true;
    if (!part_of(*last, p->limit, (lines){p->active, p->actives}, &low, &high)) return false;
    float t = p->wish.x * last->z - p->wish.z * last->x;
    t = t > low ? t : low;
    t = t < high ? t : high;
    p->v = point_of(*last, t);
    p->active[p->actives++] = *last;
  }
  return true;
}

/* The velocity that violates n least, but no hard line, and no active line more than n. */
static bool violate_least(program *p, line n) {
  line border[STEPS * 2 + HARD];
  int borders = 0;
  velocity v = {n.x * p->limit, n.z * p->limit};
  for (int k = 0; k < p->hard.count + p->actives; k++) {
    line m = k < p->hard.count ? p->hard.line[k] : p->active[k - p->hard.count];
    if (k >= p->hard.count) {
      const float x = m.x - n.x, z = m.z - n.z, length = sqrtf(x * x + z * z), inverse = 1.0f / length;
      if (length <= LEAST) continue;
      m = (line){x * inverse, z * inverse, (m.c - n.c) * inverse};
    }
    if (m.x * v.x + m.z * v.z < m.c) {
      float low, high;
      if (!part_of(m, p->limit, (lines){border, borders}, &low, &high)) return false;
      v = point_of(m, n.x * m.z - n.z * m.x > 0.0f ? high : low);
    }
    border[borders++] = m;
  }
  p->v = v;
  return true;
}

static void share_violation(program *p, line n, bool hard) {
  if (hard) {
    float violation = -5e8f;
    p->actives = 0;
    p->v = (velocity){0.0f, 0.0f};
    if (!find_worst(p->soft, p->v, &violation, &n)) return;
  }
  for (int step = 0; step < STEPS; step++) {
    if (!violate_least(p, n)) return;
    p->active[p->actives++] = n;
    float violation = n.c - (n.x * p->v.x + n.z * p->v.z) + LEAST;
    if (!find_worst(p->soft, p->v, &violation, &n)) return;
  }
}

/* Returns how far the agent would move with the velocity v, or NaN if that does not count for yielding. */
static float wished_way(const frame *f, const crowd_agent *me, const throng_group_def *g, vec v) {
  if (g->actuation != THRONG_ACTUATION_FREE) return NAN;
  const vec end = vec_add(me->position, vec_scale(vec_scale(v, 1.0f / (1.0f + g->drag * f->dt)), f->dt));
  const vec way = vec_sub(end, me->position);
  return sqrtf(vec_dot(f, way, way));
}

/* What the velocity is to be nearest to: of an agent that hardly moves, a velocity to one side of its wish. */
static velocity nearest_to(const frame *f, const crowd_agent *me, vec wish, float limit) {
  const float slow = limit * 0.1f;
  const vec aside = vec_clip(f, (vec){wish.x - wish.z * 0.3f, 0.0f, wish.z + wish.x * 0.3f}, limit);
  if (vec_dot(f, me->velocity, me->velocity) < slow * slow) return (velocity){aside.x, aside.z};
  return (velocity){wish.x, wish.z};
}

vec ref_a_avoid_others(const frame *f, uint32_t i, vec wanted, void *scratch) {
  crowd_agent *me = &f->crowd->agents[i];
  const throng_group_def *g = crowd_group(f->crowd, me);
  me->wished_way = NAN;
  if (g->avoidance.form != THRONG_AVOIDANCE_RECIPROCAL || g->avoidance.weight == 0.0f || f->dt == 0.0f) return wanted;
  const bool impatient = ref_a_yields(f) && g->contact > 0.0f && ref_a_is_impatient(me);
  const uint32_t count = impatient ? 0 : ref_a_find_neighbours(f, i, scratch);
  line *soft = malloc(((size_t)count + 1) * sizeof *soft), last, walls[HARD];
  if (soft == NULL) abort();
  const float limit = crowd_max_speed(f->crowd, me);
  const vec goal = vec_clip(f, vec_add(me->velocity, vec_scale(wanted, f->dt)), limit);
  const velocity wish = {goal.x, goal.z};
  me->wished_way = wished_way(f, me, g, goal);
  program p = {.wish = nearest_to(f, me, goal, limit), .v = wish, .limit = limit};
  p.soft = (lines){soft, find_half_planes(f, i, scratch, count, soft)};
  p.hard = (lines){walls, find_hard_lines(f, me, walls)};
  bool hard;
  if (!satisfy(&p, &last, &hard)) share_violation(&p, last, hard);
  free(soft);
  if (p.v.x == wish.x && p.v.z == wish.z) return wanted;
  const vec change = {(p.v.x - me->velocity.x) * frame_rate(f), 0.0f, (p.v.z - me->velocity.z) * frame_rate(f)};
  return vec_clip(f, change, crowd_force_limit(f->crowd, me) * 2.0f);
}
