/* scenery_mesh.h: the static parts of a scene as meshes.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_SCENERY_MESH_H
#define VIEW_SCENERY_MESH_H

#include "mesh.h"
#include "session.h"

typedef struct scenery_mesh {
  view_mesh floor;  /* triangles at the bottom: ground, speed zones, paths, goals of flow fields */
  view_mesh lines;  /* lines above them: a grid, the edges of the box */
  view_mesh solids; /* triangles: blocked cells, circles, walls, balls, boxes */
  view_mesh planes; /* triangles that are visible only from their free side */
} scenery_mesh;

bool scenery_mesh_build(scenery_mesh *scenery, const view_session *session, bench_problem *problem);
void scenery_mesh_release(scenery_mesh *scenery);

#endif
