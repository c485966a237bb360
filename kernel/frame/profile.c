/* profile.c: see profile_internal.h. SPDX-License-Identifier: MIT */
#include "frame/profile_internal.h"

#include <string.h>

/* Returns how far agent i moves along axis c in this frame; 0 if the columns are NULL. */
static float step_along(const struct frame *frame, const struct strip *strip, int c, uint32_t i) {
  const float *before = frame->front->f[COLUMN_VELOCITY_X + c], *after = frame->back->f[COLUMN_VELOCITY_X + c];
  const float *a = strip->acceleration[c], dt = frame->dt;
  if (frame->def->update == THRONG_UPDATE_SEMI_IMPLICIT) return after[i] * dt;
  if (frame->def->update == THRONG_UPDATE_EXPLICIT) return before[i] * dt;
  return before[i] * dt + a[i - strip->begin] * (0.5f * dt * dt);
}

void throng_profile_moves(const struct frame *frame, struct strip *strip) {
  if (!frame->profile) return;
  const bool spatial = frame->def->space == THRONG_SPACE_SPATIAL;
  for (uint32_t i = strip->begin; i < strip->end; i++) {
    if (frame->front->meta[i] & META_GHOST) continue;
    bool wanted = false, moved = false;
    for (int c = 0; c < 3; c += spatial ? 1 : 2) {
      const float p = frame->front->f[COLUMN_POSITION_X + c][i], step = step_along(frame, strip, c, i);
      wanted |= step != 0.0f;
      moved |= p + step != p;
    }
    strip->lost_moves += wanted && !moved;
  }
}

void throng_profile_half_frame(throng_world *world, const struct frame *frame) {
  if (!frame->profile) return;
  throng_profile *profile = &world->profile;
  for (uint32_t worker = 0; worker < world->strip_count; worker++) {
    const struct strip *strip = &world->strips[worker];
    profile->neighbours_ns += strip->neighbours_ns;
    profile->behaviours_ns += strip->behaviours_ns;
    profile->integrate_ns += strip->integrate_ns;
    profile->constrain_ns += strip->constrain_ns;
    profile->contact_ns += strip->contact_ns;
    profile->candidates_tested += strip->candidates_tested;
    profile->neighbours_found += strip->neighbours_found;
    profile->lost_moves += strip->lost_moves;
  }
}

void throng_profile_frame(throng_world *world, const struct frame *frame) {
  if (!frame->profile) return;
  throng_profile_half_frame(world, frame);
  world->profile.frames++;
  world->profile.agent_updates += throng_agents_count(world);
}

static throng_status check_profiles(const throng_world *world, throng_error *error) {
  if (world->def.profile) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "the world was made without throng_world_def.profile");
}

throng_status throng_world_get_profile(const throng_world *world, throng_profile *profile, throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(profile, error);
  TRY(check_profiles(world, error));
  *profile = world->profile;
  return THRONG_OK;
}

static throng_status reset_inner(throng_world *world, throng_error *error) {
  TRY(check_profiles(world, error));
  memset(&world->profile, 0, sizeof world->profile);
  return THRONG_OK;
}

throng_status throng_world_reset_profile(throng_world *world, throng_error *error) {
  RETURN_ALONE(world, error, reset_inner(world, error));
}
