/* tests/support/stand.h: scenery, set up shape by shape or at random.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_STAND_H
#define TEST_STAND_H

#include "support/check.h"
#include "support/random.h"

#define STAND_MOST 324 /* 12 shapes with 27 images each */
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

/* What a world has beside shapes: scenery cells, and the faces of a box. */
#define BORDERS_MOST 576
typedef struct borders {
  bool mapped, box;
  throng_cells_def cells; /* its `blocked` is not set: see below */
  uint8_t blocked[BORDERS_MOST];
  throng_vec3 low, high;
} borders;
/* Returns random borders around the place, or none. Agents of the place are in the box, but some are outside of the
 * map. */
borders random_borders(test_rng *rng, const place *at);
/* Returns the cells; NULL if there are none. */
const throng_cells_def *borders_cells(borders *b);
/* Sets the box of a world's definition, and the cells of the world. */
void set_borders_box(throng_world_def *def, const borders *b);
void set_borders_cells(throng_world *world, borders *b);

/* Returns random shapes of different sizes. Many walls start where the last one ended, or cross another. */
stand random_stand(test_rng *rng, const place *at);

#endif
