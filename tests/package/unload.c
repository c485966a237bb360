/* unload.c: loads the shared library, steps a world on a team of its own and unloads the library, several times. No
 * thread may be left. SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <throng/throng.h>

#define ROUNDS 20
#define AGENTS 2000

static int threads_of_process(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return 0;
  for (const struct dirent *task = readdir(tasks); task; task = readdir(tasks)) count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}

/* Function pointers of the library. */
static struct {
  throng_world_def (*default_world_def)(void);
  throng_agents_def (*default_agents_def)(void);
  throng_status (*create)(const throng_world_def *def, throng_world **world, throng_error *error);
  throng_status (*add)(throng_world *world, const throng_agents_def *def, uint32_t count, throng_agent_id *ids,
                       throng_error *error);
  throng_status (*step)(throng_world *world, float dt, throng_error *error);
  void (*destroy)(throng_world *world);
} library;

/* ISO C has no conversion of a pointer to an object into one to a function. */
static int find(void *handle, const char *name, void *function) {
  void *symbol = dlsym(handle, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static int find_all(void *handle) {
  return find(handle, "throng_default_world_def", &library.default_world_def) &&
         find(handle, "throng_default_agents_def", &library.default_agents_def) &&
         find(handle, "throng_world_create", &library.create) && find(handle, "throng_agents_add", &library.add) &&
         find(handle, "throng_world_step", &library.step) && find(handle, "throng_world_destroy", &library.destroy);
}

/* Returns how many threads the process had in the last frame; 0 if a call failed. */
static int step_world(void) {
  static throng_vec3 p[AGENTS];
  for (int k = 0; k < AGENTS; k++) p[k] = (throng_vec3){(float)(k % 50), 0, (float)(k / 50) * 0.5f};
  throng_world *world = NULL;
  throng_world_def def = library.default_world_def();
  throng_agents_def agents = library.default_agents_def();
  def.threads = THRONG_THREADS_TEAM;
  def.thread_count = 4;
  agents.position.data = p;
  if (library.create(&def, &world, NULL) != THRONG_OK) return 0;
  int good = library.add(world, &agents, AGENTS, NULL, NULL) == THRONG_OK;
  for (int frame = 0; frame < 5; frame++) good &= library.step(world, 0.02f, NULL) == THRONG_OK;
  const int threads = threads_of_process();
  library.destroy(world);
  return good ? threads : 0;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const int before = threads_of_process();
  for (int round = 0; round < ROUNDS; round++) {
    void *handle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!handle) return fprintf(stderr, "%s\n", dlerror()), 1;
    if (!find_all(handle)) return fputs("a function is missing\n", stderr), 1;
    const int during = step_world();
    if (before && during != before + 3) return fprintf(stderr, "%d threads during a frame\n", during), 1;
    if (dlclose(handle) != 0) return 1;
    int after = threads_of_process();
    for (int k = 0; k < 1000 && after != before; k++, after = threads_of_process()) usleep(1000);
    if (after != before) return fprintf(stderr, "%d threads before, %d after\n", before, after), 1;
  }
  return 0;
}
