/* ecs.c: throng's passes on the arrays of an entity-component system (ECS), without a world. The ECS owns the arrays.
 * Three of its systems call throng's passes; a fourth one, wind, changes the accelerations. The program also steps the
 * same crowd in a world, and at the end it compares the bits.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/passes.h>
#include <throng/throng.h>

#define WALKERS 5000u
#define FRAMES 200
#define DT (1.0f / 60.0f)
#define SIDE 60.0f
#define WIND 0.5f /* m/s^2, along x */

/* The components. Element k of each array belongs to entity k. The transforms are an array of structures; the other
 * components have one array per field. */
struct transform {
  throng_vec3 position;
  float yaw;
};
struct registry {
  uint32_t count;
  struct transform transform[WALKERS];
  float velocity_x[WALKERS], velocity_z[WALKERS];
  float wish_x[WALKERS], wish_z[WALKERS];
  uint64_t frame;
};

static void require(throng_status status, const throng_error *error) {
  if (status == THRONG_OK) return;
  fprintf(stderr, "%s: %s\n", throng_status_name(status), error->text);
  exit(1);
}

static void spawn(struct registry *registry) {
  for (uint32_t k = 0; k < WALKERS; k++) {
    struct transform *transform = &registry->transform[registry->count++];
    transform->position = (throng_vec3){0.8f * (float)(k % 75), 1.7f, 0.8f * (float)(k / 75)};
    transform->yaw = 0.0f;
    registry->velocity_x[k] = k % 2 ? 1.0f : -1.0f;
    registry->velocity_z[k] = k % 3 ? 0.5f : -0.5f;
  }
}

/* The systems. */

static void index_system(struct registry *registry, throng_passes *passes) {
  const struct transform *transform = registry->transform;
  throng_error error;
  throng_passes_agents_def agents = throng_default_passes_agents_def();
  agents.count = registry->count;
  agents.frame = registry->frame;
  agents.position = (throng_vectors){&transform->position.x, NULL, &transform->position.z, sizeof *transform};
  agents.facing = (throng_vectors){&transform->yaw, NULL, NULL, sizeof *transform};
  agents.velocity = (throng_vectors){registry->velocity_x, NULL, registry->velocity_z, 0};
  require(throng_passes_build_grid(passes, &agents, &error), &error);
}

static void flock_system(struct registry *registry, throng_passes *passes) {
  const throng_passes_wishes wishes = {.acceleration = {registry->wish_x, NULL, registry->wish_z, 0}};
  throng_error error;
  require(throng_passes_run_neighbours(passes, DT, &wishes, &error), &error);
}

static void wind_system(struct registry *registry) {
  for (uint32_t k = 0; k < registry->count; k++) registry->wish_x[k] += WIND;
}

static void motion_system(struct registry *registry, throng_passes *passes) {
  struct transform *transform = registry->transform;
  const throng_vectors acceleration = {registry->wish_x, NULL, registry->wish_z, 0};
  const throng_passes_moved moved = {
      .position = {&transform->position.x, NULL, &transform->position.z, sizeof *transform},
      .facing = {&transform->yaw, NULL, NULL, sizeof *transform},
      .velocity = {registry->velocity_x, NULL, registry->velocity_z, 0},
  };
  throng_error error;
  require(throng_passes_run_integrate(passes, DT, &acceleration, &moved, &error), &error);
  registry->frame++;
}

/* Creates a world with the agents of the registry. */
static throng_world *world_of(const throng_world_def *def, const struct registry *registry) {
  throng_world *world = NULL;
  throng_error error;
  throng_vec3 velocity[WALKERS];
  for (uint32_t k = 0; k < WALKERS; k++)
    velocity[k] = (throng_vec3){registry->velocity_x[k], 0.0f, registry->velocity_z[k]};
  throng_agents_def agents = throng_default_agents_def();
  agents.position = (throng_span){&registry->transform->position, sizeof *registry->transform};
  agents.facing = (throng_span){&registry->transform->yaw, sizeof *registry->transform};
  agents.velocity.data = velocity;
  require(throng_world_create(def, &world, &error), &error);
  require(throng_agents_add(world, &agents, registry->count, NULL, &error), &error);
  return world;
}

/* Steps the world by one frame. The wind acts between steer and integrate. */
static void step_world(throng_world *world) {
  throng_error error;
  throng_edit edit;
  require(throng_world_steer(world, DT, &error), &error);
  require(throng_world_edit_accelerations(world, &edit, &error), &error);
  for (uint32_t k = 0; k < edit.count; k++) edit.acceleration_x[k] += WIND;
  require(throng_world_integrate(world, DT, &error), &error);
}

/* Returns the number of entities whose position, velocity or yaw differs in some bit from that of the world's agent. */
static uint32_t count_differences(const struct registry *registry, const throng_world *world) {
  static throng_vec3 position[WALKERS], velocity[WALKERS];
  static float yaw[WALKERS];
  throng_error error;
  require(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, WALKERS, position, 0, &error), &error);
  require(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, WALKERS, velocity, 0, &error), &error);
  require(throng_agents_read(world, THRONG_COLUMN_FACING, NULL, WALKERS, yaw, 0, &error), &error);
  uint32_t differences = 0;
  for (uint32_t k = 0; k < WALKERS; k++) {
    const struct transform *transform = &registry->transform[k];
    const throng_vec3 v = {registry->velocity_x[k], 0.0f, registry->velocity_z[k]};
    differences += memcmp(&transform->position, &position[k], sizeof position[k]) != 0 ||
                   memcmp(&v, &velocity[k], sizeof v) != 0 || memcmp(&transform->yaw, &yaw[k], sizeof yaw[k]) != 0;
  }
  return differences;
}

int main(void) {
  static struct registry registry;
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max = (throng_vec3){SIDE, SIDE, SIDE};
  def.perception_radius = 1.5f;
  throng_passes *passes = NULL;
  throng_error error;
  spawn(&registry);
  throng_world *world = world_of(&def, &registry);
  require(throng_passes_create(&def, &passes, &error), &error);

  for (int frame = 0; frame < FRAMES; frame++) {
    index_system(&registry, passes);
    flock_system(&registry, passes);
    wind_system(&registry);
    motion_system(&registry, passes);
    step_world(world);
  }
  const uint32_t differences = count_differences(&registry, world);
  printf("%u entities after %d frames: %u differ from the world's agents\n", registry.count, FRAMES, differences);
  throng_passes_destroy(passes);
  throng_world_destroy(world);
  return differences == 0 ? 0 : 1;
}
