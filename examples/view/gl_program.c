/* SPDX-License-Identifier: MIT */
#include "gl_program.h"

#define LOG_SIZE 400

static GLuint compile(GLenum kind, const char *source, bench_problem *problem) {
  char log[LOG_SIZE] = "";
  GLint compiled = GL_FALSE;
  GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &source, NULL);
  glCompileShader(shader);
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled) return shader;
  glGetShaderInfoLog(shader, LOG_SIZE, NULL, log);
  glDeleteShader(shader);
  problem_set(problem, "OpenGL: a shader does not compile: %s", log);
  return 0;
}

static bool link_program(GLuint program, bench_problem *problem) {
  char log[LOG_SIZE] = "";
  GLint linked = GL_FALSE;
  glLinkProgram(program);
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (linked) return true;
  glGetProgramInfoLog(program, LOG_SIZE, NULL, log);
  return problem_set(problem, "OpenGL: a program does not link: %s", log);
}

GLuint gl_program_build(const char *vertex, const char *fragment, bench_problem *problem) {
  GLuint first = compile(GL_VERTEX_SHADER, vertex, problem), program = 0;
  GLuint second = first ? compile(GL_FRAGMENT_SHADER, fragment, problem) : 0;
  if (second) {
    program = glCreateProgram();
    glAttachShader(program, first);
    glAttachShader(program, second);
    if (!link_program(program, problem)) {
      glDeleteProgram(program);
      program = 0;
    }
  }
  glDeleteShader(first); /* OpenGL ignores 0, and deletes a shader together with its program */
  glDeleteShader(second);
  return program;
}
