/* tests/support/wrong.h: calls with a wrong argument. tests/check_arguments.sh searches for these macros, to check
 * that no public function is missing.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_WRONG_H
#define TEST_WRONG_H

#include "support/check.h"

/* Calls the function with an error and with NULL for it, and checks that both calls return THRONG_ERROR_<status>, that
 * the error's text contains `word`, and that the watched world is unchanged. */
#define WRONG(status, word, function, ...)                                                                             \
  wrong_check(function(__VA_ARGS__, &wrong_error), function(__VA_ARGS__, NULL), THRONG_ERROR_##status, word,           \
              #function "(" #__VA_ARGS__ ")", __FILE__, __LINE__)
/* For functions that return no status. ANSWERS compares the returned value, SAYS the returned string; SURVIVES only
 * calls the function. */
#define ANSWERS(value, function, ...) assert_true(function(__VA_ARGS__) == (value))
#define SAYS(text, function, ...) assert_string_equal(function(__VA_ARGS__), text)
#define SURVIVES(function, ...) function(__VA_ARGS__)

extern throng_error wrong_error;

/* Makes `world` the watched one; NULL: none. Call it again after the test has changed the world. */
void wrong_watch(const throng_world *world);
void wrong_check(throng_status got, throng_status again, throng_status expected, const char *word, const char *call,
                 const char *file, int line);

#endif
