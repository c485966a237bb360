/* own_targets.c: finds the slots of the agents' own targets, and gathers their values, for entry.h.
 * SPDX-License-Identifier: MIT */
#include "passes/block.h"

/* Returns the slot of the live agent with an id; `none` if there is none. */
static uint32_t slot_of(const struct id_table *ids, uint32_t index, uint32_t generation, uint32_t none) {
  if (!ids_is_live(ids, index) || ids->generation[index] != generation) return none;
  return ids_last_slot(ids, index);
}

void THRONG_TABLE(find_targets)(const struct frame *frame, struct strip *strip) {
  const float *index_bits = frame->front->f[COLUMN_TARGET_INDEX];
  const float *generation_bits = frame->front->f[COLUMN_TARGET_GENERATION];
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t lanes = lanes_left(at, strip->end);
    uint32_t index[LANES] = {0}, generation[LANES] = {0}, *target = strip->target + (at - strip->begin);
    if (index_bits) {
      lu_store(index, lf_bits(lf_load(index_bits + at)));
      lu_store(generation, lu_and(lf_bits(lf_load(generation_bits + at)), lu_set1(0xFFFFu)));
    }
    for (uint32_t k = 0; k < LANES; k++)
      target[k] = k < lanes ? slot_of(frame->ids, index[k], generation[k], at + k) : at + k;
  }
}

/* Behaviours call it instead of having a copy each, which would take more code than the behaviours themselves. */
void THRONG_TABLE(gather_of_targets)(const struct strip *strip, uint32_t at, const float *column, float value[]) {
  const uint32_t *slot = strip->target + (at - strip->begin);
  for (uint32_t k = 0; k < LANES; k++) value[k] = column[slot[k]];
}
