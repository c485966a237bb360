/* own_team.c: see own_team.h. SPDX-License-Identifier: MIT */
#include "base/own_team.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "base/os_threads.h"

#if defined(OS_THREADS)

/* A call takes at most 32 KB of it in a release build. The rest is for the host's callbacks and hooks, and for builds
 * without optimisation. */
#define STACK_BYTES ((size_t)8 << 20)
#define LOOKS 2048u      /* at a state before a thread sleeps: some 50 microseconds */
#define YIELD_LOOKS 64u  /* looks from one yield of the core to the next: the awaited thread may need this core */
#define MOST_LEFT_OUT 4u /* runs in a row that may leave a member out; if more do, the next runs do not invite it */
#define MOST_REST 6u     /* to at most 2^6 */

/* What a thread does. All changes are exchanges or compares and exchanges, so that no change is lost:
 *   the caller  invites (IDLE or ASLEEP to INVITED), leaves out (INVITED to IDLE), sleeps until it is done (BUSY to
 *               AWAITED), dismisses (to DISMISSED);
 *   the thread  joins (INVITED to BUSY), is done (BUSY or AWAITED to IDLE), sleeps (IDLE to ASLEEP). */
enum state { IDLE, ASLEEP, INVITED, BUSY, AWAITED, DISMISSED };

struct member {
  _Alignas(64) _Atomic uint32_t state;
  _Alignas(64) uint32_t worker;
  uint32_t left_out; /* number of runs in a row that left it out */
  uint32_t rest;     /* runs to which it is not invited: to wake a thread that comes too late costs time */
  bool invited;      /* to this run */
  struct own_team *team;
  struct os_thread thread;
};

struct own_team {
  void (*work)(uint32_t worker, void *context); /* of the run; members read it after they have joined */
  void *context;
  uint32_t workers;       /* capacity: the calling thread and workers - 1 members */
  uint32_t started;       /* members whose threads have started */
  bool refused;           /* the system refused a thread */
  struct member member[]; /* member k is worker k + 1 */
};

static size_t bytes_of(uint32_t workers) { return sizeof(struct own_team) + (workers - 1) * sizeof(struct member); }

struct own_team *throng_own_team_create(uint32_t workers, const throng_allocator *allocator) {
  ASSERT_ALONE(workers >= 1);
  struct own_team *team = throng_allocate(allocator, bytes_of(workers));
  if (team) team->workers = workers;
  return team;
}

static inline void pause_briefly(void) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
  __builtin_ia32_pause();
#elif defined(__GNUC__) && defined(__aarch64__)
  __asm__ volatile("isb");
#endif
}

/* Looks at a state until it is not `from` and not `or_from`, but not for long. Returns the state. */
static uint32_t look_while(_Atomic uint32_t *state, uint32_t from, uint32_t or_from) {
  uint32_t seen = atomic_load_explicit(state, memory_order_acquire);
  for (uint32_t k = 1; k < LOOKS && (seen == from || seen == or_from); k++) {
    pause_briefly();
    if (k % YIELD_LOOKS == 0) throng_os_yield();
    seen = atomic_load_explicit(state, memory_order_acquire);
  }
  return seen;
}

/* Changes a state from `from` to `to`; false if it was another. */
static bool change(_Atomic uint32_t *state, uint32_t from, uint32_t to) {
  return atomic_compare_exchange_strong(state, &from, to);
}

/* Waits for an invitation or the dismissal, and returns which. */
static uint32_t wait_for_call(struct member *own) {
  for (;;) {
    const uint32_t seen = look_while(&own->state, IDLE, ASLEEP);
    if (seen == INVITED || seen == DISMISSED) return seen;
    (void)change(&own->state, IDLE, ASLEEP);
    throng_os_sleep(&own->thread, &own->state, ASLEEP);
  }
}

static void serve(void *context) {
  struct member *own = context;
  while (wait_for_call(own) == INVITED) {
    if (!change(&own->state, INVITED, BUSY)) continue; /* left out */
    own->team->work(own->worker, own->team->context);
    if (atomic_exchange(&own->state, IDLE) == AWAITED) throng_os_wake(&own->thread, &own->state);
  }
}

static void start_threads(struct own_team *team, uint32_t members) {
  while (team->started < members && !team->refused) {
    struct member *next = &team->member[team->started];
    next->worker = team->started + 1;
    next->team = team;
    team->refused = !throng_os_thread_start(&next->thread, STACK_BYTES, serve, next);
    if (!team->refused) team->started++;
  }
}

static void invite(struct member *member) {
  member->invited = member->rest == 0;
  if (!member->invited) {
    member->rest--;
  } else if (atomic_exchange(&member->state, INVITED) == ASLEEP) {
    throng_os_wake(&member->thread, &member->state);
  }
}

/* Notes that the run has left a member out. */
static void note_left_out(struct member *member) {
  if (member->left_out < MOST_LEFT_OUT + MOST_REST) member->left_out++;
  if (member->left_out > MOST_LEFT_OUT) member->rest = 1u << (member->left_out - MOST_LEFT_OUT);
}

/* Waits until a member that has joined is done. The wait ends in sleep, because the system may need this core for the
 * member. */
static void wait_for(struct member *member) {
  member->left_out = 0;
  if (look_while(&member->state, BUSY, BUSY) == IDLE) return;
  (void)change(&member->state, BUSY, AWAITED);
  while (atomic_load_explicit(&member->state, memory_order_acquire) == AWAITED) {
    throng_os_sleep(&member->thread, &member->state, AWAITED);
  }
}

void throng_own_team_run(struct own_team *team, uint32_t workers, void (*work)(uint32_t worker, void *context),
                         void *context) {
  ASSERT_ALONE(workers >= 1 && workers <= team->workers);
  start_threads(team, workers - 1);
  const uint32_t members = workers - 1 < team->started ? workers - 1 : team->started;
  team->work = work;
  team->context = context;
  for (uint32_t k = 0; k < members; k++) invite(&team->member[k]);
  work(0, context);
  for (uint32_t k = 0; k < members; k++) {
    struct member *member = &team->member[k];
    if (!member->invited) continue;
    if (change(&member->state, INVITED, IDLE)) {
      note_left_out(member);
    } else {
      wait_for(member);
    }
  }
}

void throng_own_team_destroy(struct own_team *team, bool threads_lost, const throng_allocator *allocator) {
  if (!team) return;
  for (uint32_t k = 0; k < team->started && !threads_lost; k++) {
    struct member *member = &team->member[k];
    if (atomic_exchange(&member->state, DISMISSED) == ASLEEP) throng_os_wake(&member->thread, &member->state);
    throng_os_thread_join(&member->thread);
  }
  throng_release(allocator, team, bytes_of(team->workers));
}

#else /* no threads, as in WebAssembly: the executor runs serially */

struct own_team *throng_own_team_create(uint32_t workers, const throng_allocator *allocator) {
  (void)workers, (void)allocator;
  return NULL;
}

void throng_own_team_destroy(struct own_team *team, bool threads_lost, const throng_allocator *allocator) {
  (void)team, (void)threads_lost, (void)allocator;
}

void throng_own_team_run(struct own_team *team, uint32_t workers, void (*work)(uint32_t worker, void *context),
                         void *context) {
  (void)team, (void)workers;
  work(0, context);
}

#endif
