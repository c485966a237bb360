/* SPDX-License-Identifier: MIT */
#include "common/option_table.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "common/text.h"

#define TEXT_SIZE 1024
#define HELP_COLUMN 26
#define HELP_WIDTH 110

bool option_refuse(const char *option, const char *value, const char *allowed, bench_problem *problem) {
  return problem_set(problem, "option '%s': value '%.60s', allowed %s", option, value, allowed);
}

bool option_check_isa(throng_isa isa, bench_problem *problem) {
  return throng_isa_is_available(isa) ||
         option_refuse("--isa", throng_isa_name(isa), "an instruction set that this CPU and this build have", problem);
}

const char *option_isa_name(uint32_t k) { return k < THRONG_ISA_COUNT ? throng_isa_name((throng_isa)k) : NULL; }

/* Adds a text, cut to what `text` has room for. */
static void append(char text[TEXT_SIZE], const char *more, size_t length) {
  const size_t used = strlen(text);
  snprintf(text + used, TEXT_SIZE - used, "%.*s", (int)length, more);
}

/* Writes the values that the option allows: "0 to 9" or "a, b, c". */
static void write_range(const option_row *row, char text[TEXT_SIZE]) {
  const char *name;
  text[0] = 0;
  if (row->names) {
    for (uint32_t first = (uint32_t)row->min, k = first; (name = row->names(k)); k++) {
      if (k > first) append(text, ", ", 2);
      append(text, name, strlen(name));
    }
  } else if (row->type == OPTION_OTHER) {
    append(text, row->allowed, strlen(row->allowed));
  } else if (row->type == OPTION_TEXT) {
    snprintf(text, TEXT_SIZE, "a text of at most %.0f bytes", row->max);
  } else if (row->type == OPTION_FLOAT) {
    snprintf(text, TEXT_SIZE, "%.7g to %.7g", row->min, row->max);
  } else {
    snprintf(text, TEXT_SIZE, "%.0f to %.0f", row->min, row->max);
  }
}

/* Returns what the range is a range of. */
static const char *kind_of(const option_row *row) {
  if (row->names) return "";
  if (row->type == OPTION_FLOAT) return "a number from ";
  if (row->type == OPTION_LIST) return "whole numbers from ";
  return row->type == OPTION_UINT || row->type == OPTION_UINT64 ? "a whole number from " : "";
}

static bool refuse(const option_row *row, const char *value, bench_problem *problem) {
  char range[TEXT_SIZE], allowed[TEXT_SIZE + 32];
  write_range(row, range);
  snprintf(allowed, sizeof allowed, "%s%s", kind_of(row), range);
  return option_refuse(row->name, value, allowed, problem);
}

static bool take_uint(const option_row *row, const char *value, uint64_t *number) {
  return text_to_uint(value, value + strlen(value), number) && *number >= (uint64_t)row->min &&
         *number <= (uint64_t)row->max;
}

static bool take_float(const option_row *row, const char *value, float *number) {
  return text_to_float(value, value + strlen(value), number) && *number >= (float)row->min &&
         *number <= (float)row->max;
}

/* Takes a number, or a name as its number. */
static bool take_choice(const option_row *row, const char *value, uint32_t *choice) {
  uint64_t number;
  if (!row->names) {
    if (!take_uint(row, value, &number)) return false;
    *choice = (uint32_t)number;
    return true;
  }
  const char *name;
  for (*choice = (uint32_t)row->min; (name = row->names(*choice)); ++*choice)
    if (strcmp(name, value) == 0) return true;
  return false;
}

/* Takes a list "a,b,c". An element is cut to 31 characters. */
static bool take_list(const option_row *row, const char *value, option_list *list, bench_problem *problem) {
  char piece[32];
  list->count = 0;
  for (const char *rest = value; rest;) {
    const size_t length = strcspn(rest, ",");
    if (list->count == MAX_CHOICES) return option_refuse(row->name, value, "at most 64 values", problem);
    snprintf(piece, sizeof piece, "%.*s", (int)(length < 31 ? length : 31), rest);
    if (!take_choice(row, piece, &list->value[list->count++])) return refuse(row, piece, problem);
    rest = rest[length] ? rest + length + 1 : NULL;
  }
  return true;
}

static bool take_value(const option_row *row, void *options, const char *value, bench_problem *problem) {
  void *member = (char *)options + row->offset;
  bool ok = true;
  switch (row->type) {
  case OPTION_FLAG:
    *(bool *)member = true;
    break;
  case OPTION_TEXT:
    ok = row->max == 0 || strlen(value) <= (size_t)row->max;
    *(const char **)member = value;
    break;
  case OPTION_UINT:
    ok = take_choice(row, value, member);
    break;
  case OPTION_UINT64:
    ok = take_uint(row, value, member);
    break;
  case OPTION_FLOAT:
    ok = take_float(row, value, member);
    break;
  case OPTION_LIST:
    return take_list(row, value, member, problem);
  case OPTION_OTHER:
    ok = row->take(value, member);
    break;
  }
  return ok || refuse(row, value, problem);
}

/* Returns the row of the option "NAME", "NAME=VALUE" or "-h"; NULL if there is none. */
static const option_row *find(const option_table *table, const char *argument) {
  const char *name = strcmp(argument, "-h") == 0 ? "--help" : argument;
  const size_t length = strcspn(name, "=");
  for (const option_row *row = table->rows; row < table->rows + table->count; row++)
    if (strlen(row->name) == length && memcmp(row->name, name, length) == 0 && (row->value || !name[length]))
      return row;
  return NULL;
}

/* Takes the option at arguments[*at] and its value, and moves *at to the last argument read. */
static bool take_option(const option_table *table, void *options, int *at, int count, char **arguments, bool *given,
                        bench_problem *problem) {
  const char *argument = arguments[*at], *value = strchr(argument, '=');
  const option_row *row = find(table, argument);
  if (!row)
    return problem_set(problem, "unknown option '%.60s', allowed are the options of %s --help", argument,
                       table->program);
  if (row->value) {
    if (!value && *at + 1 == count) return problem_set(problem, "option '%s': no value", row->name);
    value = value ? value + 1 : arguments[++*at];
    if (!*value) return option_refuse(row->name, value, "a value that is not empty", problem);
  }
  given[row - table->rows] = true;
  if (row->given) *(bool *)((char *)options + row->given) = true;
  return take_value(row, options, value, problem);
}

/* Whether the text lists the option: "--a, --b and --c". */
static bool is_listed(const char *text, const char *name) {
  const size_t length = strlen(name);
  for (; (text = strstr(text, name)); text += length)
    if (!text[length] || strchr(", ", text[length])) return true;
  return false;
}

static bool is_given(const option_table *table, const bool *given, const char *name) {
  const option_row *row = find(table, name);
  assert(row);
  return given[row - table->rows];
}

/* Checks the options that may be given with `row`. */
static bool check_with(const option_table *table, const option_row *row, const bool *given, bench_problem *problem) {
  for (size_t i = 0; i < table->count && row->only; i++) {
    const char *other = table->rows[i].name;
    if (given[i] && &table->rows[i] != row && !is_listed(row->only, other))
      return problem_set(problem, "option '%s': not allowed with %s, only %s are", other, row->name, row->only);
  }
  if (row->needs && !is_given(table, given, row->needs))
    return problem_set(problem, "option '%s': allowed only with %s", row->name, row->needs);
  if (row->forbids && is_given(table, given, row->forbids))
    return problem_set(problem, "option '%s': not allowed with %s", row->name, row->forbids);
  return true;
}

bool option_read(const option_table *table, void *options, int count, char **arguments, bench_problem *problem) {
  bool given[MAX_OPTIONS] = {false}, ok = true, alone = false;
  assert(table->count <= MAX_OPTIONS);
  for (const option_row *row = table->rows; row < table->rows + table->count && ok; row++)
    if (row->usual) ok = take_value(row, options, row->usual, problem);
  for (int i = 1; i < count && ok; i++) ok = take_option(table, options, &i, count, arguments, given, problem);
  for (size_t i = 0; i < table->count; i++) alone = alone || (given[i] && table->rows[i].alone);
  for (size_t i = 0; i < table->count && ok && !alone; i++)
    ok = !given[i] || check_with(table, &table->rows[i], given, problem);
  return ok;
}

/* Writes the row's help with its range and its default. */
static void write_help(const option_row *row, char text[TEXT_SIZE]) {
  char range[TEXT_SIZE];
  write_range(row, range);
  text[0] = 0;
  for (const char *rest = row->help; *rest;) {
    if (strncmp(rest, "RANGE", 5) == 0) {
      append(text, range, strlen(range));
      rest += 5;
    } else if (strncmp(rest, "DEFAULT", 7) == 0) {
      append(text, row->usual, strlen(row->usual));
      rest += 7;
    } else {
      append(text, rest++, 1);
    }
  }
}

/* Prints a text in lines that begin at HELP_COLUMN. The line already has `used` characters. */
static void print_wrapped(const char *text, int used) {
  used += printf("%*s", used + 2 > HELP_COLUMN ? 2 : HELP_COLUMN - used, "");
  for (const char *word = text; *word;) {
    const int length = (int)strcspn(word, " ");
    if (used + 1 + length > HELP_WIDTH) {
      printf("\n%*s%.*s", HELP_COLUMN, "", length, word);
      used = HELP_COLUMN + length;
    } else {
      used += printf("%s%.*s", word > text ? " " : "", length, word);
    }
    word += length + (word[length] == ' ');
  }
  puts("");
}

void option_print_help(const option_table *table) {
  char text[TEXT_SIZE];
  printf("%s: %s\n\n", table->program, table->title);
  for (const option_row *row = table->rows; row < table->rows + table->count; row++) {
    write_help(row, text);
    print_wrapped(text, printf("  %s%s%s", row->name, row->value ? " " : "", row->value ? row->value : ""));
  }
  if (table->notes) printf("\n%s\n", table->notes);
}

void option_print_version(const option_table *table) {
  printf("%s %d.%d.%d\n", table->program, THRONG_VERSION_MAJOR, THRONG_VERSION_MINOR, THRONG_VERSION_PATCH);
}
