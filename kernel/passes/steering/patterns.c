/* patterns.c: patterns of movement (Bourg & Seemann 3.3), in the horizontal plane of any world. The behaviour's pass
 * finds the current instruction at the start of a frame. The pass `progress` adds the agent's turn and movement at the
 * end of the frame. Formulas: docs/ARITHMETIC.md, "Patterns". SPDX-License-Identifier: MIT */
#include "guides/pattern_internal.h"
#include "passes/steering/turn.h"

/* Progress: the current instruction, and the turn (anticlockwise), movement and time since it began. */
struct stage {
  lf place, turned, moved_x, moved_z, time;
};
/* The horizontal direction of the facing, and the one to its right. */
struct heading {
  lf yaw;
  lv3 ahead, right;
};
struct instruction {
  lf right, thrust, heading, distance, turn, step, wait;
};
/* The lanes' patterns; count is 0 in lanes without one. */
struct plan {
  const throng_pattern_instruction *first[LANES];
  lf count;
  lm loops, stands; /* stands: after the last instruction the agents stand */
  bool steps;       /* some pattern has instructions with a step, or that stand */
  bool holds;       /* some pattern stands, or has a step back or an instruction that stands */
};

LANES_INLINE struct heading load_heading(const struct frame *frame, uint32_t at) {
  if (is_spatial(frame)) {
    lv3 f = load_facing(frame, at, true), level = level_of(f);
    return (struct heading){yaw_of(level), level, right_of(f, true)};
  }
  lv3 f = load_facing(frame, at, false);
  return (struct heading){lf_load(frame->front->f[COLUMN_FACING_X] + at), f, right_of(f, false)};
}

/* Loads the plan of one pattern that is the same in all lanes. */
LANES_INLINE void load_common_plan(struct plan *plan, const struct frame *frame, lf number) {
  ASSERT_ALONE(lf_lowest(number) < (float)THRONG_MAX_PATTERNS);
  const struct pattern *pattern = &frame->pattern[(uint32_t)lf_lowest(number)];
  for (uint32_t k = 0; k < LANES; k++) plan->first[k] = pattern->instruction;
  plan->count = lf_set1((float)pattern->count);
  plan->loops = lm_first(pattern->loop ? LANES : 0);
  plan->stands = lm_first(pattern->stands ? LANES : 0);
  plan->steps = pattern->steps;
  plan->holds = pattern->holds;
}
LANES_INLINE void load_plan(struct plan *plan, const struct frame *frame, lu number) {
  uint32_t pattern_of[LANES];
  float count[LANES], loops[LANES], stands[LANES];
  lu_store(pattern_of, number);
  plan->steps = plan->holds = false;
  for (uint32_t k = 0; k < LANES; k++) {
    ASSERT_ALONE(pattern_of[k] < THRONG_MAX_PATTERNS);
    const struct pattern *pattern = &frame->pattern[pattern_of[k]];
    plan->first[k] = pattern->instruction;
    count[k] = (float)pattern->count;
    loops[k] = pattern->loop ? 1.0f : 0.0f;
    stands[k] = pattern->stands ? 1.0f : 0.0f;
    plan->steps = plan->steps || pattern->steps;
    plan->holds = plan->holds || pattern->holds;
  }
  plan->count = lf_load(count);
  plan->loops = lf_greater(lf_load(loops), lf_zero());
  plan->stands = lf_greater(lf_load(stands), lf_zero());
}
/* Loads the index of the agent's own pattern, or of its group's if it has none. */
LANES_INLINE lu load_pattern_number(const struct frame *frame, uint32_t at, lm wants, lf of_group) {
  const float *column = frame->front->f[COLUMN_PATTERN];
  lf number = of_group;
  if (column) {
    lf own = lf_load(column + at);
    number = lf_select(lf_equal(own, own), own, of_group);
  }
  return lf_truncate(lf_where(wants, number));
}

/* The lanes' instructions; 0 in lanes without one. */
LANES_INLINE struct instruction load_instruction(const struct plan *plan, lm wants, lf place) {
  static const float none[4];
  const uint32_t bits = lm_bits(lf_less_where(wants, place, plan->count));
  uint32_t index[LANES];
  const float *from[LANES];
  lu_store(index, lf_truncate(place));
  for (uint32_t k = 0; k < LANES; k++) from[k] = bits >> k & 1 ? &plan->first[k][index[k]].right : none;
  lf value[4];
  lf_load_fours(value, from);
  struct instruction i = {value[0], value[1], value[2], value[3], lf_zero(), lf_zero(), lf_zero()};
  if (!plan->steps) return i;
  for (uint32_t k = 0; k < LANES; k++) from[k] = bits >> k & 1 ? &plan->first[k][index[k]].cue : none;
  lf_load_fours(value, from); /* cue, turn, step, wait */
  i.turn = value[1];
  i.step = value[2];
  i.wait = value[3];
  return i;
}

LANES_INLINE lm has_step(const struct instruction *i) {
  return lm_without(lm_first(LANES), lf_equal(i->step, lf_zero()));
}
/* The instruction turns in place, or waits. */
LANES_INLINE lm is_standing(const struct instruction *i) {
  const lm still = lm_and(lf_equal(i->turn, lf_zero()), lf_equal(i->wait, lf_zero()));
  return lm_without(lf_equal(i->step, lf_zero()), still);
}
/* The instruction leads to a yaw. */
LANES_INLINE lm leads(const struct instruction *i) { return lm_or(has_step(i), is_standing(i)); }

/* Returns the turn since the instruction began: positive toward the instruction's side. If the instruction has no side,
 * returns the absolute value. */
LANES_INLINE lf turned_so_far(const struct instruction *i, const struct stage *stage) {
  const lf zero = lf_zero();
  lm left = lm_or(lf_less(i->right, zero), lf_greater(stage->turned, zero));
  left = lm_without(left, lf_greater(i->right, zero));
  return lf_select(left, stage->turned, lf_negate(stage->turned));
}

/* The yaw to which a step leads: that at the beginning of the instruction, turned to the right. */
LANES_INLINE lf step_yaw(const struct instruction *i, const struct stage *stage, lf yaw) {
  lf turned = lf_clamp(stage->turned, lf_set1(1e9f));
  lf circles = lf_floor(lf_add(lf_mul(turned, lf_set1(0.159154943091895f)), lf_set1(0.5f)));
  turned = lf_sub(turned, lf_mul(lf_set1(LANES_TWO_PI), circles));
  return lf_wrap_angle(lf_sub(lf_wrap_angle(lf_sub(yaw, turned)), i->turn));
}

/* Whether the agent has gone the whole step. */
LANES_INLINE lm has_stepped(const struct instruction *i, const struct stage *stage, lf yaw) {
  lf x, z;
  lf_sincos(step_yaw(i, stage, yaw), &x, &z);
  lf gone = lf_add(lf_mul(x, stage->moved_x), lf_mul(z, stage->moved_z)), end = lf_mul(i->step, lf_set1(0.9999f));
  const lm back = lm_and(lf_less(i->step, lf_zero()), lf_less_equal(gone, end));
  return lm_or(lm_and(lf_greater(i->step, lf_zero()), lf_greater_equal(gone, end)), back);
}

/* Whether the agent has turned in place and waited long enough. */
LANES_INLINE lm has_stood(const struct instruction *i, const struct stage *stage, lf yaw, float dt) {
  lf left = lf_wrap_angle(lf_sub(step_yaw(i, stage, yaw), yaw));
  lf waited = lf_add(stage->time, lf_set1(0.5f * dt)); /* so that it ends in the nearest frame */
  return lm_and(lm_and(is_standing(i), lf_less_equal(lf_abs(left), lf_set1(0.005f))),
                lf_greater_equal(waited, i->wait));
}

LANES_INLINE lm is_done(const struct instruction *i, const struct stage *stage) {
  const lf zero = lf_zero();
  lf moved_sq = lf_add(lf_mul(stage->moved_x, stage->moved_x), lf_mul(stage->moved_z, stage->moved_z));
  lm turned = lm_and(lf_greater(i->heading, zero), lf_greater_equal(turned_so_far(i, stage), i->heading));
  lm moved = lm_and(lf_greater(i->distance, zero), lf_greater_equal(moved_sq, lf_mul(i->distance, i->distance)));
  return lm_or(turned, moved);
}

LANES_INLINE void begin(struct stage *stage, lm where, lf place) {
  stage->place = lf_select(where, place, stage->place);
  stage->turned = lf_select(where, lf_zero(), stage->turned);
  stage->moved_x = lf_select(where, lf_zero(), stage->moved_x);
  stage->moved_z = lf_select(where, lf_zero(), stage->moved_z);
  stage->time = lf_select(where, lf_zero(), stage->time);
}

/* Begins the next instruction in lanes that have completed one. */
LANES_INLINE struct instruction obey(const struct plan *plan, lm wants, struct stage *stage, lf yaw, float dt) {
  struct instruction i = load_instruction(plan, wants, stage->place);
  lm done = is_done(&i, stage);
  if (plan->steps) done = lm_or(done, has_stepped(&i, stage, yaw));
  if (plan->holds) done = lm_or(done, has_stood(&i, stage, yaw, dt));
  lm has = lf_less_where(wants, lf_zero(), plan->count);
  begin(stage, done, lf_add(stage->place, lf_set1(1.0f)));
  lm again = lm_and(plan->loops, lf_greater_equal(stage->place, plan->count));
  again = lm_and(has, lm_or(again, lm_without(has, lf_greater_equal(stage->place, lf_zero()))));
  begin(stage, again, lf_zero());
  if (lm_any(lm_or(done, again))) i = load_instruction(plan, wants, stage->place);
  return i;
}

LANES_INLINE lf taper(const struct instruction *i, const struct stage *stage) {
  const lf one = lf_set1(1.0f);
  lf left = lf_sub(one, lf_div(turned_so_far(i, stage), i->heading));
  left = lf_min(lf_max(left, lf_set1(0.05f)), one);
  return lf_select(lf_greater(i->heading, lf_zero()), left, one);
}

LANES_INLINE struct stage load_stage(float *const *column, uint32_t at, uint32_t lanes) {
  return (struct stage){lf_load_first(column[COLUMN_PATTERN_INSTRUCTION] + at, lanes),
                        lf_load_first(column[COLUMN_PATTERN_TURNED] + at, lanes),
                        lf_load_first(column[COLUMN_PATTERN_MOVED_X] + at, lanes),
                        lf_load_first(column[COLUMN_PATTERN_MOVED_Z] + at, lanes),
                        lf_load_first(column[COLUMN_PATTERN_TIME] + at, lanes)};
}
/* Stores progress in lanes with the behaviour; other lanes do not change. */
LANES_INLINE void store_stage(float *const *column, const struct entry_block *block, const struct stage *stage) {
  const uint32_t at = block->at, lanes = block->lanes;
  const lm wants = block->wants;
  const struct stage before = load_stage(column, at, lanes);
  lf_store_first(column[COLUMN_PATTERN_INSTRUCTION] + at, lf_select(wants, stage->place, before.place), lanes);
  lf_store_first(column[COLUMN_PATTERN_TURNED] + at, lf_select(wants, stage->turned, before.turned), lanes);
  lf_store_first(column[COLUMN_PATTERN_MOVED_X] + at, lf_select(wants, stage->moved_x, before.moved_x), lanes);
  lf_store_first(column[COLUMN_PATTERN_MOVED_Z] + at, lf_select(wants, stage->moved_z, before.moved_z), lanes);
  lf_store_first(column[COLUMN_PATTERN_TIME] + at, lf_select(wants, stage->time, before.time), lanes);
}

/* The lanes whose agents stand when the current instruction ends: the next one stands, or the pattern does. */
LANES_INLINE lm stops_after(const struct plan *plan, lm wants, lf place) {
  lf next = lf_add(place, lf_set1(1.0f));
  const lm last = lf_greater_equal(next, plan->count), again = lm_and(last, plan->loops);
  const struct instruction i = load_instruction(plan, wants, lf_where(lm_without(wants, again), next));
  return lm_or(is_standing(&i), lm_and(plan->stands, lm_without(last, again)));
}

/* The lanes whose agents stand now: by an instruction, or at the end of a pattern. */
LANES_INLINE lm stand_now(const struct plan *plan, lm wants, const struct instruction *i, lf place) {
  const lm ended = lm_and(plan->stands, lf_greater_equal(place, plan->count));
  return lm_and(wants, lm_or(is_standing(i), lm_and(ended, lf_less(lf_zero(), plan->count))));
}

/* The acceleration toward the end of a step. */
LANES_INLINE lv3 step_acceleration(const struct frame *frame, const struct entry_block *block, const struct plan *plan,
                                   const struct instruction *i, const struct stage *stage, lf yaw, lf limit) {
  const bool spatial = is_spatial(frame);
  const lf rate = lf_set1(frame->rate);
  lv3 end = lv3_zero(), v = load_lv3(frame->front->f + COLUMN_VELOCITY_X, block->at, spatial);
  lf_sincos(step_yaw(i, stage, yaw), &end.x, &end.z);
  end = lv3_scale(end, i->step, false);
  end.x = lf_sub(end.x, stage->moved_x);
  end.z = lf_sub(end.z, stage->moved_z);
  lf reach = lf_mul(lf_sqrt(lv3_dot(end, end, false)), rate);
  lf speed = lf_min(load_max_speed(frame, &block->groups, block->at), reach);
  if (plan->holds) {
    const lf brakes = lf_sqrt(lf_mul(limit, lf_sqrt(lv3_dot(end, end, false))));
    speed = lf_select(stops_after(plan, block->wants, stage->place), lf_min(speed, brakes), speed);
    speed = lf_where(has_step(i), speed);
  }
  lv3 wanted = lv3_scale(end, lf_mul(speed, lv3_inv_len(end, false)), false);
  const lf at_once = load_rate(frame, &block->groups, block->at, false);
  return lv3_clip(lv3_scale(lv3_sub(wanted, v, spatial), at_once, spatial), limit, spatial);
}

/* The angular acceleration of agents with a steered yaw. `right`: the tapered turn force. */
LANES_INLINE lf pattern_turn(const struct frame *frame, const struct entry_block *block, const struct instruction *i,
                             const struct stage *stage, lf yaw, lf right) {
  const lf rate = lf_set1(frame->rate);
  lf fastest = load_max_yaw_rate(frame, &block->groups, block->at),
     most = load_limit(frame, &block->groups, block->at, PARAM_MAX_YAW_ACCELERATION);
  lf left = lf_wrap_angle(lf_sub(step_yaw(i, stage, yaw), yaw));
  lf stops = lf_sqrt(lf_mul(lf_mul(most, lf_set1(2.0f)), lf_abs(left))); /* the rate from which it can still stop */
  lf at_step = lf_clamp(lf_mul(left, rate), lf_min(fastest, stops));
  lf wanted = lf_select(leads(i), at_step, lf_mul(lf_negate(right), fastest));
  lf change = lf_sub(wanted, lf_load(frame->front->f[COLUMN_YAW_RATE] + block->at));
  return lf_clamp(lf_mul(change, load_rate(frame, &block->groups, block->at, true)),
                  load_wanted_limit(frame, &block->groups, block->at, PARAM_MAX_YAW_ACCELERATION));
}

/* The lanes with a steered yaw and a current instruction that turns it. The side force turns a rigid body. */
LANES_INLINE lm turn_lanes(const struct frame *frame, const struct entry_block *block, const struct plan *plan,
                           const struct instruction *i, lf place) {
  lm steered = lf_less(load_param(frame, &block->groups, PARAM_FACING_FACTOR), lf_zero());
  lm rigid = lf_greater_equal(load_param(frame, &block->groups, PARAM_ENGINE), lf_zero());
  steered = lm_without(steered, lm_without(rigid, leads(i)));
  const lm ended = lm_without(stand_now(plan, block->wants, i, place), rigid);
  return lm_and(steered, lm_or(lf_less_where(block->wants, place, plan->count), ended));
}

/* The same in spatial worlds, in the form of turn_toward. */
LANES_INLINE lv3 pattern_turning(const struct frame *frame, const struct entry_block *block,
                                 const struct instruction *i, const struct stage *stage, const struct heading *h,
                                 lf right) {
  const lf zero = lf_zero();
  lv3 end = lv3_zero(), f = load_facing(frame, block->at, true);
  lf_sincos(step_yaw(i, stage, h->yaw), &end.x, &end.z);
  lv3 aside = lv3_scale(h->right, lf_mul(right, load_max_yaw_rate(frame, &block->groups, block->at)), true);
  lv3 swing = lv3_select(leads(i), swing_toward(frame, block, f, end, zero, zero), aside, true);
  lv3 yaw = {pattern_turn(frame, block, i, stage, h->yaw, right), zero, zero};
  return lv3_select(are_upright(frame, block), yaw, swing, true);
}

void BEHAVIOUR(follow_pattern)(const struct frame *frame, struct strip *strip) {
  struct plan plan = {.count = lf_zero()};
  const bool turns = frame->groups->entry[strip->entry].turns, spatial = is_spatial(frame);
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_FOLLOW_PATTERN)) continue;
    const lf of_group = ENTRY_VALUE(follow_pattern, index);
    if (block.groups.uniform && !frame->front->f[COLUMN_PATTERN]) {
      if (at == strip->begin) load_common_plan(&plan, frame, of_group);
    } else {
      load_plan(&plan, frame, load_pattern_number(frame, at, block.wants, of_group));
    }
    struct stage stage = load_stage(frame->front->f, at, block.lanes);
    const struct heading h = load_heading(frame, at);
    struct instruction i = obey(&plan, block.wants, &stage, h.yaw, frame->dt);
    store_stage(frame->back->f, &block, &stage);
    lf limit = load_wanted_limit(frame, &block.groups, at, PARAM_MAX_ACCELERATION),
       right = lf_mul(i.right, taper(&i, &stage));
    lv3 along = lv3_scale(h.ahead, lf_mul(i.thrust, limit), false),
        aside = lv3_scale(h.right, lf_mul(right, limit), false);
    lv3 a = lv3_clip(lv3_add(along, aside, false), limit, false);
    if (plan.steps) {
      lv3 toward = step_acceleration(frame, &block, &plan, &i, &stage, h.yaw, limit);
      const lm goes = plan.holds ? lm_or(has_step(&i), stand_now(&plan, block.wants, &i, stage.place)) : has_step(&i);
      a = lv3_select(goes, toward, a, spatial);
    }
    if (turns && spatial) {
      lv3 turning = pattern_turning(frame, &block, &i, &stage, &h, right);
      store_entry_turning(frame, strip, &block,
                          lv3_where(turn_lanes(frame, &block, &plan, &i, stage.place), turning, true));
    } else if (turns) {
      a.y = lf_where(turn_lanes(frame, &block, &plan, &i, stage.place),
                     pattern_turn(frame, &block, &i, &stage, h.yaw, right));
    }
    store_entry(frame, strip, &block, a, spatial || turns);
  }
}

/* The lanes whose group has the behaviour anywhere in its list. Sets *of_group to the pattern that it names. */
LANES_INLINE lm players(const struct frame *frame, const struct lane_groups *groups, uint32_t lanes, lf *of_group) {
  lm play = lm_first(0);
  *of_group = lf_zero();
  for (int entry = 0; entry < (int)THRONG_MAX_BEHAVIOURS; entry++) {
    if (!(frame->groups->entry[entry].kinds & THRONG_BIT(THRONG_BEHAVIOUR_FOLLOW_PATTERN))) continue;
    lu kind = lf_bits(load_param(frame, groups, PARAM_KIND + entry));
    const lm here = lu_equal(kind, lu_set1(THRONG_BEHAVIOUR_FOLLOW_PATTERN));
    const int index = ENTRY_PARAMS * entry + ENTRY_PARAMETER + KIND_PARAMETER(follow_pattern, index);
    *of_group = lf_select(here, load_param(frame, groups, PARAM_ENTRY + index), *of_group);
    play = lm_or(play, here);
  }
  return lm_and(play, lm_first(lanes));
}

/* By how much the frame has turned the heading. */
LANES_INLINE lf turn_in_frame(const struct frame *frame, uint32_t at, uint32_t lanes) {
  float *const *back = frame->back->f;
  const lf before = load_heading(frame, at).yaw;
  if (!is_spatial(frame)) return lf_wrap_angle(lf_sub(lf_load_first(back[COLUMN_FACING_X] + at, lanes), before));
  lv3 now = load_lv3_first(back + COLUMN_FACING_X, at, lanes, true);
  return lf_wrap_angle(lf_sub(yaw_of(level_of(now)), before));
}

static bool some_pattern_holds(const struct frame *frame) {
  for (uint32_t k = 0; k < THRONG_MAX_PATTERNS; k++) {
    if (frame->pattern[k].holds) return true;
  }
  return false;
}

/* Turns facings that follow the motion: those of agents that stand or step back look where the instruction leads. */
LANES_INLINE void hold_facing(const struct frame *frame, const struct lane_groups *groups, uint32_t at, uint32_t lanes,
                              lm play, lf of_group) {
  float *const *back = frame->back->f;
  struct plan plan;
  load_plan(&plan, frame, load_pattern_number(frame, at, play, of_group));
  const struct stage stage = load_stage(back, at, lanes);
  const struct instruction i = load_instruction(&plan, play, stage.place);
  lm holds = lm_and(play, lm_or(stand_now(&plan, play, &i, stage.place), lf_less(i.step, lf_zero())));
  holds = lm_without(holds, lf_less(load_param(frame, groups, PARAM_FACING_FACTOR), lf_zero()));
  if (!lm_any(holds)) return;
  const lf yaw = load_heading(frame, at).yaw, most = load_max_turn(frame, groups, at);
  const lf left = lf_clamp(lf_wrap_angle(lf_sub(step_yaw(&i, &stage, yaw), yaw)), most);
  const lf held = lf_wrap_angle(lf_add(yaw, left));
  if (!is_spatial(frame)) {
    float *facing = back[COLUMN_FACING_X] + at;
    lf_store_first(facing, lf_select(holds, held, lf_load_first(facing, lanes)), lanes);
    return;
  }
  lv3 facing = lv3_zero(), moved = load_lv3_first(back + COLUMN_FACING_X, at, lanes, true);
  lf_sincos(held, &facing.x, &facing.z);
  store_lv3(back + COLUMN_FACING_X, at, lv3_select(holds, facing, moved, true), lanes, true);
}

void THRONG_TABLE(progress)(const struct frame *frame, struct strip *strip) {
  float *const *front = frame->front->f, *const *back = frame->back->f;
  const bool holds = some_pattern_holds(frame);
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t lanes = lanes_left(at, strip->end);
    struct lane_groups groups;
    lf of_group;
    load_groups(&groups, frame, at);
    lm play = players(frame, &groups, lanes, &of_group);
    if (!lm_any(play)) continue;
    if (holds) hold_facing(frame, &groups, at, lanes, play, of_group);
    lv3 p = load_lv3(front + COLUMN_POSITION_X, at, false),
        q = load_lv3_first(back + COLUMN_POSITION_X, at, lanes, false),
        way = world_difference(frame->grid, q, p, false);
    const lf step[4] = {turn_in_frame(frame, at, lanes), way.x, way.z, lf_set1(frame->dt)};
    static const int column[4] = {COLUMN_PATTERN_TURNED, COLUMN_PATTERN_MOVED_X, COLUMN_PATTERN_MOVED_Z,
                                  COLUMN_PATTERN_TIME};
    for (int c = 0; c < 4; c++) {
      float *memory = back[column[c]] + at;
      lf before = lf_load_first(memory, lanes);
      lf_store_first(memory, lf_select(play, lf_add(before, step[c]), before), lanes);
    }
  }
}
