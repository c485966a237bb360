/* markers.h: draws the selected agent's body, perception radius and goal, and its contributions as arrows.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_MARKERS_H
#define VIEW_MARKERS_H

#include "camera.h"
#include "inspection.h"
#include "mesh.h"

void markers_build(view_mesh *mesh, const view_session *session, view_camera *camera,
                   const view_inspection *inspection);

#endif
