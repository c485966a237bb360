/* fields.h: reads JSON objects into structs. A table describes the fields of an object. For a value that the table does
 * not allow, the problem names file, line and field.
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
  FIELD_CHOICE, /* a C enum: the position of the text in `choices` */
  FIELD_AXES,   /* three such enums, one per axis: from one text for all, or from a list of three */
  FIELD_VEC3,   /* throng_vec3 from [x, y, z] */
  FIELD_LAYERS, /* uint32_t with one bit per layer, from a list of layers */
  FIELD_NAME,   /* char[FIELD_NAME_SIZE] */
  FIELD_COLOUR, /* uint32_t 0xRRGGBB from "#rrggbb" */
  FIELD_OBJECT, /* an object whose fields are described by `fields` */
  FIELD_OTHER   /* an allowed key that the caller reads itself */
} field_kind;

#define FIELD_NAME_SIZE 32

typedef struct json_field {
  const char *name;
  field_kind kind;
  size_t offset;
  double min, max; /* limits of FLOAT (rounded to float), UINT and UINT64; the components of VEC3 must be finite */
  bool above_min;  /* min itself is not allowed */
  bool infinite;   /* the text "infinity" is allowed */
  const char *const *choices;      /* of CHOICE: the allowed texts; NULL ends them */
  const struct json_field *fields; /* of OBJECT: the fields of the object; offsets count from `offset` */
} json_field;

/* Parses `data` (size bytes and a 0). The caller sets json->file, data and problem. */
bool json_parse(json_file *json, size_t size);
void json_release(json_file *json);

/* Sets the problem "FILE:LINE: field 'PATH': value ..., allowed ...". Returns false. */
bool json_refuse(const json_file *json, const cJSON *value, const char *path, const char *allowed);

/* Reads the keys of `object` into `target`; members without a key keep their values. Unknown keys, keys given twice
 * and values that are not allowed are problems. `path` is the object's path in messages. Every object may have the key
 * "comment". */
bool fields_read(const json_file *json, const cJSON *object, const char *path, const json_field *fields, void *target);

/* Returns the field for a parameter that the library describes. `name` is the field's key. parameter->offset counts
 * from a struct of the library; `offset` is the position of that struct in the target struct. */
json_field field_of_parameter(const throng_parameter *parameter, const char *name, size_t offset);

#endif
