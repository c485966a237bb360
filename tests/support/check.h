/* tests/support/check.h: comparisons that say what differs. Include after nothing; brings cmocka.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference/crowd.h"

/* Fails the test and prints the error's text if a call that must succeed did not. */
#define require_ok(call, error) require_status((call), THRONG_OK, (error), #call, __FILE__, __LINE__)
/* Fails the test unless the call answers `expected`; then the error must say the same and have a text. */
#define require_error(call, expected, error) require_status((call), (expected), (error), #call, __FILE__, __LINE__)
void require_status(throng_status got, throng_status expected, const throng_error *error, const char *what,
                    const char *file, int line);

/* Whether the world has exactly the crowd's bits in the given columns (bit set of 1u << throng_column); prints the
 * first few differences with seed, agent, column and both values. */
bool crowd_matches(const crowd *c, const throng_world *world, uint32_t columns, const char *when);
void require_crowd(const crowd *c, const throng_world *world, uint32_t columns, const char *when);

#define MOTION_COLUMNS (1u << THRONG_COLUMN_POSITION | 1u << THRONG_COLUMN_VELOCITY | 1u << THRONG_COLUMN_FACING)
/* All that a state consists of. */
#define STEERED_COLUMNS (1u << THRONG_COLUMN_ACCELERATION | 1u << THRONG_COLUMN_YAW_ACCELERATION)
#define STATE_COLUMNS (((1u << THRONG_COLUMN_COUNT) - 1) & ~STEERED_COLUMNS)

/* The grid's own check; prints what it finds. */
void require_sound(const throng_world *world, const char *when);

bool crowd_wanders(const crowd *c);

/* Whether the text has the number's leading digits, in any of the usual ways to write it. */
bool has_number(const char *text, float value);

#endif
