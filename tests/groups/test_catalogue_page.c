/* test_catalogue_page.c: docs/CATALOGUE.md has each parameter of each behaviour once, with its default and range.
 * Runs in the source folder.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 6 /* behaviour, parameter, unit, range, default, meaning */
#define PAGE_LINE 2048

/* The words of the page that stand for a range; the others are "A to B". */
static const struct {
  const char *text;
  double lowest, highest;
} ranges[] = {
    {"≥ 0", 0, 1e9}, {"any", -1e9, 1e9}, {"time, > 0", 1e-6, 1e9}, {"time or 0", 0, 1e9}, {"bool", 0, 1},
};

/* The words that stand for a default. */
static const struct {
  const char *text;
  double value;
} words[] = {{"false", 0}, {"true", 1}, {"fan", 3}};

/* "−π/2" to a number: the page writes a minus sign and pi. */
static double number(const char *text) {
  static const char minus[] = "−", pi[] = "π";
  double sign = 1;
  if (strncmp(text, minus, strlen(minus)) == 0) {
    sign = -1;
    text += strlen(minus);
  }
  if (strncmp(text, pi, strlen(pi)) != 0) return sign * strtod(text, NULL);
  return sign * 3.14159265358979 / (text[strlen(pi)] == '/' ? 2 : 1);
}

/* The page has fewer digits than a float: pi / 2, 1e-6. */
static bool near(double a, double b) { return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b)); }

static bool range_is(const char *text, const throng_parameter *p) {
  for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
    if (strcmp(text, ranges[k].text) != 0) continue;
    return near(ranges[k].lowest, (double)p->lowest) && near(ranges[k].highest, (double)p->highest);
  }
  if (strncmp(text, "`THRONG_", 8) == 0) return p->lowest == 0; /* a list of enumerators */
  const char *to = strstr(text, " to ");
  return to && near(number(text), (double)p->lowest) && near(number(to + 4), (double)p->highest);
}

static bool default_is(const char *text, const throng_parameter *p) {
  for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
    if (strcmp(text, words[k].text) == 0) return near(words[k].value, (double)p->initial);
  }
  return near(number(text), (double)p->initial);
}

/* Cuts a row "| a | b | … |" in place, without the spaces and quotes of its cells. Whether it has CELLS of them. */
static bool cut_row(char *line, char *cell[CELLS]) {
  int count = 0;
  if (line[0] != '|') return false;
  for (char *at = strtok(line + 1, "|\n"); at; at = strtok(NULL, "|\n")) {
    while (*at == ' ') at++;
    char *end = at + strlen(at);
    while (end > at && end[-1] == ' ') *--end = '\0';
    if (count < CELLS) cell[count] = at;
    count++;
  }
  return count == CELLS;
}

/* "`seek`" to "seek". */
static void unquote(char **text) {
  char *end = *text + strlen(*text);
  if (end - *text < 2 || **text != '`' || end[-1] != '`') return;
  end[-1] = '\0';
  (*text)++;
}

static bool find(const char *kind, const char *name, throng_parameter *p, int *seen) {
  int row = 0;
  for (int k = 0; k < (int)THRONG_BEHAVIOUR_KINDS; k++) {
    for (uint32_t i = 0; throng_behaviour_get_parameter((throng_behaviour_kind)k, i, p); i++, row++) {
      if (strcmp(kind, throng_behaviour_name((throng_behaviour_kind)k)) != 0 || strcmp(name, p->name) != 0) continue;
      seen[row]++;
      return true;
    }
  }
  return false;
}

/* How many parameters are not on the page once; their number in all to *count. */
static int report_missing(const int *seen, int *count) {
  int wrong = 0;
  throng_parameter p;
  *count = 0;
  for (int k = 0; k < (int)THRONG_BEHAVIOUR_KINDS; k++) {
    for (uint32_t i = 0; throng_behaviour_get_parameter((throng_behaviour_kind)k, i, &p); i++, (*count)++) {
      if (!seen || seen[*count] == 1) continue;
      print_error("%s.%s is on the page %d times\n", throng_behaviour_name((throng_behaviour_kind)k), p.name,
                  seen[*count]);
      wrong++;
    }
  }
  return wrong;
}

static int report_rows(FILE *page, int *seen) {
  char line[PAGE_LINE], *cell[CELLS];
  bool inside = false;
  int wrong = 0;
  while (fgets(line, sizeof line, page)) {
    if (strncmp(line, "## ", 3) == 0) inside = strncmp(line, "## Behaviours", 13) == 0;
    if (!inside || !cut_row(line, cell) || cell[0][0] != '`') continue;
    unquote(&cell[0]);
    unquote(&cell[1]);
    throng_parameter p;
    if (find(cell[0], cell[1], &p, seen) && range_is(cell[3], &p) && default_is(cell[4], &p)) continue;
    print_error("%s.%s: the library has no such parameter, range or default: %s, %s\n", cell[0], cell[1], cell[3],
                cell[4]);
    wrong++;
  }
  return wrong;
}

static void the_page_has_every_parameter(void **state) {
  (void)state;
  FILE *page = fopen("docs/CATALOGUE.md", "r");
  assert_non_null(page);
  int count;
  report_missing(NULL, &count);
  int *seen = calloc((size_t)count, sizeof *seen);
  assert_non_null(seen);
  int wrong = report_rows(page, seen);
  wrong += report_missing(seen, &count);
  free(seen);
  fclose(page);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_page_has_every_parameter)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
