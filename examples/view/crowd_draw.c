/* SPDX-License-Identifier: MIT */
#include "crowd_draw.h"

#include <stdlib.h>
#include <string.h>

#include "gl_program.h"
#include "scene/scene_density.h"

#define FIRST_ROW 1u /* location of the first row of an instance in the shader; 0 is the dart's corner */
#define ROWS 3u
#define FIRST_COLUMN (FIRST_ROW + ROWS)
#define TAGS (FIRST_COLUMN + CROWD_COLUMNS)
#define PALETTE_WIDTH 256
#define DART_CORNERS 4
#define SMALLEST_DART 2.6f /* pixels long */
#define LARGEST_LEAST                                                                                                  \
  9.0f                     /* pixels: the largest minimum length of a dart, if there is room; large bodies may make
                              darts longer */
#define SPACING_SHARE 1.4f /* length of a dart divided by the distance of agents spread evenly over the picture */

static const char *const vertex_source =
    "#version 330 core\n"
    "layout(location = 0) in vec4 corner; // to the side, up, along the facing; brightness\n"
    "layout(location = 1) in vec4 row_x; // of the instance: to the side, up, ahead; the position\n"
    "layout(location = 2) in vec4 row_y;\n"
    "layout(location = 3) in vec4 row_z;\n"
    "layout(location = 4) in float velocity_x;\n"
    "layout(location = 5) in float velocity_y;\n"
    "layout(location = 6) in float velocity_z;\n"
    "layout(location = 7) in uvec4 tag; // group, mark, level of the period, density\n"
    "uniform mat4 matrix;\n"
    "uniform sampler2D palette; // rows: group's colour and body radius; hue; ramp of speeds; group's max_speed and\n"
    "                           // whether it has bodies; ramp of densities\n"
    "uniform int mode;          // 0 group, 1 heading, 2 speed, 3 period, 4 density\n"
    "uniform bool planar;\n"
    "uniform float pixel;        // metres per pixel, per metre of depth\n"
    "uniform float least_pixels; // minimum length of a dart\n"
    "uniform vec2 fog;           // depth where it begins, 1 / its length; 0 = none\n"
    "uniform float dim;          // how much agents without a mark are darkened, 0 to 1\n"
    "out vec3 colour;\n"
    "out vec3 disc; // place in a disc, across and ahead, in body radii; z: 1, or 2 if it shows the facing; 0: a dart\n"
    "const vec3 page = vec3(0.063, 0.082, 0.122);\n"
    "vec3 own_colour(vec3 facing) {\n"
    "  if (mode == 0) return texelFetch(palette, ivec2(int(tag.x), 0), 0).rgb;\n"
    "  if (mode == 1) {\n"
    "    float turns = atan(facing.x, facing.z) / 6.2831853;\n"
    "    return texelFetch(palette, ivec2(int(fract(turns) * 255.99), 1), 0).rgb;\n"
    "  }\n"
    "  if (mode == 4) return texelFetch(palette, ivec2(int(tag.w), 4), 0).rgb;\n"
    "  if (mode == 3) return texelFetch(palette, ivec2(255 - 85 * int(tag.z), 2), 0).rgb;\n"
    "  float most = texelFetch(palette, ivec2(int(tag.x), 3), 0).r;\n"
    "  float speed = length(vec3(velocity_x, velocity_y, velocity_z));\n"
    "  return texelFetch(palette, ivec2(int(clamp(speed / most, 0.0, 1.0) * 255.0), 2), 0).rgb;\n"
    "}\n"
    "void main() {\n"
    "  vec3 place = vec3(row_x.w, row_y.w, row_z.w);\n"
    "  vec3 facing = vec3(row_x.z, row_y.z, row_z.z);\n"
    "  vec3 side = normalize(cross(vec3(0.0, 1.0, 0.0), facing) + vec3(1e-6, 0.0, 0.0));\n"
    "  vec3 up = cross(facing, side);\n"
    "  float depth = (matrix * vec4(place, 1.0)).w;\n"
    "  float body = texelFetch(palette, ivec2(int(tag.x), 0), 0).a;\n"
    "  float size = max(2.2 * body, pixel * least_pixels * depth);\n"
    "  if (tag.y == 2u) size *= 1.25;\n"
    "  vec2 at = 2.0 * vec2(gl_VertexID & 1, gl_VertexID >> 1) - 1.0;\n"
    "  float radius = texelFetch(palette, ivec2(int(tag.x), 3), 0).g > 0.0 ? body / (pixel * depth) : 0.0;\n"
    "  disc = planar && radius >= 1.5 ? vec3(at, radius < 4.0 ? 1.0 : 2.0) : vec3(0.0);\n"
    "  vec4 shape = disc.z > 0.0 ? vec4(at.x, 0.0, at.y, 1.0) : corner;\n"
    "  if (disc.z > 0.0) size = body;\n"
    "  gl_Position = matrix * vec4(place + size * (side * shape.x + up * shape.y + facing * shape.z), 1.0);\n"
    "  colour = own_colour(facing) * shape.w;\n"
    "  if (tag.y == 0u) colour = mix(colour, page, dim);\n"
    "  if (tag.y == 0u) colour = mix(colour, page, clamp((depth - fog.x) * fog.y, 0.0, 0.6));\n"
    "}\n";

static const char *const fragment_source = "#version 330 core\n"
                                           "in vec3 colour, disc;\n"
                                           "out vec4 pixel;\n"
                                           "void main() {\n"
                                           "  if (disc.z > 0.0 && dot(disc.xy, disc.xy) > 1.0) discard;\n"
                                           "  bool arrow = disc.y > -0.4 && abs(disc.x) < 0.4 * (0.7 - disc.y);\n"
                                           "  pixel = vec4(disc.z > 1.5 && arrow ? 0.4 * colour : colour, 1.0);\n"
                                           "}\n";

static void set_texel(float texel[4], picture_colour colour, float alpha) {
  texel[0] = (float)colour.r;
  texel[1] = (float)colour.g;
  texel[2] = (float)colour.b;
  texel[3] = alpha;
}

static void make_palette(crowd_draw *crowd, const bench_scene *scene) {
  static const picture_colour black = {0, 0, 0};
  float texels[5][PALETTE_WIDTH][4];
  for (uint32_t k = 0; k < PALETTE_WIDTH; k++) {
    const bool group = k < scene->group_count;
    const float most = group ? scene->groups[k].def.max_speed : 1;
    set_texel(texels[0][k], group ? colour_of_group(scene, k) : black, group ? scene->groups[k].def.body_radius : 0);
    set_texel(texels[1][k], colour_of_hue((k + 0.5) / PALETTE_WIDTH), 1);
    set_texel(texels[2][k], colour_of_speed(k / (PALETTE_WIDTH - 1.0)), 1);
    set_texel(texels[3][k], black, 1);
    texels[3][k][0] = isfinite(most) ? most : 1;
    texels[3][k][1] = group && scene_group_has_body(&scene->groups[k].def) ? 1 : 0;
    set_texel(texels[4][k], colour_of_density(k / (PALETTE_WIDTH - 1.0)), 1);
  }
  glGenTextures(1, &crowd->palette);
  glBindTexture(GL_TEXTURE_2D, crowd->palette);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, PALETTE_WIDTH, 5, 0, GL_RGBA, GL_FLOAT, texels);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

/* Makes a dart: a tip, two corners behind it and a notch between these corners. In spatial worlds the notch is raised,
 * so that the dart is visible from every side. */
static void make_dart(crowd_draw *crowd, bool planar) {
  static const float tip[4] = {0, 0, 0.6f, 1}, left[4] = {0.36f, 0, -0.4f, 0.82f}, right[4] = {-0.36f, 0, -0.4f, 1};
  const float notch[4] = {0, planar ? 0 : 0.2f, planar ? -0.18f : -0.4f, planar ? 0.95f : 0.7f};
  const float *const corners[DART_CORNERS] = {left, tip, notch, right}; /* a strip */
  float dart[DART_CORNERS][4];
  for (int k = 0; k < DART_CORNERS; k++) memcpy(dart[k], corners[k], sizeof dart[k]);
  glGenBuffers(1, &crowd->dart);
  glBindBuffer(GL_ARRAY_BUFFER, crowd->dart);
  glBufferData(GL_ARRAY_BUFFER, sizeof dart, dart, GL_STATIC_DRAW);
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
}

static void make_columns(crowd_draw *crowd) {
  glGenBuffers(1, &crowd->instances);
  glBindBuffer(GL_ARRAY_BUFFER, crowd->instances);
  for (GLuint k = 0; k < ROWS; k++) {
    const size_t row = 4 * sizeof(float);
    glEnableVertexAttribArray(FIRST_ROW + k);
    glVertexAttribPointer(FIRST_ROW + k, 4, GL_FLOAT, GL_FALSE, (GLsizei)(ROWS * row), (const void *)(k * row));
    glVertexAttribDivisor(FIRST_ROW + k, 1);
  }
  glGenBuffers(CROWD_COLUMNS, crowd->column);
  for (GLuint k = 0; k < CROWD_COLUMNS; k++) {
    glBindBuffer(GL_ARRAY_BUFFER, crowd->column[k]);
    glVertexAttribPointer(FIRST_COLUMN + k, 1, GL_FLOAT, GL_FALSE, 0, NULL);
    glVertexAttribDivisor(FIRST_COLUMN + k, 1);
  }
  glGenBuffers(1, &crowd->tags);
  glBindBuffer(GL_ARRAY_BUFFER, crowd->tags);
  glEnableVertexAttribArray(TAGS);
  glVertexAttribIPointer(TAGS, 4, GL_UNSIGNED_BYTE, 0, NULL);
  glVertexAttribDivisor(TAGS, 1);
}

bool crowd_draw_open(crowd_draw *crowd, const view_session *session, bench_problem *problem) {
  crowd->capacity = session->start.count;
  crowd->tag = calloc((size_t)crowd->capacity + 1, sizeof *crowd->tag);
  crowd->density = calloc((size_t)crowd->capacity + 1, sizeof *crowd->density);
  if (!crowd->tag || !crowd->density) return problem_set(problem, "out of memory for %u agents", crowd->capacity);
  crowd->program = gl_program_build(vertex_source, fragment_source, problem);
  if (!crowd->program) return false;
  crowd->uniform.matrix = glGetUniformLocation(crowd->program, "matrix");
  crowd->uniform.palette = glGetUniformLocation(crowd->program, "palette");
  crowd->uniform.mode = glGetUniformLocation(crowd->program, "mode");
  crowd->uniform.planar = glGetUniformLocation(crowd->program, "planar");
  crowd->uniform.pixel = glGetUniformLocation(crowd->program, "pixel");
  crowd->uniform.least_pixels = glGetUniformLocation(crowd->program, "least_pixels");
  crowd->uniform.fog = glGetUniformLocation(crowd->program, "fog");
  crowd->uniform.dim = glGetUniformLocation(crowd->program, "dim");
  glGenVertexArrays(1, &crowd->array);
  glBindVertexArray(crowd->array);
  make_palette(crowd, &session->scene);
  make_dart(crowd, session_is_planar(session));
  make_columns(crowd);
  return true;
}

void crowd_draw_close(crowd_draw *crowd) {
  free(crowd->tag);
  free(crowd->density);
  if (!crowd->program) return;
  glDeleteProgram(crowd->program);
  glDeleteVertexArrays(1, &crowd->array);
  glDeleteBuffers(1, &crowd->dart);
  glDeleteBuffers(1, &crowd->instances);
  glDeleteBuffers(CROWD_COLUMNS, crowd->column);
  glDeleteBuffers(1, &crowd->tags);
  glDeleteTextures(1, &crowd->palette);
}

/* Copies the instances and the columns to the graphics card. A column that the world does not have is 0 for all
 * agents. */
static void load_columns(crowd_draw *crowd, const view_session *session, const throng_view *view, bool with_velocity) {
  const float *const columns[CROWD_COLUMNS] = {with_velocity ? view->velocity_x : NULL,
                                               with_velocity ? view->velocity_y : NULL,
                                               with_velocity ? view->velocity_z : NULL};
  glBindBuffer(GL_ARRAY_BUFFER, crowd->instances);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(view->count * sizeof *session->instance), session->instance,
               GL_STREAM_DRAW);
  for (GLuint k = 0; k < CROWD_COLUMNS; k++) {
    if (!columns[k]) {
      glDisableVertexAttribArray(FIRST_COLUMN + k);
      glVertexAttrib1f(FIRST_COLUMN + k, 0);
      continue;
    }
    glEnableVertexAttribArray(FIRST_COLUMN + k);
    glBindBuffer(GL_ARRAY_BUFFER, crowd->column[k]);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(view->count * sizeof(float)), columns[k], GL_STREAM_DRAW);
  }
}

/* Copies the tags to the graphics card. Densities are in 255ths of DENSITY_MOST. If memory for new ones is short, they
 * stay as they are. */
static void load_tags(crowd_draw *crowd, const view_session *session, const throng_view *view, const uint8_t *mark,
                      bool with_density) {
  if (with_density)
    scene_density(&session->scene, view->position_x, view->position_y, view->position_z, view->count, crowd->density);
  for (uint32_t k = 0; k < view->count; k++) {
    crowd->tag[k][0] = session->group_of[view->id_index[k]];
    crowd->tag[k][1] = mark[view->id_index[k]];
    crowd->tag[k][2] = session->level_of[view->id_index[k]];
    crowd->tag[k][3] = (uint8_t)(255 * crowd->density[k] / DENSITY_MOST);
  }
  glBindBuffer(GL_ARRAY_BUFFER, crowd->tags);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(view->count * sizeof *crowd->tag), crowd->tag, GL_STREAM_DRAW);
}

void crowd_draw_all(crowd_draw *crowd, const view_session *session, const view_camera *camera,
                    const view_inspection *inspection, colour_mode mode) {
  const throng_view view = session_view(session);
  const bool planar = session_is_planar(session);
  if (view.count == 0) return;
  glBindVertexArray(crowd->array);
  load_columns(crowd, session, &view, mode == COLOUR_BY_SPEED);
  load_tags(crowd, session, &view, inspection->mark, mode == COLOUR_BY_DENSITY);
  glUseProgram(crowd->program);
  glBindTexture(GL_TEXTURE_2D, crowd->palette);
  glUniformMatrix4fv(crowd->uniform.matrix, 1, GL_FALSE, camera->matrix[0]);
  glUniform1i(crowd->uniform.palette, 0);
  glUniform1i(crowd->uniform.mode, (GLint)mode);
  glUniform1i(crowd->uniform.planar, planar);
  const float spacing = sqrtf(camera->width * camera->height / (float)view.count);
  glUniform1f(crowd->uniform.pixel, camera_pixel(camera));
  glUniform1f(crowd->uniform.least_pixels, glm_clamp(SPACING_SHARE * spacing, SMALLEST_DART, LARGEST_LEAST));
  glUniform2f(crowd->uniform.fog, camera->distance - camera->reach / 3, planar ? 0 : 1 / camera->reach);
  glUniform1f(crowd->uniform.dim, inspection->valid ? 0.35f : 0);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, DART_CORNERS, (GLsizei)view.count);
}
