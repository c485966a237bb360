/* camera.h: a camera that turns about a point.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_CAMERA_H
#define VIEW_CAMERA_H

#include <cglm/cglm.h>
#include <stdbool.h>

#define CAMERA_FROM_ABOVE 90.0f /* degrees */

typedef struct view_camera {
  vec3 target;         /* metres: the middle of the picture */
  float turn, tilt;    /* degrees: yaw about the vertical, 0 looks toward -z; the camera's height above the horizon */
  float distance;      /* metres from the target */
  float reach;         /* metres: the diagonal of the fitted box */
  float width, height; /* pixels of the picture */
  /* camera_update computes these: */
  mat4 matrix;
  vec3 right, up, eye;
} view_camera;

/* Computes matrix, right, up and eye from the other members. */
void camera_update(view_camera *camera);
/* Moves the camera, without turning it, so that the box fills the picture. */
void camera_fit(view_camera *camera, const float min[3], const float max[3]);
/* Turns the camera about the target, as the mouse moved by (dx, dy) pixels. */
void camera_orbit(view_camera *camera, float dx, float dy);
/* Moves camera and target, so that the picture moves by (dx, dy) pixels. */
void camera_pan(view_camera *camera, float dx, float dy);
/* Divides the distance to the target by `factor`. */
void camera_zoom(view_camera *camera, float factor);
/* Returns the width of a pixel in metres per metre of depth. */
float camera_pixel(const view_camera *camera);
/* Projects a point. Sets pixel to (x, y) in pixels from the upper left corner and the depth in metres. Returns false if
 * the point is behind the camera. */
bool camera_project(view_camera *camera, float x, float y, float z, vec3 pixel);

#endif
