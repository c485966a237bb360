/* page.h: the functions of throng.wasm, which has one scene and its world. kernel.mjs calls them and reads the
 * structures from memory. If a function returns false, page_problem returns the reason, and nothing has changed, except
 * that page_step may have stepped some of its frames.
 * SPDX-License-Identifier: MIT */
#ifndef EXAMPLES_WEB_PAGE_H
#define EXAMPLES_WEB_PAGE_H

#include "scene/scene.h"

#define PAGE_EXPORT(name) __attribute__((export_name(#name))) name

/* The static parts of a scene. Each member is one or several values of 4 bytes, which kernel.mjs reads in this order.
 * Pointers are valid until the next page_load. */
typedef struct page_layout {
  uint32_t spatial, open; /* open: some axis is unbounded */
  uint32_t periodic;      /* bits 1, 2 and 4: the axes x, y and z */
  uint32_t groups;
  float dt;                             /* seconds */
  float perception_radius, body_radius; /* in metres: the world's, and the largest of the groups' */
  throng_vec3 min, max;                 /* in metres: the box; along unbounded axes the bounds of the starts */
  uint32_t cells_wide, cells_high;      /* 0: none */
  const uint8_t *blocked;               /* row by row along z */
  float cell, cells_x, cells_z;         /* in metres: side of a cell, and corner of the first cell */
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
  uint32_t fields; /* flow fields, which lead to these goals */
  const scene_field *field;
  uint32_t zones; /* speed zones: 11 values each */
  const throng_speed_zone *zone;
  uint32_t raster_wide, raster_high; /* 0: no speed raster */
  const float *factor;               /* row by row along z */
  float raster_cell, raster_x, raster_z;
  uint32_t attractors; /* 8 values each */
  const throng_attractor *attractor;
} page_layout;

/* The numbers of page_profile: means over the frames since the last call. */
typedef enum page_measure {
  PAGE_NEIGHBOURS = 0, /* to PAGE_INDEX: milliseconds per frame */
  PAGE_BEHAVIOURS,
  PAGE_INTEGRATE,
  PAGE_CONSTRAIN,
  PAGE_INDEX,
  PAGE_NEIGHBOURS_EACH, /* neighbours per agent */
  PAGE_MEASURES
} page_measure;

/* The parameters of a group that have a slider. */
typedef enum page_parameter {
  PAGE_SEPARATION = 0, /* to PAGE_AVOIDANCE: weights */
  PAGE_COHESION,
  PAGE_ALIGNMENT,
  PAGE_AVOIDANCE,
  PAGE_MAX_SPEED,         /* m/s */
  PAGE_PERCEPTION_RADIUS, /* metres */
  PAGE_FIELD_OF_VIEW,     /* radians */
  PAGE_PARAMETERS
} page_parameter;

/* Returns the buffer for the text of a scene and a 0 at its end. It has page_text_size bytes. */
char *page_text(void);
uint32_t page_text_size(void);
/* Reads the scene in the buffer and creates its world. agents 0: the scene's number of agents, at most `at_most`. */
bool page_load(uint32_t agents, uint32_t at_most);
/* Creates the world again in the state of the start, with the current definitions of its groups. */
bool page_restart(void);
bool page_step(uint32_t frames);
const char *page_problem(void);

uint32_t page_agents(void);
double page_frame(void);
uint64_t page_hash(void);
const page_layout *page_get_layout(void);
/* Returns the columns, in grid order. Pointers are valid until the next call that changes the world. */
const throng_view *page_view(void);
/* Returns the instances of the agents, 3 x 4 matrices in the order of the columns: the poses at a time from before the
 * last frame (alpha 0) to after it (1). NULL: page_problem has the reason. */
const float *page_instances(float alpha);
/* Returns the groups of the agents, in the order of the columns. */
const uint8_t *page_groups(void);
/* Returns the densities of the agents (bench/scene/scene_density.h), in the order of the columns, in 255ths of
 * DENSITY_MOST; NULL if memory is short. */
const uint8_t *page_density(void);
/* Returns PAGE_MEASURES numbers, and begins new means. */
const double *page_profile(void);

/* Return the name and the colour of a group; "" and SCENE_NO_COLOUR if the scene gives none. */
const char *page_group_name(uint32_t group);
uint32_t page_group_colour(uint32_t group);
/* Returns the body radius of a group in metres; 0 if its rules do not use bodies. */
float page_group_body(uint32_t group);
float page_get(uint32_t group, page_parameter parameter);
bool page_set(uint32_t group, page_parameter parameter, float value);

/* page_layout.c: returns the layout of `scene`. `crowd`: its agents at the start. */
page_layout layout_of(const bench_scene *scene, const bench_crowd *crowd);

#endif
