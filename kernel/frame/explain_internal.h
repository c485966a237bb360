/* frame/explain_internal.h: collects what each rule of the watched agent wanted. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_FRAME_EXPLAIN_INTERNAL_H
#define THRONG_KERNEL_FRAME_EXPLAIN_INTERNAL_H

struct throng_world;
struct frame;
struct strip;
struct watch;

/* At a frame's start: finds the slot of the watched agent. */
void throng_explain_begin(struct throng_world *world);
/* After the blend of the strip with the watched agent: copies its contributions. */
void throng_explain_strip(struct watch *watch, const struct throng_world *world, const struct frame *frame,
                          const struct strip *strip);
/* At the end of a frame that did not fail: publishes the explanation. */
void throng_explain_end(struct watch *watch);

#endif
