/* What throng.wasm offers the page: one scene and its world. kernel.mjs calls these and reads the structures as they
 * lie in memory. Functions that answer bool leave everything as it was when they answer false; page_problem then says
 * why.
 * SPDX-License-Identifier: MIT */
#ifndef EXAMPLES_WEB_PAGE_H
#define EXAMPLES_WEB_PAGE_H

#include "scene/scene.h"

#define PAGE_EXPORT(name) __attribute__((export_name(#name))) name

/* What stands still: members of 4 bytes, which kernel.mjs reads in this order. Pointers hold until the next page_load. */
typedef struct page_layout {
  uint32_t spatial, boundary, groups;
  float dt;                             /* seconds */
  float perception_radius, body_radius; /* metres: the world's, and the largest of the groups' */
  throng_vec3 min, max;                 /* metres: the box, or, in unbounded worlds, where agents start */
  uint32_t cells_wide, cells_high;      /* 0: none */
  const uint8_t *blocked;               /* row by row along z */
  float cell, cells_x, cells_z;         /* metres: side, and the corner of the first */
  uint32_t circles;                     /* balls in spatial worlds */
  const throng_vec3 *centre;
  const float *radius;
  uint32_t walls;
  const throng_vec3 *from, *to;
  uint32_t boxes;
  const throng_vec3 *box_min, *box_max;
  uint32_t planes;
  const throng_vec3 *point, *normal;
  uint32_t paths;
  const scene_path *path;
  uint32_t fields; /* flow fields, which lead to their goals */
  const scene_field *field;
} page_layout;

/* The numbers of page_profile: means of the frames since the last call. */
typedef enum page_measure {
  PAGE_NEIGHBOURS = 0, /* milliseconds a frame */
  PAGE_BEHAVIOURS,
  PAGE_INTEGRATE,
  PAGE_CONSTRAIN,
  PAGE_INDEX,
  PAGE_NEIGHBOURS_EACH, /* neighbours that an agent has */
  PAGE_MEASURES
} page_measure;

/* What a slider moves, of a group. */
typedef enum page_parameter {
  PAGE_SEPARATION = 0, /* weights */
  PAGE_COHESION,
  PAGE_ALIGNMENT,
  PAGE_AVOIDANCE,
  PAGE_MAX_SPEED,         /* m/s */
  PAGE_PERCEPTION_RADIUS, /* metres */
  PAGE_FIELD_OF_VIEW,     /* radians */
  PAGE_PARAMETERS
} page_parameter;

/* Where the page puts the text of a scene, with a 0 after it, in at most page_text_size bytes. */
char *page_text(void);
uint32_t page_text_size(void);
/* Makes a world of that text; agents = 0: as many as the scene says, but at most `at_most`. */
bool page_load(uint32_t agents, uint32_t at_most);
/* Back to the start, with the groups as they are set now. */
bool page_restart(void);
bool page_step(uint32_t frames);
const char *page_problem(void);

uint32_t page_agents(void);
double page_frame(void);
uint64_t page_hash(void);
const page_layout *page_get_layout(void);
/* The columns, in grid order: good until the next call that changes the world. */
const throng_view *page_view(void);
/* The agents' groups, in the same order. */
const uint8_t *page_groups(void);
/* PAGE_MEASURES numbers. */
const double *page_profile(void);

/* Of a group of the scene: "" and SCENE_NO_COLOUR where it says none. */
const char *page_group_name(uint32_t group);
uint32_t page_group_colour(uint32_t group);
float page_get(uint32_t group, page_parameter parameter);
bool page_set(uint32_t group, page_parameter parameter, float value);

/* page_layout.c: what `scene` has for a layout, with `crowd` at its start. */
page_layout layout_of(const bench_scene *scene, const bench_crowd *crowd);

#endif
