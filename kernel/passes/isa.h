/* isa.h: which instruction sets this build and this CPU have. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_ISA_H
#define THRONG_KERNEL_PASSES_ISA_H

#include "passes/passes_internal.h"

/* The passes of the best instruction set at or below `highest` (AUTO: any); NULL only if `highest` itself is not to
 * be had. */
const struct pass_table *throng_isa_passes(throng_isa highest);

/* Whether the build has passes for `isa`; the CPU may lack the instructions nevertheless. */
bool throng_isa_is_built(throng_isa isa);

/* Writes the names of the instruction sets of the build: "baseline, avx2". */
void throng_isa_list_built(char *text, size_t size);

#endif
