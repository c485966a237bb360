/* OpenGL programs from their sources.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_GL_PROGRAM_H
#define VIEW_GL_PROGRAM_H

#include <epoxy/gl.h>

#include "common/problem.h"

/* 0 with a problem: what the driver's compiler says. */
GLuint gl_program_build(const char *vertex, const char *fragment, bench_problem *problem);

#endif
