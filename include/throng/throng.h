/* throng: a data-oriented SIMD kernel for crowds and flocks. The headers are the manual; start with world.h.
 * throng/passes.h is experimental: include it by itself.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_H
#define THRONG_H

#include "base.h"
#include "group.h"
#include "world.h"
#include "axes.h"
#include "agents.h"
#include "instances.h"
#include "path.h"
#include "pattern.h"
#include "formation.h"
#include "attractors.h"
#include "speed_zones.h"
#include "scenery.h"
#include "flow_field.h"
#include "tiles.h"
#include "query.h"
#include "callback.h"
#include "explain.h"
#include "profile.h"
#include "snapshot.h"
#include "recording.h"
#include "piece.h"

#endif
