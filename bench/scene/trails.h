/* trails.h: where agents were in the last seconds: a ring of past positions of each agent.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_TRAILS_H
#define BENCH_TRAILS_H

#include "scene/scene.h"

#define TRAIL_MOST_SECONDS 3600.0
#define TRAIL_MOST_POINTS 96u /* positions of one agent in the ring */

/* Memory: 12 bytes for each position. A ring has at most 96 positions of each agent, and in large crowds fewer, but at
 * least 8: about 2 000 000 together where that suffices. */
typedef struct trail_ring {
  const bench_scene *scene;
  double seconds; /* how long trails are */
  double frames;  /* the same in frames of the scene */
  uint32_t every; /* frames between two positions */
  uint32_t rows, filled, newest;
  uint32_t ids;          /* agents with greater id indices have no trail */
  uint64_t *frame;       /* [rows] */
  throng_vec3 *position; /* [rows][ids], by id index - 1; x is NaN where there was no agent */
  uint16_t *generation;  /* [ids] of the agent whose trail this is */
} trail_ring;

/* A piece of a trail. */
typedef struct trail_piece {
  throng_vec3 from, to; /* metres; `to` is nearer to the agent along the trail */
  double age;           /* of its middle: 0 at the agent, 1 where the trail ends */
} trail_piece;

/* Makes a ring without positions. `seconds`: above 0, at most TRAIL_MOST_SECONDS. `ring` must be zeroed and `scene`
 * must outlive it. */
bool trails_create(trail_ring *ring, const bench_scene *scene, double seconds, uint32_t largest_id,
                   bench_problem *problem);
void trails_release(trail_ring *ring);
/* Forgets all positions, such as before a restart. */
void trails_clear(trail_ring *ring);
/* Adds where the agents are now. Call it at the start and then every ring->every frames. */
void trails_add(trail_ring *ring, const throng_world *world);
/* Writes the pieces of an agent's trail, from the agent at `position` in frame `now` back to `seconds` before. There is
 * no piece across a seam, or where the agent did not exist. Returns how many there are. */
uint32_t trails_pieces(const trail_ring *ring, uint64_t now, uint32_t id, throng_vec3 position,
                       trail_piece pieces[TRAIL_MOST_POINTS]);

#endif
