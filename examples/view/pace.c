/* SPDX-License-Identifier: MIT */
#include "pace.h"

#define LONGEST_GAP 0.25    /* seconds: longer times between pictures, as when the window is dragged, count as this */
#define STEPPING_LIMIT 0.05 /* seconds per picture after which no frame is begun, except the first frame that is due */
#define INTERVAL 0.5        /* seconds between measurements */

void pace_begin(view_pace *pace, double now, double speed, bool paused) {
  const double passed = now - pace->last;
  const double due = paused ? 0 : speed * (passed < LONGEST_GAP ? passed : LONGEST_GAP);
  pace->last = pace->began = now;
  pace->owed = paused ? 0 : pace->owed + due;
  pace->stepped = 0;
}

bool pace_take(view_pace *pace, double now, double dt) {
  if (pace->owed < dt || (pace->stepped && now - pace->began > STEPPING_LIMIT)) return false;
  pace->owed -= dt;
  pace->simulated += dt;
  pace->stepped++;
  return true;
}

float pace_alpha(const view_pace *pace, double dt) { return pace->owed < dt ? (float)(pace->owed / dt) : 1.0f; }

bool pace_end(view_pace *pace, double now, double dt) {
  if (pace->owed >= dt) {
    pace->owed = 0;
    pace->dropped = true;
  }
  pace->pictures++;
  const double interval = now - pace->since;
  if (interval < INTERVAL) return false;
  pace->achieved = pace->simulated / interval;
  pace->pictures_per_second = pace->pictures / interval;
  pace->behind = pace->dropped;
  pace->since = now;
  pace->simulated = 0;
  pace->pictures = 0;
  pace->dropped = false;
  return true;
}
