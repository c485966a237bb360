/* Adds three agents to a world and makes one step. */
#include <stdio.h>
#include <throng/throng.h>

int main(void) {
  throng_error error = {0};
  throng_world *world = NULL;
  throng_world_def world_def = throng_default_world_def();
  if (throng_world_create(&world_def, &world, &error)) goto failed;

  const float positions[] = {0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f};
  throng_agents_def agents_def = throng_default_agents_def();
  agents_def.position.data = positions;
  if (throng_agents_add(world, &agents_def, 3, NULL, &error)) goto failed;
  if (throng_world_step(world, 0.02f, &error)) goto failed;

  printf("%u agents, frame %llu\n", (unsigned)throng_agents_count(world),
         (unsigned long long)throng_world_frame(world));
  throng_world_destroy(world);
  return 0;

failed:
  fprintf(stderr, "%s: %s\n", throng_status_name(error.status), error.text);
  throng_world_destroy(world);
  return 1;
}
