/* crowd_draw.h: draws all agents by one instanced draw call. The session's instances, and the world's velocities, are
 * copied to the graphics card unchanged.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_CROWD_DRAW_H
#define VIEW_CROWD_DRAW_H

#include <epoxy/gl.h>

#include "camera.h"
#include "inspection.h"

#define CROWD_COLUMNS 3 /* of the velocity */

typedef struct crowd_draw {
  GLuint program, array, dart, instances, column[CROWD_COLUMNS], tags, palette;
  struct {
    GLint matrix, palette, mode, planar, pixel, least_pixels, fog, dim;
  } uniform;
  uint8_t (*tag)[4]; /* per agent, in the order of the columns: group, mark, level of its period, density */
  float *density;    /* scratch, one for each agent */
  uint32_t capacity;
} crowd_draw;

bool crowd_draw_open(crowd_draw *crowd, const view_session *session, bench_problem *problem);
void crowd_draw_close(crowd_draw *crowd);
void crowd_draw_all(crowd_draw *crowd, const view_session *session, const view_camera *camera,
                    const view_inspection *inspection, colour_mode mode);

#endif
