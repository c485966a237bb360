/* tests/mpi/test_mpi_golden.c: every golden scene, cut over the ranks that mpirun gives, has the golden hashes. The
 * ranks have different instruction sets and numbers of threads. A scene too small for so many regions is refused.
 *     test_mpi_golden [--frames 12|60] [--slabs N | --cut rcb]     60 frames take five times as long (default 12)
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/ranks.h"
#include "promises/golden.h"
#include "promises/golden_hashes.h"

static const uint32_t checkpoints[] = {12, 60}; /* frames */
#define DT (1.0f / 60.0f)

static const struct golden_hash *golden_of(const char *name) {
  for (size_t k = 0; k < sizeof golden_hashes / sizeof golden_hashes[0]; k++) {
    if (strcmp(golden_hashes[k].scene, name) == 0) return &golden_hashes[k];
  }
  CHECK(!"the scene has no golden hash");
  return NULL;
}

/* How many regions have room along an axis of a box: each is at least perception_radius long. Regions are made of
 * eighths of it, so that a length just above a multiple may hold one less. */
static uint32_t most_along(float low, float high, float radius) {
  return (uint32_t)((double)(high - low) / (double)radius * 1.001);
}

/* Whether so many regions can have room. The sides of unbounded worlds are not known here. */
static bool may_fit(const throng_world_def *def, uint32_t slabs) {
  const uint32_t most_x = def->boundary[0] == THRONG_BOUNDARY_UNBOUNDED
                              ? UINT32_MAX
                              : most_along(def->box_min.x, def->box_max.x, def->perception_radius);
  const uint32_t most_z = def->boundary[2] == THRONG_BOUNDARY_UNBOUNDED
                              ? UINT32_MAX
                              : most_along(def->box_min.z, def->box_max.z, def->perception_radius);
  for (uint32_t parts = 1; parts <= (uint32_t)ranks; parts++) {
    if ((uint32_t)ranks % parts != 0 || (slabs != 0 && slabs != parts)) continue;
    if (parts <= most_z && (uint32_t)ranks / parts <= most_x) return true;
  }
  return false;
}

/* Runs a scene. Returns whether its hashes are golden. Sets *refused if it cannot be cut. */
static bool run(size_t scene, const throng_mpi_def *def, size_t checkpoint_count, bool *refused) {
  const char *name = golden_scene_name(scene);
  const struct golden_hash *golden = golden_of(name);
  const bool tree = def->cut == THRONG_MPI_CUT_RCB; /* it is never refused */
  throng_mpi *mpi = NULL;
  throng_error error;
  throng_world *world = golden_scene_world(scene, isa_of_rank(), threads_of_rank(), NULL);
  const throng_world_def world_def = throng_world_get_def(world);
  const throng_status status = throng_mpi_create(world, def, &mpi, &error);
  *refused = status == THRONG_ERROR_BAD_VALUE && !tree;
  if (*refused) {
    CHECK(strstr(error.text, "the world cannot be cut into") != NULL);
    CHECK(!may_fit(&world_def, def->slabs) || world_def.boundary[0] == THRONG_BOUNDARY_UNBOUNDED ||
          world_def.boundary[2] == THRONG_BOUNDARY_UNBOUNDED);
    throng_world_destroy(world);
    return true;
  }
  require_ok(status, &error);
  CHECK(tree || may_fit(&world_def, def->slabs));
  bool same = true;
  for (size_t k = 0; k < checkpoint_count; k++) {
    while (throng_world_frame(throng_mpi_world(mpi)) < checkpoints[k])
      require_ok(throng_mpi_step(mpi, DT, &error), &error);
    const uint64_t hash = throng_mpi_hash(mpi, 0);
    CHECK_ALIKE(hash);
    if (hash == golden->hash[k]) continue;
    same = false;
    if (rank == 0) printf("%s: frame %u: hash %016" PRIx64 " DIFFERS\n", name, checkpoints[k], hash);
  }
  throng_mpi_destroy(mpi);
  return same;
}

int main(int argc, char **argv) {
  throng_mpi_def def = throng_default_mpi_def();
  size_t checkpoint_count = 1;
  start_ranks(&argc, &argv, 1200);
  def.balance_every = 5;
  def.overlap = ranks == 2 ? THRONG_MPI_OVERLAP_OFF : THRONG_MPI_OVERLAP_ON;
  for (int k = 1; k + 1 < argc; k += 2) {
    if (strcmp(argv[k], "--slabs") == 0) def.slabs = (uint32_t)strtoul(argv[k + 1], NULL, 10);
    if (strcmp(argv[k], "--cut") == 0) def.cut = THRONG_MPI_CUT_RCB;
    if (strcmp(argv[k], "--frames") == 0) checkpoint_count = strcmp(argv[k + 1], "60") == 0 ? 2 : 1;
  }
  size_t good = 0, refused_scenes = 0;
  for (size_t scene = 0; scene < golden_scene_count(); scene++) {
    bool refused;
    good += run(scene, &def, checkpoint_count, &refused);
    refused_scenes += refused;
  }
  if (rank == 0) {
    printf("%d ranks: %zu of %zu scenes are golden, %zu of them too small to be cut so\n", ranks, good,
           golden_scene_count(), refused_scenes);
  }
  CHECK(good == golden_scene_count() && refused_scenes * 2 < golden_scene_count());
  MPI_Finalize();
  return 0;
}
