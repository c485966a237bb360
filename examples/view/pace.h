/* pace.h: computes how many frames are due, from the scene's time and the real time.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_PACE_H
#define VIEW_PACE_H

#include <stdbool.h>

typedef struct view_pace {
  double last;             /* real time of the last picture, in seconds */
  double owed;             /* seconds of the scene that are due */
  double began;            /* of the picture that is being made */
  double since, simulated; /* of the interval that is measured now */
  int pictures;
  int stepped;     /* frames that the present picture has stepped */
  double achieved; /* seconds of the scene per second of real time, over the last interval */
  double pictures_per_second;
  bool behind; /* stepping is slower than real time: frames that were due were dropped */
  bool dropped;
} view_pace;

/* Begins a picture. For each second of real time, `speed` seconds of the scene are due; none while paused. */
void pace_begin(view_pace *pace, double now, double speed, bool paused);
/* Whether a frame of `dt` seconds is due and there is time for it. If so, it counts as stepped. */
bool pace_take(view_pace *pace, double now, double dt);
/* Ends the picture. Returns true if an interval has ended; the measured values are then new. */
bool pace_end(view_pace *pace, double now, double dt);

#endif
