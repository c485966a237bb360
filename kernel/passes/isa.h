/* isa.h: which instruction sets this build and this CPU have. SPDX-License-Identifier: MIT */
#ifndef THRONG_ISA_H
#define THRONG_ISA_H

#include "passes/passes.h"

/* The passes of the best instruction set at or below `highest` (AUTO: any); NULL only if `highest` itself is not to
 * be had. */
const struct pass_table *throng_isa_passes(throng_isa highest);

#endif
