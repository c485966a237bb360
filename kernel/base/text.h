/* text.h: formats texts for the host. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_TEXT_H
#define THRONG_KERNEL_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Does what vsnprintf does, but writes the same text in every locale: the decimal point is a point. %.9g writes a float
 * in the fewest digits that read back as the same float, and exponents are short: 0.1, 1e9. Supports c, d, u, x, s, f
 * and g, with `l`, `ll` and `z`, but not `*`. */
void throng_text_format(char *to, size_t size, const char *format, va_list arguments);

/* Writes the allowed range of a value, such as "0 to 10", "above 0, to 1e9" or "0 or more". FLT_MIN as `low` and
 * FLT_MAX as `high` mean that every float is allowed on that side. `infinite`: INFINITY is allowed too. */
void throng_text_range(char *to, size_t size, float low, float high, bool infinite);

/* Writes a list of names, which NULL ends: "A", "A or B", "A, B or C". */
void throng_text_names(char *to, size_t size, const char *const *names);

#endif
