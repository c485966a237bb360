/* SPDX-License-Identifier: MIT */
#include "viewer.h"

#include <stdlib.h>

#include "common/files.h"
#include "gl_program.h"
#include "markers.h"
#include "sidebar.h"
#include "trails_draw.h"

#define COLOUR_SKY 0x1B2536u /* at the top of the background */

static const char *const vertex_source = "#version 330 core\n"
                                         "layout(location = 0) in vec3 position;\n"
                                         "layout(location = 1) in vec4 colour;\n"
                                         "uniform mat4 matrix;\n"
                                         "out vec4 shade;\n"
                                         "void main() {\n"
                                         "  shade = colour;\n"
                                         "  gl_Position = matrix * vec4(position, 1.0);\n"
                                         "}\n";

static const char *const fragment_source = "#version 330 core\n"
                                           "in vec4 shade;\n"
                                           "out vec4 pixel;\n"
                                           "void main() { pixel = shade; }\n";

/* Makes the background of spatial worlds: the page's colour at the bottom, the sky's at the top. */
static void make_background(view_mesh *mesh) {
  const mesh_colour page = mesh_hex(COLOUR_PAGE, 1), sky = mesh_hex(COLOUR_SKY, 1);
  const vec3 corners[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  mesh_quad(mesh, corners[0], corners[1], corners[2], corners[3], page);
  for (size_t k = 0; k < mesh->count; k++)
    if (mesh->vertices[k].position[1] > 0) {
      mesh->vertices[k].colour[0] = (uint8_t)(255 * sky.colour.r);
      mesh->vertices[k].colour[1] = (uint8_t)(255 * sky.colour.g);
      mesh->vertices[k].colour[2] = (uint8_t)(255 * sky.colour.b);
    }
  mesh_upload(mesh);
}

bool viewer_open_drawing(view_state *viewer, bench_problem *problem) {
  viewer->mesh_program = gl_program_build(vertex_source, fragment_source, problem);
  if (!viewer->mesh_program) return false;
  viewer->mesh_matrix = glGetUniformLocation(viewer->mesh_program, "matrix");
  make_background(&viewer->background);
  glEnable(GL_BLEND);
  glEnable(GL_MULTISAMPLE);
  return crowd_draw_open(&viewer->crowd, &viewer->session, problem) &&
         scenery_mesh_build(&viewer->scenery, &viewer->session, problem) &&
         panel_program_open(&viewer->panels, problem);
}

void viewer_close_drawing(view_state *viewer) {
  crowd_draw_close(&viewer->crowd);
  scenery_mesh_release(&viewer->scenery);
  mesh_release(&viewer->background);
  mesh_release(&viewer->markers);
  mesh_release(&viewer->trails);
  panel_release(&viewer->sidebar);
  panel_release(&viewer->help);
  panel_program_close(&viewer->panels);
  canvas_release(&viewer->canvas);
  if (viewer->mesh_program) glDeleteProgram(viewer->mesh_program);
}

int viewer_sidebar_width(const view_state *viewer) {
  return viewer->show_sidebar ? (int)(SIDEBAR_WIDTH * viewer->scale) : 0;
}

static void use_meshes(const view_state *viewer, const float *matrix) {
  glUseProgram(viewer->mesh_program);
  glUniformMatrix4fv(viewer->mesh_matrix, 1, GL_FALSE, matrix);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

static void draw_background(view_state *viewer) {
  mat4 none = GLM_MAT4_IDENTITY_INIT;
  const picture_colour page = colour_from_hex(COLOUR_PAGE);
  glDisable(GL_DEPTH_TEST);
  glClearColor((float)page.r, (float)page.g, (float)page.b, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  if (session_is_planar(&viewer->session)) return;
  use_meshes(viewer, none[0]);
  mesh_draw(&viewer->background, GL_TRIANGLES);
}

/* Draws the trails without writing depths, so that they hide no agents. */
static void draw_trails(view_state *viewer) {
  if (viewer->options->trails <= 0) return;
  trails_build(&viewer->trails, &viewer->session, &viewer->camera, viewer->colour);
  mesh_upload(&viewer->trails);
  glDepthMask(GL_FALSE);
  mesh_draw(&viewer->trails, GL_TRIANGLES);
  glDepthMask(GL_TRUE);
}

/* Draws the floor first, without the depth test, because it hides nothing; then shapes, trails, agents and markers. */
static void draw_world(view_state *viewer) {
  const scenery_mesh *scenery = &viewer->scenery;
  view_camera *camera = &viewer->camera;
  use_meshes(viewer, camera->matrix[0]);
  mesh_draw(&scenery->floor, GL_TRIANGLES);
  mesh_draw(&scenery->lines, GL_LINES);
  glEnable(GL_DEPTH_TEST);
  mesh_draw(&scenery->solids, GL_TRIANGLES);
  glEnable(GL_CULL_FACE);
  mesh_draw(&scenery->planes, GL_TRIANGLES);
  glDisable(GL_CULL_FACE);
  draw_trails(viewer);
  if (viewer->colour == COLOUR_BY_PERIOD) session_look_at_periods(&viewer->session);
  crowd_draw_all(&viewer->crowd, &viewer->session, camera, &viewer->inspection, viewer->colour);
  glDisable(GL_DEPTH_TEST);
  markers_build(&viewer->markers, &viewer->session, camera, &viewer->inspection);
  mesh_upload(&viewer->markers);
  use_meshes(viewer, camera->matrix[0]);
  mesh_draw(&viewer->markers, GL_TRIANGLES);
}

static bool write_sidebar(view_state *viewer, bench_problem *problem) {
  const sidebar_facts facts = {.session = &viewer->session,
                               .inspection = &viewer->inspection,
                               .colour = viewer->colour,
                               .picture_ms = viewer->last_picture_ms,
                               .pictures_per_second = viewer->pace.pictures_per_second,
                               .speed = (double)viewer->speed,
                               .achieved = viewer->pace.achieved,
                               .counted = viewer->options->has_frames,
                               .paused = viewer->paused,
                               .behind = viewer->pace.behind,
                               .failure = viewer->failure.text};
  cairo_t *cairo = panel_begin(&viewer->sidebar, viewer_sidebar_width(viewer), viewer->height, viewer->scale, problem);
  if (!cairo) return false;
  sidebar_draw(cairo, viewer->height / viewer->scale, &facts);
  viewer->stale = false;
  return panel_end(&viewer->sidebar, cairo, problem);
}

static bool write_help(view_state *viewer, bench_problem *problem) {
  cairo_t *cairo = panel_begin(&viewer->help, (int)(HELP_WIDTH * viewer->scale), (int)(HELP_HEIGHT * viewer->scale),
                               viewer->scale, problem);
  if (!cairo) return false;
  sidebar_draw_help(cairo);
  return panel_end(&viewer->help, cairo, problem);
}

static bool draw_panels(view_state *viewer, bench_problem *problem) {
  const int width = viewer->width, height = viewer->height;
  if (viewer->show_sidebar) {
    if ((viewer->stale || viewer->sidebar.height != height) && !write_sidebar(viewer, problem)) return false;
    panel_draw(&viewer->sidebar, &viewer->panels, 0, 0, width, height);
  }
  if (!viewer->show_help) return true;
  if (!write_help(viewer, problem)) return false;
  panel_draw(&viewer->help, &viewer->panels, (width + viewer_sidebar_width(viewer) - viewer->help.width) / 2,
             (height - viewer->help.height) / 2, width, height);
  return true;
}

bool viewer_draw(view_state *viewer, bench_problem *problem) {
  const int left = viewer_sidebar_width(viewer);
  viewer->camera.width = (float)(viewer->width - left);
  viewer->camera.height = (float)viewer->height;
  camera_update(&viewer->camera);
  if (!canvas_begin(&viewer->canvas, viewer->width - left, viewer->height, problem)) return false;
  draw_background(viewer);
  draw_world(viewer);
  canvas_end(&viewer->canvas, left);
  glViewport(0, 0, viewer->width, viewer->height);
  return draw_panels(viewer, problem);
}

static cairo_status_t to_stream(void *stream, const unsigned char *data, unsigned int length) {
  return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* Copies the window's pixels. OpenGL's first row is the lowest one, cairo's the highest one. */
static void read_pixels(const view_state *viewer, cairo_surface_t *surface) {
  unsigned char *pixels = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  for (int row = 0; row < viewer->height; row++)
    glReadPixels(0, viewer->height - 1 - row, viewer->width, 1, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV,
                 pixels + (size_t)row * (size_t)stride);
  cairo_surface_mark_dirty(surface);
}

bool viewer_write_screenshot(const view_state *viewer, bench_problem *problem) {
  output_file output;
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, viewer->width, viewer->height);
  cairo_status_t status = cairo_surface_status(surface);
  if (status == CAIRO_STATUS_SUCCESS) read_pixels(viewer, surface);
  bool ok = output_open(&output, viewer->options->screenshot, problem);
  if (ok) {
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_write_to_png_stream(surface, to_stream, output.stream);
    ok = output_close(&output, status == CAIRO_STATUS_SUCCESS, problem);
  }
  cairo_surface_destroy(surface);
  return ok;
}
