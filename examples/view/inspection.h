/* inspection.h: the state, explanation and neighbours of the selected agent.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_INSPECTION_H
#define VIEW_INSPECTION_H

#include "camera.h"
#include "output/colour.h"
#include "session.h"

typedef enum agent_mark { MARK_NONE = 0, MARK_NEIGHBOUR, MARK_SELECTED } agent_mark;

typedef struct view_inspection {
  bool valid; /* an agent is selected */
  throng_vec3 position, velocity, goal;
  throng_vec3 drawn; /* where it is drawn */
  bool has_goal;
  uint32_t group;
  float body_radius, perception_radius;
  throng_neighbour *neighbours; /* agents within its perception radius, itself included */
  uint32_t neighbour_count, capacity;
  bool explained; /* `explanation` is set; false before the first frame since the agent was selected */
  throng_explanation explanation;
  uint8_t *mark; /* agent_mark of every agent, by id index */
} view_inspection;

bool inspection_open(view_inspection *inspection, const view_session *session, bench_problem *problem);
void inspection_close(view_inspection *inspection);
/* Reads the current state of the selected agent. The session has instances. */
bool inspection_update(view_inspection *inspection, const view_session *session, bench_problem *problem);

/* Returns the id index of the agent that is drawn nearest to pixel (x, y); 0: none is near. */
uint32_t pick_agent(const view_session *session, view_camera *camera, float x, float y);

/* Returns |weight| times the length of a contribution's acceleration. */
float contribution_size(const throng_contribution *contribution);
/* Returns the colour of a contribution, by its index in the explanation. */
picture_colour contribution_colour(uint32_t place);

#endif
