/* pattern.c: see pattern_internal.h. SPDX-License-Identifier: MIT */
#include "guides/pattern_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/definitions.h"
#include "base/error.h"

throng_pattern_def throng_default_pattern_def(void) {
  throng_pattern_def def;
  memset(&def, 0, sizeof def);
  def.loop = true;
  def.cookie = THRONG_PATTERN_COOKIE;
  return def;
}

static size_t pattern_bytes(uint32_t count) { return (size_t)count * sizeof(throng_pattern_instruction); }

void throng_pattern_release(struct pattern *pattern, const throng_allocator *allocator) {
  throng_release(allocator, pattern->instruction, pattern_bytes(pattern->count));
  memset(pattern, 0, sizeof *pattern);
}

/* The instruction turns in place, or waits. */
static bool instruction_stands(const throng_pattern_instruction *i) {
  return i->step == 0.0f && (i->turn != 0.0f || i->wait > 0.0f);
}

static throng_status check_instruction(const throng_pattern_instruction *i, uint32_t k, throng_error *error) {
  const struct {
    const char *name;
    float value, low, high;
  } members[] = {{"right", i->right, -1.0f, 1.0f},    {"thrust", i->thrust, -1.0f, 1.0f},
                 {"heading", i->heading, 0.0f, 1e4f}, {"distance", i->distance, 0.0f, 1e9f},
                 {"cue", i->cue, -1e9f, 1e9f},        {"turn", i->turn, -3.1415928f, 3.1415928f},
                 {"step", i->step, -1e9f, 1e9f},      {"wait", i->wait, 0.0f, 1e9f}};
  for (int m = 0; m < 8; m++) {
    char field[64];
    snprintf(field, sizeof field, "pattern.instructions[%u].%s", k, members[m].name);
    TRY(throng_check_range(members[m].value, members[m].low, members[m].high, field, error));
  }
  if (i->step != 0.0f && i->wait != 0.0f) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "pattern.instructions[%u].wait is %.9g, allowed with a step: 0",
                       k, (double)i->wait);
  }
  const bool leads = i->step != 0.0f || instruction_stands(i);
  for (int m = 0; m < 4 && leads; m++) {
    if (members[m].value == 0.0f) continue;
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "pattern.instructions[%u].%s is %.9g, allowed with a turn, a step or a wait: 0", k,
                       members[m].name, (double)members[m].value);
  }
  return THRONG_OK;
}

static throng_status check_pattern(const throng_pattern_def *def, throng_error *error) {
  if (def->cookie != THRONG_PATTERN_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "pattern definition has a wrong cookie: it is not from throng_default_pattern_def()");
  }
  if (def->count < 1 || def->count > THRONG_MAX_INSTRUCTIONS) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "pattern.count is %u, allowed: 1 to %u", def->count,
                       THRONG_MAX_INSTRUCTIONS);
  }
  if (!def->instructions) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "pattern.instructions is NULL");
  for (uint32_t k = 0; k < def->count; k++) TRY(check_instruction(&def->instructions[k], k, error));
  return THRONG_OK;
}

throng_status throng_pattern_make(const struct space *space, const throng_allocator *allocator,
                                  const throng_pattern_def *def, struct pattern *pattern, throng_error *error) {
  (void)space;
  TRY(check_pattern(def, error));
  *pattern = (struct pattern){.count = def->count, .loop = def->loop, .stands = def->stands && !def->loop};
  pattern->steps = pattern->holds = pattern->stands;
  for (uint32_t k = 0; k < def->count; k++) {
    const throng_pattern_instruction *i = &def->instructions[k];
    pattern->steps = pattern->steps || i->step != 0.0f || instruction_stands(i);
    pattern->holds = pattern->holds || i->step < 0.0f || instruction_stands(i);
  }
  pattern->instruction = throng_allocate(allocator, pattern_bytes(def->count));
  if (!pattern->instruction) {
    return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a pattern of %u instructions", def->count);
  }
  memcpy(pattern->instruction, def->instructions, pattern_bytes(def->count));
  return THRONG_OK;
}
