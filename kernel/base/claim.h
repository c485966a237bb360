/* claim.h: makes sure that only one call at a time changes a world or runs its passes. Such a call claims the world. A
 * second call, from a callback, a hook or another thread, fails before it reads anything else of the world.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_CLAIM_H
#define THRONG_KERNEL_BASE_CLAIM_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/assertion.h"
#include "base/error.h"
#include "base/float_environment.h"

struct claim {
  atomic_bool taken;
};

/* Claims the world. Returns false if another call has claimed it. */
static inline bool claim_take(struct claim *claim) {
  return !atomic_exchange_explicit(&claim->taken, true, memory_order_acquire);
}
static inline void claim_give_back(struct claim *claim) {
  atomic_store_explicit(&claim->taken, false, memory_order_release);
}

/* For a public function that changes a world or runs its passes: claims the world, and runs the inner function in the
 * float environment. An inner function that computes must be OUT_OF_LINE (float_environment.h). */
#define RETURN_ALONE(world, error, call)                                                                               \
  do {                                                                                                                 \
    REQUIRE_POINTER(world, error);                                                                                     \
    if (!claim_take(&(world)->claim)) return throng_fail_busy(error);                                                  \
    const struct float_environment caller = float_environment_enter();                                                 \
    const throng_status answer = (call);                                                                               \
    float_environment_leave(caller);                                                                                   \
    claim_give_back(&(world)->claim);                                                                                  \
    return answer;                                                                                                     \
  } while (0)

/* For a public function that destroys something of a world: claims the world, or asserts and returns. */
#define CLAIM_OR_RETURN(world)                                                                                         \
  do {                                                                                                                 \
    const bool no_other_call_runs = claim_take(&(world)->claim);                                                       \
    ASSERT(world, no_other_call_runs);                                                                                 \
    if (!no_other_call_runs) return;                                                                                   \
  } while (0)

#endif
