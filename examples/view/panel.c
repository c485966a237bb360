/* SPDX-License-Identifier: MIT */
#include "panel.h"

#include "gl_program.h"

static const char *const vertex_source =
    "#version 330 core\n"
    "uniform vec4 place; // left, top, width, height; the window is -1 to 1\n"
    "out vec2 texel;\n"
    "void main() {\n"
    "  texel = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
    "  gl_Position = vec4(place.x + texel.x * place.z, place.y - texel.y * place.w, 0.0, 1.0);\n"
    "}\n";

static const char *const fragment_source = "#version 330 core\n"
                                           "uniform sampler2D panel;\n"
                                           "in vec2 texel;\n"
                                           "out vec4 pixel;\n"
                                           "void main() { pixel = texture(panel, texel); }\n";

bool panel_program_open(panel_program *program, bench_problem *problem) {
  program->program = gl_program_build(vertex_source, fragment_source, problem);
  if (!program->program) return false;
  program->place = glGetUniformLocation(program->program, "place");
  program->panel = glGetUniformLocation(program->program, "panel");
  glGenVertexArrays(1, &program->array);
  return true;
}

void panel_program_close(panel_program *program) {
  if (!program->program) return;
  glDeleteProgram(program->program);
  glDeleteVertexArrays(1, &program->array);
}

cairo_t *panel_begin(view_panel *panel, int width, int height, double scale, bench_problem *problem) {
  if (!panel->surface || panel->width != width || panel->height != height) {
    cairo_surface_destroy(panel->surface);
    panel->surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
    panel->width = width;
    panel->height = height;
  }
  if (cairo_surface_status(panel->surface) != CAIRO_STATUS_SUCCESS) {
    problem_set(problem, "panel: %s", cairo_status_to_string(cairo_surface_status(panel->surface)));
    return NULL;
  }
  cairo_t *cairo = cairo_create(panel->surface);
  cairo_set_operator(cairo, CAIRO_OPERATOR_CLEAR);
  cairo_paint(cairo);
  cairo_set_operator(cairo, CAIRO_OPERATOR_OVER);
  cairo_scale(cairo, scale, scale);
  return cairo;
}

bool panel_end(view_panel *panel, cairo_t *cairo, bench_problem *problem) {
  const cairo_status_t status = cairo_status(cairo);
  cairo_destroy(cairo);
  if (status != CAIRO_STATUS_SUCCESS) return problem_set(problem, "panel: %s", cairo_status_to_string(status));
  cairo_surface_flush(panel->surface);
  if (!panel->texture) {
    glGenTextures(1, &panel->texture);
    glBindTexture(GL_TEXTURE_2D, panel->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  }
  glBindTexture(GL_TEXTURE_2D, panel->texture);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, cairo_image_surface_get_stride(panel->surface) / 4);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, panel->width, panel->height, 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV,
               cairo_image_surface_get_data(panel->surface));
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  return true;
}

void panel_draw(const view_panel *panel, const panel_program *program, int x, int y, int window_width,
                int window_height) {
  const float across = 2 / (float)window_width, down = 2 / (float)window_height;
  glUseProgram(program->program);
  glBindVertexArray(program->array);
  glBindTexture(GL_TEXTURE_2D, panel->texture);
  glUniform1i(program->panel, 0);
  glUniform4f(program->place, (float)x * across - 1, 1 - (float)y * down, (float)panel->width * across,
              (float)panel->height * down);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA); /* cairo's colours are premultiplied by alpha */
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void panel_release(view_panel *panel) {
  cairo_surface_destroy(panel->surface);
  if (panel->texture) glDeleteTextures(1, &panel->texture);
}
