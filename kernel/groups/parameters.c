/* groups/parameters.c: see groups/parameters.h. SPDX-License-Identifier: MIT */
#include "groups/parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(bool) == 1 && sizeof(throng_rays) == sizeof(uint32_t), "as read and written here");

double throng_parameter_read(const void *object, const throng_parameter *parameter) {
  const char *at = (const char *)object + parameter->offset;
  float number;
  uint8_t byte;
  int32_t choice;
  uint32_t whole;
  switch (parameter->type) {
  case THRONG_PARAMETER_FLOAT:
    memcpy(&number, at, sizeof number);
    return (double)number;
  case THRONG_PARAMETER_BOOL:
    memcpy(&byte, at, sizeof byte);
    return (double)byte;
  case THRONG_PARAMETER_ENUM:
    memcpy(&choice, at, sizeof choice);
    return (double)choice;
  default:
    memcpy(&whole, at, sizeof whole);
    return (double)whole;
  }
}

bool throng_parameter_write(void *object, const throng_parameter *parameter, double value) {
  char *at = (char *)object + parameter->offset;
  if (parameter->type == THRONG_PARAMETER_FLOAT) {
    const float number = (float)value;
    memcpy(at, &number, sizeof number);
    return true;
  }
  if (!(value >= 0.0 && value <= (parameter->type == THRONG_PARAMETER_BOOL ? 1.0 : (double)UINT32_MAX))) return false;
  const uint32_t whole = (uint32_t)value;
  if ((double)whole != value) return false;
  const bool truth = whole != 0;
  if (parameter->type == THRONG_PARAMETER_BOOL) {
    memcpy(at, &truth, sizeof truth);
  } else {
    memcpy(at, &whole, sizeof whole);
  }
  return true;
}

void throng_parameter_clear_sign(void *object, const throng_parameter *parameter) {
  if (parameter->type != THRONG_PARAMETER_FLOAT) return;
  const float number = (float)throng_parameter_read(object, parameter) + 0.0f;
  memcpy((char *)object + parameter->offset, &number, sizeof number);
}

throng_status throng_parameter_check(const void *object, const throng_parameter *parameter, const char *kind,
                                     uint32_t entry, throng_error *error) {
  const double value = throng_parameter_read(object, parameter);
  if (value >= parameter->lowest && value <= parameter->highest) return THRONG_OK;
  if (parameter->infinite && value == (double)INFINITY) return THRONG_OK;
  char field[80];
  if (kind) {
    snprintf(field, sizeof field, "group.behaviour[%u].%s.%s", entry, kind, parameter->name);
  } else {
    snprintf(field, sizeof field, "group.%s", parameter->name);
  }
  if (parameter->type == THRONG_PARAMETER_FLOAT) {
    return throng_check_limit((float)value, (float)parameter->lowest, (float)parameter->highest, parameter->infinite,
                              field, error);
  }
  static const char *const truth[] = {"false", "true", NULL};
  const char *const *names = parameter->type == THRONG_PARAMETER_BOOL ? truth : parameter->words;
  if (names) return throng_check_enum((int64_t)value, names, field, error);
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "%s is %.0f, allowed: %.0f to %.0f", field, value,
                     parameter->lowest, parameter->highest);
}
