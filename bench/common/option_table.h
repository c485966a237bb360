/* Reads command lines and prints their help, both from a table with one row per option.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_OPTION_TABLE_H
#define BENCH_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <throng/throng.h>

#include "common/problem.h"

#define MAX_THREADS 1024u
#define MAX_CHOICES 64
#define MAX_OPTIONS 64

/* The value of an option "a,b,c". */
typedef struct option_list {
  uint32_t count, value[MAX_CHOICES];
} option_list;

typedef enum option_type {
  OPTION_FLAG, /* bool; the option has no value */
  OPTION_TEXT, /* const char * */
  OPTION_UINT, /* uint32_t or an enumeration */
  OPTION_UINT64,
  OPTION_FLOAT,
  OPTION_LIST, /* option_list of numbers or names */
  OPTION_OTHER /* any type; the row has `take` */
} option_type;

typedef struct option_row {
  const char *name;  /* "--agents" */
  const char *value; /* the name of its value in the help; NULL: a flag */
  option_type type;
  size_t offset;                                 /* of the member of the program's struct that holds its value */
  size_t given;                                  /* offset of a bool that tells whether it was given; 0: none */
  double min, max;                               /* of numbers; of a text: max is the number of bytes, 0 for any */
  const char *(*names)(uint32_t k);              /* for names: name k, from `min` on; NULL after the last */
  bool (*take)(const char *value, void *member); /* for OPTION_OTHER; returns false if the value is wrong */
  const char *allowed;                           /* for OPTION_OTHER: what messages and help say is allowed */
  const char *usual;                             /* its value if it is not given; NULL: the member stays zero */
  const char *needs, *forbids;                   /* options that must, or must not, be given with it; NULL: none */
  const char *only;                              /* the options that may be given with it, as messages list them */
  bool alone;                                    /* if it is given, needs, forbids and only are not checked */
  const char *help;                              /* RANGE and DEFAULT in it are replaced */
} option_row;

/* The type and the place of an option's value, from the member of the program's struct. */
#define OPTION_AT(options, member)                                                                                     \
  .type = _Generic(((options *)0)->member,                                                                             \
      bool: OPTION_FLAG,                                                                                               \
      const char *: OPTION_TEXT,                                                                                       \
      uint32_t: OPTION_UINT,                                                                                           \
      uint64_t: OPTION_UINT64,                                                                                         \
      float: OPTION_FLOAT,                                                                                             \
      option_list: OPTION_LIST,                                                                                        \
      default: OPTION_OTHER),                                                                                          \
  .offset = offsetof(options, member)
#define OPTION_HELP(options)                                                                                           \
  { "--help", NULL, OPTION_AT(options, help), .alone = true, .help = "prints this; also -h" }
#define OPTION_VERSION(options)                                                                                        \
  { "--version", NULL, OPTION_AT(options, version), .alone = true, .help = "prints the version" }

/* The options of one program. */
typedef struct option_table {
  const char *program, *title; /* the title: what the program does */
  const char *notes;           /* the end of its help; NULL: none */
  const option_row *rows;
  size_t count; /* at most MAX_OPTIONS */
} option_table;

/* Reads arguments[1] to arguments[count - 1] into `options`, a struct that the caller has zeroed. Stops at the first
 * wrong argument and returns false with a problem. */
bool option_read(const option_table *table, void *options, int count, char **arguments, bench_problem *problem);
void option_print_help(const option_table *table);
void option_print_version(const option_table *table);

/* Sets the problem "option '--x': value 'y', allowed ..." and returns false. */
bool option_refuse(const char *option, const char *value, const char *allowed, bench_problem *problem);
/* Checks a value of --isa: whether this CPU and this build have it. */
bool option_check_isa(throng_isa isa, bench_problem *problem);
/* Names for a row: of instruction sets. */
const char *option_isa_name(uint32_t k);

#endif
