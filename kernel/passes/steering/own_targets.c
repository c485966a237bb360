/* own_targets.c: finds the slots of the agents' own targets, and gathers their values, for entry.h. A strip does each
 * step for all its agents, one after another, so that the processor waits for many of them at a time: nearly every
 * access is to another cache line.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "passes/steering/route.h"

/* Kinds that need no velocities of targets, unless vehicles have them. */
#define WITHOUT_VELOCITIES                                                                                             \
  (THRONG_BIT(THRONG_BEHAVIOUR_SEEK) | THRONG_BIT(THRONG_BEHAVIOUR_FLEE) | THRONG_BIT(THRONG_BEHAVIOUR_ARRIVE) |       \
   THRONG_BIT(THRONG_BEHAVIOUR_WANDER) | THRONG_BIT(THRONG_BEHAVIOUR_AVOID_WALLS) |                                    \
   THRONG_BIT(THRONG_BEHAVIOUR_AVOID_OBSTACLES))

static uint32_t float_as_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void find_slots(const struct frame *frame, struct strip *strip) {
  const struct id_table *ids = frame->ids;
  const float *indices = frame->front->f[COLUMN_TARGET_INDEX], *generations = frame->front->f[COLUMN_TARGET_GENERATION];
  for (uint32_t own = strip->begin; own < strip->end; own++) {
    const uint32_t index = indices ? float_as_bits(indices[own]) : 0;
    const struct id_entry *entry = ids_live(ids, index);
    const bool has = entry && entry->generation == (float_as_bits(generations[own]) & 0xFFFFu);
    strip->target[own - strip->begin] = has ? entry_last_slot(entry) : own;
  }
  /* Lanes without an agent are read, too. */
  for (uint32_t k = strip->end - strip->begin; k % LANES != 0; k++) strip->target[k] = strip->begin;
}

static void gather_column(const struct strip *strip, const float *column, float *value) {
  for (uint32_t k = 0; k < strip->end - strip->begin; k++) value[k] = column[strip->target[k]];
}
static void gather_vector(const struct frame *frame, const struct strip *strip, float *const column[3],
                          float (*value)[STRIP_CAPACITY]) {
  gather_column(strip, column[0], value[0]);
  if (is_spatial(frame)) gather_column(strip, column[1], value[1]);
  gather_column(strip, column[2], value[2]);
}

void THRONG_TABLE(find_targets)(const struct frame *frame, struct strip *strip) {
  find_slots(frame, strip);
  gather_vector(frame, strip, frame->front->f + COLUMN_POSITION_X, strip->target_position);
  if (!(frame->groups->kinds & ~WITHOUT_VELOCITIES) && !has_routes(frame)) return;
  gather_vector(frame, strip, frame->front->f + COLUMN_VELOCITY_X, strip->target_velocity);
}

/* Behaviours call it instead of having a copy each, which would take more code than the behaviours themselves. */
void THRONG_TABLE(gather_of_targets)(const struct strip *strip, uint32_t at, const float *column, float value[]) {
  ASSERT_ALONE(at >= strip->begin && at < strip->end);
  const uint32_t *slot = strip->target + (at - strip->begin);
  for (uint32_t k = 0; k < LANES; k++) value[k] = column[slot[k]];
}
