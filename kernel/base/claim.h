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
  /* In debug builds, checks the whole world; NULL: no check. */
  bool (*check)(const throng_world *world, throng_error *error);
  uint32_t unchecked; /* CHECKED_AGENTS for each call since the last check */
};

/* Claims the world. Returns false if another call has claimed it. */
static inline bool claim_take(struct claim *claim) {
  return !atomic_exchange_explicit(&claim->taken, true, memory_order_acquire);
}
static inline void claim_give_back(struct claim *claim) {
  atomic_store_explicit(&claim->taken, false, memory_order_release);
}

/* A debug build checks the world after each call, but a world of more than CHECKED_AGENTS agents only after each
 * (count / CHECKED_AGENTS)th: many tests add the agents of a large world one by one. */
#define CHECKED_AGENTS 1000u
#ifdef NDEBUG
#define CHECK_WHOLE(world) ((void)0)
#else
#define CHECK_WHOLE(world) claim_check(&(world)->claim, world, (world)->agents.count, &(world)->def.assertion)
static inline void claim_check(struct claim *claim, const throng_world *world, uint32_t agents,
                               const throng_assert_hook *hook) {
  throng_error error;
  claim->unchecked += CHECKED_AGENTS;
  if (!claim->check || claim->unchecked < agents) return;
  claim->unchecked = 0;
  if (!claim->check(world, &error)) throng_assertion_failed(hook, error.text, __FILE__, __LINE__);
}
#endif

/* For a public function that changes a world or runs its passes: claims the world, and runs the inner function in the
 * float environment. An inner function that computes must be OUT_OF_LINE (float_environment.h). */
#define RETURN_ALONE(world, error, call)                                                                               \
  do {                                                                                                                 \
    REQUIRE_POINTER(world, error);                                                                                     \
    if (!claim_take(&(world)->claim)) return throng_fail_busy(error);                                                  \
    const struct float_environment caller = float_environment_enter();                                                 \
    const throng_status answer = (call);                                                                               \
    float_environment_leave(caller);                                                                                   \
    CHECK_WHOLE(world);                                                                                                \
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
