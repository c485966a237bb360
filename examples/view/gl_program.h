/* gl_program.h: compiles OpenGL programs.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_GL_PROGRAM_H
#define VIEW_GL_PROGRAM_H

#include <epoxy/gl.h>

#include "common/problem.h"

/* Compiles and links a program. If that fails, returns 0; the problem has the message of the driver. */
GLuint gl_program_build(const char *vertex, const char *fragment, bench_problem *problem);

#endif
