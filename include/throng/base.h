/* throng/base.h: version, status and error, ids, spans, and the hooks that a host may set.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_BASE_H
#define THRONG_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of these headers, by semantic versioning: before 1.0 a new minor version may break what was. */
#define THRONG_VERSION_MAJOR 0
#define THRONG_VERSION_MINOR 2
#define THRONG_VERSION_PATCH 0

/* THRONG_API marks the exported functions. Define THRONG_SHARED when you link the shared library on Windows;
 * throng itself is compiled with THRONG_BUILD. CMake's throng::throng target sets both. */
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

/* Units everywhere: metres, seconds, radians, kilograms; right-handed axes, +y up; float is IEEE binary32. */
typedef struct throng_vec3 {
  float x, y, z;
} throng_vec3;

/* What a call answers. Every call that can fail returns one, and leaves the world as it was unless it is THRONG_OK. */
typedef enum throng_status {
  THRONG_OK = 0,
  THRONG_ERROR_NULL_ARGUMENT, /* a required pointer is NULL */
  THRONG_ERROR_BAD_COOKIE,    /* a definition that did not come from its throng_default_..._def() */
  THRONG_ERROR_BAD_VALUE,     /* a number or enumerator outside its documented range */
  THRONG_ERROR_NOT_FINITE,    /* a NaN or an infinity, given or (in a step) computed */
  THRONG_ERROR_OUT_OF_RANGE,  /* a position outside the world's box, or beyond 2^22 bins (2^20 R) from the origin */
  THRONG_ERROR_OUT_OF_MEMORY, /* the allocator answered NULL */
  THRONG_ERROR_CAPACITY,      /* a caller's array is too small, or a limit (2^31 agents, 256 groups) is reached */
  THRONG_ERROR_STALE_ID,      /* an id whose agent was removed, or that never was given out */
  THRONG_ERROR_FOREIGN_ID,    /* an id of another world */
  THRONG_ERROR_NO_GROUP,      /* a group number that was never defined */
  THRONG_ERROR_NOT_INDEXED,   /* a query on a world whose agents changed since the last step or index */
  THRONG_ERROR_NOT_STEERED,   /* throng_world_integrate without a throng_world_steer before it */
  THRONG_ERROR_BLOCKED,       /* an agent would stand inside a blocked cell or inside scenery */
  THRONG_ERROR_UNSUPPORTED,   /* an instruction set that this CPU or build lacks, or a feature of the other space */
  THRONG_ERROR_WRITE          /* a hook of the host's could not write what it was given */
} throng_status;

/* The name of a status, for example "THRONG_ERROR_STALE_ID". Never NULL. Thread-safe. */
THRONG_API const char *throng_status_name(throng_status status);

/* An agent's stable name. Index 0 is the null id; a zeroed id is null. An index is given out again after its agent was
 * removed, with the next generation; an index whose 65 535 generations are used up is retired.
 * `world` is the number in the world's definition (throng_world_def.id_world); it never touches the arithmetic. */
typedef struct throng_agent_id {
  uint32_t index;
  uint16_t generation;
  uint16_t world;
} throng_agent_id;

/* Whether two ids are the same; all null ids are. Thread-safe. */
THRONG_API bool throng_agent_id_equal(throng_agent_id a, throng_agent_id b);

/* Where a failing call says what is wrong: optional (NULL) last parameter of every call that can fail, owned by the
 * caller, written only on failure. The text names the argument, the value and what is allowed. */
typedef struct throng_error {
  throng_status status;
  throng_agent_id agent; /* the failing agent, or the null id: of a step or an index the one with the smallest id index,
                            of a call with ids the first in the caller's order */
  char text[200];        /* one line, no newline, always terminated */
} throng_error;

/* Instruction sets, in rising order on x86-64. AUTO is the best that CPU, build and THRONG_ISA allow.
 * They differ in speed only: every one gives the same bits. */
typedef enum throng_isa {
  THRONG_ISA_AUTO = 0,
  THRONG_ISA_BASELINE, /* 4 lanes: SSE2, or plain C where the build has no SIMD */
  THRONG_ISA_AVX2,     /* 8 lanes */
  THRONG_ISA_AVX512,   /* 16 lanes: AVX-512 F, BW, DQ, VL */
  THRONG_ISA_NEON,     /* 4 lanes: AArch64 */
  THRONG_ISA_COUNT
} throng_isa;

/* "auto", "baseline", "avx2", "avx512", "neon"; "?" for anything else. Thread-safe. */
THRONG_API const char *throng_isa_name(throng_isa isa);
/* The reverse of throng_isa_name; THRONG_ISA_COUNT if `name` is NULL or unknown. Thread-safe. */
THRONG_API throng_isa throng_isa_from_name(const char *name);
/* Whether this build and this CPU can run `isa`. AUTO always can. Thread-safe. */
THRONG_API bool throng_isa_is_available(throng_isa isa);

/* Memory. `allocate` answers `size` bytes aligned to `alignment` (a power of two, at most 4096), or NULL; `release` gets
 * the same size back. Both NULL: aligned_alloc and free. Called only by create, destroy, reserve, add, set_cells,
 * set_scenery, set_flow_field, set_path, set_pattern, set_formation, fill_formation, throng_world_load_snapshot and the first
 * use of an optional column, never by a step or a query. May be called from the thread
 * that makes the call only. */
typedef struct throng_allocator {
  void *(*allocate)(size_t size, size_t alignment, void *context);
  void (*release)(void *memory, size_t size, size_t alignment, void *context);
  void *context;
} throng_allocator;

/* A line of text from the library: no newline. NULL (default): silent. Called from the calling thread only. */
typedef struct throng_log_hook {
  void (*write)(const char *text, void *context);
  void *context;
} throng_log_hook;

/* A broken assertion in the library (a defect of ours, never of the caller's). NULL (default): abort(). Assertions are
 * compiled in where NDEBUG is not defined, and in hardened builds (THRONG_HARDENED). May be called from a worker. */
typedef struct throng_assert_hook {
  void (*failed)(const char *condition, const char *file, int line, void *context);
  void *context;
} throng_assert_hook;

/* What the time of a frame goes to. */
typedef enum throng_pass {
  THRONG_PASS_FRAME = 0,  /* a throng_world_step or throng_world_integrate; within it: */
  THRONG_PASS_STRIPS,     /* all strips of agents, under a neighbour budget after their thinning; each with these passes: */
  THRONG_PASS_NEIGHBOURS, /*   separation, cohesion, alignment, avoidance; with AVX-512 and avoidance some frames have every
                               agent once more, before: packed for that */
  THRONG_PASS_BEHAVIOURS, /*   goals, wander, blend */
  THRONG_PASS_INTEGRATE,  /*   velocity, position, boundary */
  THRONG_PASS_CONSTRAIN,  /*   cells and scenery; where the world has some */
  THRONG_PASS_CONTACT,    /*   solid bodies; where a group has contact: every agent once for each iteration and once more */
  THRONG_PASS_FACING,     /*   facing, and who changes cell */
  THRONG_PASS_INDEX,      /* agents into grid order, after the strips; of a dirty world also alone, before a frame: */
  THRONG_PASS_CHECK,      /*   what the host wrote; of a dirty world */
  THRONG_PASS_KEYS,       /*   the cells that agents are in now; of a dirty world, and where cells are numbered anew */
  THRONG_PASS_HISTOGRAM,  /*   who changes cell, and of those who leaves its band of cells; where there are several bands */
  THRONG_PASS_SCATTER,    /*   the numbers of those who leave, band by band; likewise */
  THRONG_PASS_BANDS,      /*   bands into order, and every column with them */
  THRONG_PASS_COUNT
} throng_pass;

/* "frame", "strips", "neighbours" and so on; "?" for anything else. Thread-safe. */
THRONG_API const char *throng_pass_name(throng_pass pass);

/* What was done, by whom and when. */
typedef struct throng_trace_event {
  throng_pass pass;
  uint32_t worker;           /* that did it, below the world's thread_count; 0 for FRAME, STRIPS and INDEX */
  uint32_t begin, end;       /* the agents [begin, end), never none, by place in the columns: of BANDS after the index,
                                else before it. Those of a pass within one FRAME (or INDEX) cover every agent once, or as
                                often as is said above */
  uint64_t frame;            /* throng_world_frame() when it began */
  uint64_t begin_ns, end_ns; /* nanoseconds, by a monotonic clock */
} throng_trace_event;

/* The time line of each frame: `event` is called when something is done, so one that holds others comes after them.
 * NULL (default): off, and costs nothing. A frame that fails ends without its INDEX and FRAME.
 * Called by the workers at once; but calls with the same `worker` never overlap, and each sees what the one before
 * wrote, so that an array per worker needs no lock. It must not call the world, throw, or change the floating-point
 * environment. Its own time counts to the pass that follows. No bit of the agents depends on it. */
typedef struct throng_trace_hook {
  void (*event)(const throng_trace_event *event, void *context);
  void *context;
} throng_trace_hook;

/* A piece of a frame: works on items [begin, end). Concurrent calls have distinct `worker` < worker_count. */
typedef void throng_task(uint32_t begin, uint32_t end, uint32_t worker, void *task_context);

/* The host's own job system. Default (both NULL): OpenMP.
 * `enqueue` has `task` called on pieces that cover [0, item_count) once each, in any order, on any thread, in pieces of
 * at least `min_range` items where it can; it may run them before it returns. What it returns is handed to `finish`,
 * which returns when every piece is done. The tasks never wait on each other and never throw.
 * Each task sets the floating-point environment that it needs and restores the thread's own. */
typedef struct throng_job_system {
  void *(*enqueue)(throng_task *task, uint32_t item_count, uint32_t min_range, void *task_context, void *context);
  void (*finish)(void *job, void *context);
  void *context;
  uint32_t worker_count; /* 1 to 1024: how many workers may run at once */
} throng_job_system;

#ifdef __cplusplus
}
#endif

#endif
