/* fields.h: reads JSON objects into structs by tables of fields. A value that does not fit the table is a problem that
 * names file, line and field.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_FIELDS_H
#define BENCH_FIELDS_H

#include <cjson/cJSON.h>
#include <throng/behaviour.h>

#include "common/problem.h"
#include "common/text.h"

typedef struct json_file {
  const char *file;
  const char *data; /* the text that `root` was parsed from */
  cJSON *root;      /* an object */
  bench_problem *problem;
} json_file;

typedef enum field_kind {
  FIELD_END = 0,
  FIELD_FLOAT,
  FIELD_UINT,   /* uint32_t */
  FIELD_UINT64, /* up to 2^53, the largest integer that a JSON number holds exactly */
  FIELD_BOOL,
  FIELD_CHOICE, /* a C enum: the position in `choices`, which NULL ends */
  FIELD_VEC3,   /* throng_vec3 from [x, y, z] */
  FIELD_LAYERS, /* uint32_t bit set from a list of bits */
  FIELD_NAME,   /* char[FIELD_NAME_SIZE] */
  FIELD_COLOUR, /* uint32_t 0xRRGGBB from "#rrggbb" */
  FIELD_OBJECT, /* a struct at `offset`, read by `fields` */
  FIELD_OTHER   /* a known key that the caller reads itself */
} field_kind;

#define FIELD_NAME_SIZE 32

typedef struct json_field {
  const char *name;
  field_kind kind;
  size_t offset;
  double min, max; /* limits of FLOAT (as a float), UINT and UINT64; the components of VEC3 must be finite */
  bool above_min;  /* min itself is not allowed */
  bool infinite;   /* the text "infinity" is allowed */
  const char *const *choices;
  const struct json_field *fields;
} json_field;

/* Parses `data` (size bytes and a 0). The caller sets json->file, data and problem. */
bool json_parse(json_file *json, size_t size);
void json_release(json_file *json);

/* Writes the problem "FILE:LINE: field 'PATH': value ..., allowed ...". Returns false. */
bool json_refuse(const json_file *json, const cJSON *value, const char *path, const char *allowed);

/* Reads the keys of `object` into `target`; members without a key keep their values. Unknown keys, keys given twice
 * and values that their field does not allow are problems. Every object may have the key "comment". */
bool fields_read(const json_file *json, const cJSON *object, const char *path, const json_field *fields, void *target);

/* The field of a parameter that the library describes. `name` is its key; `offset` is where the struct that has the
 * parameter begins in the target struct. */
json_field field_of_parameter(const throng_parameter *parameter, const char *name, size_t offset);

#endif
