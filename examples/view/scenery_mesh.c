/* SPDX-License-Identifier: MIT */
#include "scenery_mesh.h"

/* In perception radii: */
#define UPRIGHT 1.2f /* height of the shapes of planar worlds */
#define WALL_WIDTH 0.1f
#define PATH_WIDTH 0.5f
#define GOAL_RING 0.15f /* half of the width of a goal's ring */
#define GRID_LINES 12   /* approximate number of grid lines along the longer side */
#define OPEN_GRID 4.0f /* without a box: how far the grid extends beyond the agents, as a multiple of the longer side */
#define ROUND 40       /* sides of a circle */
#define BALL_BANDS 16
#define ATTRACTOR_RING 0.009f /* radius of an attractor's mark / diagonal of the world */
#define GOAL_COLOUR 0x4A5D80u
#define STONE_COLOUR 0x55647Eu
#define SEA_BED_COLOUR 0x2B3648u

typedef struct builder {
  scenery_mesh *out;
  const bench_scene *scene;
  bool planar;
  vec3 min, max;
  float floor, height;
} builder;

/* Returns the largest of 1, 2 and 5 times a power of ten that is at most `about`. */
static float even_step(float about) {
  const float power = powf(10, floorf(log10f(about)));
  return about >= 5 * power ? 5 * power : about >= 2 * power ? 2 * power : power;
}

/* Adds a grid on the floor. In a world without a box it extends as far as agents may soon move. */
static void add_grid(const builder *b) {
  const mesh_colour line = mesh_hex(COLOUR_PATH, 0.55f);
  const float y = b->floor, side = fmaxf(b->max[0] - b->min[0], b->max[2] - b->min[2]),
              step = even_step(side / GRID_LINES);
  const float more = scene_is_open(b->scene) ? OPEN_GRID * side : 0;
  const float x0 = b->min[0] - more, x1 = b->max[0] + more, z0 = b->min[2] - more, z1 = b->max[2] + more;
  for (float x = ceilf(x0 / step) * step; x <= x1; x += step)
    mesh_line(&b->out->lines, (vec3){x, y, z0}, (vec3){x, y, z1}, line);
  for (float z = ceilf(z0 / step) * step; z <= z1; z += step)
    mesh_line(&b->out->lines, (vec3){x0, y, z}, (vec3){x1, y, z}, line);
}

/* Adds the ground of a box, and a grid. A spatial world without a box has neither. */
static void add_ground(const builder *b) {
  const float y = b->floor;
  const bool open = scene_is_open(b->scene);
  if (!open)
    mesh_quad(&b->out->floor, (vec3){b->min[0], y, b->min[2]}, (vec3){b->min[0], y, b->max[2]},
              (vec3){b->max[0], y, b->max[2]}, (vec3){b->max[0], y, b->min[2]}, mesh_hex(COLOUR_GROUND, 1));
  if (!open || b->planar) add_grid(b);
}

static void add_box_edges(const builder *b) {
  if (scene_is_open(b->scene)) return;
  for (int from = 0; from < 8; from++)
    for (int axis = 0; axis < 3; axis++) {
      const int to = from | 1 << axis;
      if (to == from || (b->planar && (axis == 1 || from & 2))) continue;
      const vec3 p = {from & 1 ? b->max[0] : b->min[0], from & 2 ? b->max[1] : b->min[1],
                      from & 4 ? b->max[2] : b->min[2]};
      const vec3 q = {to & 1 ? b->max[0] : b->min[0], to & 2 ? b->max[1] : b->min[1], to & 4 ? b->max[2] : b->min[2]};
      mesh_line(&b->out->lines, p, q, mesh_hex(COLOUR_LINE, 0.9f));
    }
}

static bool is_blocked(const scene_cells *cells, int64_t i, int64_t j) {
  return i >= 0 && j >= 0 && i < cells->width && j < cells->height &&
         cells->blocked[(size_t)j * cells->width + (size_t)i];
}

/* Adds the roof of the blocked cells [from, to) of a row. */
static void add_roof(const builder *b, const scene_cells *cells, int64_t from, int64_t to, int64_t row) {
  const float x0 = cells->origin_x + (float)from * cells->cell, x1 = cells->origin_x + (float)to * cells->cell;
  const float z0 = cells->origin_z + (float)row * cells->cell, z1 = z0 + cells->cell, y = b->floor + b->height;
  mesh_lit_quad(&b->out->solids, (vec3){x0, y, z0}, (vec3){x0, y, z1}, (vec3){x1, y, z1}, (vec3){x1, y, z0},
                mesh_hex(STONE_COLOUR, 1));
}

/* Adds the side of blocked cells between two corners of cells, (i0, j0) and (i1, j1). */
static void add_side(const builder *b, const scene_cells *cells, int64_t i0, int64_t j0, int64_t i1, int64_t j1) {
  const float x0 = cells->origin_x + (float)i0 * cells->cell, x1 = cells->origin_x + (float)i1 * cells->cell;
  const float z0 = cells->origin_z + (float)j0 * cells->cell, z1 = cells->origin_z + (float)j1 * cells->cell;
  const float low = b->floor, high = b->floor + b->height;
  mesh_lit_quad(&b->out->solids, (vec3){x0, low, z0}, (vec3){x1, low, z1}, (vec3){x1, high, z1}, (vec3){x0, high, z0},
                mesh_hex(STONE_COLOUR, 1));
}

static void add_cells(const builder *b) {
  const scene_cells *cells = &b->scene->cells;
  const int64_t width = cells->width, height = cells->height;
  for (int64_t j = 0; j < height; j++)
    for (int64_t i = 0, end; i < width; i = end + 1) {
      for (end = i; is_blocked(cells, end, j); end++) continue;
      if (end > i) add_roof(b, cells, i, end, j);
    }
  /* Sides of adjacent cells are joined too: in each row the sides that face -z and +z, in each column -x and +x. */
  for (int side = -1; side <= 1; side += 2) {
    for (int64_t j = 0; j < height; j++)
      for (int64_t i = 0, end; i < width; i = end + 1) {
        for (end = i; is_blocked(cells, end, j) && !is_blocked(cells, end, j + side); end++) continue;
        if (end > i && side < 0) add_side(b, cells, end, j, i, j);
        if (end > i && side > 0) add_side(b, cells, i, j + 1, end, j + 1);
      }
    for (int64_t i = 0; i < width; i++)
      for (int64_t j = 0, end; j < height; j = end + 1) {
        for (end = j; is_blocked(cells, i, end) && !is_blocked(cells, i + side, end); end++) continue;
        if (end > j && side < 0) add_side(b, cells, i, j, i, end);
        if (end > j && side > 0) add_side(b, cells, i + 1, end, i + 1, j);
      }
  }
}

static void add_pillar(const builder *b, const throng_vec3 *centre, float radius) {
  const float low = b->floor, high = b->floor + b->height;
  const mesh_colour colour = mesh_hex(STONE_COLOUR, 1);
  for (int k = 0; k < ROUND; k++) {
    const float from = (float)k * 2 * GLM_PIf / ROUND, to = (float)(k + 1) * 2 * GLM_PIf / ROUND;
    const float x0 = centre->x + radius * sinf(from), z0 = centre->z + radius * cosf(from);
    const float x1 = centre->x + radius * sinf(to), z1 = centre->z + radius * cosf(to);
    mesh_lit_quad(&b->out->solids, (vec3){x0, low, z0}, (vec3){x1, low, z1}, (vec3){x1, high, z1}, (vec3){x0, high, z0},
                  colour);
    mesh_triangle(&b->out->solids, (vec3){centre->x, high, centre->z}, (vec3){x0, high, z0}, (vec3){x1, high, z1},
                  mesh_light(colour, (vec3){0, 1, 0}));
  }
}

/* Sets `place` to a point of the unit sphere, in the grid of BALL_BANDS x ROUND corners. */
static void on_ball(int band, int k, vec3 place) {
  const float down = (float)band * GLM_PIf / BALL_BANDS, round = (float)k * 2 * GLM_PIf / ROUND;
  place[0] = sinf(down) * sinf(round);
  place[1] = cosf(down);
  place[2] = sinf(down) * cosf(round);
}

static void add_ball(const builder *b, const throng_vec3 *centre, float radius) {
  vec3 middle = {centre->x, centre->y, centre->z};
  for (int band = 0; band < BALL_BANDS; band++)
    for (int k = 0; k < ROUND; k++) {
      vec3 corner[4], normal = {0};
      for (int c = 0; c < 4; c++) {
        on_ball(band + (c == 1 || c == 2), k + (c >= 2), corner[c]);
        glm_vec3_add(normal, corner[c], normal);
        glm_vec3_scale(corner[c], radius, corner[c]);
        glm_vec3_add(corner[c], middle, corner[c]);
      }
      glm_vec3_normalize(normal);
      mesh_quad(&b->out->solids, corner[0], corner[1], corner[2], corner[3],
                mesh_light(mesh_hex(STONE_COLOUR, 1), normal));
    }
}

static void add_walls(const builder *b) {
  const scene_scenery *scenery = &b->scene->scenery;
  for (uint32_t k = 0; k < scenery->wall_count; k++) {
    const throng_vec3 *from = &scenery->from[k], *to = &scenery->to[k];
    vec3 foot = {(from->x + to->x) / 2, b->floor, (from->z + to->z) / 2};
    vec3 half = {(to->x - from->x) / 2, 0, (to->z - from->z) / 2};
    mesh_block(&b->out->solids, foot, half, WALL_WIDTH * b->scene->world.perception_radius / 2, b->height,
               mesh_hex(COLOUR_QUIET_TEXT, 1));
  }
}

static void add_boxes(const builder *b) {
  const scene_scenery *scenery = &b->scene->scenery;
  for (uint32_t k = 0; k < scenery->box_count; k++) {
    const throng_vec3 *low = &scenery->box_min[k], *high = &scenery->box_max[k];
    vec3 foot = {(low->x + high->x) / 2, low->y, (low->z + high->z) / 2}, half = {(high->x - low->x) / 2, 0, 0};
    mesh_block(&b->out->solids, foot, half, (high->z - low->z) / 2, high->y - low->y, mesh_hex(STONE_COLOUR, 1));
  }
}

#define MOST_CORNERS 10 /* corners of a square after six planes have cut it */
typedef struct polygon {
  vec3 corner[MOST_CORNERS];
  int count;
} polygon;

/* Returns the part of the polygon on one side of a face of the box (Sutherland and Hodgman). */
static polygon cut(polygon *whole, int axis, float limit, float sign) {
  polygon part = {.count = 0};
  for (int k = 0; k < whole->count; k++) {
    float *p = whole->corner[k], *q = whole->corner[(k + 1) % whole->count];
    const float depth_p = sign * (p[axis] - limit), depth_q = sign * (q[axis] - limit);
    if (depth_p >= 0 && part.count < MOST_CORNERS) glm_vec3_copy(p, part.corner[part.count++]);
    if ((depth_p >= 0) != (depth_q >= 0) && part.count < MOST_CORNERS)
      glm_vec3_lerp(p, q, depth_p / (depth_p - depth_q), part.corner[part.count++]);
  }
  return part;
}

/* Adds the part of a plane that is inside the box of session_extent. */
static void add_plane(const builder *b, const throng_vec3 *point, const throng_vec3 *direction) {
  vec3 normal = {direction->x, direction->y, direction->z}, u, v, size;
  vec3 at = {point->x, point->y, point->z};
  glm_vec3_normalize(normal);
  glm_vec3_ortho(normal, u);
  glm_vec3_normalize(u);
  glm_vec3_cross(normal, u, v);
  glm_vec3_sub((float *)b->max, (float *)b->min, size);
  const float far = 2 * glm_vec3_norm(size) + glm_vec3_distance(at, (float *)b->min);
  polygon shown = {.count = 4};
  for (int k = 0; k < 4; k++) {
    glm_vec3_copy(at, shown.corner[k]);
    glm_vec3_muladds(u, k == 0 || k == 3 ? far : -far, shown.corner[k]);
    glm_vec3_muladds(v, k < 2 ? far : -far, shown.corner[k]);
  }
  for (int axis = 0; axis < 3; axis++) {
    shown = cut(&shown, axis, b->min[axis], 1);
    shown = cut(&shown, axis, b->max[axis], -1);
  }
  for (int k = 1; k + 1 < shown.count; k++)
    mesh_triangle(&b->out->planes, shown.corner[0], shown.corner[k], shown.corner[k + 1],
                  mesh_light(mesh_hex(SEA_BED_COLOUR, 1), normal));
}

/* Adds the part of a triangle on the floor that is inside the box, shifted by x and z. */
static void add_patch(const builder *b, vec3 corner[3], const float shift[2], mesh_colour colour) {
  polygon shown = {.count = 3};
  for (int k = 0; k < 3; k++) {
    glm_vec3_copy(corner[k], shown.corner[k]);
    shown.corner[k][0] += shift[0];
    shown.corner[k][2] += shift[1];
  }
  for (int axis = 0; axis < 3 && !scene_is_open(b->scene); axis += 2) {
    shown = cut(&shown, axis, b->min[axis], 1);
    shown = cut(&shown, axis, b->max[axis], -1);
  }
  for (int k = 1; k + 1 < shown.count; k++)
    mesh_triangle(&b->out->floor, shown.corner[0], shown.corner[k], shown.corner[k + 1], colour);
}

/* Sets `place` to corner k of a zone: of 4, or of ROUND on a circle. */
static void zone_corner(const builder *b, const throng_speed_zone *zone, int k, vec3 place) {
  const bool circle = zone->shape == THRONG_SPEED_ZONE_CIRCLE;
  const float turn = circle ? (float)k * 2 * GLM_PIf / ROUND : zone->yaw, sine = sinf(turn), cosine = cosf(turn);
  const float across = circle ? 0 : (k % 4 == 0 || k % 4 == 3 ? -0.5f : 0.5f) * zone->width;
  const float along = circle ? zone->radius : (k % 4 < 2 ? -0.5f : 0.5f) * zone->length;
  place[0] = zone->centre.x + across * cosine + along * sine;
  place[1] = b->floor;
  place[2] = zone->centre.z - across * sine + along * cosine;
}

/* Adds a zone, and its images along periodic axes, in the tint that pictures have. */
static void add_zone(const builder *b, const throng_speed_zone *zone) {
  const int corners = zone->shape == THRONG_SPEED_ZONE_CIRCLE ? ROUND : 4;
  const float strength = fminf(fabsf(log2f(zone->factor)) / 3, 1);
  const mesh_colour colour = mesh_hex(zone->factor < 1 ? COLOUR_SLOW : COLOUR_FAST, 0.25f + 0.5f * strength);
  for (int image = 0; image < 9; image++) {
    const int lengths[2] = {image % 3 - 1, image / 3 - 1};
    float shift[2] = {0, 0};
    bool there = true;
    for (int k = 0; k < 2; k++) {
      there = there && (!lengths[k] || b->scene->world.boundary[2 * k] == THRONG_BOUNDARY_PERIODIC);
      shift[k] = (float)lengths[k] * (b->max[2 * k] - b->min[2 * k]);
    }
    for (int k = 0; there && k < corners; k++) {
      vec3 corner[3] = {{zone->centre.x, b->floor, zone->centre.z}};
      zone_corner(b, zone, k, corner[1]);
      zone_corner(b, zone, k + 1, corner[2]);
      add_patch(b, corner, shift, colour);
    }
  }
}

/* Adds the speed zones, and the cells of the raster as square zones. */
static void add_zones(const builder *b) {
  const throng_speed_raster *raster = &b->scene->zones.raster;
  throng_speed_zone cell = throng_default_speed_zone();
  cell.shape = THRONG_SPEED_ZONE_RECTANGLE;
  cell.width = cell.length = raster->cell;
  for (uint32_t j = 0; j < raster->height; j++)
    for (uint32_t i = 0; i < raster->width; i++) {
      cell.factor = b->scene->zones.factor[(size_t)j * raster->width + i];
      cell.centre.x = raster->origin.x + ((float)i + 0.5f) * raster->cell;
      cell.centre.z = raster->origin.z + ((float)j + 0.5f) * raster->cell;
      if (cell.factor != 1) add_zone(b, &cell);
    }
  for (uint32_t k = 0; k < b->scene->zones.count; k++) add_zone(b, &b->scene->zones.list[k]);
}

static void add_paths(const builder *b) {
  const throng_world_def *def = &b->scene->world;
  for (uint32_t k = 0; k < b->scene->path_count; k++) {
    const scene_path *path = &b->scene->paths[k];
    const uint32_t segments = path->closed ? path->count : path->count - 1;
    for (uint32_t s = 0; s < segments; s++) {
      const throng_vec3 *p = &path->points[s], *q = &path->points[(s + 1) % path->count];
      vec3 from = {p->x, b->planar ? b->floor : p->y, p->z}, to = {q->x, b->planar ? b->floor : q->y, q->z};
      for (int axis = 0; axis < 3; axis++)
        to[axis] = from[axis] + (float)scene_way_along(b->scene, axis, (double)from[axis], (double)to[axis]);
      mesh_ribbon(&b->out->floor, from, to, (vec3){0, 1, 0}, PATH_WIDTH * def->perception_radius,
                  mesh_hex(COLOUR_PATH, 1));
    }
  }
}

static void add_goals(const builder *b) {
  vec3 along_x = {1, 0, 0}, along_z = {0, 0, 1};
  for (uint32_t k = 0; k < b->scene->field_count; k++)
    for (uint32_t g = 0; g < b->scene->fields[k].goal_count; g++) {
      const scene_field_goal *goal = &b->scene->fields[k].goals[g];
      vec3 centre = {goal->point.x, b->floor, goal->point.z};
      const float width = GOAL_RING * b->scene->world.perception_radius;
      mesh_ring(&b->out->floor, centre, along_x, along_z, fmaxf(goal->radius - width, 0), goal->radius + width,
                mesh_hex(GOAL_COLOUR, 1));
    }
}

/* Adds rings around a plus where attractors attract, around a minus where they repel. */
static void add_attractors(const builder *b) {
  vec3 along_x = {1, 0, 0}, along_z = {0, 0, 1}, up = {0, 1, 0};
  const float radius = ATTRACTOR_RING * hypotf(b->max[0] - b->min[0], b->max[2] - b->min[2]), width = radius / 5;
  const mesh_colour colour = mesh_hex(COLOUR_QUIET_TEXT, 1);
  for (uint32_t k = 0; k < b->scene->attractors.count; k++) {
    const throng_attractor *attractor = &b->scene->attractors.list[k];
    vec3 at = {attractor->position.x, b->planar ? b->floor : attractor->position.y, attractor->position.z};
    vec3 ends[2][2];
    for (int axis = 0; axis < 2; axis++)
      for (int end = 0; end < 2; end++) {
        glm_vec3_copy(at, ends[axis][end]);
        ends[axis][end][2 * axis] += (end ? radius : -radius) / 2;
      }
    mesh_ring(&b->out->floor, at, along_x, along_z, radius - width, radius, colour);
    mesh_ribbon(&b->out->floor, ends[0][0], ends[0][1], up, width, colour);
    if (attractor->strength > 0) mesh_ribbon(&b->out->floor, ends[1][0], ends[1][1], up, width, colour);
  }
}

bool scenery_mesh_build(scenery_mesh *scenery, const view_session *session, bench_problem *problem) {
  const scene_scenery *shapes = &session->scene.scenery;
  builder b = {.out = scenery, .scene = &session->scene, .planar = session_is_planar(session)};
  session_extent(session, b.min, b.max);
  b.floor = b.min[1];
  b.height = UPRIGHT * session->scene.world.perception_radius;
  add_ground(&b);
  add_zones(&b);
  add_box_edges(&b);
  add_paths(&b);
  add_goals(&b);
  add_attractors(&b);
  if (session->scene.cells.width) add_cells(&b);
  for (uint32_t k = 0; k < shapes->circle_count; k++)
    (shapes->balls ? add_ball : add_pillar)(&b, &shapes->centre[k], shapes->radius[k]);
  add_walls(&b);
  add_boxes(&b);
  for (uint32_t k = 0; k < shapes->plane_count; k++) add_plane(&b, &shapes->point[k], &shapes->normal[k]);
  view_mesh *const meshes[] = {&scenery->floor, &scenery->lines, &scenery->solids, &scenery->planes};
  for (size_t k = 0; k < sizeof meshes / sizeof *meshes; k++) {
    if (meshes[k]->failed) return problem_set(problem, "out of memory for the scenery");
    mesh_upload(meshes[k]);
  }
  return true;
}

void scenery_mesh_release(scenery_mesh *scenery) {
  mesh_release(&scenery->floor);
  mesh_release(&scenery->lines);
  mesh_release(&scenery->solids);
  mesh_release(&scenery->planes);
}
