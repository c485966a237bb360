/* explain.h: what the rules of one watched agent wanted. SPDX-License-Identifier: MIT */
#ifndef THRONG_EXPLAIN_LIST_H
#define THRONG_EXPLAIN_LIST_H

struct throng_world;
struct frame;
struct strip;
struct watch;

/* At a frame's start: finds the watched agent. */
void throng_explain_begin(struct throng_world *world);
/* After the blend of a strip that holds the watched agent: takes note of its rules. */
void throng_explain_strip(struct watch *watch, const struct throng_world *world, const struct frame *frame,
                          const struct strip *strip);
/* At the end of a frame that did not fail. */
void throng_explain_end(struct watch *watch);

#endif
