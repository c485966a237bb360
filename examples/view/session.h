/* session.h: a scene and its world. The functions start, step, time and restart it.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_SESSION_H
#define VIEW_SESSION_H

#include "scene/scene.h"
#include "scene/trails.h"
#include "view_options.h"

typedef enum session_pass {
  PASS_NEIGHBOURS = 0,
  PASS_BEHAVIOURS,
  PASS_INTEGRATE,
  PASS_CONSTRAIN, /* includes contact */
  PASS_INDEX,
  SESSION_PASSES
} session_pass;
extern const char *const session_pass_names[SESSION_PASSES];

#define SESSION_INSTANCE_FLOATS 12

/* Means over the frames since the world was created or session_begin_times was called. */
typedef struct session_times {
  double frame_ms, pass_ms[SESSION_PASSES]; /* elapsed time; the passes nearly add up to the frame */
  double agents_per_ms, mean_neighbours;
} session_times;

typedef struct view_session {
  bench_scene scene;
  bench_crowd start;
  uint8_t *group_of; /* by id index */
  uint8_t *level_of; /* by id index: 0, 1, 2 or 3 for the periods 1, 2, 4 and 8; set by session_look_at_periods */
  float *period;     /* scratch, one for each agent */
  uint32_t largest_id;
  trail_ring trails; /* without memory unless --trails is given */
  throng_world *world;
  throng_isa isa;
  uint32_t threads;
  throng_agent_id selected; /* {0}: no agent */
  session_times times;
  float (*instance)[SESSION_INSTANCE_FLOATS]; /* [start.count] 3 x 4 matrices in the order of the view; set by
                                                 session_read_instances */
} view_session;

bool session_open(view_session *session, const view_options *options, bench_problem *problem);
void session_close(view_session *session);
/* Creates the world again, in the state of the start. The selected agent stays selected. */
bool session_restart(view_session *session, bench_problem *problem);
bool session_step(view_session *session, bench_problem *problem);
/* Sets session->instance: the poses to draw, from those before the last frame (alpha 0) to those after it (1). */
bool session_read_instances(view_session *session, float alpha, bench_problem *problem);
/* Sets session->times. If no frame was stepped since session_begin_times, they do not change. */
void session_take_times(view_session *session);
/* Resets the profile of the world. */
void session_begin_times(view_session *session);
/* Selects the agent with the id index `id`; 0: no agent. It is explained from the next frame on. */
bool session_select(view_session *session, uint32_t id, bench_problem *problem);
/* Sets the bounds in metres: those of the box, or of nearly all agents. */
void session_extent(const view_session *session, float min[3], float max[3]);
/* Sets session->level_of. */
void session_look_at_periods(view_session *session);
throng_view session_view(const view_session *session);
/* Returns where agent k of the view is drawn. */
throng_vec3 session_drawn_position(const view_session *session, uint32_t k);

static inline bool session_is_planar(const view_session *session) {
  return session->scene.world.space == THRONG_SPACE_PLANAR;
}

#endif
