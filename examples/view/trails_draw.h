/* trails_draw.h: draws the trails of all agents (--trails).
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_TRAILS_DRAW_H
#define VIEW_TRAILS_DRAW_H

#include "camera.h"
#include "mesh.h"
#include "session.h"

/* Makes the mesh of all trails: triangles, the fainter the older. */
void trails_build(view_mesh *mesh, const view_session *session, view_camera *camera, colour_mode mode);

#endif
