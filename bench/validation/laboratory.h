/* laboratory.h: the corridor in which pedestrians were recorded: HERMES (Duesseldorf 2009, published by
 * Forschungszentrum Juelich). It is 8 m long; people come in at its ends, and may leave through a narrower door.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VALIDATION_LABORATORY_H
#define BENCH_VALIDATION_LABORATORY_H

#include "tests.h"

#define LABORATORY_PEOPLE 1024    /* most walkers of a trial */
#define LABORATORY_SPEED 1.55f    /* m/s: free speed */
#define LABORATORY_DEVIATION 0.18 /* m/s: its standard deviation */
#define LABORATORY_END 4.0f       /* the corridor reaches from x = -4 to 4 */
#define LABORATORY_OVERLAP                                                                                             \
  { "deepest overlap", "cm", 0, 3, JUDGED, "bodies are solid", 0 }
#define LABORATORY_LEFT                                                                                                \
  { "left behind", "walkers", 0, 0, JUDGED, "nobody is blocked", 0 }

typedef struct laboratory_corridor {
  float width, door; /* metres; without a door, both are the same */
  crowd_wall walls[4];
  crowd_place place;
} laboratory_corridor;

/* Lays out a corridor with entrances at both ends: entrance 1 at x = -4, 2 at x = 4. */
void laboratory_corridor_lay(laboratory_corridor *corridor, float width, float door);

/* A walker who goes to +x, or to -x if not `east`, and is removed 2 m behind the corridor. Its first gate is the end of
 * the corridor. */
crowd_walker laboratory_walker(const laboratory_corridor *corridor, bool east);

#endif
