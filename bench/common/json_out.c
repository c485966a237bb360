/* SPDX-License-Identifier: MIT */
#include "common/json_out.h"

bool json_write(FILE *stream, cJSON *root) {
  char *text = cJSON_Print(root);
  cJSON_Delete(root);
  if (!text) return false;
  fprintf(stream, "%s\n", text);
  cJSON_free(text);
  return !ferror(stream);
}
