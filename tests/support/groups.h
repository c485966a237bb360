/* tests/support/groups.h: a group definition's list of behaviours, in short words. SPDX-License-Identifier: MIT */
#ifndef TEST_GROUPS_H
#define TEST_GROUPS_H

#include <throng/throng.h>

/* Appends a behaviour; NULL, and nothing changed, if the list is full. */
throng_behaviour *group_add(throng_group_def *g, throng_behaviour_kind kind);
/* The behaviour of a definition's list, added if it has none, with this weight. */
throng_behaviour *group_want(throng_group_def *g, throng_behaviour_kind kind, float weight);
/* Whether the list has the behaviour with a weight. */
bool group_wants(const throng_group_def *g, throng_behaviour_kind kind);
/* Takes the behaviour out of the list. */
void group_forget(throng_group_def *g, throng_behaviour_kind kind);

/* Whether a kind gives an angular acceleration. */
bool kind_turns(throng_behaviour_kind kind);
/* Lets the facing follow the motion at once, and forgets the angular behaviours. */
void group_look_ahead(throng_group_def *g);

/* What blending makes of one behaviour of weight 1. */
throng_vec3 group_blend_one(const throng_group_def *g, throng_vec3 a, bool spatial);

#endif
