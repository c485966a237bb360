/* camera.h: a camera that turns about a point.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_CAMERA_H
#define VIEW_CAMERA_H

#include <cglm/cglm.h>
#include <stdbool.h>

#define CAMERA_FROM_ABOVE 90.0f /* degrees */

typedef struct view_camera {
  vec3 target;         /* metres: the middle of the picture */
  float turn, tilt;    /* degrees: yaw about the vertical, 0 looks toward -z; pitch above the horizon */
  float distance;      /* metres from the target */
  float reach;         /* metres: the size of the scene */
  float width, height; /* pixels of the picture */
  /* camera_update computes these: */
  mat4 matrix;
  vec3 right, up, eye;
} view_camera;

void camera_update(view_camera *camera);
/* Moves the camera so that the box fills the picture, without turning it. */
void camera_fit(view_camera *camera, const float min[3], const float max[3]);
/* By pixels of the mouse. */
void camera_orbit(view_camera *camera, float dx, float dy);
void camera_pan(view_camera *camera, float dx, float dy);
/* `factor` times as near. */
void camera_zoom(view_camera *camera, float factor);
/* The width of a pixel in metres, per metre of depth. */
float camera_pixel(const view_camera *camera);
/* Projects a point to pixels from the upper left corner and a depth in metres; false: it is behind the camera. */
bool camera_project(view_camera *camera, float x, float y, float z, vec3 pixel);

#endif
