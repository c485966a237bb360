/* limits.c: the table of the passes that limit what agents want. SPDX-License-Identifier: MIT */
#include "passes/passes_internal.h"

const struct limit_passes THRONG_TABLE(limits) = {THRONG_TABLE(queue), THRONG_TABLE(pace), THRONG_TABLE(drive),
                                                  THRONG_TABLE(propel)};
