/* tests/fuzz/seeds_files.c: writes the seeds of fuzz_files to a folder: every built-in scene, agents, a map and tracks.
 * usage: seeds_files FOLDER
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "scene/scene.h"

static bool write_seed(const char *folder, const char *name, char kind, const char *text) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  const bool written = fputc(kind, file) != EOF && fputs(text, file) != EOF;
  return fclose(file) == 0 && written;
}

int main(int count, char **arguments) {
  static const char agents[] = "id,x,y,z,vx,vy,vz,group\n1,0.5,0,1.25,0,0,0,0\n7,-3,0,1e-3,1,0,-1.5,0\n";
  static const char map[] = "type octile\nheight 3\nwidth 4\nmap\n....\n.@T.\n.GSW\n";
  static const char tracks[] = "  7.8e+02 1 8.4 0 3.5 1.6 0 0.1\r\n780 3 -1 0 2 0 0 0\n786 1\t9 0 3.6 1.6 0 0.3\n"
                               "1181 4 0 0 0 1 0 0\n1187 4 1e-1 0 0 1 0 0";
  if (count != 2) return 2;
  bool good = write_seed(arguments[1], "agents", 1, agents) && write_seed(arguments[1], "map", 2, map) &&
              write_seed(arguments[1], "tracks", 3, tracks);
  for (const built_in_scene *scene = built_in_scenes; scene->name && good; scene++)
    good = write_seed(arguments[1], scene->name, 0, scene->json);
  if (!good) fprintf(stderr, "seeds_files: cannot write to %s\n", arguments[1]);
  return good ? 0 : 1;
}
