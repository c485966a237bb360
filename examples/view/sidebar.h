/* sidebar.h: the text of the side bar and of the help.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_SIDEBAR_H
#define VIEW_SIDEBAR_H

#include "inspection.h"
#include "lettering.h"

#define SIDEBAR_WIDTH 292 /* pixels, before scaling */
#define HELP_WIDTH 520
#define HELP_HEIGHT 400

typedef struct sidebar_facts {
  const view_session *session;
  const view_inspection *inspection;
  colour_mode colour;
  double picture_ms, pictures_per_second, speed, achieved; /* 0 = not known yet */
  bool counted, paused, behind; /* counted: with --frames it steps as fast as possible, not by the clock */
  const char *failure;          /* the message of the frame that failed; "" = none */
} sidebar_facts;

void sidebar_draw(cairo_t *cairo, double height, const sidebar_facts *facts);
void sidebar_draw_help(cairo_t *cairo);
/* Writes the part about the selected agent. */
void sidebar_draw_agent(lettering *text, const view_session *session, const view_inspection *inspection);

#endif
