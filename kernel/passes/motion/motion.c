/* motion.c: integrates accelerations to velocities and positions. Formulas: docs/ARITHMETIC.md, "Blend, integrate,
 * constrain". SPDX-License-Identifier: MIT */
#include "passes/blocked.h"
#include "passes/motion/boundary.h"

/* Returns the new velocity v1; 0 for an agent that does not become faster and is slower than PARAM_REST_SQ allows,
 * about a rounding error of its maximum speed. */
LANES_INLINE lv3 come_to_rest(const struct frame *frame, const struct lane_groups *groups, uint32_t at, lv3 v, lv3 v1,
                              bool spatial) {
  lf speed, most = load_param(frame, groups, PARAM_REST_SQ);
  const lm own = load_own_speed(frame, groups, at, FROM_SPEED_REST, &speed);
  const lf least = lf_mul(lf_set1(REST_PACE), speed);
  most = lf_select(own, lf_mul(least, least), most);
  const lf before = lv3_dot(v, v, spatial), now = lv3_dot(v1, v1, spatial);
  const lm rests = lm_and(lf_less(now, most), lf_less_equal(now, before));
  return lv3_select(rests, lv3_zero(), v1, spatial);
}

/* Counts the agents whose steps are not 0, but too short to change their positions. Other pieces count ghosts. */
LANES_INLINE uint32_t count_lost(const struct frame *frame, uint32_t at, lv3 p, lv3 step, uint32_t lanes,
                                 bool spatial) {
  const lv3 next = lv3_add(p, step, spatial);
  lm rests = lm_and(lf_equal(step.x, lf_zero()), lf_equal(step.z, lf_zero()));
  lm stays = lm_and(lf_equal(next.x, p.x), lf_equal(next.z, p.z));
  if (spatial) {
    rests = lm_and(rests, lf_equal(step.y, lf_zero()));
    stays = lm_and(stays, lf_equal(next.y, p.y));
  }
  const lm ghosts = lu_test(lu_load(frame->front->meta + at), lu_set1(META_GHOST));
  return lm_count(lm_and(lm_first(lanes), lm_without(lm_without(stays, rests), ghosts)));
}

/* Applies the update rule (Millington 3.1.3), drag, the speed limit and the boundary. */
LANES_INLINE void integrate_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  const lf dt = lf_set1(frame->dt), half_dt_sq = lf_set1(0.5f * frame->dt * frame->dt);
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    lv3 p = load_lv3(frame->front->f + COLUMN_POSITION_X, at, spatial);
    lv3 v = load_lv3(frame->front->f + COLUMN_VELOCITY_X, at, spatial);
    lv3 a = load_lv3(strip->acceleration, at - strip->begin, spatial);

    lv3 v1 = lv3_scale(lv3_add(v, lv3_scale(a, dt, spatial), spatial), load_param(frame, &groups, PARAM_DAMP), spatial);
    v1 = lv3_clip(v1, load_max_speed(frame, &groups, at), spatial);
    if (frame->groups->features & FEATURE_REST) v1 = come_to_rest(frame, &groups, at, v, v1, spatial);
    lv3 step;
    switch (frame->def->update) {
    case THRONG_UPDATE_EXPLICIT:
      step = lv3_scale(v, dt, spatial);
      break;
    case THRONG_UPDATE_BALLISTIC:
      step = lv3_add(lv3_scale(v, dt, spatial), lv3_scale(a, half_dt_sq, spatial), spatial);
      break;
    default:
      step = lv3_scale(v1, dt, spatial);
      break;
    }
    const uint32_t lanes = lanes_left(at, strip->end);
    if (frame->profile) strip->lost_moves += count_lost(frame, at, p, step, lanes, spatial);
    if (frame->groups->features & FEATURE_YIELD) keep_wanted_way(frame, at, p, v1, lanes, spatial);
    p = lv3_add(p, step, spatial);
    contain_in_box(frame, &p, &v1, spatial);
    if (!frame->contact && !frame->sweeps)
      wrap_round(frame, &p, spatial); /* both need positions that are not wrapped, and wrap them at their end */
    store_lv3(frame->back->f + COLUMN_POSITION_X, at, p, lanes, spatial);
    store_lv3(frame->back->f + COLUMN_VELOCITY_X, at, v1, lanes, spatial);
  }
}

static void integrate(const struct frame *frame, struct strip *strip) {
  ASSERT_ALONE(frame->dt >= 0.0f && frame->rate >= 0.0f && frame->rate <= 1e6f);
  CALL_IN_SPACE(is_spatial(frame), integrate_strip, frame, strip);
}

const struct motion_passes THRONG_TABLE(motion) = {integrate,
                                                   THRONG_TABLE(spin),
                                                   THRONG_TABLE(face),
                                                   THRONG_TABLE(settle),
                                                   THRONG_TABLE(cells),
                                                   THRONG_TABLE(changes),
                                                   THRONG_TABLE(inspect),
                                                   THRONG_TABLE(encounters),
                                                   THRONG_TABLE(zone_speeds),
                                                   THRONG_TABLE(fates)};
