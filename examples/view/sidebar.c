/* SPDX-License-Identifier: MIT */
#include "sidebar.h"

#include <stdio.h>

#include "output/colour.h"
#include "scene/scene_density.h"

#define MARGIN 18.0
#define TITLE_SIZE 20.0
#define BAR_LEFT 118.0 /* of the bars that show the passes' times */
#define BAR_RIGHT 218.0
#define MAX_LISTED_GROUPS 8u
#define COLOUR_WARNING 0xFFB347u
#define COLOUR_BAR 0x5BB8FFu
#define ROOM_FOR_BOTH 640 /* minimum height for the times and an agent with a few rules */
#define RAMP_STEPS 64
#define WHEEL_SEGMENTS 90
#define WHEEL_OUTER 42.0
#define WHEEL_INNER 25.0
#define TWO_PI 6.28318530717958647692

static void draw_title(lettering *text, const view_session *session) {
  char boundary[40];
  float min[3], max[3];
  scene_name_boundary(&session->scene, boundary);
  session_extent(session, min, max);
  lettering_say(text, text->left, TITLE_SIZE, true, COLOUR_TEXT, "%s", session->scene.name);
  text->y += LINE_HEIGHT;
  if (scene_is_open(&session->scene))
    lettering_say(text, text->left, TEXT_SIZE, false, COLOUR_QUIET_TEXT, "%s, %s",
                  session_is_planar(session) ? "planar" : "spatial", boundary);
  else if (session_is_planar(session))
    lettering_say(text, text->left, TEXT_SIZE, false, COLOUR_QUIET_TEXT, "planar, %s, %.4g \303\227 %.4g m", boundary,
                  (double)(max[0] - min[0]), (double)(max[2] - min[2]));
  else
    lettering_say(text, text->left, TEXT_SIZE, false, COLOUR_QUIET_TEXT,
                  "spatial, %s, %.3g \303\227 %.3g \303\227 %.3g m", boundary, (double)(max[0] - min[0]),
                  (double)(max[1] - min[1]), (double)(max[2] - min[2]));
  text->y += LINE_HEIGHT + 10;
}

/* Writes how fast the scene runs, or why it does not run. */
static void draw_speed(lettering *text, const sidebar_facts *facts) {
  lettering_say(text, text->left, TEXT_SIZE, false, COLOUR_QUIET_TEXT, "speed");
  if (facts->failure[0])
    lettering_say_before(text, text->right, COLOUR_WARNING, "stopped");
  else if (facts->counted)
    lettering_say_before(text, text->right, COLOUR_TEXT, "as fast as it can");
  else if (facts->paused)
    lettering_say_before(text, text->right, COLOUR_WARNING, "paused, at %.3g\303\227", facts->speed);
  else if (facts->behind)
    lettering_say_before(text, text->right, COLOUR_WARNING, "%.2g\303\227, too slow for %.3g\303\227", facts->achieved,
                         facts->speed);
  else
    lettering_say_before(text, text->right, COLOUR_TEXT, "%.3g\303\227", facts->speed);
  text->y += LINE_HEIGHT;
}

static void draw_failure(lettering *text, const char *failure) {
  enum { COLUMNS = 42 };
  for (const char *rest = failure; *rest;) {
    int length = snprintf(NULL, 0, "%.*s", COLUMNS, rest);
    lettering_say(text, text->left, TEXT_SIZE - 1.5, false, COLOUR_WARNING, "%.*s", length, rest);
    rest += length;
    text->y += LINE_HEIGHT - 3;
  }
}

static void draw_state(lettering *text, const sidebar_facts *facts) {
  const view_session *session = facts->session;
  char digits[32];
  const uint64_t frame = throng_world_frame(session->world);
  lettering_fact(text, "agents", "%s", lettering_digits(digits, throng_agents_count(session->world)));
  lettering_fact(text, "frame", "%s", lettering_digits(digits, frame));
  lettering_fact(text, "time", "%.2f s", (double)frame * (double)session->scene.dt);
  draw_speed(text, facts);
  draw_failure(text, facts->failure);
}

static void draw_pass(lettering *text, const char *name, double ms, double whole, uint32_t colour) {
  const double part = whole > 0 ? fmin(ms / whole, 1) : 0;
  lettering_say(text, text->left, TEXT_SIZE, false, COLOUR_QUIET_TEXT, "%s", name);
  lettering_colour(text, colour_from_hex(COLOUR_PATH), 0.7);
  cairo_rectangle(text->cairo, BAR_LEFT, text->y - 8, BAR_RIGHT - BAR_LEFT, 7);
  cairo_fill(text->cairo);
  lettering_colour(text, colour_from_hex(colour), 1);
  cairo_rectangle(text->cairo, BAR_LEFT, text->y - 8, part * (BAR_RIGHT - BAR_LEFT), 7);
  cairo_fill(text->cairo);
  lettering_say_before(text, text->right, COLOUR_TEXT, ms >= 100 || ms <= 0 ? "%.0f" : ms >= 0.1 ? "%.2f" : "%.3f", ms);
  text->y += LINE_HEIGHT;
}

static void draw_times(lettering *text, const sidebar_facts *facts) {
  const session_times *times = &facts->session->times;
  const throng_world_def def = throng_world_get_def(facts->session->world);
  char digits[32], threads[32];
  lettering_heading(text, "one frame", "ms");
  for (int pass = 0; pass < SESSION_PASSES; pass++)
    draw_pass(text, session_pass_names[pass], times->pass_ms[pass], times->frame_ms, COLOUR_BAR);
  lettering_fact(text, "in all", times->frame_ms >= 0.1 ? "%.2f" : "%.3f", times->frame_ms);
  text->y += 5;
  lettering_fact(text, "agents per ms", "%s", lettering_digits(digits, (uint64_t)(times->agents_per_ms + 0.5)));
  snprintf(threads, sizeof threads, "%u thread%s", def.thread_count, def.thread_count == 1 ? "" : "s");
  lettering_fact(text, throng_isa_name(def.isa), "%s", threads);
  lettering_fact(text, "neighbours, mean", "%.1f", times->mean_neighbours);
  lettering_fact(text, "drawing", "%.1f ms", facts->picture_ms);
  if (!facts->counted) lettering_fact(text, "pictures per second", "%.0f", facts->pictures_per_second);
}

static void draw_groups(lettering *text, const view_session *session) {
  char digits[32], number[32];
  lettering_heading(text, "groups", "");
  for (uint32_t k = 0; k < session->scene.group_count && k < MAX_LISTED_GROUPS; k++) {
    const char *name = session->scene.groups[k].name;
    snprintf(number, sizeof number, "group %u", k);
    lettering_colour(text, colour_of_group(&session->scene, k), 1);
    cairo_arc(text->cairo, text->left + 5, text->y - 4.5, 5, 0, TWO_PI);
    cairo_fill(text->cairo);
    lettering_say(text, text->left + 18, TEXT_SIZE, false, COLOUR_TEXT, "%s", name[0] ? name : number);
    lettering_say_before(text, text->right, COLOUR_QUIET_TEXT, "%s",
                         lettering_digits(digits, throng_world_group_agent_count(session->world, k)));
    text->y += LINE_HEIGHT;
  }
  if (session->scene.group_count > MAX_LISTED_GROUPS)
    lettering_say(text, text->left + 18, TEXT_SIZE, false, COLOUR_QUIET_TEXT, "and %u more",
                  session->scene.group_count - MAX_LISTED_GROUPS);
}

/* Draws a wheel with the colour of each direction on the ground, seen from above. */
static void draw_wheel(lettering *text) {
  lettering_heading(text, "heading", "seen from above");
  const double x = (text->left + text->right) / 2, y = text->y + WHEEL_OUTER + 2;
  cairo_new_path(text->cairo);
  for (int k = 0; k < WHEEL_SEGMENTS; k++) {
    const double from = TWO_PI * k / WHEEL_SEGMENTS, to = TWO_PI * (k + 1.3) / WHEEL_SEGMENTS;
    lettering_colour(text, colour_of_heading(cos((from + to) / 2), sin((from + to) / 2)), 1);
    cairo_arc(text->cairo, x, y, WHEEL_OUTER, from, to);
    cairo_arc_negative(text->cairo, x, y, WHEEL_INNER, to, from);
    cairo_close_path(text->cairo);
    cairo_fill(text->cairo);
  }
  text->y = y + 4;
  lettering_say(text, x + WHEEL_OUTER + 8, TEXT_SIZE, false, COLOUR_QUIET_TEXT, "x");
  text->y = y + WHEEL_OUTER + 14;
  lettering_say(text, x - 4, TEXT_SIZE, false, COLOUR_QUIET_TEXT, "z");
}

static void draw_ramp(lettering *text, const sidebar_facts *facts) {
  const bool speed = facts->colour == COLOUR_BY_SPEED;
  const double width = text->right - text->left;
  lettering_heading(text, speed ? "speed" : "density", speed ? "% of the group's max_speed" : "agents within 1 m");
  for (int k = 0; k < RAMP_STEPS; k++) {
    const double part = (k + 0.5) / RAMP_STEPS;
    lettering_colour(text, speed ? colour_of_speed(part) : colour_of_density(part), 1);
    cairo_rectangle(text->cairo, text->left + width * k / RAMP_STEPS, text->y - 9, width / RAMP_STEPS + 0.5, 12);
    cairo_fill(text->cairo);
  }
  text->y += LINE_HEIGHT + 3;
  lettering_say(text, text->left, TEXT_SIZE, false, COLOUR_QUIET_TEXT, speed ? "at rest" : "0");
  if (speed)
    lettering_say_before(text, text->right, COLOUR_QUIET_TEXT, "100 %%");
  else
    lettering_say_before(text, text->right, COLOUR_QUIET_TEXT, "%.3g or more per m%s", (double)DENSITY_MOST,
                         session_is_planar(facts->session) ? "\302\262" : "\302\263");
}

static void draw_periods(lettering *text, const view_session *session) {
  uint32_t agents[4] = {0};
  char digits[32];
  for (uint32_t k = 0; k < session->start.count; k++) agents[session->level_of[session->start.id[k]]]++;
  lettering_heading(text, "period", "frames between looks at neighbours");
  for (int level = 0; level < 4; level++) {
    lettering_colour(text, colour_of_speed(1 - level / 3.0), 1);
    cairo_arc(text->cairo, text->left + 5, text->y - 4.5, 5, 0, TWO_PI);
    cairo_fill(text->cairo);
    lettering_say(text, text->left + 18, TEXT_SIZE, false, COLOUR_TEXT, "%d", 1 << level);
    lettering_say_before(text, text->right, COLOUR_QUIET_TEXT, "%s", lettering_digits(digits, agents[level]));
    text->y += LINE_HEIGHT;
  }
}

static void draw_legend(lettering *text, const sidebar_facts *facts) {
  if (facts->colour == COLOUR_BY_GROUP) draw_groups(text, facts->session);
  if (facts->colour == COLOUR_BY_HEADING) draw_wheel(text);
  if (facts->colour == COLOUR_BY_SPEED || facts->colour == COLOUR_BY_DENSITY) draw_ramp(text, facts);
  if (facts->colour == COLOUR_BY_PERIOD) draw_periods(text, facts->session);
}

void sidebar_draw(cairo_t *cairo, double height, const sidebar_facts *facts) {
  lettering text = {cairo, MARGIN, SIDEBAR_WIDTH - MARGIN, 2 * MARGIN};
  lettering_colour(&text, colour_from_hex(0x0B0F17), 1);
  cairo_paint(cairo);
  draw_title(&text, facts->session);
  draw_state(&text, facts);
  if (!facts->inspection->valid || height >= ROOM_FOR_BOTH) draw_times(&text, facts);
  if (facts->inspection->valid)
    sidebar_draw_agent(&text, facts->session, facts->inspection);
  else
    draw_legend(&text, facts);
  if (text.y > height - MARGIN - LINE_HEIGHT) return; /* full */
  text.y = height - MARGIN;
  lettering_say(&text, text.left, TEXT_SIZE - 1.5, false, COLOUR_LINE,
                "H: keys     click an agent: why it moves like this");
}

void sidebar_draw_help(cairo_t *cairo) {
  lettering text = {cairo, 2 * MARGIN, HELP_WIDTH - 2 * MARGIN, 2.4 * MARGIN};
  lettering_colour(&text, colour_from_hex(0x0B0F17), 0.94);
  cairo_paint(cairo);
  lettering_say(&text, text.left, TITLE_SIZE, true, COLOUR_TEXT, "throng-view");
  text.y += 1.8 * LINE_HEIGHT;
  for (const view_key *key = view_keys; key->key; key++) {
    lettering_say(&text, text.left, TEXT_SIZE, true, COLOUR_TEXT, "%s", key->key);
    lettering_say(&text, text.left + 110, TEXT_SIZE, false, COLOUR_QUIET_TEXT, "%s", key->what);
    text.y += LINE_HEIGHT + 1;
  }
}
