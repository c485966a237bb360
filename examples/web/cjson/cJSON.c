/* cJSON.c: reads JSON (RFC 8259) by recursive descent.
 * SPDX-License-Identifier: MIT */
#include "cJSON.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 200 /* the maximum depth of lists and objects; scenes have seven */
#define MAX_UTF8 4    /* bytes of a character */

typedef struct reader {
  const char *at;
  int depth;
} reader;

static void skip_blanks(reader *in) { in->at += strspn(in->at, " \t\r\n"); }

static bool take(reader *in, char wanted) {
  skip_blanks(in);
  if (*in->at != wanted) return false;
  in->at++;
  return true;
}

static bool read_word(reader *in, const char *word) {
  size_t length = strlen(word);
  if (strncmp(in->at, word, length) != 0) return false;
  in->at += length;
  return true;
}

/* ---- Strings ---- */

static bool read_hex(reader *in, unsigned *code) {
  *code = 0;
  for (int i = 0; i < 4; i++, in->at++) {
    const char *digits = "0123456789abcdef0123456789ABCDEF", *digit = *in->at ? strchr(digits, *in->at) : NULL;
    if (!digit) return false;
    *code = *code * 16 + (unsigned)(digit - digits) % 16;
  }
  return true;
}

static char *put_utf8(char *out, unsigned code) {
  int rest = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3; /* bytes after the first */
  *out++ = (char)((rest ? 0xF00u >> rest & 0xFFu : 0) | code >> 6 * rest);
  while (rest-- > 0) *out++ = (char)(0x80u | (code >> 6 * rest & 0x3Fu));
  return out;
}

/* Reads what follows "\u". A surrogate pair is one character. \u0000 would end the string early and is refused. */
static bool read_escaped_code(reader *in, unsigned *code) {
  unsigned low;
  if (!read_hex(in, code) || *code == 0 || (*code >= 0xDC00 && *code < 0xE000)) return false;
  if (*code < 0xD800 || *code >= 0xDC00) return true;
  if (!read_word(in, "\\u") || !read_hex(in, &low) || low < 0xDC00 || low >= 0xE000) return false;
  *code = 0x10000u + ((*code & 0x3FFu) << 10) + (low & 0x3FFu);
  return true;
}

/* Reads the character of a string at in->at; false if JSON does not allow it. */
static bool read_character(reader *in, char **out) {
  static const char escaped[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  if ((unsigned char)*in->at < 0x20) return false;
  if (*in->at != '\\') return *(*out)++ = *in->at++, true;
  in->at++;
  if (*in->at == 'u') {
    unsigned code;
    in->at++;
    if (!read_escaped_code(in, &code)) return false;
    *out = put_utf8(*out, code);
    return true;
  }
  const char *found = *in->at ? strchr(escaped, *in->at) : NULL;
  if (!found) return false;
  *(*out)++ = meant[found - escaped];
  in->at++;
  return true;
}

static size_t quoted_length(const char *c) {
  const char *begin = c;
  while (*c && *c != '"') c += c[0] == '\\' && c[1] ? 2 : 1;
  return (size_t)(c - begin);
}

static char *read_string(reader *in) {
  if (!take(in, '"')) return NULL;
  char *text = malloc(quoted_length(in->at) + MAX_UTF8 + 1), *out = text; /* escapes are longer than their character */
  if (!text) return NULL;
  while (*in->at != '"') {
    if (!read_character(in, &out)) {
      free(text);
      return NULL;
    }
  }
  in->at++;
  *out = 0;
  return text;
}

/* ---- Values ---- */

/* strtod accepts more than JSON, so that the syntax is checked first. */
static bool read_number(reader *in, double *number) {
  const char *digits = "0123456789", *c = in->at + (*in->at == '-');
  size_t whole = strspn(c, digits);
  if (whole == 0 || (*c == '0' && whole > 1)) return false;
  c += whole;
  if (*c == '.') {
    size_t places = strspn(++c, digits);
    if (places == 0) return false;
    c += places;
  }
  if (*c == 'e' || *c == 'E') {
    c += 1 + (c[1] == '+' || c[1] == '-');
    size_t exponent = strspn(c, digits);
    if (exponent == 0) return false;
    c += exponent;
  }
  *number = strtod(in->at, NULL);
  in->at = c;
  return true;
}

static bool read_value(reader *in, cJSON *value);

static bool read_list(reader *in, cJSON *list, char end) {
  in->at++;
  if (take(in, end)) return true;
  cJSON **link = &list->child;
  if (++in->depth > MAX_DEPTH) return false;
  do {
    cJSON *item = *link = calloc(1, sizeof *item);
    if (!item) return false;
    link = &item->next;
    if (list->type == cJSON_Object && (!(item->string = read_string(in)) || !take(in, ':'))) return false;
    if (!read_value(in, item)) return false;
  } while (take(in, ','));
  in->depth--;
  return take(in, end);
}

static bool read_value(reader *in, cJSON *value) {
  skip_blanks(in);
  switch (*in->at) {
  case '{':
    value->type = cJSON_Object;
    return read_list(in, value, '}');
  case '[':
    value->type = cJSON_Array;
    return read_list(in, value, ']');
  case '"':
    value->type = cJSON_String;
    return (value->valuestring = read_string(in)) != NULL;
  case 't':
    value->type = cJSON_True;
    return read_word(in, "true");
  case 'f':
    value->type = cJSON_False;
    return read_word(in, "false");
  case 'n':
    return read_word(in, "null");
  default:
    value->type = cJSON_Number;
    return read_number(in, &value->valuedouble);
  }
}

cJSON *cJSON_ParseWithOpts(const char *text, const char **stop, bool whole) {
  reader in = {.at = text};
  cJSON *root = calloc(1, sizeof *root);
  bool ok = root && read_value(&in, root);
  if (ok) skip_blanks(&in);
  *stop = in.at;
  if (ok && !(whole && *in.at)) return root;
  cJSON_Delete(root);
  return NULL;
}

void cJSON_Delete(cJSON *value) {
  while (value) {
    cJSON *next = value->next;
    cJSON_Delete(value->child);
    free(value->valuestring);
    free(value->string);
    free(value);
    value = next;
  }
}

/* ---- Looking at values ---- */

bool cJSON_IsBool(const cJSON *value) { return value && (value->type == cJSON_True || value->type == cJSON_False); }
bool cJSON_IsTrue(const cJSON *value) { return value && value->type == cJSON_True; }
bool cJSON_IsNumber(const cJSON *value) { return value && value->type == cJSON_Number; }
bool cJSON_IsString(const cJSON *value) { return value && value->type == cJSON_String; }
bool cJSON_IsArray(const cJSON *value) { return value && value->type == cJSON_Array; }
bool cJSON_IsObject(const cJSON *value) { return value && value->type == cJSON_Object; }

int cJSON_GetArraySize(const cJSON *list) {
  int size = 0;
  const cJSON *item;
  cJSON_ArrayForEach(item, list) size++;
  return size;
}

cJSON *cJSON_GetArrayItem(const cJSON *list, int index) {
  cJSON *item;
  cJSON_ArrayForEach(item, list) if (index-- == 0) return item;
  return NULL;
}

cJSON *cJSON_GetObjectItemCaseSensitive(const cJSON *object, const char *key) {
  cJSON *item;
  if (!cJSON_IsObject(object)) return NULL;
  cJSON_ArrayForEach(item, object) if (strcmp(item->string, key) == 0) return item;
  return NULL;
}

char *cJSON_PrintUnformatted(const cJSON *value) {
  static const char *const words[] = {"null", "false", "true", "", "", "[ ... ]", "{ ... }"};
  const char *text = value->type == cJSON_String ? value->valuestring : words[value->type];
  size_t size = strlen(text) + 32; /* room for the quotation marks, or for any number */
  char *shown = malloc(size);
  if (!shown) return NULL;
  if (value->type == cJSON_Number)
    snprintf(shown, size, "%.15g", value->valuedouble);
  else
    snprintf(shown, size, value->type == cJSON_String ? "\"%s\"" : "%s", text);
  return shown;
}

void cJSON_free(void *text) { free(text); }
