/* contact.c: pushes solid bodies apart. Each iteration reads the positions of all agents and writes the next ones of
 * the strip's agents (Jacobi), so that the order of agents, strips and workers does not matter. Candidates come from
 * windows of the committed grid, in canonical order; in dense cells they are the representatives. Whether a pair counts
 * depends on its committed distance, and not on the window. Few candidates overlap, so a branch skips the push of those
 * that do not. Formulas: docs/ARITHMETIC.md, "Contact". SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "passes/dense.h"
#include "passes/motion/body_obstacles.h"
#include "passes/motion/boundary.h"
#include "passes/motion/near_lists.h"
#include "passes/motion/yield.h"

#define CANDIDATES 64u  /* maximum of a list before its candidates are tested one by one */
#define STOP_TIME 0.02f /* seconds in which a push takes away the velocity against it */

/* Lists the candidates of [*from, to) that may touch an agent of the block, and advances *from. `dense`: these are
 * numbers of representatives. Rounding loses no pair: see candidates.h. */
LANES_INLINE uint32_t list_near(uint32_t slot[CANDIDATES + LANES], const struct bodies *bodies, uint32_t *from,
                                uint32_t to, lv3 shift, bool dense, bool spatial) {
  const float *own = bodies->frame->front->f[COLUMN_BODY_RADIUS];
  const lf of_groups = lf_set1(bodies->frame->groups->solid_body);
  const uint32_t at_once = dense ? 1 : LANES;
  uint32_t count = 0, k = *from;
  for (; k < to && count <= CANDIDATES - LANES; k += at_once) {
    const uint32_t j = dense ? bodies->frame->grid->candidates[k].slot : k;
    lv3 q = lv3_add(load_lv3(bodies->from, j, spatial), shift, spatial);
    lv3 d = {outside(bodies->low.x, bodies->high.x, q.x),
             spatial ? outside(bodies->low.y, bodies->high.y, q.y) : lf_zero(),
             outside(bodies->low.z, bodies->high.z, q.z)};
    lf radius = of_groups;
    if (own) {
      radius = lf_load(own + j);
      radius = lf_select(lf_equal(radius, radius), radius, of_groups); /* NaN: no own value */
    }
    lf reach = lf_add(bodies->reach, radius);
    if (bodies->yields)
      reach = lf_select(load_impatient(bodies->frame->front, j), lf_mul(reach, lf_set1(YIELD_ROOM)), reach);
    lm within = lf_less_equal(lv3_dot(d, d, spatial), lf_mul(reach, reach));
    if (dense || to - k < LANES) within = lm_and(within, lm_first(dense ? 1 : to - k));
    count += lu_store_set(slot + count, within, j);
  }
  *from = k < to ? k : to;
  return count;
}

/* Finds the lanes of groups that are much lighter than `group`. */
static OUT_OF_LINE void find_lighter(const struct frame *frame, uint32_t at, uint32_t group,
                                     struct heavy_pushes *heavy) {
  struct lane_groups groups;
  load_groups(&groups, frame, at);
  const lf mass = lf_mul(load_param(frame, &groups, PARAM_MASS), lf_set1(HEAVY));
  heavy->lighter = lf_less(mass, lf_set1(group_row(frame->groups, PARAM_MASS)[group]));
}

/* How far pushes move agent j at most, if no heavier body does: longest_push() for one agent. */
static inline float longest_push_of(const struct frame *frame, uint32_t j) {
  const uint32_t group = meta_group(frame->front->meta[j]);
  const float *own = frame->front->f[COLUMN_MAX_SPEED];
  uint32_t bits;
  memcpy(&bits, &group_row(frame->groups, PARAM_FROM_SPEED)[group], sizeof bits);
  if (!own || own[j] != own[j] || !(bits & FROM_SPEED_MAX_PUSH)) return group_row(frame->groups, PARAM_MAX_PUSH)[group];
  const float fastest = PUSH_PACE * own[j];
  return (fastest > LEAST_PUSH ? fastest : LEAST_PUSH) * frame->dt;
}

/* Adds the push of agent j, whose group is much heavier than the lanes `some`. */
static OUT_OF_LINE void add_heavy_push(const struct frame *frame, struct heavy_pushes *heavy, uint32_t j, lm some,
                                       lv3 push) {
  const lf most = lf_set1(longest_push_of(frame, j));
  heavy->most = lf_select(some, lf_max(heavy->most, most), heavy->most);
  heavy->whole = lv3_add(heavy->whole, lv3_where(some, push, true), true);
  heavy->yields = lm_or(heavy->yields, some);
}

/* Adds the pushes of candidate j on the lanes that it overlaps. */
LANES_INLINE void add_push(const struct bodies *bodies, struct pushes *pushes, struct heavy_pushes *heavy, uint32_t j,
                           lv3 shift, bool spatial) {
  const struct frame *frame = bodies->frame;
  float other_radius = *body_radius_of(frame, j);
  if (largest_body(frame) < other_radius) other_radius = largest_body(frame);
  lv3 d = lv3_sub(lv3_add(broadcast_lv3(bodies->from, j, spatial), shift, spatial), bodies->p, spatial);
  lf d2 = lv3_dot(d, d, spatial), reach = lf_add(bodies->radius, lf_set1(other_radius));
  lm overlap = lm_and(bodies->solid, lf_less(d2, lf_mul(reach, reach)));
  if (j - bodies->at < bodies->lanes) overlap = lm_without(overlap, lm_lane(j - bodies->at));
  const bool impatient = bodies->yields && is_impatient(frame->front, j);
  if (!impatient && !lm_any(overlap)) return;

  const uint32_t group = meta_group(frame->front->meta[j]);
  const float other_share = group_row(frame->groups, PARAM_CONTACT)[group];
  if (!(other_share > 0.0f)) return;
  if (impatient) make_way(bodies, pushes, j, d, reach, shift, spatial);
  if (!lm_any(overlap)) return;
  overlap = were_within(bodies, overlap, j, shift, spatial);

  if (group != pushes->group || frame->front->f[COLUMN_MASS]) {
    pushes->group = group;
    pushes->part = part_of(bodies, j, other_share);
    if (frame->groups->heavy_bodies) find_lighter(frame, bodies->at, group, heavy);
  }
  lf part = pushes->part;
  lf distance = lf_sqrt(d2);
  lv3 push = lv3_scale(d, lf_negate(lf_div(lf_mul(lf_sub(reach, distance), part), distance)), spatial);
  lm coincident = lm_and(overlap, lf_less_equal(d2, lf_set1(bodies->close_sq)));
  if (lm_any(coincident)) {
    lv3 u = coincident_direction(bodies->id, lu_set1(frame->front->id[j]), spatial);
    push = lv3_select(coincident, lv3_scale(u, lf_negate(lf_mul(reach, part)), spatial), push, spatial);
  }
  if (frame->groups->heavy_bodies && lm_any(lm_and(overlap, heavy->lighter))) {
    add_heavy_push(frame, heavy, j, lm_and(overlap, heavy->lighter), push);
    overlap = lm_without(overlap, heavy->lighter);
  }
  pushes->sum = lv3_add(pushes->sum, lv3_where(overlap, push, spatial), spatial);
  pushes->count = lc_add_where(pushes->count, lw_from_mask(overlap));
}

LANES_INLINE struct pushes no_pushes(void) {
  return (struct pushes){lv3_zero(), lc_zero(), lm_first(0), lv3_zero(), THRONG_MAX_GROUPS, lf_zero()};
}

/* The lanes within the reach of agent j's body, whose radius is `radius`, widened by `more`; not j itself. */
LANES_INLINE lm lanes_near(const struct bodies *bodies, uint32_t j, float radius, lf more, lv3 shift, bool spatial) {
  const lv3 d = lv3_sub(lv3_add(broadcast_lv3(bodies->from, j, spatial), shift, spatial), bodies->p, spatial);
  const lf reach = lf_add(lf_add(bodies->radius, lf_set1(radius)), more);
  const lm near = lf_less_equal_where(bodies->solid, lv3_dot(d, d, spatial), lf_mul(reach, reach));
  return lm_without(near, lu_equal(lu_add(lu_set1(bodies->at), lu_iota()), lu_set1(j)));
}

/* Adds the pushes of all candidates in the window, and lists those that may touch a body in this frame. */
LANES_INLINE struct pushes push_in_window(const struct bodies *bodies, struct heavy_pushes *heavy,
                                          const struct strip *strip, struct near_list *list, lf more, bool one_by_one,
                                          bool spatial) {
  const struct grid *grid = bodies->frame->grid;
  struct pushes pushes = no_pushes();
  struct window window;
  uint32_t from, to, near[CANDIDATES + LANES];
  lv3 shift;
  bool shifted;
  make_window(&window, bodies->frame, strip, bodies->at, bodies->lanes, one_by_one, spatial);
  const bool dense = grid->dense && window_is_dense(grid, &window, spatial);
  FOR_EACH_RANGE(grid, dense ? grid->thin_start : grid->start, &window, from, to, shift, shifted, spatial) {
    if (dense || shifted) drop_list(list);
    while (from < to) {
      const uint32_t count = dense ? list_near(near, bodies, &from, to, shift, true, spatial)
                                   : list_near(near, bodies, &from, to, shift, false, spatial);
      for (uint32_t k = 0; k < count; k++) {
        const bool close =
            lm_any(lanes_near(bodies, near[k], *body_radius_of(bodies->frame, near[k]), more, shift, spatial));
        if (close) extend_list(list, near[k]);
        if (close || (bodies->yields && is_impatient(bodies->frame->front, near[k])))
          add_push(bodies, &pushes, heavy, near[k], shift, spatial);
      }
    }
  }
  return pushes;
}

/* The same for the agents of a list. */
LANES_INLINE struct pushes push_in_list(const struct bodies *bodies, struct heavy_pushes *heavy,
                                        const struct near_lists *near, uint32_t count, bool spatial) {
  const uint32_t *slot = near->slot + (size_t)bodies->at * NEAR_OF_AGENT;
  struct pushes pushes = no_pushes();
  for (uint32_t k = 0; k < count; k++) {
    if (lm_any(lanes_near(bodies, slot[k], near->radius[slot[k]], lf_zero(), lv3_zero(), spatial)))
      add_push(bodies, &pushes, heavy, slot[k], lv3_zero(), spatial);
  }
  return pushes;
}

/* Returns how far from its position before contact each agent may be. Much heavier bodies push by up to `heavy`. far_sq
 * is the square of how far it is now: earlier iterations may have moved it beyond its own limit. */
LANES_INLINE lf longest_push(const struct frame *frame, const struct bodies *bodies, lf heavy, lf far_sq) {
  struct lane_groups groups;
  load_groups(&groups, frame, bodies->at);
  lf speed, most = load_param(frame, &groups, PARAM_MAX_PUSH);
  const lm own = load_own_speed(frame, &groups, bodies->at, FROM_SPEED_MAX_PUSH, &speed);
  const lf fastest = lf_max(lf_mul(lf_set1(PUSH_PACE), speed), lf_set1(LEAST_PUSH));
  most = lf_select(own, lf_mul(fastest, lf_set1(frame->dt)), most);
  return frame->groups->heavy_bodies ? lf_max(lf_max(most, heavy), lf_sqrt(far_sq)) : most;
}

/* Returns `next`, or if it is too far from the position before contact, the point at the limit toward it. */
LANES_INLINE lv3 limit_push(const struct frame *frame, const struct bodies *bodies, lf heavy, lv3 next, bool spatial) {
  const lv3 start = load_lv3_first(frame->back->f + COLUMN_POSITION_X, bodies->at, bodies->lanes, spatial);
  const lv3 so_far = lv3_sub(bodies->p, start, spatial);
  const lf most = longest_push(frame, bodies, heavy, lv3_dot(so_far, so_far, spatial));
  const lv3 way = lv3_sub(next, start, spatial);
  const lm longer = lf_greater(lv3_dot(way, way, spatial), lf_mul(most, most));
  if (!lm_any(longer)) return next;
  return lv3_select(longer, lv3_add(start, lv3_clip(way, most, spatial), spatial), next, spatial);
}

/* Returns the sum of the pushes of others and of those of much heavier bodies, where there are any. The part of
 * `others` that is against the heavy bodies is left out. */
LANES_INLINE lv3 add_whole(lv3 others, const struct heavy_pushes *heavy, bool spatial) {
  const lf along = lv3_dot(others, heavy->whole, spatial), square = lv3_dot(heavy->whole, heavy->whole, spatial);
  const lm against = lm_and(lf_less(along, lf_zero()), lf_greater(square, lf_zero()));
  const lv3 beside = lv3_sub(others, lv3_scale(heavy->whole, lf_div(along, square), spatial), spatial);
  const lv3 both = lv3_add(lv3_select(against, beside, others, spatial), heavy->whole, spatial);
  return lv3_select(heavy->yields, both, others, spatial);
}

/* Returns where the pushes move the block's bodies. Sets *moved to the lanes that are pushed. */
LANES_INLINE lv3 follow_pushes(const struct bodies *bodies, const struct pushes *pushes,
                               const struct heavy_pushes *heavy, lm *moved, bool spatial) {
  const struct frame *frame = bodies->frame;
  const lf count = lf_from_count(pushes->count);
  *moved = lm_or(lm_or(lf_greater(count, lf_zero()), pushes->gives), heavy->yields);
  if (!lm_any(*moved)) return bodies->p;
  lf relax = lf_div(lf_set1(2.0f), lf_add(count, lf_set1(1.0f)));
  lv3 way = lv3_scale(pushes->sum, relax, spatial), ignored = lv3_zero();
  if (frame->groups->heavy_bodies) way = add_whole(way, heavy, spatial);
  lv3 next = lv3_add(bodies->p, way, spatial);
  if (lm_any(pushes->gives)) {
    const lv3 aside = lv3_clip(pushes->aside, bodies->most_aside, spatial);
    next = lv3_select(pushes->gives, lv3_add(next, aside, spatial), next, spatial);
  }
  next = limit_push(frame, bodies, heavy->most, next, spatial);
  contain_in_box(frame, &next, &ignored, spatial);
  return lv3_select(*moved, next, bodies->p, spatial);
}

/* Pushes the block at `at`. If the near lists hold, `head` is the head of its list. If they are made now, it
 * writes the list and its head. */
LANES_INLINE bool push_block(const struct frame *frame, struct strip *strip, const struct near_lists *near,
                             float *const from[3], float *const to[3], uint32_t at, uint32_t head, bool one_by_one,
                             bool spatial) {
  const uint32_t lanes = head_lanes(head);
  struct near_list list = start_list(near, at, lanes);
  struct bodies bodies;
  lm moved = lm_first(0);
  load_bodies(&bodies, frame, from, at, lanes, spatial);
  lv3 p = bodies.p;
  if (lm_any(bodies.solid)) {
    struct heavy_pushes heavy = {lm_first(0), lm_first(0), lf_zero(), lv3_zero()};
    const float rounding = 0x1p-20f * frame->grid->space->radius;
    const lf more = list.slot ? lf_set1(2.0f * near->margin + rounding) : lf_zero();
    bodies.reach = lf_add(bodies.reach, more);
    const struct pushes pushes = near->hold && head_listed(head) != NO_LIST
                                     ? push_in_list(&bodies, &heavy, near, head_listed(head), spatial)
                                     : push_in_window(&bodies, &heavy, strip, &list, more, one_by_one, spatial);
    p = follow_pushes(&bodies, &pushes, &heavy, &moved, spatial);
  }
  if (list.slot) {
    near->head[at] = head_make(lanes, list.count);
    lf_store_first(near->radius + at, lf_select(bodies.solid, bodies.radius, lf_set1(NAN)), lanes);
  }
  if (near->slot) lu_store_first(near->pushed[near->iteration % 2] + at, lu_set1(lm_any(moved)), lanes);
  store_lv3(to, at, p, lanes, spatial);
  return lm_any(moved);
}

LANES_INLINE void keep_block(const struct near_lists *near, float *const from[3], float *const to[3], uint32_t at,
                             uint32_t lanes, bool spatial) {
  lu_store_first(near->pushed[near->iteration % 2] + at, lu_set1(0), lanes);
  store_lv3(to, at, load_lv3(from, at, spatial), lanes, spatial);
}

LANES_INLINE bool push_strip(const struct frame *frame, struct strip *strip, const struct near_lists *near,
                             float *const from[3], float *const to[3], bool spatial) {
  const bool one_by_one = throng_grid_periodic_aliased(frame->grid);
  bool cells = near->iteration == 0, pushed = false;
  uint32_t lanes;
  for (uint32_t at = strip->begin; at < strip->end; at += lanes) {
    uint32_t head = near->hold ? near->head[at] : 0;
    lanes = head_lanes(head);
    const bool listed = near->hold && head_listed(head) != NO_LIST;
    if (listed && is_quiet(near, at, head)) {
      keep_block(near, from, to, at, lanes, spatial);
      continue;
    }
    if (!listed && !cells) {
      THRONG_TABLE(cells)(frame, strip);
      cells = true;
    }
    if (!near->hold) {
      lanes = window_agents(frame->grid, strip, at, LANES, one_by_one);
      head = head_make(lanes, NO_LIST);
    }
    pushed |= push_block(frame, strip, near, from, to, at, head, one_by_one, spatial);
  }
  return pushed;
}

static bool push(const struct frame *frame, struct strip *strip, const struct near_lists *near, float *const from[3],
                 float *const to[3]) {
  ASSERT_ALONE(from[0] != to[0] && from[2] != to[2]); /* other workers read what this one does not write */
  ASSERT_ALONE(!near->hold || (near->slot && near->iteration > 0));
  return CALL_IN_SPACE(is_spatial(frame), push_strip, frame, strip, near, from, to);
}

LANES_INLINE bool strays_in(const struct frame *frame, const struct strip *strip, const struct near_lists *near,
                            float *const at_last[3], bool spatial) {
  const uint32_t *pushed = near->pushed[near->iteration % 2];
  const lf most = lf_set1(near->margin * near->margin * (1.0f - 0x1p-20f));
  uint32_t lanes;
  for (uint32_t at = strip->begin; at < strip->end; at += lanes) {
    lanes = head_lanes(near->head[at]);
    if (!pushed[at]) continue;
    const lv3 start = load_lv3_first(frame->back->f + COLUMN_POSITION_X, at, lanes, spatial);
    const lv3 way = lv3_sub(load_lv3_first(at_last, at, lanes, spatial), start, spatial);
    if (lm_any(lm_without(lm_first(lanes), lf_less_equal(lv3_dot(way, way, spatial), most)))) return true;
  }
  return false;
}

static bool has_strays(const struct frame *frame, const struct strip *strip, const struct near_lists *near,
                       float *const at[3]) {
  ASSERT_ALONE(near->slot);
  return CALL_IN_SPACE(is_spatial(frame), strays_in, frame, strip, near, at);
}

/* A pushed agent loses the part of its velocity against the push, at most push / dt, in STOP_TIME. If it lost it in one
 * frame, however short, a crowd would press by acceleration * dt, and so hardly at all at high frame rates. Blocked
 * times grow or shrink. */
LANES_INLINE void release_strip(const struct frame *frame, struct strip *strip, float *const at_last[3], bool spatial) {
  float *const *position = frame->back->f + COLUMN_POSITION_X, *const *velocity = frame->back->f + COLUMN_VELOCITY_X;
  const float part = frame->dt / STOP_TIME;
  const lf rate = lf_set1(1.0f / frame->dt), stopped = lf_set1(part < 1.0f ? part : 1.0f);
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t lanes = lanes_left(at, strip->end);
    lv3 p = load_lv3(at_last, at, spatial), v = load_lv3_first(velocity, at, lanes, spatial);
    lv3 way = lv3_sub(p, load_lv3_first(position, at, lanes, spatial), spatial);
    lf way_sq = lv3_dot(way, way, spatial), along = lv3_dot(v, way, spatial);
    lm against = lm_and(lf_less(along, lf_zero()), lf_greater(way_sq, lf_zero()));
    lf stop = lf_mul(lf_min(lf_div(lf_negate(along), way_sq), rate), stopped);
    v = lv3_select(against, lv3_add(v, lv3_scale(way, stop, spatial), spatial), v, spatial);
    if (frame->groups->features & FEATURE_YIELD) {
      const lv3 start = load_lv3(frame->front->f + COLUMN_POSITION_X, at, spatial);
      note_blocked(frame, at, lv3_sub(p, start, spatial), lanes, spatial);
    }
    if (!frame->sweeps) wrap_round(frame, &p, spatial);
    store_lv3(position, at, p, lanes, spatial);
    store_lv3(velocity, at, v, lanes, spatial);
  }
}

static void release(const struct frame *frame, struct strip *strip, float *const at[3]) {
  ASSERT_ALONE(frame->contact && frame->dt > 0.0f);
  CALL_IN_SPACE(is_spatial(frame), release_strip, frame, strip, at);
  if (frame->groups->features & FEATURE_YIELD && frame->groups->body_obstacles)
    CALL_IN_SPACE(is_spatial(frame), note_body_obstacles, frame, strip);
}

const struct contact_passes THRONG_TABLE(contact) = {push, has_strays, release};
