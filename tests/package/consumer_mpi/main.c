/* Cuts a world of four agents over the ranks and makes one step. */
#include <stdio.h>
#include <throng/mpi.h>

int main(int argc, char **argv) {
  throng_error error = {0};
  throng_world *world = NULL;
  throng_mpi *mpi = NULL;
  throng_world_def world_def = throng_default_world_def();
  throng_agents_def agents_def = throng_default_agents_def();
  const float positions[] = {0, 0, 0, 9, 0, 0, 18, 0, 0.5f, 27, 0, 0};
  agents_def.position.data = positions;
  MPI_Init(&argc, &argv);
  if (throng_world_create(&world_def, &world, &error) || throng_agents_add(world, &agents_def, 4, NULL, &error) ||
      throng_mpi_create(world, NULL, &mpi, &error) || throng_mpi_step(mpi, 0.02f, &error)) {
    fprintf(stderr, "%s: %s\n", throng_status_name(error.status), error.text);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  printf("%llu agents, hash %016llx\n", (unsigned long long)throng_mpi_agents_count(mpi),
         (unsigned long long)throng_mpi_hash(mpi, 0));
  throng_mpi_destroy(mpi);
  MPI_Finalize();
  return 0;
}
