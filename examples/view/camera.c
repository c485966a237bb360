/* SPDX-License-Identifier: MIT */
#include "camera.h"

#define FIELD_OF_VIEW 0.6f /* radians, from top to bottom */
#define NEAREST 0.02f      /* the smallest depth that is drawn, as a fraction of the distance */
#define DEGREES_PER_PIXEL 0.3f
#define FILLED 0.95f /* a fitted box fills this fraction of the picture's width or height */
#define FIT_ROUNDS 4
#define FIT_HALVINGS 30

static float half_height(void) { return tanf(FIELD_OF_VIEW / 2); }

void camera_update(view_camera *camera) {
  const float turn = glm_rad(camera->turn), tilt = glm_rad(camera->tilt);
  vec3 away = {cosf(tilt) * sinf(turn), sinf(tilt), cosf(tilt) * cosf(turn)};
  vec3 up = {-sinf(tilt) * sinf(turn), cosf(tilt), -sinf(tilt) * cosf(turn)};
  mat4 look, lens;
  glm_vec3_copy(up, camera->up);
  glm_vec3_cross(up, away, camera->right);
  glm_vec3_copy(camera->target, camera->eye);
  glm_vec3_muladds(away, camera->distance, camera->eye);
  glm_lookat(camera->eye, camera->target, up, look);
  glm_perspective(FIELD_OF_VIEW, camera->width / camera->height, camera->distance * NEAREST,
                  camera->distance + 3 * camera->reach, lens);
  glm_mat4_mul(lens, look, camera->matrix);
}

bool camera_project(view_camera *camera, float x, float y, float z, vec3 pixel) {
  vec4 place = {x, y, z, 1}, clip;
  glm_mat4_mulv(camera->matrix, place, clip);
  if (!(clip[3] > 0)) return false;
  pixel[0] = (clip[0] / clip[3] + 1) / 2 * camera->width;
  pixel[1] = (1 - clip[1] / clip[3]) / 2 * camera->height;
  pixel[2] = clip[3];
  return true;
}

/* Sets low and high to the smallest and largest pixels of the box's corners. Returns false if a corner is behind the
 * camera. */
static bool bounds(view_camera *camera, const float min[3], const float max[3], vec2 low, vec2 high) {
  camera_update(camera);
  glm_vec2_fill(low, INFINITY);
  glm_vec2_fill(high, -INFINITY);
  for (int bits = 0; bits < 8; bits++) {
    vec3 pixel;
    if (!camera_project(camera, bits & 1 ? max[0] : min[0], bits & 2 ? max[1] : min[1], bits & 4 ? max[2] : min[2],
                        pixel))
      return false;
    for (int axis = 0; axis < 2; axis++) {
      low[axis] = fminf(low[axis], pixel[axis]);
      high[axis] = fmaxf(high[axis], pixel[axis]);
    }
  }
  return true;
}

static bool fits(view_camera *camera, const float min[3], const float max[3]) {
  vec2 low, high;
  return bounds(camera, min, max, low, high) && high[0] - low[0] <= FILLED * camera->width &&
         high[1] - low[1] <= FILLED * camera->height;
}

void camera_fit(view_camera *camera, const float min[3], const float max[3]) {
  vec3 size;
  for (int axis = 0; axis < 3; axis++) {
    size[axis] = max[axis] - min[axis];
    camera->target[axis] = (min[axis] + max[axis]) / 2;
  }
  camera->reach = fmaxf(glm_vec3_norm(size), 1e-3f);
  for (int round = 0; round < FIT_ROUNDS; round++) {
    float near = 0, far = 1e3f * camera->reach;
    for (int k = 0; k < FIT_HALVINGS; k++) {
      camera->distance = (near + far) / 2;
      if (fits(camera, min, max))
        far = camera->distance;
      else
        near = camera->distance;
    }
    camera->distance = far;
    vec2 low, high;
    if (bounds(camera, min, max, low, high))
      camera_pan(camera, (camera->width - low[0] - high[0]) / 2, (camera->height - low[1] - high[1]) / 2);
  }
}

void camera_orbit(view_camera *camera, float dx, float dy) {
  camera->turn = fmodf(camera->turn - dx * DEGREES_PER_PIXEL, 360);
  camera->tilt = glm_clamp(camera->tilt + dy * DEGREES_PER_PIXEL, -CAMERA_FROM_ABOVE, CAMERA_FROM_ABOVE);
  camera_update(camera);
}

void camera_pan(view_camera *camera, float dx, float dy) {
  const float metres = camera_pixel(camera) * camera->distance;
  glm_vec3_muladds(camera->right, -dx * metres, camera->target);
  glm_vec3_muladds(camera->up, dy * metres, camera->target);
  camera_update(camera);
}

void camera_zoom(view_camera *camera, float factor) {
  camera->distance = glm_clamp(camera->distance / factor, 1e-4f * camera->reach, 20 * camera->reach);
  camera_update(camera);
}

float camera_pixel(const view_camera *camera) { return 2 * half_height() / camera->height; }
