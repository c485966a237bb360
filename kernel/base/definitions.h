/* definitions.h: constants for the checks of definitions. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_DEFINITIONS_H
#define THRONG_KERNEL_BASE_DEFINITIONS_H

/* A definition gets its cookie from throng_default_..._def(). A zeroed definition, or one of another version, is
 * refused. */
#define THRONG_WORLD_COOKIE 0x77726c31u
#define THRONG_GROUP_COOKIE 0x67727031u
#define THRONG_AGENTS_COOKIE 0x61677431u
#define THRONG_PASSES_AGENTS_COOKIE 0x70616731u
#define THRONG_CELLS_COOKIE 0x63656c31u
#define THRONG_FLOW_FIELD_COOKIE 0x666c6f31u
#define THRONG_SCENERY_COOKIE 0x73636e31u
#define THRONG_PATH_COOKIE 0x70746831u
#define THRONG_CURVE_COOKIE 0x63727631u
#define THRONG_PATTERN_COOKIE 0x70746e31u
#define THRONG_FORMATION_COOKIE 0x666f7231u
#define THRONG_ATTRACTORS_COOKIE 0x61747231u
#define THRONG_SPEED_ZONES_COOKIE 0x737a6f31u
#define THRONG_INSTANCES_COOKIE 0x696e7331u

/* The maximum of a behaviour's parameters and of the coordinates of a formation's places. */
#define KIND_MOST 1e9f

#endif
