/* isa.h: which instruction sets this build and this CPU have. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_ISA_H
#define THRONG_KERNEL_PASSES_ISA_H

#include "passes/passes_internal.h"

/* Returns the passes of the best instruction set at or below `highest` (AUTO: any). Returns NULL if `highest` is not
 * AUTO and the build or the CPU lacks it. */
const struct pass_table *throng_isa_passes(throng_isa highest);

/* Whether the build has passes for `isa`. The CPU may lack the instructions. */
bool throng_isa_is_built(throng_isa isa);

/* Writes the names of the instruction sets of the build: "baseline, avx2". */
void throng_isa_list_built(char *text, size_t size);

#endif
