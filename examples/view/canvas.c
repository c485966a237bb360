/* SPDX-License-Identifier: MIT */
#include "canvas.h"

static void make(view_canvas *canvas) {
  glGenFramebuffers(1, &canvas->sampled);
  glGenFramebuffers(1, &canvas->plain);
  glGenRenderbuffers(1, &canvas->colour);
  glGenRenderbuffers(1, &canvas->depth);
  glGenRenderbuffers(1, &canvas->plain_colour);
}

static bool resize(view_canvas *canvas, int width, int height, bench_problem *problem) {
  GLint most = 0;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  const GLint wanted = canvas->samples > 1 ? canvas->samples : 0, samples = most < wanted ? most : wanted;
  glBindRenderbuffer(GL_RENDERBUFFER, canvas->colour);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
  glBindRenderbuffer(GL_RENDERBUFFER, canvas->depth);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width, height);
  glBindRenderbuffer(GL_RENDERBUFFER, canvas->plain_colour);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glBindFramebuffer(GL_FRAMEBUFFER, canvas->plain);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, canvas->plain_colour);
  glBindFramebuffer(GL_FRAMEBUFFER, canvas->sampled);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, canvas->colour);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, canvas->depth);
  canvas->width = width;
  canvas->height = height;
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE ||
         problem_set(problem, "OpenGL: no canvas of %d x %d pixels with %d samples each", width, height, samples);
}

bool canvas_begin(view_canvas *canvas, int width, int height, bench_problem *problem) {
  if (!canvas->sampled) make(canvas);
  if ((canvas->width != width || canvas->height != height) && !resize(canvas, width, height, problem)) return false;
  glBindFramebuffer(GL_FRAMEBUFFER, canvas->sampled);
  glViewport(0, 0, width, height);
  return true;
}

/* Copies in two steps: OpenGL combines samples only between framebuffers of the same format, and the window may have
 * another format. */
void canvas_end(const view_canvas *canvas, int left) {
  const int width = canvas->width, height = canvas->height;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->sampled);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, canvas->plain);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->plain);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, width, height, left, 0, left + width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void canvas_release(view_canvas *canvas) {
  if (!canvas->sampled) return;
  glDeleteFramebuffers(1, &canvas->sampled);
  glDeleteFramebuffers(1, &canvas->plain);
  glDeleteRenderbuffers(1, &canvas->colour);
  glDeleteRenderbuffers(1, &canvas->depth);
  glDeleteRenderbuffers(1, &canvas->plain_colour);
}
