/* SPDX-License-Identifier: MIT */
#include "trails_draw.h"

#define TRAIL_PIXELS 1.6f
#define TRAIL_ALPHA 0.8

static picture_colour colour_of(const view_session *session, const throng_view *view, uint32_t k, colour_mode mode) {
  const uint8_t group = throng_view_group(view, k);
  const double x = (double)view->velocity_x[k], z = (double)view->velocity_z[k];
  const double y = view->velocity_y ? (double)view->velocity_y[k] : 0, speed = sqrt(x * x + y * y + z * z);
  if (mode == COLOUR_BY_HEADING && speed > 0) return colour_of_heading(x, z);
  if (mode == COLOUR_BY_SPEED) return colour_of_speed(speed / (double)session->scene.groups[group].def.max_speed);
  return colour_of_group(&session->scene, group);
}

/* Adds the trail of agent k of the view. The last frame is left out, because agents are drawn before it. */
static void add_trail(view_mesh *mesh, const view_session *session, const throng_view *view, uint32_t k,
                      view_camera *camera, picture_colour colour) {
  trail_piece pieces[TRAIL_MOST_POINTS];
  const uint64_t frame = throng_world_frame(session->world), now = frame ? frame - 1 : 0;
  const throng_vec3 at = session_drawn_position(session, k);
  const uint32_t count = trails_pieces(&session->trails, now, view->id_index[k], at, pieces);
  vec3 toward;
  glm_vec3_sub(camera->eye, (vec3){at.x, at.y, at.z}, toward);
  const float width = TRAIL_PIXELS * camera_pixel(camera) * glm_vec3_norm(toward);
  for (uint32_t i = 0; i < count; i++) {
    vec3 from = {pieces[i].from.x, pieces[i].from.y, pieces[i].from.z};
    vec3 to = {pieces[i].to.x, pieces[i].to.y, pieces[i].to.z};
    mesh_ribbon(mesh, from, to, toward, width, (mesh_colour){colour, (float)(TRAIL_ALPHA * (1 - pieces[i].age))});
  }
}

void trails_build(view_mesh *mesh, const view_session *session, view_camera *camera, colour_mode mode) {
  mesh_clear(mesh);
  const throng_view view = session_view(session);
  for (uint32_t k = 0; k < view.count; k++)
    add_trail(mesh, session, &view, k, camera, colour_of(session, &view, k, mode));
}
