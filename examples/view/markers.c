/* SPDX-License-Identifier: MIT */
#include "markers.h"

#define LINE_PIXELS 2.0f
#define ARROW_PIXELS 3.0f
#define HEAD_PIXELS 9.0f
#define GOAL_PIXELS 7.0f
#define SMALLEST_ARROW 0.03f /* fraction of the perception radius; shorter arrows are not drawn */

typedef struct marker_pencil {
  view_mesh *mesh;
  vec3 place, toward; /* the agent's position; the unit vector to the camera */
  float pixel;        /* metres per pixel at the agent */
} marker_pencil;

static void add_circle(marker_pencil *pencil, vec3 u, vec3 v, float radius, mesh_colour colour) {
  const float half = LINE_PIXELS * pencil->pixel / 2;
  mesh_ring(pencil->mesh, pencil->place, u, v, fmaxf(radius - half, 0), radius + half, colour);
}

/* Adds an arrow that begins at the agent. */
static void add_arrow(marker_pencil *pencil, vec3 arrow, mesh_colour colour) {
  const float length = glm_vec3_norm(arrow), head = fminf(HEAD_PIXELS * pencil->pixel, length);
  vec3 neck, tip, side, left, right;
  glm_vec3_add(pencil->place, arrow, tip);
  glm_vec3_copy(tip, neck);
  glm_vec3_muladds(arrow, -head / length, neck);
  glm_vec3_crossn(arrow, pencil->toward, side);
  glm_vec3_copy(neck, left);
  glm_vec3_copy(neck, right);
  glm_vec3_muladds(side, head / 2, left);
  glm_vec3_muladds(side, -head / 2, right);
  mesh_ribbon(pencil->mesh, pencil->place, neck, pencil->toward, ARROW_PIXELS * pencil->pixel, colour);
  mesh_triangle(pencil->mesh, left, right, tip, colour);
}

/* Adds an acceleration as an arrow. Half of the agent's max_acceleration is drawn as long as the perception radius. */
static void add_wish(marker_pencil *pencil, const view_inspection *inspection, throng_vec3 a, float weight,
                     mesh_colour colour) {
  const float reach = 2 * inspection->perception_radius;
  const float scale = reach / inspection->explanation.max_acceleration * fabsf(weight);
  vec3 arrow = {a.x * scale, a.y * scale, a.z * scale};
  const float length = glm_vec3_norm(arrow);
  if (!(length > SMALLEST_ARROW * inspection->perception_radius)) return;
  if (length > reach) glm_vec3_scale(arrow, reach / length, arrow);
  add_arrow(pencil, arrow, colour);
}

static void add_goal(marker_pencil *pencil, const view_session *session, const view_camera *camera,
                     const view_inspection *inspection) {
  vec3 goal = {inspection->goal.x, inspection->goal.y, inspection->goal.z}, u = {1, 0, 0}, v = {0, 0, 1};
  if (session_is_planar(session)) goal[1] = pencil->place[1];
  for (int axis = 0; axis < 3; axis++)
    goal[axis] = pencil->place[axis] +
                 (float)scene_way_along(&session->scene, axis, (double)pencil->place[axis], (double)goal[axis]);
  const float way = glm_vec3_distance(goal, pencil->place);
  if (way < 1e-3f * inspection->perception_radius || way > camera->reach) return; /* goal reached, or off the picture */
  mesh_ribbon(pencil->mesh, pencil->place, goal, pencil->toward, LINE_PIXELS * pencil->pixel / 2,
              mesh_hex(COLOUR_TEXT, 0.4f));
  mesh_ring(pencil->mesh, goal, u, v, GOAL_PIXELS * pencil->pixel / 2, GOAL_PIXELS * pencil->pixel,
            mesh_hex(COLOUR_TEXT, 0.9f));
}

void markers_build(view_mesh *mesh, const view_session *session, view_camera *camera,
                   const view_inspection *inspection) {
  mesh_clear(mesh);
  if (!inspection->valid) return;
  const throng_explanation *e = &inspection->explanation;
  const throng_vec3 *p = &inspection->drawn;
  vec3 x = {1, 0, 0}, z = {0, 0, 1};
  marker_pencil pencil = {.mesh = mesh, .place = {p->x, p->y, p->z}};
  glm_vec3_sub(camera->eye, pencil.place, pencil.toward);
  pencil.pixel = camera_pixel(camera) * glm_vec3_norm(pencil.toward);
  glm_vec3_normalize(pencil.toward);
  const mesh_colour line = mesh_hex(COLOUR_TEXT, 0.9f);
  if (inspection->has_goal) add_goal(&pencil, session, camera, inspection);
  if (session_is_planar(session)) {
    mesh_ring(mesh, pencil.place, x, z, 0, inspection->perception_radius, mesh_hex(COLOUR_TEXT, 0.06f));
    add_circle(&pencil, x, z, inspection->perception_radius, line);
    add_circle(&pencil, x, z, inspection->body_radius, line);
  } else {
    add_circle(&pencil, camera->right, camera->up, inspection->perception_radius, line); /* the ball's outline */
    add_circle(&pencil, x, z, inspection->perception_radius, mesh_hex(COLOUR_TEXT, 0.4f));
  }
  if (!inspection->explained) return;
  for (uint32_t k = 0; k < e->count; k++)
    add_wish(&pencil, inspection, e->contribution[k].acceleration, e->contribution[k].weight,
             (mesh_colour){contribution_colour(k), 1});
  add_wish(&pencil, inspection, e->acceleration, 1, mesh_hex(0xFFFFFF, 1));
}
