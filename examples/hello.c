#include <stdio.h>
#include <throng/throng.h>

int main(void) {
  throng_error error;
  throng_world_def def = throng_default_world_def(); /* planar, unbounded, perception radius 1 m */
  def.boundary = THRONG_BOUNDARY_PERIODIC;
  def.box_max = (throng_vec3){40.0f, 40.0f, 40.0f};
  throng_world *world = NULL;
  if (throng_world_create(&def, &world, &error) != THRONG_OK) return puts(error.text), 1;

  float position[10000][3] = {{0}}, velocity[10000][3] = {{0}};
  for (int k = 0; k < 10000; k++) {
    position[k][0] = 0.4f * (float)(k % 100);
    position[k][2] = 0.4f * (float)(k / 100);
    velocity[k][0] = k % 3 ? 1.0f : -1.0f;
    velocity[k][2] = k % 5 ? 0.5f : -0.5f;
  }
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = position;
  agents.velocity.data = velocity;
  throng_agent_id id[10000];
  if (throng_agents_add(world, &agents, 10000, id, &error) != THRONG_OK) return puts(error.text), 1;

  for (int frame = 0; frame < 600; frame++) {
    if (throng_world_step(world, 1.0f / 60.0f, &error) != THRONG_OK) return puts(error.text), 1;
  }
  float where[3];
  throng_agents_read(world, THRONG_COLUMN_POSITION, &id[42], 1, where, 0, &error);
  printf("agent 42 is at (%.3f, %.3f); state hash %016llx\n", where[0], where[2],
         (unsigned long long)throng_world_hash(world, 0));
  throng_world_destroy(world);
}
