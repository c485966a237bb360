/* SPDX-License-Identifier: MIT */
#include "laboratory.h"

#define BEFORE 2.0f /* metres that the walls go on beyond the ends: a jam may push walkers back */
#define BEYOND 2.0f /* metres that walkers go on behind the corridor */
#define ASIDE 4.0f  /* metres that they may go to the side there */

void laboratory_corridor_lay(laboratory_corridor *corridor, float width, float door) {
  const float half = width / 2, opening = door / 2, end = LABORATORY_END, start = -end - BEFORE;
  const float wall_end = door < width ? end : -start;
  *corridor = (laboratory_corridor){.width = width,
                                    .door = door,
                                    .walls = {{start, -half, wall_end, -half},
                                              {start, half, wall_end, half},
                                              {end, -half, end, -opening},
                                              {end, half, end, opening}}};
  corridor->place = (crowd_place){
      .min_x = start,
      .min_z = -ASIDE,
      .max_x = -start,
      .max_z = ASIDE,
      .wish_speed = LABORATORY_SPEED,
      .speed_deviation = LABORATORY_DEVIATION,
      .walls = corridor->walls,
      .wall_count = door < width ? 4 : 2,
      .entrances = {{-end, BODY_RADIUS - half, half - BODY_RADIUS}, {end, BODY_RADIUS - half, half - BODY_RADIUS}}};
}

crowd_walker laboratory_walker(const laboratory_corridor *corridor, bool east) {
  const float opening = corridor->door / 2, last = LABORATORY_END + BEYOND;
  crowd_walker walker = {.gate_count = 2, .way_x = east ? 1 : -1, .way_length = LABORATORY_END + last};
  walker.entrance = east ? 1 : 2;
  if (east) {
    walker.gates[0] = gate_east(LABORATORY_END, -opening, opening);
    walker.gates[1] = gate_east(last, -ASIDE, ASIDE);
  } else {
    walker.gates[0] = gate_west(-LABORATORY_END, -opening, opening);
    walker.gates[1] = gate_west(-last, -ASIDE, ASIDE);
  }
  return walker;
}
