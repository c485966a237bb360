/* SPDX-License-Identifier: MIT */
#include "engines/engine.h"

#ifdef ENGINES_HAVE_RVO2
extern const crowd_engine rvo2_engine;
#else
static const crowd_engine rvo2_engine = {.label = "RVO2", .missing = "needs its source (--rvo2 FOLDER)"};
#endif
#ifdef ENGINES_HAVE_JUPEDSIM
#define JUPEDSIM_MODELS 6
extern const crowd_engine jupedsim_engines[JUPEDSIM_MODELS];
#else
#define JUPEDSIM_MODELS 1
static const crowd_engine jupedsim_engines[] = {
    {.label = "JuPedSim", .missing = "needs its source (--jupedsim FOLDER), libcgal-dev and libfmt-dev"}};
#endif

uint32_t engines_list(const crowd_engine *list[ENGINES_MAX]) {
  uint32_t count = 0;
  list[count++] = &rvo2_engine;
  for (uint32_t k = 0; k < JUPEDSIM_MODELS; k++) list[count++] = &jupedsim_engines[k];
  return count;
}
