/* guides/reach.h: where the items of a list act: attractors, speed zones. A grid finds the items near a block of
 * agents. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GUIDES_REACH_H
#define THRONG_KERNEL_GUIDES_REACH_H

#include "base/memory.h"
#include "base/space.h"
#include "scenery/scenery_internal.h"

struct reach {
  /* A ball or a box for each item, followed by its images along periodic axes. They are never scenery. */
  struct scenery areas;
  uint32_t *of; /* [areas.shapes] the item of each area */
};

/* Returns the ball or box around item k of a list. The areas of a list are of one kind. */
typedef struct shape reach_area(const void *list, uint32_t k);

/* Makes the areas of `count` items, at least 1, of a planar or spatial list. Returns false if there is no memory. The
 * caller then releases what the reach holds. */
bool throng_reach_make(const struct space *space, const throng_allocator *allocator, const void *list, uint32_t count,
                       reach_area *area, struct reach *reach);
void throng_reach_release(struct reach *reach, const throng_allocator *allocator);
/* Shifts the areas of a list whose items have been shifted. Each area is computed from its item again, so the reverse
 * shift restores its bits. Its corners may round inward, but it stays in the cells in which it was put, and only cells
 * are read. */
void throng_reach_shift(struct reach *reach, const void *list, reach_area *area, const float shift[3]);

/* Checks the point of item k: within the limit of positions, and in the box or on a face along periodic axes. `list`
 * and `member` are names for the error. */
throng_status throng_reach_check_point(const struct space *space, const float p[3], const char *list, uint32_t k,
                                       const char *member, throng_error *error);
/* As throng_scenery_check_shift, for the point of item k. Images move as their items do: only axes without a period can
 * be shifted. */
throng_status throng_reach_check_shift(const throng_vec3 *point, const char *member, uint32_t k, const float shift[3],
                                       float limit, throng_error *error);

#endif
