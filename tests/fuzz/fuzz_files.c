/* tests/fuzz/fuzz_files.c: reads any bytes as a file of throng-run. The first byte chooses the kind of file: a scene,
 * agents (CSV) of the scene flock2, a map, or recorded tracks of people.
 * SPDX-License-Identifier: MIT */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/csv.h"
#include "scene/map.h"
#include "tracks/tracks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "failed: %s\n", what);
  abort();
}

static void read_agents(const char *file, bench_problem *problem) {
  bench_scene scene;
  bench_crowd crowd = {0};
  uint64_t *lines = NULL;
  require(scene_load(&scene, "flock2", problem), "the scene flock2 can be loaded");
  if (csv_read(&crowd, &lines, file, &scene, problem)) {
    free(lines);
    crowd_release(&crowd);
  }
  scene_release(&scene);
}

static void read_map(const char *file, bench_problem *problem) {
  scene_cells cells = {0};
  if (map_read(&cells, file, 1.0f, problem)) scene_cells_release(&cells);
}

static void read_scene(const char *file, bench_problem *problem) {
  bench_scene scene;
  if (scene_load(&scene, file, problem)) scene_release(&scene);
}

static void check_tracks(const tracks *recording) {
  require(recording->person_count > 0 && recording->step_begin[recording->step_count] == recording->row_count,
          "every row has a step");
  for (size_t k = 0; k < recording->row_count; k++) {
    const track_row *row = &recording->rows[k];
    require(row->person < recording->person_count && row->step >= recording->persons[row->person].first &&
                row->step <= recording->persons[row->person].last,
            "every row is in its person's steps");
    require(k == 0 || row->step > row[-1].step || (row->step == row[-1].step && row->person > row[-1].person),
            "the rows are sorted, and nobody has two in one step");
  }
}

static void read_tracks(const char *file, bench_problem *problem) {
  tracks recording;
  if (!tracks_read(&recording, file, problem)) return;
  check_tracks(&recording);
  tracks_release(&recording);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char file[] = "/dev/shm/throng-fuzz-XXXXXX";
  bench_problem problem = {"nothing"};
  if (size == 0) return 0;
  const int descriptor = mkstemp(file);
  require(descriptor >= 0 && write(descriptor, data + 1, size - 1) == (ssize_t)(size - 1) && close(descriptor) == 0,
          "the input can be written to a file");
  if (data[0] % 4 == 0) read_scene(file, &problem);
  if (data[0] % 4 == 1) read_agents(file, &problem);
  if (data[0] % 4 == 2) read_map(file, &problem);
  if (data[0] % 4 == 3) read_tracks(file, &problem);
  require(problem.text[0] != 0 && memchr(problem.text, 0, sizeof problem.text) != NULL,
          "the problem's text is not empty and ends with a zero byte");
  unlink(file);
  return 0;
}
