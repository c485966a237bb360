/* tests/support/check.h: comparisons that print what differs. Include it first: it includes cmocka.h after the
 * headers that cmocka.h needs.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference/crowd.h"

/* Fails the test and prints the error's text unless the call returns THRONG_OK. */
#define require_ok(call, error) require_status((call), THRONG_OK, (error), #call, __FILE__, __LINE__)
/* Fails the test unless the call returns `expected`, and unless the error has the same status and a one-line text. */
#define require_error(call, expected, error) require_status((call), (expected), (error), #call, __FILE__, __LINE__)
void require_status(throng_status got, throng_status expected, const throng_error *error, const char *what,
                    const char *file, int line);

/* Whether the world has exactly the crowd's bits in the given columns (bits THRONG_BIT(throng_column)). Prints the
 * first differences of each column with seed, agent and both values. require_crowd fails the test instead of
 * returning false. */
bool crowd_matches(const crowd *c, const throng_world *world, uint64_t columns, const char *when);
void require_crowd(const crowd *c, const throng_world *world, uint64_t columns, const char *when);

#define MOTION_COLUMNS                                                                                                 \
  (THRONG_BIT(THRONG_COLUMN_POSITION) | THRONG_BIT(THRONG_COLUMN_VELOCITY) | THRONG_BIT(THRONG_COLUMN_FACING))
/* STATE_COLUMNS: all columns but the accelerations, which every steer computes again. */
#define STEERED_COLUMNS (THRONG_BIT(THRONG_COLUMN_ACCELERATION) | THRONG_BIT(THRONG_COLUMN_YAW_ACCELERATION))
#define READ_ONLY_COLUMNS (STEERED_COLUMNS | THRONG_BIT(THRONG_COLUMN_PATTERN_CUE))
#define STATE_COLUMNS ((THRONG_BIT(THRONG_COLUMN_COUNT) - 1) & ~READ_ONLY_COLUMNS)

/* Fails the test and prints the error's text if throng_world_check finds a fault. */
void require_sound(const throng_world *world, const char *when);

/* Whether a group has wander with a weight other than 0. */
bool crowd_wanders(const crowd *c);

/* Sets a locale whose decimal separator is a comma. If there is none, sets the locale C and returns false. */
bool comma_locale(void);
/* Whether the text contains the number's leading digits, in any of the usual notations. */
bool has_number(const char *text, float value);

#endif
