/* SPDX-License-Identifier: MIT */
#include "scene/fields.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <throng/throng.h>

#include "scene/json_check.h"

_Static_assert(sizeof(throng_space) == sizeof(uint32_t), "FIELD_CHOICE stores enums as uint32_t");

#define PATH_SIZE 160

/* Finding the line of a value. cJSON does not store lines, but the k-th value of its tree is the k-th value of the
 * text. */

/* Adds to *count the values in document order from `value` to `wanted`. Returns true when it has found `wanted`. */
static bool count_until(const cJSON *value, const cJSON *wanted, size_t *count) {
  (*count)++;
  if (value == wanted) return true;
  for (const cJSON *child = value->child; child; child = child->next)
    if (count_until(child, wanted, count)) return true;
  return false;
}

static const char *skip_string(const char *c) {
  for (c++; *c != '"'; c++)
    if (*c == '\\') c++;
  return c + 1;
}

static uint64_t line_of(const json_file *json, const char *position) {
  uint64_t line = 1;
  for (const char *c = json->data; c < position; c++) line += *c == '\n';
  return line;
}

static uint64_t line_of_value(const json_file *json, const cJSON *value) {
  size_t wanted = 0, seen = 0;
  count_until(json->root, value, &wanted);
  for (const char *c = json->data; *c;) {
    const char *begin = c;
    if (strchr(" \t\r\n,:]}", *c)) {
      c++;
      continue;
    }
    if (*c == '"') {
      c = skip_string(c);
      if (c[strspn(c, " \t\r\n")] == ':') continue; /* a key */
    } else if (*c == '{' || *c == '[') {
      c++;
    } else {
      c += strcspn(c, " \t\r\n,:]}");
    }
    if (++seen == wanted) return line_of(json, begin);
  }
  return 1;
}

/* ---- Parsing and refusing ---- */

bool json_parse(json_file *json, size_t size) {
  const char *stop = NULL;
  json->root = NULL;
  const char *zero = memchr(json->data, 0, size);
  if (zero) return problem_at(json->problem, json->file, line_of(json, zero), "malformed JSON: a zero byte");
  if (!json_check(json->data, json->file, json->problem)) return false;
  json->root = cJSON_ParseWithOpts(json->data, &stop, true);
  if (!json->root) {
    if (!stop) stop = json->data;
    int shown = (int)strcspn(stop, "\r\n");
    return problem_at(json->problem, json->file, line_of(json, stop), "malformed JSON near '%.*s'",
                      shown < 40 ? shown : 40, stop);
  }
  if (cJSON_IsObject(json->root)) return true;
  problem_at(json->problem, json->file, 1, "malformed scene: allowed is an object { ... }");
  json_release(json);
  return false;
}

void json_release(json_file *json) {
  cJSON_Delete(json->root);
  json->root = NULL;
}

bool json_refuse(const json_file *json, const cJSON *value, const char *path, const char *allowed) {
  char *shown = cJSON_PrintUnformatted(value);
  problem_at(json->problem, json->file, line_of_value(json, value), "field '%s': value %.60s%s, allowed %s", path,
             shown ? shown : "?", shown && strlen(shown) > 60 ? "..." : "", allowed);
  cJSON_free(shown);
  return false;
}

/* One function per kind of field reads a value into `at`. It returns false if the value is not allowed. */

static bool read_float(const cJSON *value, const json_field *field, void *at) {
  float number;
  if (field->infinite && cJSON_IsString(value) && strcmp(value->valuestring, "infinity") == 0) {
    number = INFINITY;
  } else {
    if (!cJSON_IsNumber(value) || !isfinite(value->valuedouble) || fabs(value->valuedouble) > (double)FLT_MAX)
      return false;
    number = (float)value->valuedouble;
    /* Limits are rounded to float, as the kernel does: the double 2 pi is below the float 2 pi. */
    if (number < (float)field->min || number > (float)field->max || (field->above_min && number <= (float)field->min))
      return false;
  }
  memcpy(at, &number, sizeof number);
  return true;
}

static bool read_whole(const cJSON *value, const json_field *field, double *number) {
  if (!cJSON_IsNumber(value)) return false;
  *number = value->valuedouble;
  return *number >= field->min && *number <= field->max && *number == floor(*number);
}

static bool read_uint(const cJSON *value, const json_field *field, void *at) {
  double number;
  if (!read_whole(value, field, &number)) return false;
  uint32_t whole = (uint32_t)number;
  memcpy(at, &whole, sizeof whole);
  return true;
}

static bool read_uint64(const cJSON *value, const json_field *field, void *at) {
  double number;
  if (!read_whole(value, field, &number)) return false;
  uint64_t whole = (uint64_t)number;
  memcpy(at, &whole, sizeof whole);
  return true;
}

static bool read_bool(const cJSON *value, void *at) {
  if (!cJSON_IsBool(value)) return false;
  bool is_true = cJSON_IsTrue(value);
  memcpy(at, &is_true, sizeof is_true);
  return true;
}

static bool read_choice(const cJSON *value, const json_field *field, void *at) {
  if (!cJSON_IsString(value)) return false;
  for (uint32_t i = 0; field->choices[i]; i++)
    if (strcmp(field->choices[i], value->valuestring) == 0) {
      memcpy(at, &i, sizeof i);
      return true;
    }
  return false;
}

static bool read_axes(const cJSON *value, const json_field *field, void *at) {
  const bool list = cJSON_IsArray(value);
  if (list && cJSON_GetArraySize(value) != 3) return false;
  for (int axis = 0; axis < 3; axis++) {
    const cJSON *word = list ? cJSON_GetArrayItem(value, axis) : value;
    if (!read_choice(word, field, (char *)at + (size_t)axis * sizeof(uint32_t))) return false;
  }
  return true;
}

static bool read_vec3(const cJSON *value, void *at) {
  float numbers[3];
  if (!cJSON_IsArray(value) || cJSON_GetArraySize(value) != 3) return false;
  for (int i = 0; i < 3; i++) {
    const cJSON *component = cJSON_GetArrayItem(value, i);
    if (!cJSON_IsNumber(component) || !(fabs(component->valuedouble) <= (double)FLT_MAX)) return false;
    numbers[i] = (float)component->valuedouble;
  }
  memcpy(at, numbers, sizeof numbers);
  return true;
}

static bool read_layers(const cJSON *value, void *at) {
  if (!cJSON_IsArray(value)) return false;
  static const json_field layer = {.max = THRONG_MAX_LAYERS - 1};
  uint32_t mask = 0;
  const cJSON *item;
  cJSON_ArrayForEach(item, value) {
    double number;
    if (!read_whole(item, &layer, &number)) return false;
    mask |= UINT32_C(1) << (uint32_t)number;
  }
  memcpy(at, &mask, sizeof mask);
  return true;
}

static bool read_name(const cJSON *value, void *at) {
  if (!cJSON_IsString(value)) return false;
  size_t length = strlen(value->valuestring);
  if (length == 0 || length >= FIELD_NAME_SIZE) return false;
  for (size_t i = 0; i < length; i++)
    if (value->valuestring[i] < 0x20 || value->valuestring[i] > 0x7E) return false;
  memcpy(at, value->valuestring, length + 1);
  return true;
}

static bool read_colour(const cJSON *value, void *at) {
  if (!cJSON_IsString(value) || value->valuestring[0] != '#') return false;
  const char *digits = value->valuestring + 1;
  if (strlen(digits) != 6 || strspn(digits, "0123456789abcdefABCDEF") != 6) return false;
  uint32_t colour = (uint32_t)strtoul(digits, NULL, 16);
  memcpy(at, &colour, sizeof colour);
  return true;
}

static bool read_value(const cJSON *value, const json_field *field, void *at) {
  switch (field->kind) {
  case FIELD_FLOAT:
    return read_float(value, field, at);
  case FIELD_UINT:
    return read_uint(value, field, at);
  case FIELD_UINT64:
    return read_uint64(value, field, at);
  case FIELD_BOOL:
    return read_bool(value, at);
  case FIELD_CHOICE:
    return read_choice(value, field, at);
  case FIELD_AXES:
    return read_axes(value, field, at);
  case FIELD_VEC3:
    return read_vec3(value, at);
  case FIELD_LAYERS:
    return read_layers(value, at);
  case FIELD_NAME:
    return read_name(value, at);
  case FIELD_COLOUR:
    return read_colour(value, at);
  default:
    return true;
  }
}

static void list_names(char *list, size_t size, const char *const *names) {
  size_t length = 0;
  list[0] = 0;
  for (; *names && length + 1 < size; names++) {
    int added = snprintf(list + length, size - length, "%s%s", length ? ", " : "", *names);
    length += added > 0 ? (size_t)added : 0;
  }
}

/* Writes which values a field allows. */
static void describe_allowed(const json_field *field, char *allowed, size_t size) {
  const char *what = field->kind == FIELD_FLOAT ? "a number" : "a whole number";
  switch (field->kind) {
  case FIELD_FLOAT:
  case FIELD_UINT:
  case FIELD_UINT64:
    if (field->max >= (double)FLT_MAX && field->min <= -(double)FLT_MAX)
      snprintf(allowed, size, "a finite number");
    else if (field->max >= (double)FLT_MAX)
      snprintf(allowed, size, "a finite number %s %.9g%s", field->above_min ? "above" : "from", field->min,
               field->infinite ? ", or \"infinity\"" : "");
    else
      snprintf(allowed, size, "%s %s %.16g %s %.16g%s", what, field->above_min ? "above" : "from", field->min,
               field->above_min ? "up to" : "to", field->max, field->infinite ? ", or \"infinity\"" : "");
    break;
  case FIELD_BOOL:
    snprintf(allowed, size, "true or false");
    break;
  case FIELD_CHOICE:
    list_names(allowed, size, field->choices);
    break;
  case FIELD_AXES:
    list_names(allowed, size, field->choices);
    snprintf(allowed + strlen(allowed), size - strlen(allowed), ", or a list of three of them");
    break;
  case FIELD_VEC3:
    snprintf(allowed, size, "three finite numbers [x, y, z]");
    break;
  case FIELD_LAYERS:
    snprintf(allowed, size, "a list of layers from 0 to %u", THRONG_MAX_LAYERS - 1);
    break;
  case FIELD_NAME:
    snprintf(allowed, size, "a text of 1 to %d printable ASCII characters", FIELD_NAME_SIZE - 1);
    break;
  case FIELD_COLOUR:
    snprintf(allowed, size, "a colour like \"#c02040\"");
    break;
  default:
    snprintf(allowed, size, "an object { ... }");
    break;
  }
}

static bool refuse_key(const json_file *json, const cJSON *value, const char *path, const json_field *fields) {
  const char *names[64];
  char list[256];
  size_t count = 0;
  for (; fields->kind != FIELD_END && count < 63; fields++) names[count++] = fields->name;
  names[count] = NULL;
  list_names(list, sizeof list, names);
  return problem_at(json->problem, json->file, line_of_value(json, value), "unknown field '%s', allowed %s", path,
                    list);
}

static bool is_repeated(const cJSON *object, const cJSON *value) {
  return cJSON_GetObjectItemCaseSensitive(object, value->string) != value;
}

static bool read_field(const json_file *json, const cJSON *value, const char *path, const json_field *field,
                       void *target) {
  void *at = (char *)target + field->offset;
  if (field->kind == FIELD_OBJECT) {
    if (cJSON_IsObject(value)) return fields_read(json, value, path, field->fields, at);
  } else if (read_value(value, field, at)) {
    return true;
  }
  char allowed[160];
  describe_allowed(field, allowed, sizeof allowed);
  return json_refuse(json, value, path, allowed);
}

bool fields_read(const json_file *json, const cJSON *object, const char *path, const json_field *fields, void *target) {
  const cJSON *value;
  cJSON_ArrayForEach(value, object) {
    char here[PATH_SIZE];
    snprintf(here, sizeof here, "%s%s%s", path, *path ? "." : "", value->string);
    if (is_repeated(object, value))
      return problem_at(json->problem, json->file, line_of_value(json, value), "field '%s': given twice, allowed once",
                        here);
    if (strcmp(value->string, "comment") == 0) continue;
    const json_field *field = fields;
    while (field->kind != FIELD_END && strcmp(field->name, value->string) != 0) field++;
    if (field->kind == FIELD_END) return refuse_key(json, value, here, fields);
    if (!read_field(json, value, here, field, target)) return false;
  }
  return true;
}

json_field field_of_parameter(const throng_parameter *parameter, const char *name, size_t offset) {
  static const field_kind kinds[] = {[THRONG_PARAMETER_FLOAT] = FIELD_FLOAT,
                                     [THRONG_PARAMETER_BOOL] = FIELD_BOOL,
                                     [THRONG_PARAMETER_UINT32] = FIELD_UINT,
                                     [THRONG_PARAMETER_LAYERS] = FIELD_LAYERS,
                                     [THRONG_PARAMETER_ENUM] = FIELD_CHOICE};
  /* "above 0" is easier to read than "from 1.17549435e-38". */
  const bool above_0 = parameter->lowest > 0 && parameter->lowest <= (double)FLT_MIN;
  return (json_field){.name = name,
                      .kind = kinds[parameter->type],
                      .offset = offset + parameter->offset,
                      .min = above_0 ? 0 : parameter->lowest,
                      .max = parameter->highest,
                      .above_min = above_0,
                      .infinite = parameter->infinite,
                      .choices = parameter->words};
}
