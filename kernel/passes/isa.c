/* isa.c: CPU features, and the choice of a table of passes. SPDX-License-Identifier: MIT */
#include "passes/isa.h"

#include <stdio.h>
#include <string.h>

/* One pass table per instruction set of the build; passes/ exports its parts, once per instruction set. */
#define TABLE(name, isa)                                                                                               \
  extern const struct neighbour_passes throng_neighbours_##name;                                                       \
  extern const struct behaviour_passes throng_behaviours_##name;                                                       \
  extern const struct limit_passes throng_limits_##name;                                                               \
  extern const struct motion_passes throng_motion_##name;                                                              \
  extern const struct sort_passes throng_sort_##name;                                                                  \
  extern const struct contact_passes throng_contact_##name;                                                            \
  extern const struct reciprocal_passes throng_reciprocal_##name;                                                      \
  static const struct pass_table table_##name = {isa,                                                                  \
                                                 &throng_neighbours_##name,                                            \
                                                 &throng_behaviours_##name,                                            \
                                                 &throng_limits_##name,                                                \
                                                 &throng_motion_##name,                                                \
                                                 &throng_sort_##name,                                                  \
                                                 &throng_contact_##name,                                               \
                                                 &throng_reciprocal_##name};
#ifdef THRONG_HAVE_BASELINE
TABLE(baseline, THRONG_ISA_BASELINE)
#endif
#ifdef THRONG_HAVE_AVX2
TABLE(avx2, THRONG_ISA_AVX2)
#endif
#ifdef THRONG_HAVE_AVX512
TABLE(avx512, THRONG_ISA_AVX512)
#endif
#ifdef THRONG_HAVE_NEON
TABLE(neon, THRONG_ISA_NEON)
#endif

/* Uses __builtin_cpu_supports, which reads CPUID and XGETBV: the operating system must save the wide registers, too. */
static bool cpu_has(throng_isa isa) {
  switch (isa) {
#ifdef THRONG_HAVE_AVX2
  case THRONG_ISA_AVX2:
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
#ifdef THRONG_HAVE_AVX512
  case THRONG_ISA_AVX512:
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
  default:
    return true; /* every CPU of the build's architecture has it */
  }
}

static const struct pass_table *table_of(throng_isa isa) {
  switch (isa) {
#ifdef THRONG_HAVE_BASELINE
  case THRONG_ISA_BASELINE:
    return &table_baseline;
#endif
#ifdef THRONG_HAVE_AVX2
  case THRONG_ISA_AVX2:
    return &table_avx2;
#endif
#ifdef THRONG_HAVE_AVX512
  case THRONG_ISA_AVX512:
    return &table_avx512;
#endif
#ifdef THRONG_HAVE_NEON
  case THRONG_ISA_NEON:
    return &table_neon;
#endif
  default:
    return NULL;
  }
}

const struct pass_table *throng_isa_passes(throng_isa highest) {
  if (highest != THRONG_ISA_AUTO) {
    const struct pass_table *table = table_of(highest);
    return table && cpu_has(highest) ? table : NULL;
  }
  for (int isa = THRONG_ISA_COUNT - 1; isa > THRONG_ISA_AUTO; isa--) {
    const struct pass_table *table = table_of((throng_isa)isa);
    if (table && cpu_has((throng_isa)isa)) return table;
  }
  return NULL;
}

bool throng_isa_is_built(throng_isa isa) { return table_of(isa) != NULL; }

bool throng_isa_is_available(throng_isa isa) {
  return isa == THRONG_ISA_AUTO || (isa > THRONG_ISA_AUTO && isa < THRONG_ISA_COUNT && throng_isa_passes(isa));
}

static const char *const names[THRONG_ISA_COUNT] = {"auto", "baseline", "avx2", "avx512", "neon"};

const char *throng_isa_name(throng_isa isa) { return (unsigned)isa < THRONG_ISA_COUNT ? names[isa] : "?"; }

throng_isa throng_isa_from_name(const char *name) {
  for (int isa = 0; name && isa < THRONG_ISA_COUNT; isa++) {
    if (strcmp(name, names[isa]) == 0) return (throng_isa)isa;
  }
  return THRONG_ISA_COUNT;
}

void throng_isa_list_built(char *text, size_t size) {
  size_t length = 0;
  text[0] = 0;
  for (int isa = 0; isa < THRONG_ISA_COUNT && length < size; isa++) {
    if (!table_of((throng_isa)isa)) continue;
    length += (size_t)snprintf(text + length, size - length, "%s%s", length ? ", " : "", names[isa]);
  }
}
