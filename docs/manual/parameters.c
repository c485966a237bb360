/* parameters.c: prints the tables of the kernel for docs/manual/parameters, one row a line, with tabs between:
 *     column NAME PLANAR SPATIAL          numbers per agent
 *     kind NAME
 *     OBJECT NAME TYPE LOWEST HIGHEST INFINITE DEFAULT    a parameter; OBJECT is a kind of behaviour, or group
 * The default of an enumeration is its word.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "columns/columns.h"
#include "groups/group_fields.h"

static void print(const char *object, const char *name, throng_parameter p) {
  static const char *const types[] = {"float", "bool", "uint32", "layers", "enum"};
  printf("%s\t%s\t%s\t%.9g\t%.9g\t%d\t", object, name, types[p.type], p.lowest, p.highest, p.infinite);
  if (p.words)
    puts(p.words[(int)p.initial]);
  else
    printf("%.9g\n", p.initial);
}

#define PRINT(object, TYPE, member, value, low, high)                                                                  \
  print(                                                                                                               \
      object, #member,                                                                                                 \
      (throng_parameter){AS_##TYPE, .initial = (double)(value), .lowest = (double)(low), .highest = (double)(high)});
#define PARAMETER(name, TYPE, member, value, low, high) PRINT(#name, TYPE, member, value, low, high)
#define ROW(CONSTANT, name, needs, parameters)                                                                         \
  printf("kind\t%s\n", #name);                                                                                         \
  parameters
#define FIELD(TYPE, member, value, low, high) PRINT("group", TYPE, member, value, low, high)

static const unsigned components[] = {
    [QUANTITY_BYTE] = 1,  [QUANTITY_NUMBER] = 1, [QUANTITY_PAIR] = 2,      [QUANTITY_ID] = 2, [QUANTITY_LENGTH] = 1,
    [QUANTITY_ANGLE] = 1, [QUANTITY_VECTOR] = 3, [QUANTITY_DIRECTION] = 3, [QUANTITY_WAY] = 3};
#define X(NAME, name, arrays, names, planar, spatial, low, high, flags, owner, kinds)                                  \
  printf("column\t%s\t%u\t%u\n", #NAME, components[QUANTITY_##planar], components[QUANTITY_##spatial]);

int main(void) {
  BEHAVIOUR_KINDS(ROW, PARAMETER)
  GROUP_FIELDS(FIELD)
  COLUMNS(X)
  return 0;
}
