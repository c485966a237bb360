// Adds three agents to a world and makes one step, from C++.
#include <cstdio>
#include <memory>
#include <throng/throng.h>

int main() {
  throng_error error{};
  throng_world *made = nullptr;
  const throng_world_def world_def = throng_default_world_def();
  throng_status status = throng_world_create(&world_def, &made, &error);
  const std::unique_ptr<throng_world, void (*)(throng_world *)> world(made, throng_world_destroy);

  const float positions[] = {0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f};
  throng_agents_def agents_def = throng_default_agents_def();
  agents_def.position.data = positions;
  if (status == THRONG_OK) status = throng_agents_add(world.get(), &agents_def, 3, nullptr, &error);
  if (status == THRONG_OK) status = throng_world_step(world.get(), 0.02f, &error);

  std::printf("%u agents, frame %llu %s\n", static_cast<unsigned>(throng_agents_count(world.get())),
              static_cast<unsigned long long>(throng_world_frame(world.get())), error.text);
  return status == THRONG_OK ? 0 : 1;
}
