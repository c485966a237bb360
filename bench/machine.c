/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include <stdio.h>
#include <string.h>

bool machine_cpu(char name[MACHINE_NAME_SIZE]) {
  char line[256];
  FILE *stream = fopen("/proc/cpuinfo", "r");
  if (!stream) return false;
  bool found = false;
  while (!found && fgets(line, sizeof line, stream)) {
    char *colon = strchr(line, ':');
    found = strncmp(line, "model name", 10) == 0 && colon;
    if (found) snprintf(name, MACHINE_NAME_SIZE, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
  }
  fclose(stream);
  return found;
}
