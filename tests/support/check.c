/* tests/support/check.c
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/groups.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void require_status(throng_status got, throng_status expected, const throng_error *error, const char *what,
                    const char *file, int line) {
  if (got != expected) {
    print_error("%s\n  answered %s, expected %s", what, throng_status_name(got), throng_status_name(expected));
    if (got != THRONG_OK && error != NULL) print_error(": agent %u: %s", error->agent.index, error->text);
    print_error("\n");
    _fail(file, line);
  }
  if (expected == THRONG_OK || error == NULL) return;
  const bool ended = memchr(error->text, '\0', sizeof error->text) != NULL;
  if (error->status != got || error->text[0] == '\0' || !ended || strchr(error->text, '\n') != NULL) {
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

static const char *column_name(throng_column column) {
  static const char *const name[] = {"position",   "velocity", "facing", "goal",         "wander",
                                     "perception", "body",     "group",  "acceleration", "path parameter"};
  return name[column];
}

/* Of columns that a frame writes. */
static const float *expected_of(const crowd_agent *a, throng_column column) {
  switch (column) {
  case THRONG_POSITION:
    return &a->position.x;
  case THRONG_VELOCITY:
    return &a->velocity.x;
  case THRONG_FACING:
    return &a->facing.x;
  case THRONG_WANDER:
    return &a->wander.x;
  case THRONG_ACCELERATION:
    return &a->acceleration.x;
  case THRONG_PATH_PARAMETER:
    return &a->path_parameter;
  default:
    return NULL;
  }
}

static uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* How many components of an agent differ; tells about the first few of them. */
static uint32_t compare_agent(const crowd *c, const crowd_agent *a, throng_column column, const float *got,
                              uint32_t width, const char *when, uint32_t told) {
  const float *expected = expected_of(a, column);
  uint32_t wrong = 0;
  for (uint32_t k = 0; k < width; k++) {
    if (float_bits(expected[k]) == float_bits(got[k])) continue;
    if (told + wrong++ < 5)
      print_error("%s: seed %" PRIu64 ", frame %" PRIu64 ", agent %u, %s[%u]: expected %08x (%.9g), got %08x (%.9g)\n",
                  when, c->seed, c->frame, a->id.index, column_name(column), k, float_bits(expected[k]),
                  (double)expected[k], float_bits(got[k]), (double)got[k]);
  }
  return wrong;
}

static uint32_t compare_column(const crowd *c, const throng_world *world, throng_column column, float *values,
                               const char *when) {
  const bool angle = !crowd_is_spatial(c) && (column == THRONG_FACING || column == THRONG_WANDER);
  const uint32_t width = angle || column == THRONG_PATH_PARAMETER ? 1 : 3;
  throng_error error;
  if (throng_agents_read(world, column, NULL, c->count, values, 0, &error) != THRONG_OK) {
    print_error("%s: seed %" PRIu64 ": %s cannot be read: %s\n", when, c->seed, column_name(column), error.text);
    return 1;
  }
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < c->count; i++)
    wrong += compare_agent(c, &c->agents[i], column, values + (size_t)i * width, width, when, wrong);
  if (wrong > 0)
    print_error("%s: seed %" PRIu64 ": %u components of %s differ\n", when, c->seed, wrong, column_name(column));
  return wrong;
}

bool crowd_matches(const crowd *c, const throng_world *world, uint32_t columns, const char *when) {
  if (throng_agent_count(world) != c->count) {
    print_error("%s: seed %" PRIu64 ": %u agents, expected %u\n", when, c->seed, throng_agent_count(world), c->count);
    return false;
  }
  if (!crowd_wanders(c)) columns &= ~(1u << THRONG_WANDER);
  float *values = malloc(((size_t)c->count + 1) * 3 * sizeof *values);
  if (values == NULL) abort();
  uint32_t wrong = 0;
  for (uint32_t column = 0; column < THRONG_COLUMN_COUNT && c->count > 0; column++)
    if (columns & 1u << column && expected_of(c->agents, (throng_column)column) != NULL)
      wrong += compare_column(c, world, (throng_column)column, values, when);
  free(values);
  return wrong == 0;
}

void require_crowd(const crowd *c, const throng_world *world, uint32_t columns, const char *when) {
  if (!crowd_matches(c, world, columns, when)) fail();
}

void require_sound(const throng_world *world, const char *when) {
  throng_error error = {0};
  if (throng_world_check(world, &error)) return;
  print_error("%s: %s\n", when, error.text);
  fail();
}
