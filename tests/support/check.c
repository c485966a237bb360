/* tests/support/check.c
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/groups.h"

#include <ctype.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether an error text follows the rules for all texts. It is one complete line. Numbers have a decimal point in every
 * locale. Elements of arrays have their index, not "[k]". An allowed range has no end such as 3e38 or infinity. */
static bool text_is_sound(const char *text) {
  const size_t length = strlen(text);
  if (length == 0 || length + 1 >= sizeof((throng_error *)0)->text) return false;
  for (size_t k = 0; k < length; k++) {
    if ((unsigned char)text[k] < ' ' || (unsigned char)text[k] > '~') return false;
    if (k > 0 && text[k] == ',' && isdigit((unsigned char)text[k - 1]) && isdigit((unsigned char)text[k + 1]))
      return false;
  }
  const char *allowed = strstr(text, "allowed");
  if (allowed && (strstr(allowed, "e-38") || strstr(allowed, "e38") || strstr(allowed, "inf"))) return false;
  return !strstr(text, "[k]") && !strchr(text, '%') && !strstr(text, "e+") && !strstr(text, "-nan");
}

void require_status(throng_status got, throng_status expected, const throng_error *error, const char *what,
                    const char *file, int line) {
  if (got != expected) {
    print_error("%s\n  returned %s, expected %s", what, throng_status_name(got), throng_status_name(expected));
    if (got != THRONG_OK && error != NULL) print_error(": agent %u: %s", error->agent.index, error->text);
    print_error("\n");
    _fail(file, line);
  }
  if (expected == THRONG_OK || error == NULL) return;
  const bool ended = memchr(error->text, '\0', sizeof error->text) != NULL;
  if (error->status != got || !ended || !text_is_sound(error->text)) {
    print_error("%s\n  the error is wrong: status %s, text '%.200s'\n", what, throng_status_name(error->status),
                error->text);
    _fail(file, line);
  }
}

bool crowd_wanders(const crowd *c) {
  for (uint32_t g = 0; g < c->group_count; g++)
    if (group_wants(&c->groups[g], THRONG_BEHAVIOUR_WANDER)) return true;
  return false;
}

/* Writes the values that the agent must have in the column to `expected`. Returns their number, 0 to 3; 0 for a
 * column that no frame changes. */
static uint32_t expected_of(const crowd *c, const crowd_agent *a, throng_column column, float expected[3]) {
  const uint32_t angle = crowd_is_spatial(c) ? 3 : 1;
  switch (column) {
  case THRONG_COLUMN_POSITION:
    return memcpy(expected, &a->position, sizeof a->position), 3;
  case THRONG_COLUMN_VELOCITY:
    return memcpy(expected, &a->velocity, sizeof a->velocity), 3;
  case THRONG_COLUMN_FACING:
    return memcpy(expected, &a->facing, sizeof a->facing), angle;
  case THRONG_COLUMN_WANDER:
    return memcpy(expected, &a->wander, sizeof a->wander), angle;
  case THRONG_COLUMN_ACCELERATION:
    return memcpy(expected, &a->acceleration, sizeof a->acceleration), 3;
  case THRONG_COLUMN_YAW_RATE:
    return expected[0] = a->yaw_rate, 1;
  case THRONG_COLUMN_YAW_ACCELERATION:
    return expected[0] = a->yaw_acceleration, 1;
  case THRONG_COLUMN_PATH_PARAMETER:
    return expected[0] = a->path_parameter, 1;
  case THRONG_COLUMN_PATTERN_INSTRUCTION:
    return expected[0] = a->pattern_instruction, 1;
  case THRONG_COLUMN_PATTERN_TIME:
    return expected[0] = a->pattern_time, 1;
  case THRONG_COLUMN_PATTERN_WAY:
    return memcpy(expected, &a->pattern_way, sizeof a->pattern_way), 3;
  case THRONG_COLUMN_FORMATION_PLACE:
    return expected[0] = a->formation_place, 1;
  case THRONG_COLUMN_MAX_SPEED:
    return expected[0] = crowd_speed_column(c, a), 1;
  case THRONG_COLUMN_TARGET:
    return memcpy(expected, &a->target, sizeof a->target), 2;
  case THRONG_COLUMN_BLOCKED_TIME:
    return expected[0] = a->blocked_time, 1;
  case THRONG_COLUMN_KEPT_ACCELERATION:
    return memcpy(expected, &a->kept, sizeof a->kept), 3;
  default:
    return 0;
  }
}

static uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Returns how many components of the agent differ. Prints at most the first 5 differences of a column. told: the number
 * of differences in the agents before this one. */
static uint32_t compare_agent(const crowd *c, const crowd_agent *a, throng_column column, const float *got,
                              uint32_t width, const char *when, uint32_t told) {
  float expected[3] = {0.0f, 0.0f, 0.0f};
  expected_of(c, a, column, expected);
  uint32_t wrong = 0;
  for (uint32_t k = 0; k < width; k++) {
    if (float_bits(expected[k]) == float_bits(got[k])) continue;
    if (told + wrong++ < 5)
      print_error("%s: seed %" PRIu64 ", frame %" PRIu64 ", agent %u, %s[%u]: expected %08x (%.9g), got %08x (%.9g)\n",
                  when, c->seed, c->frame, a->id.index, throng_column_name(column), k, float_bits(expected[k]),
                  (double)expected[k], float_bits(got[k]), (double)got[k]);
  }
  return wrong;
}

static uint32_t compare_column(const crowd *c, const throng_world *world, throng_column column, float *values,
                               const char *when) {
  float expected[3] = {0.0f, 0.0f, 0.0f};
  const uint32_t width = expected_of(c, c->agents, column, expected);
  throng_error error;
  if (width == 0) return 0;
  if (throng_agents_read(world, column, NULL, c->count, values, 0, &error) != THRONG_OK) {
    print_error("%s: seed %" PRIu64 ": %s cannot be read: %s\n", when, c->seed, throng_column_name(column), error.text);
    return 1;
  }
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < c->count; i++)
    wrong += compare_agent(c, &c->agents[i], column, values + (size_t)i * width, width, when, wrong);
  if (wrong > 0)
    print_error("%s: seed %" PRIu64 ": %u components of %s differ\n", when, c->seed, wrong, throng_column_name(column));
  return wrong;
}

bool crowd_matches(const crowd *c, const throng_world *world, uint64_t columns, const char *when) {
  if (throng_agents_count(world) != c->count) {
    print_error("%s: seed %" PRIu64 ": %u agents, expected %u\n", when, c->seed, throng_agents_count(world), c->count);
    return false;
  }
  if (!crowd_wanders(c)) columns &= ~THRONG_BIT(THRONG_COLUMN_WANDER);
  float *values = malloc(((size_t)c->count + 1) * 3 * sizeof *values);
  if (values == NULL) abort();
  uint32_t wrong = 0;
  for (uint32_t column = 0; column < THRONG_COLUMN_COUNT && c->count > 0; column++)
    if (columns & THRONG_BIT(column)) wrong += compare_column(c, world, (throng_column)column, values, when);
  free(values);
  return wrong == 0;
}

void require_crowd(const crowd *c, const throng_world *world, uint64_t columns, const char *when) {
  if (!crowd_matches(c, world, columns, when)) fail();
}

void require_sound(const throng_world *world, const char *when) {
  throng_error error = {0};
  if (throng_world_check(world, &error)) return;
  print_error("%s: %s\n", when, error.text);
  fail();
}

bool comma_locale(void) {
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
    if (setlocale(LC_ALL, names[k]) && strcmp(localeconv()->decimal_point, ",") == 0) return true;
  }
  setlocale(LC_ALL, "C");
  return false;
}

bool has_number(const char *text, float value) {
  static const char *const formats[] = {"%g", "%.9g", "%.0f"};
  if (isnan(value)) return strstr(text, "nan") != NULL;
  if (isinf(value)) return strstr(text, "inf") != NULL;
  for (size_t k = 0; k < 3; k++) {
    char number[64];
    snprintf(number, sizeof number, formats[k], (double)value);
    number[strcspn(number, "e")] = '\0';
    number[strcspn(number, ",")] = number[strcspn(number, ",")] ? '.' : '\0';
    if (strlen(number) > 4) number[4] = '\0';
    if (strstr(text, number) != NULL) return true;
  }
  return false;
}
