/* pace.h: computes how many frames are due before each picture, so that the scene keeps up with the clock.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_PACE_H
#define VIEW_PACE_H

#include <stdbool.h>

typedef struct view_pace {
  double last;             /* real time of the last picture, in seconds */
  double owed;             /* seconds of the scene that are due */
  double began;            /* real time at which the current picture began */
  double since, simulated; /* current interval: real time of its beginning; seconds of the scene stepped in it */
  int pictures;            /* pictures of the current interval */
  int stepped;             /* frames stepped for the current picture */
  double achieved;         /* seconds of the scene per second of real time, over the last interval */
  double pictures_per_second;
  bool behind;  /* in the last interval frames that were due were dropped: stepping is slower than `speed` */
  bool dropped; /* frames that were due were dropped in the current interval */
} view_pace;

/* Begins a picture at the real time `now`. For each second of real time `speed` seconds of the scene are due; none
 * while paused. */
void pace_begin(view_pace *pace, double now, double speed, bool paused);
/* Returns whether a frame of `dt` seconds is due and there is time for it. If so, the caller must step it. */
bool pace_take(view_pace *pace, double now, double dt);
/* How far the picture is between the last two frames: from 0, before the last one, to 1. */
float pace_alpha(const view_pace *pace, double dt);
/* Ends the picture. Returns true if an interval has ended: achieved, pictures_per_second and behind are then new. */
bool pace_end(view_pace *pace, double now, double dt);

#endif
