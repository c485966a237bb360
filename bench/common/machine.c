/* SPDX-License-Identifier: MIT */
#include "common/machine.h"

#include <stdio.h>
#include <string.h>

bool machine_cpu(char name[MACHINE_NAME_SIZE]) {
  char line[256], family[16] = "", model[16] = "";
  FILE *stream = fopen("/proc/cpuinfo", "r");
  if (!stream) return false;
  bool found = false;
  while (!found && fgets(line, sizeof line, stream)) { /* "model name" follows "cpu family" and "model" */
    sscanf(line, "cpu family : %15[^\n]", family);
    sscanf(line, "model : %15[^\n]", model);
    found = sscanf(line, "model name : %127[^\n]", name) == 1;
  }
  fclose(stream);
  if (found && !strpbrk(name, "0123456789") && *family && *model) {
    const size_t end = strlen(name);
    snprintf(name + end, MACHINE_NAME_SIZE - end, " (family %s, model %s)", family, model);
  }
  return found;
}
