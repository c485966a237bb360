/* test_catalogue_page.c: tests that docs/CATALOGUE.md has each parameter of each behaviour once, and that defaults and
 * ranges on the page are those of the library. Runs in the source folder.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 6 /* at most; behaviour, parameter, unit, range, default, meaning */
#define PAGE_LINE 2048

/* Texts of the page that stand for a range. All other ranges have the form "A to B". */
static const struct {
  const char *text;
  double lowest, highest;
} ranges[] = {
    {"≥ 0", 0, 1e9},
    {"≥ 0; 0 = off", 0, 1e9},
    {"≥ 0; with `contact` at most half the world's `perception_radius`", 0, 1e9},
    {"0 to the world's", 0, 1e9},
    {"0 to the world's `perception_radius`", 0, 1e9},
    {"> 0", 1.17549435e-38, 1e9},
    {"> 0, or `INFINITY`", 1.17549435e-38, 1e9},
    {"≥ 0, or `INFINITY`", 0, 1e9},
    {"> 0 to 1e4, or `INFINITY`", 1.17549435e-38, 1e4},
    {"any", -1e9, 1e9},
    {"time, > 0", 1e-6, 1e9},
    {"time or 0", 0, 1e9},
    {"bool", 0, 1},
};

/* Texts of the page that stand for a default. */
static const struct {
  const char *text;
  double value;
} words[] = {{"false", 0}, {"true", 1}, {"`INFINITY`", (double)INFINITY}};

/* Returns the number in a text such as "−π/2", with the minus sign and the pi of the page. */
static double number(const char *text) {
  static const char minus[] = "−", pi[] = "π";
  double sign = 1;
  if (strncmp(text, minus, strlen(minus)) == 0) {
    sign = -1;
    text += strlen(minus);
  }
  char *end;
  const double factor = strtod(text, &end);
  if (strncmp(end, pi, strlen(pi)) != 0) return sign * factor;
  return sign * (end == text ? 1 : factor) * 3.14159265358979 / (end[strlen(pi)] == '/' ? 2 : 1);
}

/* Whether two numbers are equal except for rounding: the page has fewer digits than a float. */
static bool near(double a, double b) { return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b)); }

static bool range_is(const char *text, const throng_parameter *p) {
  if (p->infinite != (strstr(text, "`INFINITY`") != NULL)) return false;
  for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
    if (strcmp(text, ranges[k].text) != 0) continue;
    return near(ranges[k].lowest, (double)p->lowest) && near(ranges[k].highest, (double)p->highest);
  }
  if (strncmp(text, "`THRONG_", 8) == 0) return p->lowest == 0; /* a list of enumerators */
  const char *to = strstr(text, " to ");
  return to && near(number(text), (double)p->lowest) && near(number(to + 4), (double)p->highest);
}

static bool default_is(const char *text, const throng_parameter *p) {
  if (p->words) return strcmp(text, p->words[(int)p->initial]) == 0;
  for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
    if (strcmp(text, words[k].text) == 0) return words[k].value == p->initial;
  }
  return near(number(text), (double)p->initial);
}

/* Splits a row "| a | b | … |" in place and trims its cells. Returns the number of cells; 0 if the first has no name
 * in backquotes. */
static int cut_row(char *line, char *cell[CELLS]) {
  int count = 0;
  if (strncmp(line, "| `", 3) != 0) return 0;
  for (char *at = strtok(line + 1, "|\n"); at; at = strtok(NULL, "|\n")) {
    while (*at == ' ') at++;
    char *end = at + strlen(at);
    while (end > at && end[-1] == ' ') *--end = '\0';
    if (count < CELLS) cell[count] = at;
    count++;
  }
  return count;
}

/* Removes backquotes around *text. */
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

/* Reports parameters that are not on the page exactly once, and returns their number. Writes the number of all
 * parameters to *count. seen: how often each parameter is on the page; NULL: only counts the parameters. */
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

/* Whether `line` begins a section. If so, sets *inside: whether it is the section with this title. */
static bool begins_section(const char *line, const char *title, bool *inside) {
  if (strncmp(line, "## ", 3) != 0) return false;
  *inside = strncmp(line + 3, title, strlen(title)) == 0;
  return true;
}

static int report_rows(FILE *page, int *seen) {
  char line[PAGE_LINE], *cell[CELLS];
  bool inside = false;
  int wrong = 0;
  while (fgets(line, sizeof line, page)) {
    if (begins_section(line, "Behaviours", &inside) || !inside || cut_row(line, cell) != CELLS) continue;
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

static bool find_of_group(const char *prefix, const char *name, throng_parameter *p) {
  char whole[80];
  snprintf(whole, sizeof whole, "%s%s%s", prefix, *prefix ? "." : "", name);
  for (uint32_t k = 0; throng_group_def_get_parameter(k, p); k++) {
    if (strcmp(p->name, whole) == 0) return true;
  }
  return false;
}

static int report_of_group(const char *prefix, const char *name, const char *range, const char *initial) {
  throng_parameter p;
  if (find_of_group(prefix, name, &p) && range_is(range, &p) && default_is(initial, &p)) return 0;
  print_error("group: %s %s: the library has no such parameter, range or default: %s, %s\n", prefix, name, range,
              initial);
  return 1;
}

/* Columns of the tables. Rules: rule, parameter, unit, range, default, meaning. Limits: field, what it does, source,
 * unit, range, default. Vehicles and rigid bodies: parameter, what it does, unit, range, default. */
static void the_page_is_right_about_groups(void **state) {
  (void)state;
  FILE *page = fopen("docs/CATALOGUE.md", "r");
  char line[PAGE_LINE], object[32] = "", *cell[CELLS];
  bool rules = false, limits = false;
  int wrong = 0, rows = 0;
  assert_non_null(page);
  while (fgets(line, sizeof line, page)) {
    const bool title = begins_section(line, "Rules over neighbours", &rules);
    if (begins_section(line, "Limits and motion", &limits) || title || (!rules && !limits)) continue;
    const char *member = strstr(line, "in `throng_group_def."); /* the struct that the next table describes */
    if (member) sscanf(member, "in `throng_group_def.%31[a-z_]", object);
    const int cells = cut_row(line, cell);
    if (cells != 6 && !(limits && cells == 5)) continue;
    rows++;
    unquote(&cell[0]);
    unquote(&cell[1]);
    if (rules) wrong += report_of_group(cell[0], cell[1], cell[3], cell[4]);
    if (limits && cells == 6) wrong += report_of_group("", cell[0], cell[4], cell[5]);
    if (limits && cells == 5) wrong += report_of_group(object, cell[0], cell[3], cell[4]);
  }
  fclose(page);
  assert_int_equal(wrong, 0);
  assert_true(rows > 35);
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
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_page_has_every_parameter),
      cmocka_unit_test(the_page_is_right_about_groups),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
