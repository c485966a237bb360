/* text.c: see text.h. SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_BYTES 64u /* for one number: %.0f is only used for values below 2^32 */

/* Where a text is written to. What does not fit is left out. */
struct writer {
  char *to;
  size_t size, at;
};

static void put(struct writer *writer, const char *text, size_t count) {
  for (size_t k = 0; k < count && writer->at + 1 < writer->size; k++) writer->to[writer->at++] = text[k];
  if (writer->size > 0) writer->to[writer->at] = '\0';
}

/* Writes a number that snprintf has formatted. Bytes that are not a digit, a sign or a letter are the locale's decimal
 * point; a point is written instead. The plus and the leading zeros of an exponent are left out. */
static void put_number(struct writer *writer, const char *number) {
  for (const char *c = number; *c; c++) {
    const bool digit = *c >= '0' && *c <= '9', letter = *c >= 'a' && *c <= 'z';
    if (digit || letter || *c == '-' || *c == '+') {
      put(writer, c, 1);
    } else if (c == number || (unsigned char)c[-1] < 0x80) {
      put(writer, ".", 1);
    }
    if (*c != 'e') continue;
    if (c[1] == '+') c++;
    if (c[1] == '-') put(writer, c++ + 1, 1);
    while (c[1] == '0') c++;
  }
}

static void put_float(struct writer *writer, const char *spec, double value) {
  char number[NUMBER_BYTES];
  if (value != value) {
    put(writer, "nan", 3);
  } else if (strcmp(spec, "%.9g") != 0) {
    snprintf(number, sizeof number, spec, value);
    put_number(writer, number);
  } else {
    int digits = 6;
    do {
      snprintf(number, sizeof number, "%.*g", digits, value);
    } while (digits++ < 9 && (float)strtod(number, NULL) != (float)value);
    put_number(writer, number);
  }
}

static void put_string(struct writer *writer, const char *spec, const char *text) {
  const char *point = strchr(spec, '.');
  const size_t most = point ? strtoul(point + 1, NULL, 10) : SIZE_MAX;
  size_t count = 0;
  while (count < most && text[count]) count++;
  put(writer, text, count);
}

/* Writes an integer; `long_letters` is the number of `l` in its conversion. */
static void put_integer(struct writer *writer, const char *spec, int long_letters, va_list *arguments) {
  char number[NUMBER_BYTES];
  if (strchr(spec, 'z')) {
    snprintf(number, sizeof number, spec, va_arg(*arguments, size_t));
  } else if (long_letters == 2) {
    snprintf(number, sizeof number, spec, va_arg(*arguments, long long));
  } else if (long_letters == 1) {
    snprintf(number, sizeof number, spec, va_arg(*arguments, long));
  } else {
    snprintf(number, sizeof number, spec, va_arg(*arguments, int));
  }
  put(writer, number, strlen(number));
}

void throng_text_format(char *to, size_t size, const char *format, va_list arguments) {
  struct writer writer = {to, size, 0};
  va_list rest;
  va_copy(rest, arguments);
  put(&writer, "", 0);
  while (*format) {
    const size_t plain = strcspn(format, "%");
    put(&writer, format, plain);
    format += plain;
    if (!*format) break;
    char spec[16] = {'%'};
    size_t length = 1;
    int long_letters = 0;
    do {
      format++;
      spec[length++] = *format;
      long_letters += *format == 'l';
    } while (*format && length + 1 < sizeof spec && !strchr("cduxsfg", *format));
    const char conversion = *format;
    if (*format) format++;
    if (conversion == 'f' || conversion == 'g') {
      put_float(&writer, spec, va_arg(rest, double));
    } else if (conversion == 's') {
      put_string(&writer, spec, va_arg(rest, const char *));
    } else if (conversion == 'c') {
      const char c = (char)va_arg(rest, int);
      put(&writer, &c, 1);
    } else {
      put_integer(&writer, spec, long_letters, &rest);
    }
  }
  va_end(rest);
}

static void format_text(char *to, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  throng_text_format(to, size, format, arguments);
  va_end(arguments);
}

void throng_text_range(char *to, size_t size, float low, float high, bool infinite) {
  const char *more = infinite ? ", or INFINITY" : "";
  const bool positive = low == FLT_MIN;
  if (high == FLT_MAX && low == -FLT_MAX) {
    format_text(to, size, "finite numbers%s", more);
  } else if (high == FLT_MAX && positive) {
    format_text(to, size, "above 0%s", more);
  } else if (high == FLT_MAX) {
    format_text(to, size, "%.9g or more%s", (double)low, more);
  } else if (positive) {
    format_text(to, size, "above 0, to %.9g%s", (double)high, more);
  } else {
    format_text(to, size, "%.9g to %.9g%s", (double)low, (double)high, more);
  }
}

void throng_text_names(char *to, size_t size, const char *const *names) {
  struct writer writer = {to, size, 0};
  put(&writer, "", 0);
  for (const char *const *name = names; *name; name++) {
    if (name != names) put(&writer, name[1] ? ", " : " or ", name[1] ? 2 : 4);
    put(&writer, *name, strlen(*name));
  }
}
