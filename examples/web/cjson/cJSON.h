/* cJSON.h: the part of cJSON's interface that reads scenes (bench/scene), for builds without that library. Names and
 * meanings are cJSON's. throng-run itself uses the library.
 * SPDX-License-Identifier: MIT */
#ifndef CJSON_CJSON_H
#define CJSON_CJSON_H

#include <stdbool.h>

typedef enum cJSON_type {
  cJSON_Null = 0,
  cJSON_False,
  cJSON_True,
  cJSON_Number,
  cJSON_String,
  cJSON_Array,
  cJSON_Object
} cJSON_type;

typedef struct cJSON {
  struct cJSON *next, *child;
  cJSON_type type;
  char *valuestring;  /* of a string */
  double valuedouble; /* of a number */
  char *string;       /* the key, of an object's members */
} cJSON;

/* Parses a text that ends with a 0. `whole`: only blanks may follow the value. Returns NULL if the text is malformed
 * or memory is missing; *stop is then the position. */
cJSON *cJSON_ParseWithOpts(const char *text, const char **stop, bool whole);
/* NULL is allowed. */
void cJSON_Delete(cJSON *value);

/* They return false, 0 or NULL for NULL and for other types. */
bool cJSON_IsBool(const cJSON *value);
bool cJSON_IsTrue(const cJSON *value);
bool cJSON_IsNumber(const cJSON *value);
bool cJSON_IsString(const cJSON *value);
bool cJSON_IsArray(const cJSON *value);
bool cJSON_IsObject(const cJSON *value);
int cJSON_GetArraySize(const cJSON *list);
cJSON *cJSON_GetArrayItem(const cJSON *list, int index);
/* The first member of that name. */
cJSON *cJSON_GetObjectItemCaseSensitive(const cJSON *object, const char *key);

/* The value as a short text for messages. Release it with cJSON_free. NULL: no memory. */
char *cJSON_PrintUnformatted(const cJSON *value);
void cJSON_free(void *text);

#define cJSON_ArrayForEach(item, list) for ((item) = (list) ? (list)->child : NULL; (item); (item) = (item)->next)

#endif
