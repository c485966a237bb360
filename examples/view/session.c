/* SPDX-License-Identifier: MIT */
#include "session.h"

#include <throng/instances.h>

#include "scene/scene_seen.h"

#include <math.h>
#include <stdlib.h>

#define MS_PER_NS 1e-6

const char *const session_pass_names[SESSION_PASSES] = {"neighbours", "behaviours", "integrate", "constrain", "index"};

static bool note_groups(view_session *session, bench_problem *problem) {
  const bench_crowd *start = &session->start;
  session->largest_id = start->count ? start->id[start->count - 1] : 0;
  session->group_of = calloc((size_t)session->largest_id + 1, 1);
  session->period = malloc(((size_t)start->count + 1) * sizeof *session->period);
  session->level_of = calloc((size_t)session->largest_id + 1, 1);
  session->instance = calloc((size_t)start->count + 1, sizeof *session->instance);
  if (!session->group_of || !session->period || !session->level_of || !session->instance)
    return problem_set(problem, "out of memory for %u agents", start->count);
  for (uint32_t k = 0; k < start->count; k++) session->group_of[start->id[k]] = start->group[k];
  return true;
}

static bool check_selected(const view_session *session, const view_options *options, bench_problem *problem) {
  if (!options->has_select) return true;
  for (uint32_t k = 0; k < session->start.count; k++)
    if (session->start.id[k] == options->select) return true;
  return problem_set(problem, "option '--select': value '%u', allowed the id of one of the %u agents", options->select,
                     session->start.count);
}

static bool make_trails(view_session *session, double seconds, bench_problem *problem) {
  return seconds <= 0 || trails_create(&session->trails, &session->scene, seconds, session->largest_id, problem);
}

/* Adds the positions of this frame, if the trails have room for one of it. */
static void follow(view_session *session) {
  trail_ring *trails = &session->trails;
  if (trails->rows && throng_world_frame(session->world) % trails->every == 0) trails_add(trails, session->world);
}

bool session_open(view_session *session, const view_options *options, bench_problem *problem) {
  bench_scene *scene = &session->scene;
  session->threads = options->threads;
  session->isa = options->isa;
  if (!scene_load(scene, options->scene, problem)) return false;
  scene->world.keep_previous_pose = true;
  const uint32_t agents = options->has_agents ? options->agents : scene->agents;
  return scene_check_memory(scene, agents, agents, problem) && scene_fit(scene, agents, problem) &&
         crowd_spawn(&session->start, scene, problem) && check_selected(session, options, problem) &&
         note_groups(session, problem) && make_trails(session, (double)options->trails, problem) &&
         session_restart(session, problem) &&
         (!options->has_select || session_select(session, options->select, problem));
}

void session_close(view_session *session) {
  throng_world_destroy(session->world);
  trails_release(&session->trails);
  free(session->group_of);
  free(session->period);
  free(session->level_of);
  free(session->instance);
  crowd_release(&session->start);
  scene_release(&session->scene);
}

bool session_restart(view_session *session, bench_problem *problem) {
  throng_world *world = scene_build(&session->scene, &session->start, session->threads, session->isa, true, problem);
  if (!world) return false;
  throng_world_destroy(session->world);
  session->world = world;
  trails_clear(&session->trails);
  follow(session);
  return session->selected.index == 0 || session_select(session, session->selected.index, problem);
}

bool session_step(view_session *session, bench_problem *problem) {
  throng_error error;
  if (scene_set_periods(&session->scene, session->world, &error) &&
      throng_world_step(session->world, session->scene.dt, &error) == THRONG_OK) {
    follow(session);
    return true;
  }
  return problem_set(problem, "%s: frame %llu: %s: %s", session->scene.file,
                     (unsigned long long)throng_world_frame(session->world), throng_status_name(error.status),
                     error.text);
}

bool session_read_instances(view_session *session, float alpha, bench_problem *problem) {
  throng_error error;
  throng_instances_def def = throng_default_instances_def();
  def.form = THRONG_INSTANCE_ROWS_3X4;
  def.alpha = alpha;
  if (throng_agents_read_instances(session->world, &def, throng_agents_count(session->world), session->instance,
                                   &error) == THRONG_OK)
    return true;
  return problem_set(problem, "instances: %s: %s", throng_status_name(error.status), error.text);
}

throng_vec3 session_drawn_position(const view_session *session, uint32_t k) {
  return (throng_vec3){session->instance[k][3], session->instance[k][7], session->instance[k][11]};
}

void session_take_times(view_session *session) {
  throng_profile profile;
  if (throng_world_get_profile(session->world, &profile, NULL) != THRONG_OK || profile.frames == 0) return;
  /* The times of the passes over strips are sums over the workers. They are scaled so that they add up to steer_ns, the
   * elapsed time. */
  const uint64_t parts[PASS_INDEX] = {profile.neighbours_ns, profile.behaviours_ns, profile.integrate_ns,
                                      profile.constrain_ns + profile.contact_ns};
  session_times *times = &session->times;
  const double frames = (double)profile.frames, updates = (double)profile.agent_updates;
  double sum = 0;
  for (int i = 0; i < PASS_INDEX; i++) sum += (double)parts[i];
  for (int i = 0; i < PASS_INDEX; i++)
    times->pass_ms[i] = sum > 0 ? (double)parts[i] / sum * (double)profile.steer_ns * MS_PER_NS / frames : 0;
  times->pass_ms[PASS_INDEX] = (double)profile.index_ns * MS_PER_NS / frames;
  times->frame_ms = (double)profile.frame_ns * MS_PER_NS / frames;
  times->agents_per_ms = times->frame_ms > 0 ? updates / frames / times->frame_ms : 0;
  times->mean_neighbours = updates > 0 ? (double)profile.neighbours_found / updates : 0;
}

void session_begin_times(view_session *session) { throng_world_reset_profile(session->world, NULL); }

bool session_select(view_session *session, uint32_t id, bench_problem *problem) {
  throng_error error;
  throng_agent_id agent = {0};
  if (id) agent = (throng_agent_id){.index = id, .generation = 1};
  if (throng_world_watch(session->world, agent, &error) != THRONG_OK)
    return problem_set(problem, "agent %u: %s: %s", id, throng_status_name(error.status), error.text);
  session->selected = agent;
  return true;
}

void session_look_at_periods(view_session *session) {
  const bench_crowd *start = &session->start;
  if (throng_agents_read(session->world, THRONG_COLUMN_STEER_PERIOD, NULL, start->count, session->period, 0, NULL) !=
      THRONG_OK)
    return;
  for (uint32_t k = 0; k < start->count; k++) {
    const float period = session->period[k];
    session->level_of[start->id[k]] = period < 2 ? 0 : period < 4 ? 1 : period < 8 ? 2 : 3;
  }
}

throng_view session_view(const view_session *session) {
  throng_view view = {0};
  throng_world_view(session->world, &view, NULL); /* fails only if a pointer is NULL */
  return view;
}

/* Sets the bounds of the values, but at most three standard deviations from the mean, so that a few agents far away do
 * not count. Adds the margin. */
static void spread(const float *values, uint32_t count, float margin, float *min, float *max) {
  double sum = 0, squares = 0, low = 0, high = 0;
  for (uint32_t k = 0; values && k < count; k++) {
    const double value = (double)values[k];
    low = k ? fmin(low, value) : value;
    high = k ? fmax(high, value) : value;
    sum += value;
    squares += value * value;
  }
  const double n = count ? count : 1, mean = sum / n, reach = 3 * sqrt(fmax(squares / n - mean * mean, 0));
  *min = (float)fmax(low, mean - reach) - margin;
  *max = (float)fmin(high, mean + reach) + margin;
}

void session_extent(const view_session *session, float min[3], float max[3]) {
  const throng_world_def *def = &session->scene.world;
  const throng_view view = session_view(session);
  const float *columns[3] = {view.position_x, view.position_y, view.position_z};
  for (int axis = 0; axis < 3; axis++) {
    const bool flat = axis == 1 && session_is_planar(session);
    min[axis] = (&def->box_min.x)[axis];
    max[axis] = flat ? min[axis] : (&def->box_max.x)[axis];
    if (def->boundary[axis] == THRONG_BOUNDARY_UNBOUNDED)
      spread(columns[axis], view.count, flat ? 0 : def->perception_radius, &min[axis], &max[axis]);
  }
}
