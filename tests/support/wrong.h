/* tests/support/wrong.h: calls with an argument that is wrong. tests/check_arguments.sh looks for these words, to see
 * that no public function is forgotten.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_WRONG_H
#define TEST_WRONG_H

#include "support/check.h"

/* The call answers THRONG_ERROR_`status`, with an error and without one; its text names `word`; and the world
 * watched is what it was. The error comes last, as everywhere. */
#define WRONG(status, word, function, ...)                                                                             \
  wrong_check(function(__VA_ARGS__, &wrong_error), function(__VA_ARGS__, NULL), THRONG_ERROR_##status, word,           \
              #function "(" #__VA_ARGS__ ")", __FILE__, __LINE__)
/* A function without a status: what it answers, or that it does. */
#define ANSWERS(value, function, ...) assert_true(function(__VA_ARGS__) == (value))
#define SAYS(text, function, ...) assert_string_equal(function(__VA_ARGS__), text)
#define SURVIVES(function, ...) function(__VA_ARGS__)

extern throng_error wrong_error;

/* From now on; NULL: none. Call it again when the world has changed. */
void wrong_watch(const throng_world *world);
void wrong_check(throng_status got, throng_status again, throng_status expected, const char *word, const char *call,
                 const char *file, int line);

#endif
