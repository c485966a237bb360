/* tests/mpi/test_mpi_changes.c: changes that a host makes to pieces, with throng_mpi_sync and without. Without it, all
 * calls that need it are refused alike on all ranks; with it, the world goes on with the bits of one world. It runs on
 * any number of ranks.
 *     test_mpi_changes [CASE]
 * SPDX-License-Identifier: MIT */
#include <string.h>
#include <unistd.h>

#include <throng/piece.h>

#include "mpi/twin.h"

#define FILE_NAME "mpi_changes_checkpoint"

/* Kinds of changes that need throng_mpi_sync. The first ones change an agent of one rank; the others are made on all
 * ranks alike. */
enum change {
  ADD,
  REMOVE,
  MOVE_NEAR,
  MOVE_FAR,
  EDIT,
  WRITE_POSITION,
  WRITE_VELOCITY,
  WRITE_FACING,
  WRITE_GROUP,
  WRITE_TARGET,
  WRITE_BODY_RADIUS,
  WRITE_BODY_RADIUS_AGAIN,
  WRITE_GOAL, /* the first value in its column */
  ALL_CHANGE_AGENTS,
  SET_CONTACT,
  SET_OBJECT,
  CHANGES
};

/* A configuration: what a frame consists of. */
struct setting {
  bool solid, targets, overlap, periodic;
};

static throng_group_def walkers(const struct setting *setting) {
  throng_group_def group = throng_default_group_def();
  group.max_speed = 3.0f;
  group.contact = setting->solid ? 0.5f : 0.0f;
  group.body_radius = 0.4f;
  throng_group_def_add(&group, THRONG_BEHAVIOUR_WANDER);
  if (setting->targets) throng_group_def_add(&group, THRONG_BEHAVIOUR_PURSUE)->target.kind = THRONG_TARGET_OWN;
  return group;
}

static throng_world *make_world(const struct setting *setting) {
  throng_world *world = twin_world(7, setting->periodic ? THRONG_BOUNDARY_PERIODIC : THRONG_BOUNDARY_BOX);
  const throng_group_def group = walkers(setting);
  throng_error error;
  require_ok(throng_world_set_group(world, WALKERS, &group, &error), &error);
  if (!setting->targets) return world;
  throng_agent_id target[TWIN_AGENTS];
  for (uint32_t k = 0; k < TWIN_AGENTS; k++) target[k] = first_id(1 + (k + 1) % TWIN_AGENTS);
  require_ok(throng_agents_write(world, THRONG_COLUMN_TARGET, NULL, TWIN_AGENTS, target, 0, &error), &error);
  return world;
}

static twin open_with(const struct setting *setting) {
  twin t = {.whole = make_world(setting)};
  throng_mpi_def def = throng_default_mpi_def();
  throng_error error;
  def.overlap = setting->overlap ? THRONG_MPI_OVERLAP_ON : THRONG_MPI_OVERLAP_OFF;
  def.balance_every = 7; /* so that some refused frames would begin with a cut */
  require_ok(throng_mpi_create(make_world(setting), &def, &t.mpi, &error), &error);
  check_twin(&t);
  return t;
}

/* The own agent with the smallest id of a rank: the same on all ranks. */
static throng_agent_id agent_of(const twin *t, int owner) {
  throng_agent_id ids[2 * TWIN_AGENTS];
  throng_error error;
  uint32_t count;
  require_ok(throng_agents_get_ids(throng_mpi_world(t->mpi), ids, 2 * TWIN_AGENTS, &count, &error), &error);
  CHECK(count > 1);
  MPI_Bcast(ids, (int)sizeof ids[0], MPI_BYTE, owner, MPI_COMM_WORLD);
  return ids[0];
}

static void write_twin(twin *t, throng_column column, throng_agent_id id, const void *value) {
  throng_error error;
  require_ok(throng_agents_write(t->whole, column, &id, 1, value, 0, &error), &error);
  if (!owns(t, id)) return;
  require_ok(throng_agents_write(throng_mpi_world(t->mpi), column, &id, 1, value, 0, &error), &error);
}

static throng_vec3 place_of(const twin *t, throng_agent_id id) {
  throng_vec3 place;
  throng_error error;
  require_ok(throng_agents_read(t->whole, THRONG_COLUMN_POSITION, &id, 1, &place, 0, &error), &error);
  return place;
}

static void edit_twin(twin *t, throng_agent_id id) {
  throng_world *worlds[] = {t->whole, throng_mpi_world(t->mpi)};
  for (int k = 0; k < 1 + owns(t, id); k++) {
    throng_edit edit;
    throng_error error;
    uint32_t element;
    require_ok(throng_world_edit(worlds[k], &edit, &error), &error);
    CHECK(throng_piece_find(worlds[k], id, &element));
    edit.position_x[element] = 20.0f;
  }
}

static uint32_t added; /* id index of the last agent that was added */

static void change_agent(twin *t, enum change change, int owner) {
  const throng_agent_id id = agent_of(t, owner), none = {0};
  const throng_vec3 here = place_of(t, id), slow = {0.3f, 0.0f, -0.2f}, near = {24.0f, 0.0f, 23.0f};
  const throng_vec3 step = {here.x > 24.0f ? here.x - 0.5f : here.x + 0.5f, 0.0f, here.z};
  const throng_vec3 far = {here.x > 24.0f ? 3.0f : 45.0f, 0.0f, here.z > 24.0f ? 3.0f : 45.0f};
  const float yaw = 1.0f, radius = 0.3f;
  const uint8_t group = FLYERS;
  switch (change) {
  case ADD:
    add_to_twin(t, first_id(++added), near, WALKERS, owner);
    break;
  case REMOVE:
    remove_from_twin(t, id);
    break;
  case MOVE_NEAR:
    move_in_twin(t, id, step, slow);
    break;
  case MOVE_FAR:
    move_in_twin(t, id, far, slow);
    break;
  case EDIT:
    edit_twin(t, id);
    break;
  case WRITE_POSITION:
    write_twin(t, THRONG_COLUMN_POSITION, id, &step);
    break;
  case WRITE_VELOCITY:
    write_twin(t, THRONG_COLUMN_VELOCITY, id, &slow);
    break;
  case WRITE_FACING:
    write_twin(t, THRONG_COLUMN_FACING, id, &yaw);
    break;
  case WRITE_GROUP:
    write_twin(t, THRONG_COLUMN_GROUP, id, &group);
    break;
  case WRITE_TARGET:
    write_twin(t, THRONG_COLUMN_TARGET, id, &none);
    break;
  case WRITE_GOAL:
    write_twin(t, THRONG_COLUMN_GOAL, id, &near);
    break;
  default:
    write_twin(t, THRONG_COLUMN_BODY_RADIUS, id, &radius);
    break;
  }
}

/* Changes both worlds of the twin. Returns the first rank whose piece has changed. */
static int change_twin(twin *t, enum change change, const struct setting *setting, uint32_t round) {
  throng_world *worlds[] = {t->whole, throng_mpi_world(t->mpi)};
  const int owner = (int)round % ranks;
  throng_error error;
  if (change == ALL_CHANGE_AGENTS) {
    static const enum change kinds[] = {MOVE_FAR, REMOVE, ADD, WRITE_VELOCITY};
    for (int each = 0; each < ranks; each++) change_agent(t, kinds[((uint32_t)each + round) % 4], each);
    return 0;
  }
  if (change < ALL_CHANGE_AGENTS) {
    change_agent(t, change, owner);
    return owner;
  }
  for (int k = 0; k < 2; k++) {
    throng_group_def group = walkers(setting);
    throng_attractors_def attractors = throng_default_attractors_def();
    const throng_attractor attractor = throng_default_attractor();
    attractors.attractors = &attractor;
    attractors.count = 1;
    group.contact = setting->solid ? 0.0f : 0.5f;
    if (change == SET_CONTACT) require_ok(throng_world_set_group(worlds[k], WALKERS, &group, &error), &error);
    if (change == SET_OBJECT) require_ok(throng_world_set_attractors(worlds[k], &attractors, &error), &error);
  }
  return 0;
}

/* Checks that all calls that need throng_mpi_sync are refused, with the same error on all ranks. */
static void refuse_all(twin *t, int changed) {
  const uint64_t frame = throng_world_frame(throng_mpi_world(t->mpi)), hash = throng_mpi_hash(t->mpi, EVERY_COLUMN);
  throng_error error[4];
  throng_world *whole = rank == 0 ? twin_world(7, THRONG_BOUNDARY_BOX) : NULL;
  require_error(throng_mpi_step(t->mpi, TWIN_DT, &error[0]), THRONG_ERROR_BAD_VALUE, &error[0]);
  require_error(throng_mpi_save(t->mpi, FILE_NAME, &error[1]), THRONG_ERROR_NOT_INDEXED, &error[1]);
  require_error(throng_mpi_gather(t->mpi, 0, whole, &error[2]), THRONG_ERROR_NOT_INDEXED, &error[2]);
  require_error(throng_mpi_step(t->mpi, 0.0f, &error[3]), THRONG_ERROR_BAD_VALUE, &error[3]);
  for (int k = 0; k < 4; k++) {
    uint64_t sum = 0;
    check_named(&error[k], changed);
    for (const char *c = error[k].text; *c; c++) sum = 31 * sum + (unsigned char)*c;
    CHECK_ALIKE(sum);
    CHECK(strstr(error[k].text, "throng_mpi_sync") != NULL);
  }
  CHECK(access(FILE_NAME, F_OK) != 0 && access(FILE_NAME ".part", F_OK) != 0);
  CHECK(throng_world_frame(throng_mpi_world(t->mpi)) == frame && throng_mpi_hash(t->mpi, EVERY_COLUMN) == hash);
  CHECK_ALIKE(hash);
  CHECK(hash == throng_world_hash(t->whole, EVERY_COLUMN)); /* an agent that a rank has added or moved counts already */
  CHECK(!whole || throng_agents_count(whole) == TWIN_AGENTS);
  throng_world_destroy(whole);
}

static void changes_without_a_sync_are_refused(void) {
  for (uint32_t bits = 0; bits < 8; bits++) { /* any three members have all combinations */
    const bool even = (bits ^ bits >> 1 ^ bits >> 2) & 1;
    const struct setting setting = {bits & 1, bits & 2, bits & 4, even};
    twin t = open_with(&setting);
    added = TWIN_AGENTS;
    step_twin(&t, 3);
    for (int change = 0; change < CHANGES; change++) {
      if (change == WRITE_TARGET && !setting.targets)
        continue; /* the columns of one world and of a checkpoint differ */
      const int changed = change_twin(&t, (enum change)change, &setting, bits + (uint32_t)change);
      refuse_all(&t, changed);
      sync_twin(&t);
      step_twin(&t, 1);
    }
    step_twin(&t, 8);
    close_twin(&t);
  }
}

/* What differs between the ranks is refused by throng_mpi_sync, too, until it is alike. */
static void groups_set_on_one_rank_are_refused(void) {
  if (ranks == 1) return;
  for (uint32_t bits = 0; bits < 8; bits++) {
    const struct setting setting = {bits & 1, bits & 2, bits & 4, true};
    twin t = open_with(&setting);
    throng_group_def group = walkers(&setting);
    throng_error error;
    const int changed = ranks - 1;
    group.contact = 0.5f - group.contact;
    step_twin(&t, 2);
    if (rank == changed) require_ok(throng_world_set_group(throng_mpi_world(t.mpi), WALKERS, &group, &error), &error);
    refuse_all(&t, changed);
    require_error(throng_mpi_sync(t.mpi, &error), THRONG_ERROR_BAD_VALUE, &error);
    require_error(throng_mpi_step(t.mpi, TWIN_DT, &error), THRONG_ERROR_NOT_INDEXED, &error);
    require_ok(throng_world_set_group(t.whole, WALKERS, &group, &error), &error);
    if (rank != changed) require_ok(throng_world_set_group(throng_mpi_world(t.mpi), WALKERS, &group, &error), &error);
    sync_twin(&t);
    step_twin(&t, 3);
    close_twin(&t);
  }
}

static void count_call(const throng_block *block, void *context) {
  (void)block;
  (void)context;
}

/* Writes one value to all agents of both worlds whose id index is 1 above a multiple of `every`. */
static void write_many(twin *t, throng_column column, const void *value, uint32_t every) {
  throng_world *worlds[] = {t->whole, throng_mpi_world(t->mpi)};
  for (int k = 0; k < 2; k++) {
    throng_agent_id ids[TWIN_AGENTS];
    throng_error error;
    uint32_t count, kept = 0;
    require_ok(throng_agents_get_ids(worlds[k], ids, TWIN_AGENTS, &count, &error), &error);
    for (uint32_t n = 0; n < count; n++) {
      if (ids[n].index % every == 1 % every) ids[kept++] = ids[n];
    }
    require_ok(throng_agents_write(worlds[k], column, ids, kept, value, THRONG_STRIDE_ONE, &error), &error);
  }
}

/* Other ranks do not see these changes. Agents whose values were written cross borders later. */
static void some_changes_need_no_sync(void) {
  for (uint32_t bits = 0; bits < 8; bits++) {
    const struct setting setting = {bits & 1, bits & 2, bits & 4, true};
    twin t = open_with(&setting);
    throng_error error;
    for (uint32_t frame = 0; frame < 6; frame++) {
      const float radius = 1.2f + 0.01f * (float)frame, period = (float)(1u << frame % 4);
      const throng_vec3 goal = {frame % 2 ? 10.0f : 40.0f, 0.0f, 24.0f};
      const uint32_t every = frame == 0 ? 1 : 1 + frame % 3;
      write_many(&t, THRONG_COLUMN_GOAL, &goal, every);
      write_many(&t, THRONG_COLUMN_PERCEPTION_RADIUS, &radius, every);
      write_many(&t, THRONG_COLUMN_STEER_PERIOD, &period, every);
      require_ok(throng_world_set_callback(t.whole, 1, count_call, NULL, &error), &error);
      require_ok(throng_world_set_callback(throng_mpi_world(t.mpi), 1, count_call, NULL, &error), &error);
      require_ok(throng_agents_reserve(throng_mpi_world(t.mpi), 2000 + frame, &error), &error);
      if (frame == 0) sync_twin(&t); /* the first values need it */
      step_twin(&t, 2);
    }
    close_twin(&t);
  }
}

int main(int argc, char **argv) {
  static const rank_case cases[] = {
      {"changes_without_a_sync_are_refused", changes_without_a_sync_are_refused},
      {"groups_set_on_one_rank_are_refused", groups_set_on_one_rank_are_refused},
      {"some_changes_need_no_sync", some_changes_need_no_sync},
  };
  start_ranks(&argc, &argv, 600);
  run_rank_cases(cases, sizeof cases / sizeof cases[0], argc > 1 ? argv[1] : NULL);
  MPI_Finalize();
  return 0;
}
