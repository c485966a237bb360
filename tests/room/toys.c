/* tests/room/toys.c: uses the last toys of tests/room/check, in everything that has a set of columns or kinds: the
 * frame, hashes, snapshots, recordings and records.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <throng/throng.h>

#define AGENTS 300u
#define FRAMES 3
#define STRENGTH 0.5f
#define GIVEN 7.0f /* of the host's toy column */
#define TOYS (THRONG_BIT(THRONG_COLUMN_TOY9) | THRONG_BIT(THRONG_COLUMN_TOY10))
#define REQUIRE(condition)                                                                                             \
  ((condition) ? (void)0 : (fprintf(stderr, "toys.c:%d: %s: %s\n", __LINE__, #condition, error.text), exit(1)))
#define OK(call) REQUIRE((call) == THRONG_OK)

static throng_error error;
static char record[1 << 20];
static size_t recorded;

static bool keep(const void *bytes, size_t size, void *context) {
  (void)context;
  if (size > sizeof record - recorded) return false;
  memcpy(record + recorded, bytes, size);
  recorded += size;
  return true;
}

static throng_world *make_world(void) {
  throng_world_def def = throng_default_world_def();
  throng_world *world;
  OK(throng_world_create(&def, &world, &error));
  return world;
}

static throng_world *make_crowd(throng_agent_id ids[AGENTS]) {
  throng_world *world = make_world();
  throng_group_def group = throng_default_group_def();
  throng_vec3 position[AGENTS];
  const float given = GIVEN;
  for (uint32_t k = 0; k < AGENTS; k++) position[k] = (throng_vec3){(float)(k % 20), 0.0f, (float)(k / 20)};
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = position;
  group.separation.weight = group.avoidance.weight = group.cohesion.weight = group.alignment.weight = 0.0f;
  throng_group_def_add(&group, THRONG_BEHAVIOUR_TOY10)->toy10.strength = STRENGTH;
  OK(throng_world_set_group(world, 0, &group, &error));
  OK(throng_agents_add(world, &agents, AGENTS, ids, &error));
  OK(throng_agents_write(world, THRONG_COLUMN_TOY9, ids, AGENTS, &given, THRONG_STRIDE_ONE, &error));
  return world;
}

static void require_column(const throng_world *world, throng_column column, const throng_agent_id *ids, uint32_t count,
                           float expected) {
  float values[AGENTS];
  OK(throng_agents_read(world, column, ids, count, values, 0, &error));
  for (uint32_t k = 0; k < count; k++) REQUIRE(values[k] == expected);
}

static void steps(throng_world *world, const throng_agent_id *ids) {
  const throng_record_hook hook = {keep, NULL};
  throng_recorder *recorder;
  OK(throng_recorder_create(world, &hook, THRONG_RECORD_AGENTS, &recorder, &error));
  for (int frame = 0; frame < FRAMES; frame++) OK(throng_recorder_step(recorder, 0.1f, &error));
  throng_recorder_destroy(recorder);
  throng_vec3 velocity[AGENTS];
  OK(throng_agents_read(world, THRONG_COLUMN_VELOCITY, ids, AGENTS, velocity, 0, &error));
  for (uint32_t k = 0; k < AGENTS; k++) REQUIRE(velocity[k].x > 0.0f && velocity[k].z == 0.0f);
  require_column(world, THRONG_COLUMN_TOY9, ids, AGENTS, GIVEN);
  require_column(world, THRONG_COLUMN_TOY10, ids, AGENTS, FRAMES);
}

static void replays(const throng_world *world) {
  throng_world *again = make_world();
  throng_replay replay;
  throng_replay_difference difference = {0};
  OK(throng_replay_begin(&replay, again, record, recorded, &error));
  while (!throng_replay_has_ended(&replay)) {
    OK(throng_replay_step(&replay, again, &difference, &error));
    REQUIRE(!difference.differs);
  }
  REQUIRE(throng_world_hash(again, TOYS) == throng_world_hash(world, TOYS));
  throng_world_destroy(again);
}

static void saves_and_loads(const throng_world *world) {
  static char bytes[1 << 20];
  size_t size;
  throng_world *loaded = make_world();
  OK(throng_world_save_snapshot(world, bytes, sizeof bytes, &size, &error));
  OK(throng_world_load_snapshot(loaded, bytes, size, &error));
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++)
    REQUIRE(throng_world_hash(loaded, THRONG_BIT(column)) == throng_world_hash(world, THRONG_BIT(column)));
  throng_world_destroy(loaded);
}

static void travels(const throng_world *world) {
  const uint64_t columns = throng_piece_columns(world);
  const uint32_t element = 0;
  throng_view view;
  throng_group_def group;
  throng_world *other = make_world();
  char bytes[512];
  REQUIRE((columns & TOYS) == TOYS && !(columns & THRONG_PIECE_HEIGHT));
  REQUIRE(throng_piece_record_bytes(THRONG_SPACE_PLANAR, columns) <= sizeof bytes);
  OK(throng_world_view(world, &view, &error));
  const throng_agent_id id = throng_view_id(&view, element);
  OK(throng_piece_pack(world, columns, &element, 1, bytes, &error));
  OK(throng_world_get_group(world, 0, &group, &error));
  OK(throng_world_set_group(other, 0, &group, &error));
  OK(throng_piece_need_columns(other, columns, &error));
  OK(throng_piece_take(other, columns, bytes, 1, true, &error));
  require_column(other, THRONG_COLUMN_TOY9, &id, 1, GIVEN);
  require_column(other, THRONG_COLUMN_TOY10, &id, 1, FRAMES);
  throng_world_destroy(other);
}

int main(void) {
  throng_agent_id ids[AGENTS];
  throng_world *world = make_crowd(ids);
  const uint64_t nothing = throng_world_hash(world, THRONG_BIT(THRONG_COLUMN_TOY8));
  REQUIRE(throng_world_hash(world, THRONG_BIT(THRONG_COLUMN_TOY9)) != nothing);
  steps(world, ids);
  replays(world);
  saves_and_loads(world);
  travels(world);
  throng_world_destroy(world);
  printf("%d columns and %d kinds of behaviours fit\n", THRONG_COLUMN_COUNT, THRONG_BEHAVIOUR_KINDS);
  return 0;
}
