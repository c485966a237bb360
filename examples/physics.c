/* physics.c: throng steers and the host moves. throng_world_steer computes each agent's acceleration. A physics engine
 * moves its own bodies by it, and writes their positions, velocities and yaws back to the world. The engine is a toy
 * with gusts of wind and solid pillars, which are not in the world.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <throng/throng.h>

#define WALKERS 2000u
#define PILLARS 16
#define FRAMES 3600
#define DT (1.0f / 60.0f)
#define SIDE 60.0f  /* side of the yard in metres; the pillars are spread evenly over it */
#define BODY 0.2f   /* metres: radius of an agent */
#define PILLAR 1.5f /* metres: radius of a pillar */
#define GUST 1.0f   /* m/s^2 */
#define SPEED 1.5f  /* m/s */

/* The host's bodies, in its own array. */
struct body {
  throng_vec3 position, velocity;
  float yaw;
};
struct physics {
  struct body body[WALKERS];
  throng_vec3 pillar[PILLARS];
};

static void require(throng_status status, const throng_error *error) {
  if (status == THRONG_OK) return;
  fprintf(stderr, "%s: %s\n", throng_status_name(status), error->text);
  exit(1);
}

/* Moves a body out of a pillar, and removes its velocity into the pillar. */
static void push_out(struct body *body, throng_vec3 centre) {
  const float dx = body->position.x - centre.x, dz = body->position.z - centre.z;
  const float distance = sqrtf(dx * dx + dz * dz), least = PILLAR + BODY;
  if (distance >= least || distance == 0.0f) return;
  const float nx = dx / distance, nz = dz / distance;
  const float into = body->velocity.x * nx + body->velocity.z * nz;
  body->position.x = centre.x + least * nx;
  body->position.z = centre.z + least * nz;
  if (into >= 0.0f) return;
  body->velocity.x -= into * nx;
  body->velocity.z -= into * nz;
}

/* Moves one body by one frame. `wish` is the acceleration from throng. */
static void move(struct physics *physics, uint32_t k, throng_vec3 wish, float gust) {
  struct body *body = &physics->body[k];
  body->velocity.x += (wish.x + gust) * DT;
  body->velocity.z += wish.z * DT;
  body->position.x += body->velocity.x * DT;
  body->position.z += body->velocity.z * DT;
  for (int p = 0; p < PILLARS; p++) push_out(body, physics->pillar[p]);
  if (body->velocity.x != 0.0f || body->velocity.z != 0.0f) body->yaw = atan2f(body->velocity.x, body->velocity.z);
}

static throng_world *make_world(struct physics *physics) {
  static throng_vec3 goal[WALKERS];
  throng_error error;
  throng_world *world = NULL;
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 2.0f;
  require(throng_world_create(&def, &world, &error), &error);

  throng_group_def walkers = throng_default_group_def();
  walkers.cohesion.weight = walkers.alignment.weight = 0.0f;
  walkers.separation.radius = 0.8f;
  walkers.avoidance.weight = 1.0f;
  walkers.max_speed = SPEED;
  walkers.body_radius = BODY;
  throng_group_def_add(&walkers, THRONG_BEHAVIOUR_ARRIVE); /* its target is each agent's own goal */
  require(throng_world_set_group(world, 0, &walkers, &error), &error);

  for (int p = 0; p < PILLARS; p++)
    physics->pillar[p] = (throng_vec3){SIDE * ((float)(p % 4) + 0.5f) / 4.0f, 0, SIDE * ((float)(p / 4) + 0.5f) / 4.0f};
  for (uint32_t k = 0; k < WALKERS; k++) { /* half start at each side, with goals at the other side */
    const float along = SIDE * (float)(k / 2 % 50) / 50.0f, depth = 0.7f * (float)(k / 100);
    physics->body[k].position = (throng_vec3){k % 2 ? -2.0f - depth : SIDE + 2.0f + depth, 0, along};
    goal[k] = (throng_vec3){k % 2 ? SIDE + 2.0f + depth : -2.0f - depth, 0, along};
  }
  throng_agents_def agents = throng_default_agents_def();
  agents.position = (throng_span){&physics->body->position, sizeof *physics->body};
  agents.goal.data = goal;
  require(throng_agents_add(world, &agents, WALKERS, NULL, &error), &error);
  return world;
}

int main(void) {
  static struct physics physics;
  static throng_vec3 wish[WALKERS];
  throng_world *world = make_world(&physics);
  const size_t stride = sizeof *physics.body;
  throng_error error;
  uint32_t inside = 0;
  for (int frame = 0; frame < FRAMES; frame++) {
    const float gust = frame % 120 < 20 ? GUST : 0.0f;
    require(throng_world_steer(world, DT, &error), &error);
    require(throng_agents_read(world, THRONG_COLUMN_ACCELERATION, NULL, WALKERS, wish, 0, &error), &error);
    for (uint32_t k = 0; k < WALKERS; k++) move(&physics, k, wish[k], gust);
    require(throng_agents_write(world, THRONG_COLUMN_POSITION, NULL, WALKERS, &physics.body->position, stride, &error),
            &error);
    require(throng_agents_write(world, THRONG_COLUMN_VELOCITY, NULL, WALKERS, &physics.body->velocity, stride, &error),
            &error);
    require(throng_agents_write(world, THRONG_COLUMN_FACING, NULL, WALKERS, &physics.body->yaw, stride, &error),
            &error);
  }
  uint32_t across = 0;
  for (uint32_t k = 0; k < WALKERS; k++) {
    const throng_vec3 at = physics.body[k].position;
    across += k % 2 ? at.x > SIDE : at.x < 0.0f;
    for (int p = 0; p < PILLARS; p++)
      inside += hypotf(at.x - physics.pillar[p].x, at.z - physics.pillar[p].z) < PILLAR + BODY - 1e-3f;
  }
  printf("after %.0f s %u of %u walkers have crossed a yard of %.0f m; %u are inside a pillar\n", (double)(FRAMES * DT),
         across, WALKERS, (double)SIDE, inside);
  throng_world_destroy(world);
  return inside == 0 && across > WALKERS / 2 ? 0 : 1;
}
