/* gl_program.h: compiles OpenGL programs.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_GL_PROGRAM_H
#define VIEW_GL_PROGRAM_H

#include <epoxy/gl.h>

#include "common/problem.h"

/* Returns 0 and a problem with the text of the driver's compiler if that fails. */
GLuint gl_program_build(const char *vertex, const char *fragment, bench_problem *problem);

#endif
