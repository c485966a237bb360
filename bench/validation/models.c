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

/* As `predicting`, with another form of avoidance. With these two numbers opposing streams are a little better ordered
 * than with its defaults: at 2 persons/m2 a lane order of 0.36 instead of 0.33. */
static throng_group_def reciprocal(void) {
  throng_group_def def = predicting();
  def.avoidance.form = THRONG_AVOIDANCE_RECIPROCAL;
  def.avoidance.radius = 1.25f;
  def.avoidance.margin = 0.02f;
  return def;
}

static throng_group_def reciprocal_pace(void) {
  throng_group_def def = reciprocal();
  def.pace.on = true;
  return def;
}

static throng_group_def walkers(void) {
  throng_group_def def = throng_walkers_group_def();
  def.behaviour_count = 0;
  return def;
}

const crowd_model models[] = {
    {"predicting", "predicting avoidance, separation, contact", false, predicting},
    {"walkers", "throng_walkers_group_def: predicting, and slower in a crowd", true, walkers},
    {"reciprocal", "reciprocal avoidance, separation, contact", false, reciprocal},
    {"reciprocal-pace", "reciprocal, and slower in a crowd", true, reciprocal_pace},
};
const uint32_t model_count = sizeof models / sizeof *models;

const crowd_model *model_find(const char *name) {
  for (uint32_t i = 0; i < model_count; i++)
    if (strcmp(models[i].name, name) == 0) return &models[i];
  return NULL;
}
