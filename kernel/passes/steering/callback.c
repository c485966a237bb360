/* callback.c: calls the host's callbacks, strip by strip. SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <string.h>

#include "passes/steering/entry.h"

/* Writes the groups of the strip's agents to `group`. Sets wanted[k] to whether agent k is no ghost and its group has
 * callback `number` at the list position strip->entry. Returns whether any is wanted. */
static bool find_callers(const struct frame *frame, const struct strip *strip, uint32_t number, uint8_t *group,
                         uint8_t *wanted) {
  const int entry = (int)strip->entry;
  const float *kind = group_row(frame->groups, PARAM_KIND + entry);
  const float *called =
      group_row(frame->groups, PARAM_ENTRY + ENTRY_PARAMS * entry + ENTRY_PARAMETER + KIND_PARAMETER(callback, index));
  bool any = false;
  for (uint32_t k = 0; k < strip->end - strip->begin; k++) {
    group[k] = (uint8_t)meta_group(frame->front->meta[strip->begin + k]);
    uint32_t there;
    memcpy(&there, &kind[group[k]], sizeof there);
    const bool ghost = frame->front->meta[strip->begin + k] & META_GHOST;
    wanted[k] = !ghost && there == THRONG_BEHAVIOUR_CALLBACK && called[group[k]] == (float)number;
    any = any || wanted[k];
  }
  return any;
}

/* Returns the elements of an optional column from slot `at` on; NULL if the world lacks the column. */
static const float *column_at(const struct frame *frame, int column, uint32_t at) {
  const float *all = frame->front->f[column];
  return all ? all + at : NULL;
}

static throng_block make_block(const struct frame *frame, const struct strip *strip) {
  const uint32_t at = strip->begin;
  const bool spatial = is_spatial(frame);
  return (throng_block){.count = strip->end - at,
                        .frame = frame->number,
                        .dt = frame->dt,
                        .id_index = frame->front->id + at,
                        .position_x = column_at(frame, COLUMN_POSITION_X, at),
                        .position_y = column_at(frame, COLUMN_POSITION_Y, at),
                        .position_z = column_at(frame, COLUMN_POSITION_Z, at),
                        .velocity_x = column_at(frame, COLUMN_VELOCITY_X, at),
                        .velocity_y = column_at(frame, COLUMN_VELOCITY_Y, at),
                        .velocity_z = column_at(frame, COLUMN_VELOCITY_Z, at),
                        .yaw = spatial ? NULL : column_at(frame, COLUMN_FACING_X, at),
                        .facing_x = spatial ? column_at(frame, COLUMN_FACING_X, at) : NULL,
                        .facing_y = spatial ? column_at(frame, COLUMN_FACING_Y, at) : NULL,
                        .facing_z = spatial ? column_at(frame, COLUMN_FACING_Z, at) : NULL,
                        .goal_x = column_at(frame, COLUMN_GOAL_X, at),
                        .goal_y = column_at(frame, COLUMN_GOAL_Y, at),
                        .goal_z = column_at(frame, COLUMN_GOAL_Z, at)};
}

/* Stores the acceleration that the callback gave agent k, as the contribution of the entry: each component is limited
 * to +-1e18, then the vector is clipped to the agent's max_acceleration. strip->bad_wish keeps the smallest id index of
 * an agent with a component that is not finite. */
static void take_wish(const struct frame *frame, struct strip *strip, uint32_t k, float (*wish)[STRIP_CAPACITY]) {
  const uint32_t slot = strip->begin + k, id = frame->front->id[slot];
  const float limit = wanted_limit_of(frame, slot);
  float a[3];
  for (int c = 0; c < 3; c++) {
    a[c] = wish[c][k];
    if (!(fabsf(a[c]) <= FLT_MAX) && (strip->bad_wish == 0 || id < strip->bad_wish)) strip->bad_wish = id;
    a[c] = a[c] > MOST_SPEED ? MOST_SPEED : a[c] < -MOST_SPEED ? -MOST_SPEED : a[c];
  }
  const float q = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
  const bool longer = q > limit * limit;
  for (int c = 0; c < 3; c++) strip->rule[RULE_LIST + strip->entry][c][k] = longer ? a[c] * (limit / sqrtf(q)) : a[c];
}

static void call(const struct frame *frame, struct strip *strip, uint32_t number) {
  ASSERT_ALONE(strip->end - strip->begin <= STRIP_AGENTS);
  uint8_t group[STRIP_AGENTS], wanted[STRIP_AGENTS];
  if (!find_callers(frame, strip, number, group, wanted)) return;
  float(*wish)[STRIP_CAPACITY] = strip->blended; /* unused until the blend */
  const bool spatial = is_spatial(frame);
  memset(wish, 0, 3 * sizeof *wish);
  throng_block block = make_block(frame, strip);
  block.group = group;
  block.wanted = wanted;
  block.acceleration_x = wish[0];
  block.acceleration_y = spatial ? wish[1] : NULL;
  block.acceleration_z = wish[2];
  lanes_rest();
  frame->callbacks->call[number](&block, frame->callbacks->context[number]);
  for (uint32_t k = 0; k < block.count; k++) {
    if (wanted[k]) take_wish(frame, strip, k, wish);
  }
}

void BEHAVIOUR(callback)(const struct frame *frame, struct strip *strip) {
  if (!frame->groups->entry[strip->entry].mixed) memset(strip->rule[RULE_LIST + strip->entry], 0, sizeof *strip->rule);
  for (uint32_t number = 0; number < THRONG_MAX_CALLBACKS; number++) {
    if (frame->callbacks->call[number]) call(frame, strip, number);
  }
}
