/* All agents in one instanced draw: the world's columns go to the graphics card as they are.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_CROWD_DRAW_H
#define VIEW_CROWD_DRAW_H

#include <epoxy/gl.h>

#include "camera.h"
#include "inspection.h"

#define CROWD_COLUMNS 9 /* position, facing, velocity */

typedef struct crowd_draw {
  GLuint program, array, dart, column[CROWD_COLUMNS], tags, palette;
  struct {
    GLint matrix, palette, mode, planar, pixel, least_pixels, fog, dim;
  } uniform;
  uint8_t (*tag)[2]; /* of each agent in the columns' order: group, mark */
  uint32_t capacity;
} crowd_draw;

bool crowd_draw_open(crowd_draw *crowd, const view_session *session, bench_problem *problem);
void crowd_draw_close(crowd_draw *crowd);
void crowd_draw_all(crowd_draw *crowd, const view_session *session, const view_camera *camera,
                    const view_inspection *inspection, colour_mode mode);

/* Of a share of the group's largest speed. */
picture_colour crowd_colour_of_speed(double part);

#endif
