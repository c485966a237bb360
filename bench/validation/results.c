/* SPDX-License-Identifier: MIT */
#include "results.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "common/json_out.h"

const char *const verdict_names[3] = {"within", "outside", "not judged"};

static bool is_at_most(const test_figure *figure) { return figure->lowest == 0 && figure->highest > 0; }
static bool is_at_least(const test_figure *figure) { return figure->highest >= NO_HIGHEST; }

/* How far a value is from the right ones: the larger, the worse. Between two limits, the distance from their middle. */
static double badness(const test_figure *figure, double value) {
  if (is_at_most(figure)) return value;
  if (is_at_least(figure)) return -value;
  return fabs(value - (figure->lowest + figure->highest) / 2);
}

static bool is_judged(const test_figure *figure, const crowd_model *model) {
  return figure->judged == JUDGED || (figure->judged == JUDGED_WITHOUT_PACE && !model->has_pace);
}

figure_summary result_summary(const test_result *result, uint32_t index) {
  const test_figure *figure = &result->test->figures[index];
  figure_summary summary = {.least = DBL_MAX, .most = -DBL_MAX, .worst = result->runs[0].values[index]};
  for (uint32_t s = 0; s < result->seeds; s++) {
    const double value = result->runs[s].values[index];
    if (isnan(value)) summary.least = summary.most = summary.worst = NAN;
    if (value < summary.least) summary.least = value;
    if (value > summary.most) summary.most = value;
    if (badness(figure, value) > badness(figure, summary.worst)) summary.worst = value;
    summary.mean += value / result->seeds;
  }
  if (!is_judged(figure, result->model)) {
    summary.worst = summary.mean;
    summary.verdict = VERDICT_NOT_JUDGED;
  } else {
    const bool within = summary.worst >= figure->lowest && summary.worst <= figure->highest;
    summary.verdict = within ? VERDICT_WITHIN : VERDICT_OUTSIDE;
  }
  return summary;
}

void result_number(char text[32], double value) {
  if (isnan(value))
    snprintf(text, 32, "never");
  else if (fabs(value) >= 100 || value == floor(value))
    snprintf(text, 32, "%.0f", value);
  else if (fabs(value) >= 10)
    snprintf(text, 32, "%.1f", value);
  else
    snprintf(text, 32, "%.2f", value);
}

void result_right(char text[80], const test_figure *figure) {
  char lowest[32], highest[32];
  result_number(lowest, figure->lowest);
  result_number(highest, figure->highest);
  if (figure->judged == NOT_JUDGED)
    text[0] = 0;
  else if (figure->lowest == figure->highest)
    snprintf(text, 80, "%s", lowest);
  else if (is_at_least(figure))
    snprintf(text, 80, "at least %s", lowest);
  else if (is_at_most(figure))
    snprintf(text, 80, "at most %s", highest);
  else
    snprintf(text, 80, "%s to %s", lowest, highest);
}

static void print_values(const test_result *result, uint32_t figure) {
  for (uint32_t s = 0; s < result->seeds; s++) {
    char value[32];
    result_number(value, result->runs[s].values[figure]);
    printf("    seed %" PRIu64 ": %s\n", result->runs[s].setting.seed, value);
  }
}

static void print_test(const test_result *result, bool all) {
  printf("\n%s: %s\n", result->test->name, result->test->title);
  for (uint32_t f = 0; f < result->test->figure_count; f++) {
    const test_figure *figure = &result->test->figures[f];
    const figure_summary summary = result_summary(result, f);
    char worst[32], least[32], most[32], right[80], name[96], range[96] = "";
    result_number(worst, summary.worst);
    result_number(least, summary.least);
    result_number(most, summary.most);
    result_right(right, figure);
    snprintf(name, sizeof name, "%s%s%s", figure->name, figure->unit[0] ? ", " : "", figure->unit);
    if (result->seeds > 1 && summary.least < summary.most) snprintf(range, sizeof range, "(%s to %s)", least, most);
    printf("  %-44s %8s %-18s %-14s %-11s%s%s\n", name, worst, range, right, verdict_names[summary.verdict],
           figure->source[0] ? " " : "", figure->source);
    if (all) print_values(result, f);
  }
}

/* How many steps of walkers a model made per millisecond, in all of its tests. */
static double model_speed(const test_result *results, uint32_t count, const crowd_model *model) {
  double steps = 0, seconds = 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t s = 0; s < results[i].seeds && results[i].model == model; s++) {
      steps += (double)results[i].runs[s].agent_steps;
      seconds += results[i].runs[s].step_seconds;
    }
  return steps / (1e3 * seconds);
}

void results_print(const test_result *results, uint32_t count, bool all) {
  for (uint32_t i = 0; i < count; i++) {
    if (i == 0 || results[i].model != results[i - 1].model) {
      printf("%s==== %s: %s ====\n", i ? "\n" : "", results[i].model->name, results[i].model->title);
      printf("  Its numbers: %s. %.0f agents/ms.\n", results[i].model->numbers,
             model_speed(results, count, results[i].model));
      printf("  %-44s %8s %-18s %-14s %s\n", "figure", "worst", "(of seeds)", "right", "verdict     source");
    }
    print_test(&results[i], all);
  }
}

static const test_result *find_result(const test_result *results, uint32_t count, const crowd_model *model,
                                      const validation_test *test) {
  for (uint32_t i = 0; i < count; i++)
    if (results[i].model == model && results[i].test == test) return &results[i];
  return NULL;
}

/* A cell: the worst value; in bold if it is outside; in brackets if it is not judged for this model. */
static void print_cell(const test_result *result, uint32_t figure) {
  const figure_summary summary = result_summary(result, figure);
  char worst[32];
  result_number(worst, summary.worst);
  if (summary.verdict == VERDICT_OUTSIDE)
    printf(" **%s** |", worst);
  else if (summary.verdict == VERDICT_NOT_JUDGED)
    printf(" (%s) |", worst);
  else
    printf(" %s |", worst);
}

/* The last rows of the Markdown table: the speed of each model, and where its numbers come from. */
static void print_models(const test_result *results, uint32_t count) {
  printf("| all | agents/ms | |");
  for (uint32_t i = 0; i < count; i++)
    if (results[i].test == results[0].test) printf(" %.0f |", model_speed(results, count, results[i].model));
  printf("\n| all | numbers | |");
  for (uint32_t i = 0; i < count; i++)
    if (results[i].test == results[0].test) printf(" %s |", results[i].model->numbers);
  puts("");
}

void results_print_markdown(const test_result *results, uint32_t count) {
  const crowd_model *last = NULL;
  printf("| test | figure | right |");
  for (uint32_t i = 0; i < count; i++)
    if (results[i].model != results[0].model ? results[i].model != results[i - 1].model : i == 0)
      printf(" %s |", results[i].model->name);
  printf("\n|---|---|---|");
  for (uint32_t i = 0; i < count; i++) {
    if (results[i].model != last) printf("---|");
    last = results[i].model;
  }
  puts("");
  for (uint32_t i = 0; i < count && results[i].model == results[0].model; i++) {
    const validation_test *test = results[i].test;
    for (uint32_t f = 0; f < test->figure_count; f++) {
      const test_figure *figure = &test->figures[f];
      if (figure->judged == NOT_JUDGED) continue;
      char right[80];
      result_right(right, figure);
      printf("| %s | %s%s%s | %s |", test->name, figure->name, figure->unit[0] ? ", " : "", figure->unit, right);
      for (uint32_t k = 0; k < count; k++)
        if (results[k].test == test) print_cell(find_result(results, count, results[k].model, test), f);
      puts("");
    }
  }
  print_models(results, count);
}

uint32_t results_outside(const test_result *results, uint32_t count) {
  uint32_t outside = 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t f = 0; f < results[i].test->figure_count; f++)
      outside += result_summary(&results[i], f).verdict == VERDICT_OUTSIDE;
  return outside;
}

/* A number in CSV; nothing for NaN and for open ends. */
static void write_number(FILE *stream, double value) {
  fputc(',', stream);
  if (!isnan(value) && fabs(value) < NO_HIGHEST) fprintf(stream, "%.6g", value);
}

bool results_write_csv(FILE *stream, const test_result *results, uint32_t count) {
  fputs("model,test,figure,at,unit,lowest,highest,worst,least,mean,most,verdict,source\n", stream);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t f = 0; f < results[i].test->figure_count; f++) {
      const test_figure *figure = &results[i].test->figures[f];
      const figure_summary summary = result_summary(&results[i], f);
      const bool judged = figure->judged != NOT_JUDGED;
      fprintf(stream, "%s,%s,\"%s\",%g,%s", results[i].model->name, results[i].test->name, figure->name, figure->at,
              figure->unit);
      write_number(stream, judged ? figure->lowest : NAN);
      write_number(stream, judged ? figure->highest : NAN);
      write_number(stream, summary.worst);
      write_number(stream, summary.least);
      write_number(stream, summary.mean);
      write_number(stream, summary.most);
      fprintf(stream, ",%s,\"%s\"\n", verdict_names[summary.verdict], figure->source);
    }
  }
  return !ferror(stream);
}

static void add_number(cJSON *object, const char *name, double value) {
  if (isnan(value) || fabs(value) >= NO_HIGHEST)
    cJSON_AddNullToObject(object, name);
  else
    cJSON_AddNumberToObject(object, name, value);
}

static void add_figure(cJSON *list, const test_result *result, uint32_t index) {
  const test_figure *figure = &result->test->figures[index];
  const figure_summary summary = result_summary(result, index);
  cJSON *object = cJSON_CreateObject(), *values = cJSON_CreateArray();
  cJSON_AddStringToObject(object, "figure", figure->name);
  cJSON_AddStringToObject(object, "unit", figure->unit);
  if (figure->judged != NOT_JUDGED) {
    add_number(object, "lowest", figure->lowest);
    add_number(object, "highest", figure->highest);
  }
  add_number(object, "worst", summary.worst);
  cJSON_AddStringToObject(object, "verdict", verdict_names[summary.verdict]);
  cJSON_AddStringToObject(object, "source", figure->source);
  for (uint32_t s = 0; s < result->seeds; s++) {
    const double value = result->runs[s].values[index];
    cJSON_AddItemToArray(values, isnan(value) ? cJSON_CreateNull() : cJSON_CreateNumber(value));
  }
  cJSON_AddItemToObject(object, "seeds", values);
  cJSON_AddItemToArray(list, object);
}

bool results_write_json(FILE *stream, const test_result *results, uint32_t count) {
  cJSON *root = cJSON_CreateArray();
  for (uint32_t i = 0; i < count; i++) {
    cJSON *test = cJSON_CreateObject(), *hashes = cJSON_CreateArray(), *figures = cJSON_CreateArray();
    cJSON_AddStringToObject(test, "model", results[i].model->name);
    cJSON_AddStringToObject(test, "test", results[i].test->name);
    for (uint32_t s = 0; s < results[i].seeds; s++) {
      char hash[20];
      snprintf(hash, sizeof hash, "%016" PRIx64, results[i].runs[s].hash);
      cJSON_AddItemToArray(hashes, cJSON_CreateString(hash));
    }
    for (uint32_t f = 0; f < results[i].test->figure_count; f++) add_figure(figures, &results[i], f);
    cJSON_AddItemToObject(test, "hashes", hashes);
    cJSON_AddItemToObject(test, "figures", figures);
    cJSON_AddItemToArray(root, test);
  }
  return json_write(stream, root);
}
