/* How many frames are due: the scene's clock against the one on the wall.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_PACE_H
#define VIEW_PACE_H

#include <stdbool.h>

typedef struct view_pace {
  double last;             /* seconds on the wall at the last picture */
  double owed;             /* seconds of the scene that are due */
  double began;            /* of the picture that is being made */
  double since, simulated; /* of the interval that is being measured */
  int pictures;
  int stepped;     /* frames of the picture that is being made */
  double achieved; /* seconds of the scene a second, over the last interval */
  double pictures_per_second;
  bool behind; /* it cannot keep up: what was owed had to be dropped */
  bool dropped;
} view_pace;

/* Begins a picture: `speed` seconds of the scene are due for each that has passed, none while paused. */
void pace_begin(view_pace *pace, double now, double speed, bool paused);
/* Whether a frame of `dt` seconds is due and there is time for it; if so, it is taken as done. */
bool pace_take(view_pace *pace, double now, double dt);
/* Ends the picture. True where an interval has ended, and what was measured is new. */
bool pace_end(view_pace *pace, double now, double dt);

#endif
