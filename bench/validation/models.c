/* A new model is one more row of `models`.
 * SPDX-License-Identifier: MIT */
#include "models.h"

#include <string.h>

/* The numbers of the scene headon: solid walkers who predict collisions. */
static throng_group_def predicting(void) {
  throng_group_def def = throng_default_group_def();
  def.max_acceleration = 4.0f;
  def.contact = 1.0f;
  def.field_of_view = THRONG_VIEW_WIDE;
  def.facing_speed = 0.1f;
  def.separation.weight = 0.5f;
  def.separation.radius = 0.8f;
  def.separation.strength = 0.5f;
  def.cohesion.weight = def.alignment.weight = 0.0f;
  def.avoidance.weight = 1.0f;
  def.avoidance.horizon = 1.5f;
  return def;
}

static throng_group_def walkers(void) {
  throng_group_def def = throng_walkers_group_def();
  def.behaviour_count = 0;
  return def;
}

const crowd_model models[] = {
    {"predicting", "predicting avoidance, separation, contact", false, predicting},
    {"walkers", "throng_walkers_group_def", false, walkers},
};
const uint32_t model_count = sizeof models / sizeof *models;

const crowd_model *model_find(const char *name) {
  for (uint32_t i = 0; i < model_count; i++)
    if (strcmp(models[i].name, name) == 0) return &models[i];
  return NULL;
}
