/* throng/base.h: version, status and error, ids, spans, and the hooks that a host may set.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_BASE_H
#define THRONG_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of these headers, by semantic versioning. Before 1.0, a new minor version may change the interface. */
#define THRONG_VERSION_MAJOR 0
#define THRONG_VERSION_MINOR 2
#define THRONG_VERSION_PATCH 0

/* THRONG_API marks exported functions. On Windows, define THRONG_SHARED when you link the shared library. throng
 * itself is compiled with THRONG_BUILD. CMake's target throng::throng sets both. */
#if defined(_WIN32) && defined(THRONG_SHARED)
#ifdef THRONG_BUILD
#define THRONG_API __declspec(dllexport)
#else
#define THRONG_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define THRONG_API __attribute__((visibility("default")))
#else
#define THRONG_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The bit of a number from 0 to 63 in a set, such as that of a column in a set of columns. */
#define THRONG_BIT(number) ((uint64_t)1 << (number))

/* Units everywhere: metres, seconds, radians, kilograms; right-handed axes, +y up; float is IEEE binary32. */
typedef struct throng_vec3 {
  float x, y, z;
} throng_vec3;

/* The result of a call. Every call that can fail returns one. If it is not THRONG_OK, the call changed nothing. */
typedef enum throng_status {
  THRONG_OK = 0,
  THRONG_ERROR_NULL_ARGUMENT, /* a required pointer is NULL */
  THRONG_ERROR_BAD_COOKIE,    /* a definition that did not come from its throng_default_..._def() */
  THRONG_ERROR_BAD_VALUE,     /* a number or enumerator outside its documented range */
  THRONG_ERROR_NOT_FINITE,    /* a NaN or an infinity, in an argument or computed by a step */
  THRONG_ERROR_OUT_OF_RANGE,  /* a position outside the box; a position or goal over 2^20 R (2^22 bins) from 0 */
  THRONG_ERROR_OUT_OF_MEMORY, /* the allocator returned NULL */
  THRONG_ERROR_CAPACITY,      /* a caller's array is too small, or a limit (2^31 agents, 256 groups) is reached */
  THRONG_ERROR_STALE_ID,      /* an id whose agent was removed, or that no agent ever had */
  THRONG_ERROR_FOREIGN_ID,    /* an id of another world */
  THRONG_ERROR_NO_GROUP,      /* a group number that was never defined */
  THRONG_ERROR_NOT_INDEXED,   /* a query on a dirty world (throng_world_index says when it is); a view or an edit after
                                 removals; a snapshot after agents changed; a pass without a grid */
  THRONG_ERROR_NOT_STEERED,   /* throng_world_integrate without a throng_world_steer before it */
  THRONG_ERROR_BLOCKED,       /* an agent would be inside a blocked cell or inside scenery */
  THRONG_ERROR_UNSUPPORTED,   /* an instruction set that this CPU or build lacks, or a feature of the other space */
  THRONG_ERROR_WRITE,         /* a hook could not write the bytes that it was given */
  THRONG_ERROR_BUSY           /* a call that changes the world while another one changes or steps it, or runs a batch */
} throng_status;

/* One call at a time changes a world: every function that takes a `throng_world *` (not const), a recorder or passes
 * claims the world until it returns. Meanwhile such a call from a callback, a hook or another thread returns BUSY and
 * changes nothing; the call that runs goes on unharmed. Each of these functions can return BUSY; their lists of errors
 * do not repeat it. A function that destroys something has no status: it then does nothing, and an assertion fails. */

/* The name of a status, for example "THRONG_ERROR_STALE_ID". Never NULL. Thread-safe. */
THRONG_API const char *throng_status_name(throng_status status);

/* An agent's id, which never changes. Index 0 is the null id; a zeroed id is null. When an agent is removed, its
 * index is given to a later agent with the next generation. An index that has used all of its 65 535 generations is
 * retired. `world` is throng_world_def.id_world; no result depends on it. */
typedef struct throng_agent_id {
  uint32_t index;
  uint16_t generation;
  uint16_t world;
} throng_agent_id;

/* Whether two ids are equal. All null ids are equal. Thread-safe. */
THRONG_API bool throng_agent_id_equal(throng_agent_id a, throng_agent_id b);

/* What a failing call reports. It is the last parameter of every call that can fail, and may be NULL. The caller owns
 * it. A call writes it only if it fails. The text names the argument, its value and what is allowed. */
typedef struct throng_error {
  throng_status status;
  throng_agent_id agent; /* the agent of the error, or the null id. If several agents have an error, a step or an index
                            reports the one with the smallest id index, and a call with ids the first one in the
                            caller's order */
  char text[200];        /* one line without a newline, always terminated by 0 */
} throng_error;

/* Instruction sets, in increasing order on x86-64. AUTO is the best one that the CPU, the build and THRONG_ISA
 * allow. They differ in speed only: all give the same bits. */
typedef enum throng_isa {
  THRONG_ISA_AUTO = 0,
  THRONG_ISA_BASELINE, /* 4 lanes: SSE2, or plain C if the build has no SIMD */
  THRONG_ISA_AVX2,     /* 8 lanes */
  THRONG_ISA_AVX512,   /* 16 lanes: AVX-512 F, BW, DQ, VL */
  THRONG_ISA_NEON,     /* 4 lanes: AArch64 */
  THRONG_ISA_COUNT
} throng_isa;

/* Returns "auto", "baseline", "avx2", "avx512" or "neon"; "?" for anything else. Thread-safe. */
THRONG_API const char *throng_isa_name(throng_isa isa);
/* Returns the instruction set of that name; THRONG_ISA_COUNT if `name` is NULL or unknown. Thread-safe. */
THRONG_API throng_isa throng_isa_from_name(const char *name);
/* Whether this build and this CPU can run `isa`. AUTO always can. Thread-safe. */
THRONG_API bool throng_isa_is_available(throng_isa isa);

/* The threads that step a world together with the calling thread. They differ in speed only: all give the same bits.
 * docs/INTEGRATION.md, "Threads", says which to choose. AUTO stands for the one kind that a build has, if it has only
 * one. A build without OpenMP has the team instead, and a build without threads (WebAssembly) only SERIAL. Inside the
 * host's own OpenMP region, calls run on the calling thread alone. */
typedef enum throng_threads {
  THRONG_THREADS_OPENMP = 0, /* OpenMP's: they belong to the process. Each pass waits for all of them */
  THRONG_THREADS_TEAM,       /* the world's own. They start in the first frame that needs them, with stacks of 8 MB,
                                and end in throng_world_destroy. No pass waits for a thread that has not begun with it,
                                because other threads of the host keep it waiting. If the system refuses threads, there
                                are fewer. They are bound to no core */
  THRONG_THREADS_SERIAL,     /* none: the calling thread alone */
  THRONG_THREADS_AUTO,       /* OpenMP's at first. Once a second has two late frames, the team's until the world is
                                destroyed; then the log hook gets one line. A frame is late if the calling thread waits
                                far longer for the others than it works */
  THRONG_THREADS_COUNT
} throng_threads;

/* Returns "openmp", "team", "serial" or "auto"; "?" for anything else. Thread-safe. */
THRONG_API const char *throng_threads_name(throng_threads threads);
/* Returns the threads of that name; THRONG_THREADS_COUNT if `name` is NULL or unknown. Thread-safe. */
THRONG_API throng_threads throng_threads_from_name(const char *name);

/* The host's allocator. `allocate` returns `size` bytes aligned to `alignment`, a power of two of at most 4096, or
 * NULL. `release` receives the same size and alignment. Default (both NULL): aligned_alloc and free. Only these calls
 * allocate or release memory: create, destroy, reserve, add, set_cells, set_scenery, set_flow_field, set_path,
 * set_pattern, set_formation, set_attractors, set_speed_zones, fill_formation, throng_world_load_snapshot, and the
 * first use of an optional column. Steps and queries never do.
 * The hook is called only from the thread that makes the call. */
typedef struct throng_allocator {
  void *(*allocate)(size_t size, size_t alignment, void *context);
  void (*release)(void *memory, size_t size, size_t alignment, void *context);
  void *context;
} throng_allocator;

/* Receives a line of text from the library, without a newline. NULL (default): no text. It is called only from the
 * thread that makes the call. */
typedef struct throng_log_hook {
  void (*write)(const char *text, void *context);
  void *context;
} throng_log_hook;

/* Called when an assertion fails: the library has a defect, or the host destroys something of a world during a call
 * that changes that world. NULL (default): abort(). Assertions are compiled in if NDEBUG is not defined, and in
 * hardened builds (THRONG_HARDENED). It may be called from a worker. Code of the library without a pointer to a world
 * always calls abort(). */
typedef struct throng_assert_hook {
  void (*failed)(const char *condition, const char *file, int line, void *context);
  void *context;
} throng_assert_hook;

/* The stages of a frame whose time is measured. */
typedef enum throng_pass {
  THRONG_PASS_FRAME = 0,  /* a throng_world_step or throng_world_integrate; it contains: */
  THRONG_PASS_STRIPS,     /* all strips of agents; with a neighbour budget, first the thinning. It contains, for each
                             strip: */
  THRONG_PASS_NEIGHBOURS, /*   separation, cohesion, alignment, avoidance. With AVX-512 and avoidance, some frames first
                                                            pack every agent */
  THRONG_PASS_BEHAVIOURS, /*   goals, wander, blend */
  THRONG_PASS_INTEGRATE,  /*   velocity, position, boundary */
  THRONG_PASS_CONSTRAIN,  /*   cells and scenery; if the world has some */
  THRONG_PASS_CONTACT,    /*   solid bodies; if a group has contact: every agent once per iteration and once more */
  THRONG_PASS_FACING,     /*   facing, and which agents change cell */
  THRONG_PASS_INDEX,      /* the sort into grid order, after the strips; if the host has changed agents, also before the
                             frame. It contains: */
  THRONG_PASS_CHECK,      /*   checks what the host wrote; only before the frame */
  THRONG_PASS_KEYS,       /*   finds the agents' cells; before the frame, or if cells get new numbers */
  THRONG_PASS_HISTOGRAM,  /*   lists agents that change cell, and counts agents that leave their band. HISTOGRAM and
                             SCATTER run only if more than about 1 of 32 agents leaves its band, or if the old order
                             cannot be used. In other frames one thread does their work, and there is no event */
  THRONG_PASS_SCATTER,    /*   hands the agents that left their band to their new bands */
  THRONG_PASS_BANDS,      /*   sorts the bands and all columns */
  THRONG_PASS_COUNT
} throng_pass;

/* Returns "frame", "strips", "neighbours" and so on; "?" for anything else. Thread-safe. */
THRONG_API const char *throng_pass_name(throng_pass pass);

/* Which pass a worker ran, on which agents, and when. */
typedef struct throng_trace_event {
  throng_pass pass;
  uint32_t worker;           /* the worker of the pass, below the world's thread_count; 0 for FRAME, STRIPS and INDEX */
  uint32_t begin, end;       /* the agents [begin, end), at least one, by their slot: for BANDS after the sort, for
                                others before it. The events of a pass within one FRAME or INDEX cover every agent
                                once, or as often as stated above */
  uint64_t frame;            /* throng_world_frame() at the beginning */
  uint64_t begin_ns, end_ns; /* nanoseconds, by a monotonic clock */
} throng_trace_event;

/* Receives the time line of each frame. `event` is called at the end of a pass, so that an event comes after the events
 * that it contains. NULL (default): off, at no cost. A frame that fails has no INDEX and FRAME.
 * Workers call it concurrently, but never with the same `worker` at the same time. What one call writes is visible to
 * the next call with the same `worker`. An array with an element per worker therefore needs no lock. The hook must not
 * call the world, throw, or change the floating-point environment. Its own time counts as part of the next pass. The
 * agents have the same bits with and without the hook. */
typedef struct throng_trace_hook {
  void (*event)(const throng_trace_event *event, void *context);
  void *context;
} throng_trace_hook;

/* A part of a frame: works on items [begin, end). Concurrent calls have different workers, each below worker_count. */
typedef void throng_task(uint32_t begin, uint32_t end, uint32_t worker, void *task_context);

/* The host's job system. Default (both NULL): none; then throng_threads says whose threads run tasks.
 * `enqueue` calls `task` on ranges that cover [0, item_count) exactly once, in any order, on any thread. A range has
 * at least `min_range` items if possible. `enqueue` may run tasks before it returns. `finish` receives the value
 * that `enqueue` returned, and returns when all ranges are done. Tasks never wait for each other and never throw.
 * Each task sets the floating-point environment that it needs, and restores the thread's own. */
typedef struct throng_job_system {
  void *(*enqueue)(throng_task *task, uint32_t item_count, uint32_t min_range, void *task_context, void *context);
  void (*finish)(void *job, void *context);
  void *context;
  uint32_t worker_count; /* maximum of concurrent workers, 1 to 1024 */
} throng_job_system;

#ifdef __cplusplus
}
#endif

#endif
