/* tests/support/groups.h: short functions for a group definition's list of behaviours.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_GROUPS_H
#define TEST_GROUPS_H

#include <throng/throng.h>

/* Appends a behaviour and returns it. Returns NULL and changes nothing if the list is full. */
throng_behaviour *group_add(throng_group_def *g, throng_behaviour_kind kind);
/* Sets the weight of the list's first behaviour of this kind and returns it. Adds the behaviour if there is none;
 * aborts if the list is full. */
throng_behaviour *group_want(throng_group_def *g, throng_behaviour_kind kind, float weight);
/* Whether the list has a behaviour of this kind with a weight other than 0. */
bool group_wants(const throng_group_def *g, throng_behaviour_kind kind);
/* Removes all behaviours of this kind from the list. */
void group_forget(throng_group_def *g, throng_behaviour_kind kind);

/* Whether a kind gives an angular acceleration. */
bool kind_turns(throng_behaviour_kind kind);
/* Makes the facing follow the motion at once, and removes the angular behaviours. */
void group_look_ahead(throng_group_def *g);

/* Returns the blended acceleration if `a` is the only wanted one and its weight is 1: `a`, clipped to
 * max_acceleration. */
throng_vec3 group_blend_one(const throng_group_def *g, throng_vec3 a, bool spatial);

#endif
