/* whole.c: the hooks of a whole world. They do nothing; pieces/ has those that do. SPDX-License-Identifier: MIT */
#include "frame/frame.h"

static void wrote(throng_world *world, throng_column column) {
  (void)world;
  (void)column;
}

static throng_status check(const throng_world *world, throng_error *error) {
  (void)world;
  (void)error;
  return THRONG_OK;
}

static bool has_contact(const throng_world *world) { return world->groups.features & FEATURE_CONTACT; }

static bool defers(const throng_world *world, const struct frame *frame, const struct strip *strip) {
  (void)world;
  (void)frame;
  (void)strip;
  return false;
}

static bool contact(const throng_world *world, float *const position[3], bool pushed) {
  (void)world;
  (void)position;
  return pushed;
}

static throng_status exchange(throng_world *world, const struct frame *frame, throng_status status,
                              throng_error *error) {
  (void)world;
  (void)frame;
  (void)error;
  return status;
}

static throng_status agree(throng_world *world, throng_status status, throng_error *error) {
  (void)world;
  (void)error;
  return status;
}

static uint32_t commit(throng_world *world, struct grid_move *move) {
  (void)move;
  return world->agents.count;
}

const struct world_hooks throng_whole_hooks = {.wrote = wrote,
                                               .check = check,
                                               .has_contact = has_contact,
                                               .run = throng_frame_run_strips,
                                               .defers = defers,
                                               .contact = contact,
                                               .exchange = exchange,
                                               .agree = agree,
                                               .commit = commit};
