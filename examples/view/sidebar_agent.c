/* SPDX-License-Identifier: MIT */
#include "sidebar.h"

#include <string.h>

#define SWATCH 9.0
#define DEGREES_PER_RADIAN 57.29577951308232
#define LONGEST_NAME 17  /* characters; longer names are cut */
#define SIZE_RIGHT 220.0 /* where bars begin, after the numbers */
#define BAR_WIDTH 53.0

static float length_of(throng_vec3 v) { return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z); }

static void draw_place(lettering *text, const view_session *session, const view_inspection *inspection) {
  const throng_vec3 p = inspection->position, v = inspection->velocity;
  if (session_is_planar(session))
    lettering_fact(text, "at", "%.2f, %.2f m", (double)p.x, (double)p.z);
  else
    lettering_fact(text, "at", "%.1f, %.1f, %.1f m", (double)p.x, (double)p.y, (double)p.z);
  lettering_fact(text, "speed", "%.2f m/s, yaw %.0f\302\260", (double)length_of(v),
                 DEGREES_PER_RADIAN * atan2((double)v.x, (double)v.z));
  if (inspection->has_goal) {
    const throng_vec3 g = inspection->goal;
    const throng_vec3 way = {g.x - p.x, session_is_planar(session) ? 0 : g.y - p.y, g.z - p.z};
    if (!scene_wraps(&session->scene)) lettering_fact(text, "goal", "%.1f m away", (double)length_of(way));
  }
}

/* Writes a contribution: the colour of its arrow, its weight, its size, and a bar. `most`: the size of a full bar. */
static void draw_rule(lettering *text, const char *name, picture_colour colour, const char *weight, float size,
                      float most) {
  const double part = fmin((double)(size / most), 1);
  lettering_colour(text, colour, 1);
  cairo_rectangle(text->cairo, text->left, text->y - SWATCH, SWATCH, SWATCH);
  cairo_rectangle(text->cairo, SIZE_RIGHT, text->y - 8, part * BAR_WIDTH, 7);
  cairo_fill(text->cairo);
  lettering_say(text, text->left + 17, TEXT_SIZE, false, COLOUR_TEXT, "%.*s", LONGEST_NAME, name);
  lettering_say_before(text, SIZE_RIGHT - 45, COLOUR_QUIET_TEXT, "%s", weight);
  lettering_say_before(text, SIZE_RIGHT - 8, COLOUR_TEXT, size < 10 ? "%.2f" : "%.1f", (double)size);
  text->y += LINE_HEIGHT;
}

static void draw_rules(lettering *text, const throng_explanation *e) {
  static const char *const combine[] = {"by weight", "by priority", "shares of a budget", "by dithering"};
  static const picture_colour white = {1, 1, 1};
  char weight[16];
  lettering_heading(text, "its rules, m/s\302\262", combine[e->combine]);
  for (uint32_t k = 0; k < e->count; k++) {
    const throng_contribution *c = &e->contribution[k];
    snprintf(weight, sizeof weight, "%.3g\303\227", (double)c->weight);
    draw_rule(text, c->name, contribution_colour(k), weight, contribution_size(c), e->max_acceleration);
  }
  draw_rule(text, "together", white, "", length_of(e->acceleration), e->max_acceleration);
}

void sidebar_draw_agent(lettering *text, const view_session *session, const view_inspection *inspection) {
  const scene_group *group = &session->scene.groups[inspection->group];
  char name[FIELD_NAME_SIZE + 16], title[32];
  snprintf(title, sizeof title, "agent %u", session->selected.index);
  snprintf(name, sizeof name, "group %u", inspection->group);
  lettering_heading(text, title, group->name[0] ? group->name : name);
  draw_place(text, session, inspection);
  lettering_fact(text, "body, perception", "%.3g m, %.3g m", (double)inspection->body_radius,
                 (double)inspection->perception_radius);
  lettering_fact(text, "neighbours", "%u", inspection->neighbour_count ? inspection->neighbour_count - 1 : 0);
  if (inspection->explained)
    draw_rules(text, &inspection->explanation);
  else
    lettering_fact(text, "its rules", "after its next frame");
}
