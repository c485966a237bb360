/* profile.c: see profile_internal.h. SPDX-License-Identifier: MIT */
#include "frame/profile_internal.h"

#include <string.h>

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
