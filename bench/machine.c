/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include <stdio.h>
#include <string.h>

/* The text of a line "field : text"; NULL if that is not its field. */
static const char *text_of(char *line, const char *field) {
  const size_t length = strlen(field);
  char *colon = strchr(line, ':');
  if (!colon || strncmp(line, field, length) != 0 || strspn(line + length, " \t") != (size_t)(colon - line) - length)
    return NULL;
  line[strcspn(line, "\n")] = '\0';
  return colon + 1 + strspn(colon + 1, " ");
}

bool machine_cpu(char name[MACHINE_NAME_SIZE]) {
  char line[256], family[16] = "", model[16] = "";
  FILE *stream = fopen("/proc/cpuinfo", "r");
  if (!stream) return false;
  bool found = false;
  while (!found && fgets(line, sizeof line, stream)) {
    const char *text;
    if ((text = text_of(line, "cpu family"))) snprintf(family, sizeof family, "%s", text);
    if ((text = text_of(line, "model"))) snprintf(model, sizeof model, "%s", text);
    if ((text = text_of(line, "model name"))) {
      found = true;
      const bool vague = !strpbrk(text, "0123456789") && *family && *model;
      snprintf(name, MACHINE_NAME_SIZE, vague ? "%s (family %s, model %s)" : "%s", text, family, model);
    }
  }
  fclose(stream);
  return found;
}
