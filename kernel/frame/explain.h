/* explain.h: what the rules of one watched agent wanted. SPDX-License-Identifier: MIT */
#ifndef THRONG_EXPLAIN_LIST_H
#define THRONG_EXPLAIN_LIST_H

#include <throng/explain.h>

struct throng_world;
struct frame;
struct strip;

struct watch {
  throng_agent_id agent;        /* index 0: nobody */
  uint32_t slot;                /* where it lies in this frame; UINT32_MAX: nobody is watched, or it is gone */
  throng_explanation now, last; /* of the frame at work; of the last that did not fail (agent 0: none) */
};

/* At a frame's start: finds the watched agent. */
void throng_explain_begin(struct throng_world *world);
/* After the blend of a strip that holds the watched agent: takes note of its rules. */
void throng_explain_strip(struct watch *watch, const struct throng_world *world, const struct frame *frame,
                          const struct strip *strip);
/* At the end of a frame that did not fail. */
void throng_explain_end(struct watch *watch);

#endif
