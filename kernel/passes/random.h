/* random.h: random draws for a block: a function of seed, id, frame and draw number (docs/ARITHMETIC.md, "Random
 * draws"). SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_RANDOM_H
#define THRONG_KERNEL_PASSES_RANDOM_H

#include "passes/block.h"

/* Draw numbers: 0 to 5 wander, 6 to 9 kinematic wander, 16 + priority dithering, 24 and 25 yielding. */
#define DRAW_KINEMATIC 3u    /* the argument of binomial: draws 6 and 7 */
#define DRAW_KINEMATIC_UP 4u /* the same: draws 8 and 9 */
#define DRAW_DITHER 16u
#define DRAW_RANK 24u
#define DRAW_SIDE 25u

/* The state from which agents' draws at a tick are computed: a counter, not a stream. */
LANES_INLINE lu draw_state_at(const struct frame *frame, lu id, lu meta, uint64_t tick) {
  const uint64_t seed = frame->def->seed;
  lu h = lu_mix(lu_add(lu_set1((uint32_t)seed), id));
  h = lu_mix(lu_xor(h, lu_add(lu_set1((uint32_t)(seed >> 32)), lu_shift_right(meta, 16))));
  return lu_mix(lu_xor(h, lu_set1((uint32_t)tick)));
}
LANES_INLINE lf draw_at(uint64_t tick, lu state, uint32_t k) {
  uint32_t salt = (uint32_t)(tick >> 32) + k * 0x9e3779b9u;
  return lu_to_uniform(lu_mix(lu_xor(state, lu_set1(salt))));
}
/* The draws of this frame. */
LANES_INLINE lu draw_state(const struct frame *frame, uint32_t at) {
  return draw_state_at(frame, lu_load(frame->front->id + at), lu_load(frame->front->meta + at), frame->number);
}
LANES_INLINE lf draw(const struct frame *frame, lu state, uint32_t k) { return draw_at(frame->number, state, k); }
/* The difference of two uniform draws: triangular on (-1, 1), variance 1/6. */
LANES_INLINE lf binomial(const struct frame *frame, lu state, uint32_t k) {
  return lf_sub(draw(frame, state, 2 * k), draw(frame, state, 2 * k + 1));
}

#endif
