/* tests/support/stand.h: scenery, set up shape by shape or at random.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_STAND_H
#define TEST_STAND_H

#include "support/check.h"
#include "support/random.h"

#define STAND_MOST 64
typedef struct stand { /* the shapes of a scenery */
  uint32_t balls, walls, boxes, planes;
  throng_vec3 centre[STAND_MOST], from[STAND_MOST], to[STAND_MOST], low[STAND_MOST], high[STAND_MOST],
      point[STAND_MOST], normal[STAND_MOST];
  float radius[STAND_MOST];
} stand;

/* Creates a world whose group 0 has the body radius `body`, wants nothing and has no speed limit. The box reaches from
 * `origin` to `origin` plus `side`. stand_plain_world creates a planar, unbounded one. */
throng_world *stand_world(throng_space space, throng_boundary boundary, float side, throng_vec3 origin, float body,
                          throng_update update);
throng_world *stand_plain_world(float body);

throng_scenery_def stand_def(const stand *s);
void set_stand(throng_world *world, const stand *s);
void add_wall(stand *s, float x0, float z0, float x1, float z1);
void add_ball(stand *s, float x, float y, float z, float radius);

/* A cube (a square in planar worlds) that scenery and agents are placed in. */
typedef struct place {
  throng_space space;
  throng_vec3 origin;
  float side;
} place;
place random_place(test_rng *rng, throng_space space);
throng_vec3 random_point(test_rng *rng, const place *at);
/* Returns random shapes of different sizes. Many walls start where the last one ended, or cross another. */
stand random_stand(test_rng *rng, const place *at);

#endif
