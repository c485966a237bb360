/* A camera that turns about a place: from above, aslant or around.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_CAMERA_H
#define VIEW_CAMERA_H

#include <cglm/cglm.h>
#include <stdbool.h>

#define CAMERA_FROM_ABOVE 90.0f /* degrees */

typedef struct view_camera {
  vec3 target;         /* metres: the middle of the picture */
  float turn, tilt;    /* degrees: about the vertical, 0 looking toward -z; above the horizon */
  float distance;      /* metres from the target */
  float reach;         /* metres: the size of what there is to see */
  float width, height; /* pixels of the picture */
  /* What camera_update makes of these: */
  mat4 matrix;
  vec3 right, up, eye;
} view_camera;

void camera_update(view_camera *camera);
/* Brings the box into the picture without turning. */
void camera_fit(view_camera *camera, const float min[3], const float max[3]);
/* By pixels of the mouse. */
void camera_orbit(view_camera *camera, float dx, float dy);
void camera_pan(view_camera *camera, float dx, float dy);
/* `factor` times as near. */
void camera_zoom(view_camera *camera, float factor);
/* Metres a pixel is wide, for each metre of depth. */
float camera_pixel(const view_camera *camera);
/* Pixels from the upper left corner, and the depth in metres; false behind the camera. */
bool camera_project(view_camera *camera, float x, float y, float z, vec3 pixel);

#endif
