#include <stdio.h>
#include <throng/throng.h>
int main(void) {
  throng_error error;
  throng_world *world;
  throng_world_def def = throng_default_world_def(); /* planar, perception radius 1 m */
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max = (throng_vec3){40, 40, 40};
  if (throng_world_create(&def, &world, &error) != THRONG_OK) return puts(error.text), 1;
  throng_vec3 position[10000], velocity[10000], at;
  for (int k = 0; k < 10000; k++) {
    position[k] = (throng_vec3){0.4f * (float)(k % 100), 0, 0.4f * (float)(k / 100)};
    velocity[k] = (throng_vec3){k % 3 ? 1.0f : -1.0f, 0, k % 5 ? 0.5f : -0.5f};
  }
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = position;
  agents.velocity.data = velocity;
  throng_agent_id id[10000];
  throng_status status = throng_agents_add(world, &agents, 10000, id, &error);
  for (int k = 0; k < 600 && status == THRONG_OK; k++) status = throng_world_step(world, 1.0f / 60.0f, &error);
  if (status == THRONG_OK) status = throng_agents_read(world, THRONG_COLUMN_POSITION, &id[42], 1, &at, 0, &error);
  if (status != THRONG_OK) return puts(error.text), 1;
  printf("agent 42 is at (%.3f, %.3f), hash %016llx\n", at.x, at.z, (unsigned long long)throng_world_hash(world, 0));
  throng_world_destroy(world);
}
