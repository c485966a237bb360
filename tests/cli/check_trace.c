/* Checks a Chrome trace of throng-run, from the frame FIRST on: each event is within its frame, each pass covers every
 * agent equally often in a frame, and each row is in the order by which viewers nest events. If not, prints the problem
 * and exits with status 1.
 * usage: check_trace FILE FRAMES AGENTS WORKERS FIRST
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <throng/base.h>

#include "common/text.h"

static _Noreturn void refuse(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(1);
}

static double number(const cJSON *object, const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  if (!cJSON_IsNumber(item)) refuse("no number '%s' in %s", name, cJSON_PrintUnformatted(object));
  return item->valuedouble;
}

/* Returns a time of an event, which has microseconds with three decimals, in nanoseconds. */
static long long nanoseconds(const cJSON *event, const char *name) { return llround(1e3 * number(event, name)); }

static int pass_of(const cJSON *event) {
  const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(event, "name"));
  for (int pass = 0; name && pass < THRONG_PASS_COUNT; pass++)
    if (strcmp(name, throng_pass_name((throng_pass)pass)) == 0) return pass;
  refuse("not the name of a pass: %s", cJSON_PrintUnformatted(event));
}

static bool is_complete(const cJSON *event) {
  const char *phase = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(event, "ph"));
  return phase && strcmp(phase, "X") == 0;
}

static const cJSON *frame_event(const cJSON *events, int frame) {
  const cJSON *event;
  cJSON_ArrayForEach(event, events) {
    if (!is_complete(event) || pass_of(event) != THRONG_PASS_FRAME) continue;
    if ((int)number(cJSON_GetObjectItem(event, "args"), "frame") == frame) return event;
  }
  refuse("frame %d has no event of its own", frame);
}

static void cover(unsigned char *seen, const cJSON *event, const cJSON *arguments, int agents) {
  int begin = (int)number(arguments, "begin"), end = (int)number(arguments, "end");
  if (begin < 0 || begin >= end || end > agents) refuse("not a range of agents: %s", cJSON_PrintUnformatted(event));
  const int most = pass_of(event) == THRONG_PASS_NEIGHBOURS ? 2 : 1; /* with AVX-512 also when agents are packed */
  for (int k = begin; k < end; k++)
    if (seen[k]++ == most)
      refuse("agent %d is already in another event of the pass: %s", k, cJSON_PrintUnformatted(event));
}

/* Checks that a frame's events are within it, and that each of its passes covers every agent equally often. */
static void check_frame(const cJSON *events, int frame, int agents, int workers) {
  const cJSON *whole = frame_event(events, frame), *event;
  const long long begin = nanoseconds(whole, "ts"), end = begin + nanoseconds(whole, "dur");
  unsigned char *seen = calloc((size_t)THRONG_PASS_COUNT, (size_t)agents);
  if (!seen) refuse("out of memory");
  cJSON_ArrayForEach(event, events) {
    const cJSON *arguments = cJSON_GetObjectItem(event, "args");
    if (!is_complete(event) || (int)number(arguments, "frame") != frame) continue;
    const long long at = nanoseconds(event, "ts"), length = nanoseconds(event, "dur");
    const double row = number(event, "tid");
    if (at < begin || length < 0 || at + length > end)
      refuse("an event is not within its frame: %s", cJSON_PrintUnformatted(event));
    if (row < 0 || row >= workers) refuse("the worker (tid) is out of range: %s", cJSON_PrintUnformatted(event));
    cover(seen + pass_of(event) * agents, event, arguments, agents);
  }
  for (int pass = 0; pass < THRONG_PASS_COUNT; pass++)
    for (int k = 1; k < agents; k++)
      if (seen[pass * agents + k] != seen[pass * agents])
        refuse("frame %d: the pass %s does not cover all agents equally often", frame,
               throng_pass_name((throng_pass)pass));
  static const throng_pass needed[] = {THRONG_PASS_STRIPS,    THRONG_PASS_NEIGHBOURS, THRONG_PASS_BEHAVIOURS,
                                       THRONG_PASS_INTEGRATE, THRONG_PASS_FACING,     THRONG_PASS_INDEX,
                                       THRONG_PASS_BANDS};
  for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
    if (!seen[(int)needed[k] * agents]) refuse("frame %d: the pass %s is missing", frame, throng_pass_name(needed[k]));
  free(seen);
}

/* Checks that the events of each row are in the order of their beginnings. If two begin at the same time, the longer
 * one must be first. */
static void check_order(const cJSON *events) {
  const cJSON *event, *last = NULL;
  cJSON_ArrayForEach(event, events) {
    if (!is_complete(event)) continue;
    if (last && number(last, "tid") == number(event, "tid")) {
      long long before = nanoseconds(last, "ts"), now = nanoseconds(event, "ts");
      if (now < before || (now == before && nanoseconds(event, "dur") > nanoseconds(last, "dur")))
        refuse("out of order: %s", cJSON_PrintUnformatted(event));
    }
    last = event;
  }
}

int main(int count, char **arguments) {
  if (count != 6) refuse("usage: check_trace FILE FRAMES AGENTS WORKERS FIRST");
  bench_text text;
  bench_problem problem;
  if (!text_read(&text, arguments[1], 1u << 30, &problem)) refuse("%s", problem.text);
  cJSON *trace = cJSON_Parse(text.data);
  const cJSON *events = cJSON_GetObjectItemCaseSensitive(trace, "traceEvents"), *event;
  if (!cJSON_IsArray(events)) refuse("%s: not JSON with a list traceEvents", arguments[1]);
  const int frames = atoi(arguments[2]), agents = atoi(arguments[3]), workers = atoi(arguments[4]);
  const int first = atoi(arguments[5]);
  cJSON_ArrayForEach(event, events) {
    if (!is_complete(event)) continue;
    int frame = (int)number(cJSON_GetObjectItem(event, "args"), "frame");
    if (frame < first || frame >= first + frames) refuse("unexpected frame: %d", frame);
  }
  for (int frame = 0; frame < frames; frame++) check_frame(events, first + frame, agents, workers);
  check_order(events);
  cJSON_Delete(trace);
  text_release(&text);
  return 0;
}
