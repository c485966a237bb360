/* SPDX-License-Identifier: MIT */
#include "trial_crowd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PERCEPTION_RADIUS 2.5f
#define GATE_AHEAD 0.5f  /* walkers aim this far behind a gate */
#define GATE_MARGIN 0.3f /* and this far from its ends */
#define WAY_AHEAD 4.0f   /* and this far along their way */
#define ENTRY_ROOM 0.5f  /* metres from the place of an entry to the nearest walker */
#define ENTRY_NEAR 1.0f  /* a walker comes in as fast as those within this distance */
#define ENTRY_TRIES 8    /* places drawn for each entry and sample */
#define FIELD_CELL 0.1f
#define FIELD_MARGIN 0.05f /* metres that routes keep bodies off walls */

static bool call(crowd_trial *trial, throng_status status, const throng_error *error) {
  return status == THRONG_OK || problem_set(trial->problem, "%s", error->text);
}

static void add_behaviour(throng_group_def *def, const crowd_place *place, uint32_t group, bool waits) {
  if (place->field_count > 0) {
    throng_follow_field *field = &throng_group_def_add(def, THRONG_BEHAVIOUR_FOLLOW_FIELD)->follow_field;
    field->index = group;
    field->time_to_target = 0.5f;
  } else if (waits) {
    throng_arrive *arrive = &throng_group_def_add(def, THRONG_BEHAVIOUR_ARRIVE)->arrive;
    arrive->slow_radius = 1.5f;
    arrive->target_radius = 0.05f;
    arrive->time_to_target = 0.5f;
  } else {
    throng_group_def_add(def, THRONG_BEHAVIOUR_SEEK)->seek.time_to_target = 0.5f;
  }
}

/* The group is set when the first walkers are known: those who stay at their goals arrive, the others pass by. */
static bool throng_begin(crowd_trial *trial) {
  const crowd_place *place = &trial->place;
  const uint32_t groups = place->field_count > 0 ? place->field_count : 1;
  throng_error error;
  for (uint32_t group = 0; group < groups; group++) {
    throng_group_def def = place->presses ? trial->model->pressing_group() : trial->model->group();
    def.max_speed = place->wish_speed;
    def.body_radius = place->body_radius;
    add_behaviour(&def, place, group, trial->count > 0 && trial->walkers[0].stays);
    if (!call(trial, throng_world_set_group(trial->world, group, &def, &error), &error)) return false;
  }
  return true;
}

static bool set_walls(crowd_trial *trial) {
  const crowd_place *place = &trial->place;
  if (place->wall_count == 0) return true;
  throng_vec3 *points = malloc(2 * place->wall_count * sizeof *points);
  if (!points) return problem_set(trial->problem, "out of memory");
  for (uint32_t i = 0; i < place->wall_count; i++) {
    const crowd_wall *wall = &place->walls[i];
    points[2 * i] = (throng_vec3){wall->ax, 0, wall->az};
    points[2 * i + 1] = (throng_vec3){wall->bx, 0, wall->bz};
  }
  throng_scenery_def scenery = throng_default_scenery_def();
  scenery.wall_from = (throng_span){points, 2 * sizeof *points};
  scenery.wall_to = (throng_span){points + 1, 2 * sizeof *points};
  scenery.wall_count = place->wall_count;
  throng_error error;
  bool ok = call(trial, throng_world_set_scenery(trial->world, &scenery, &error), &error);
  free(points);
  return ok;
}

static bool set_stairs(crowd_trial *trial) {
  const crowd_place *place = &trial->place;
  if (place->stairs_factor == 0) return true;
  throng_speed_zone zone = throng_default_speed_zone();
  zone.shape = THRONG_SPEED_ZONE_RECTANGLE;
  zone.centre = (throng_vec3){(place->stairs_min_x + place->stairs_max_x) / 2, 0, (place->min_z + place->max_z) / 2};
  zone.width = place->stairs_max_x - place->stairs_min_x;
  zone.length = place->max_z - place->min_z;
  zone.factor = place->stairs_factor;
  throng_speed_zones_def zones = throng_default_speed_zones_def();
  zones.zones = &zone;
  zones.count = 1;
  throng_error error;
  return call(trial, throng_world_set_speed_zones(trial->world, &zones, &error), &error);
}

/* The distance of a point from a wall. */
static float wall_distance(const crowd_wall *wall, float x, float z) {
  const float dx = wall->bx - wall->ax, dz = wall->bz - wall->az;
  float along = ((x - wall->ax) * dx + (z - wall->az) * dz) / (dx * dx + dz * dz);
  along = along < 0 ? 0 : along > 1 ? 1 : along;
  const float away_x = wall->ax + along * dx - x, away_z = wall->az + along * dz - z;
  return sqrtf(away_x * away_x + away_z * away_z);
}

static bool set_field(crowd_trial *trial, uint32_t index, const throng_cells_def *map, float *vectors) {
  const crowd_place *place = &trial->place;
  const throng_flow_goal goal = {{place->field_x[index], 0, place->field_z[index]}, place->field_radius};
  throng_flow_field_def field = throng_default_flow_field_def();
  field.width = map->width;
  field.height = map->height;
  field.cell = map->cell;
  field.origin = map->origin;
  field.vectors = vectors;
  throng_error error;
  return call(trial, throng_flow_field_compute(NULL, map, &goal, 1, vectors, NULL, NULL, &error), &error) &&
         call(trial, throng_world_set_flow_field(trial->world, index, &field, &error), &error);
}

/* Cells where a body would touch a wall are blocked for the routes, so that the routes keep bodies off corners. */
static bool set_fields(crowd_trial *trial) {
  const crowd_place *place = &trial->place;
  if (place->field_count == 0) return true;
  throng_cells_def map = throng_default_cells_def();
  map.width = (uint32_t)((place->max_x - place->min_x) / FIELD_CELL);
  map.height = (uint32_t)((place->max_z - place->min_z) / FIELD_CELL);
  map.cell = FIELD_CELL;
  map.origin = (throng_vec3){place->min_x, 0, place->min_z};
  const size_t cells = (size_t)map.width * map.height;
  uint8_t *blocked = calloc(cells, 1);
  float *vectors = malloc(2 * cells * sizeof *vectors);
  bool ok = blocked && vectors ? true : problem_set(trial->problem, "out of memory");
  for (size_t c = 0; c < cells && ok; c++) {
    const float x = place->min_x + ((float)(c % map.width) + 0.5f) * FIELD_CELL;
    const float z = place->min_z + ((float)(c / map.width) + 0.5f) * FIELD_CELL;
    for (uint32_t i = 0; i < place->wall_count; i++)
      if (wall_distance(&place->walls[i], x, z) < place->body_radius + FIELD_MARGIN) blocked[c] = 1;
  }
  map.blocked = blocked;
  for (uint32_t i = 0; i < place->field_count && ok; i++) ok = set_field(trial, i, &map, vectors);
  free(blocked);
  free(vectors);
  return ok;
}

static bool make_world(crowd_trial *trial, uint64_t seed) {
  const crowd_place *place = &trial->place;
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, place->torus ? THRONG_BOUNDARY_PERIODIC : THRONG_BOUNDARY_UNBOUNDED);
  def.box_min = (throng_vec3){place->min_x, 0, place->min_z};
  def.box_max = (throng_vec3){place->max_x, 1, place->max_z};
  def.perception_radius = PERCEPTION_RADIUS;
  def.contact_iterations = 6;
  def.thread_count = 1;
  def.threads = THRONG_THREADS_SERIAL;
  def.seed = seed;
  throng_error error;
  return call(trial, throng_world_create(&def, &trial->world, &error), &error);
}

static bool open_file(crowd_trial *trial, const trial_setting *setting, const char *part) {
  char name[128], path[FILE_PATH_SIZE];
  if (!setting->trajectories) return true;
  snprintf(name, sizeof name, "%s-%s%s%s-seed%llu.txt", trial->model->name, setting->test, *part ? "-" : "", part,
           (unsigned long long)setting->seed);
  return path_join(path, setting->trajectories, name, trial->problem) &&
         observer_write(&trial->observer, path, trial->problem);
}

bool trial_open(crowd_trial *trial, const trial_setting *setting, const char *part, const crowd_place *place,
                bench_problem *problem) {
  *trial = (struct crowd_trial){
      .model = setting->model, .place = *place, .frame_rate = setting->frame_rate, .problem = problem};
  uint64_t stream = 0;
  for (const char *c = setting->test; *c; c++) stream = stream * 131 + (unsigned char)*c;
  for (const char *c = part; *c; c++) stream = stream * 131 + (unsigned char)*c;
  trial->random = random_for(setting->seed, stream, 0);
  if (trial->place.body_radius == 0) trial->place.body_radius = BODY_RADIUS;
  if (trial->place.wish_speed == 0) {
    trial->place.wish_speed = WISH_SPEED;
    trial->place.speed_deviation = SPEED_DEVIATION;
  }
  if (make_world(trial, setting->seed) && set_walls(trial) && set_stairs(trial) && set_fields(trial) &&
      observer_open(&trial->observer, place->min_x, place->min_z, place->max_x, place->max_z, place->torus,
                    trial->place.body_radius, problem) &&
      open_file(trial, setting, part))
    return true;
  trial_close(trial);
  return false;
}

void trial_close(crowd_trial *trial) {
  bench_problem ignored;
  observer_finish(&trial->observer, false, &ignored);
  observer_close(&trial->observer);
  throng_world_destroy(trial->world);
  free(trial->walkers);
  trial->world = NULL;
  trial->walkers = NULL;
}

float trial_draw_speed(crowd_trial *trial) {
  double normal = -6; /* the sum of twelve even draws has a variance of 1 */
  for (int k = 0; k < 12; k++) normal += random_unit(&trial->random);
  normal = normal < -1.5 ? -1.5 : normal > 1.5 ? 1.5 : normal;
  return (float)((double)trial->place.wish_speed + trial->place.speed_deviation * normal);
}

bool trial_append(crowd_trial *trial, const crowd_walker *walker) {
  if (trial->count == trial->capacity) {
    trial->capacity = trial->capacity ? 2 * trial->capacity : 64;
    struct crowd_walker *walkers = realloc(trial->walkers, trial->capacity * sizeof *walkers);
    if (!walkers) return problem_set(trial->problem, "out of memory");
    trial->walkers = walkers;
  }
  struct crowd_walker *added = &trial->walkers[trial->count++];
  *added = *walker;
  added->x = added->start_x;
  added->z = added->start_z;
  added->arrived = -1;
  for (int k = 0; k < MAX_GATES; k++) added->passed[k] = -1;
  return true;
}

bool trial_spread(crowd_trial *trial, const crowd_walker *like, uint32_t count, float min_x, float min_z, float max_x,
                  float max_z) {
  const double length = (double)(max_x - min_x), width = (double)(max_z - min_z);
  uint32_t columns = (uint32_t)ceil(sqrt(count * length / width)), rows = (count + columns - 1) / columns;
  const float step_x = (max_x - min_x) / (float)columns, step_z = (max_z - min_z) / (float)rows;
  const float smaller = step_x < step_z ? step_x : step_z, free = smaller - 2 * trial->place.body_radius;
  const float jitter = free > 0 ? 0.45f * free : 0;
  uint32_t places = columns * rows, left = count;
  for (uint32_t k = 0; k < places; k++) {
    /* Draws `left` of the remaining places, each with the same chance. */
    if (random_unit(&trial->random) * (places - k) >= left) continue;
    left--;
    crowd_walker walker = *like;
    walker.start_x = min_x + ((float)(k % columns) + 0.5f) * step_x + random_between(&trial->random, -jitter, jitter);
    walker.start_z = min_z + ((float)(k / columns) + 0.5f) * step_z + random_between(&trial->random, -jitter, jitter);
    if (walker.speed == 0) walker.speed = trial_draw_speed(trial);
    if (!trial_append(trial, &walker)) return false;
  }
  return true;
}

/* Draws from the exponential distribution of mean 1, by comparisons alone, so that the bits are the same everywhere
 * (J. von Neumann, Various techniques used in connection with random digits, 1951). */
static double draw_exponential(random_state *random) {
  for (double whole = 0;; whole++) {
    const double first = random_unit(random);
    bool odd = true;
    for (double last = first, next = random_unit(random); next < last; next = random_unit(random)) {
      last = next;
      odd = !odd;
    }
    if (odd) return whole + first;
  }
}

bool trial_append_entries(crowd_trial *trial, const crowd_walker *like, uint32_t count, double rate) {
  double seconds = 0;
  for (uint32_t k = 0; k < count; k++) {
    crowd_walker walker = *like;
    seconds += draw_exponential(&trial->random) / rate;
    walker.enters = seconds;
    walker.speed = trial_draw_speed(trial);
    if (!trial_append(trial, &walker)) return false;
  }
  return true;
}

/* Whether a point is to the left of a gate, between its ends. */
static bool is_behind(const crowd_gate *gate, float x, float z) {
  const float dx = gate->bx - gate->ax, dz = gate->bz - gate->az, to_x = x - gate->ax, to_z = z - gate->az;
  const float along = to_x * dx + to_z * dz;
  return dx * to_z - dz * to_x > 0 && along >= 0 && along <= dx * dx + dz * dz;
}

/* The point to walk to: behind the nearest point of the gate. */
static throng_vec3 gate_goal(const crowd_gate *gate, float x, float z) {
  const float dx = gate->bx - gate->ax, dz = gate->bz - gate->az, length = sqrtf(dx * dx + dz * dz);
  const float unit_x = dx / length, unit_z = dz / length;
  const float margin = 2 * GATE_MARGIN < length ? GATE_MARGIN : length / 2;
  float along = (x - gate->ax) * unit_x + (z - gate->az) * unit_z;
  along = along < margin ? margin : along > length - margin ? length - margin : along;
  return (throng_vec3){gate->ax + along * unit_x - GATE_AHEAD * unit_z, 0,
                       gate->az + along * unit_z + GATE_AHEAD * unit_x};
}

static float wrap(float value, float min, float max) {
  return value < min ? value + (max - min) : value > max ? value - (max - min) : value;
}

throng_vec3 trial_goal(const crowd_trial *trial, const crowd_walker *walker) {
  if (walker->aim == AIM_POINT) return (throng_vec3){walker->goal_x, 0, walker->goal_z};
  if (walker->aim == AIM_GATES) return gate_goal(&walker->gates[walker->gate_at], walker->x, walker->z);
  throng_vec3 goal = {walker->x + WAY_AHEAD * walker->way_x, 0, walker->z + WAY_AHEAD * walker->way_z};
  if (trial->place.torus) {
    goal.x = wrap(goal.x, trial->place.min_x, trial->place.max_x);
    goal.z = wrap(goal.z, trial->place.min_z, trial->place.max_z);
  }
  return goal;
}

static bool has_arrived(crowd_trial *trial, crowd_walker *walker) {
  if (walker->aim == AIM_WAY) return walker->way_length > 0 && walker->walked >= (double)walker->way_length;
  if (walker->aim == AIM_POINT) {
    const float dx = walker->x - walker->goal_x, dz = walker->z - walker->goal_z;
    return dx * dx + dz * dz <= walker->goal_radius * walker->goal_radius;
  }
  while (walker->gate_at < walker->gate_count && is_behind(&walker->gates[walker->gate_at], walker->x, walker->z))
    walker->passed[walker->gate_at++] = trial_seconds(trial);
  return walker->gate_at == walker->gate_count;
}

/* The walker's id has the index i + 1. */
static bool throng_add(crowd_trial *trial, uint32_t i, throng_vec3 velocity) {
  crowd_walker *walker = &trial->walkers[i];
  const throng_vec3 position = {walker->start_x, 0, walker->start_z}, goal = trial_goal(trial, walker);
  throng_agents_def def = throng_default_agents_def();
  def.position.data = &position;
  def.velocity.data = &velocity;
  def.goal.data = trial->place.field_count > 0 ? NULL : &goal;
  def.group.data = &walker->group;
  def.max_speed.data = &walker->speed;
  walker->id = (throng_agent_id){.index = i + 1, .generation = 1};
  throng_error error;
  return call(trial, throng_agents_add_with_ids(trial->world, &def, 1, &walker->id, &error), &error);
}

static bool throng_remove(crowd_trial *trial, uint32_t i) {
  throng_error error;
  return call(trial, throng_agents_remove(trial->world, &trial->walkers[i].id, 1, &error), &error);
}

static bool throng_read(crowd_trial *trial) {
  throng_view view;
  throng_error error;
  if (!call(trial, throng_world_view(trial->world, &view, &error), &error)) return false;
  for (uint32_t k = 0; k < view.count; k++) {
    float *seen = trial->seen[view.id_index[k] - 1];
    seen[0] = view.position_x[k];
    seen[1] = view.position_z[k];
  }
  return true;
}

static bool add_walker(crowd_trial *trial, uint32_t i, throng_vec3 velocity) {
  trial->walkers[i].absent = false;
  trial->here++;
  return trial->crowd->add(trial, i, velocity);
}

/* Adds the walkers who do not come in later. */
static bool add_walkers(crowd_trial *trial) {
  for (uint32_t i = 0; i < trial->count; i++) {
    trial->walkers[i].absent = true;
    if (trial->walkers[i].entrance == 0 && !add_walker(trial, i, (throng_vec3){0, 0, 0})) return false;
  }
  return true;
}

/* Whether a body has room at a place. *slowest: lowered to the speed of the slowest walker nearby. */
static bool is_free(const crowd_trial *trial, float x, float z, float *slowest) {
  for (uint32_t i = 0; i < trial->count; i++) {
    const crowd_walker *walker = &trial->walkers[i];
    const float dx = walker->x - x, dz = walker->z - z, square = dx * dx + dz * dz;
    if (walker->absent || square > ENTRY_NEAR * ENTRY_NEAR) continue;
    if (square < ENTRY_ROOM * ENTRY_ROOM) return false;
    const double *velocity = walker->velocity;
    const float speed = (float)sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1]);
    if (speed < *slowest) *slowest = speed;
  }
  return true;
}

/* Lets a walker in at a drawn place, as fast as the slowest walker nearby. *entered: whether a place was free. */
static bool enter(crowd_trial *trial, uint32_t i, bool *entered) {
  crowd_walker *walker = &trial->walkers[i];
  const crowd_entrance *entrance = &trial->place.entrances[walker->entrance - 1];
  const float inward = entrance->x < (trial->place.min_x + trial->place.max_x) / 2 ? 1.0f : -1.0f;
  for (int k = 0; k < ENTRY_TRIES; k++) {
    const float z = random_between(&trial->random, entrance->min_z, entrance->max_z);
    float speed = walker->speed;
    if (!is_free(trial, entrance->x, z, &speed)) continue;
    walker->x = walker->start_x = entrance->x;
    walker->z = walker->start_z = z;
    *entered = true;
    return add_walker(trial, i, (throng_vec3){inward * speed, 0, 0});
  }
  return true;
}

/* Lets in the walkers whose time has come, in order at each entrance. Without room they wait for the next sample. */
static bool let_in(crowd_trial *trial) {
  bool full[MAX_ENTRANCES] = {false};
  for (uint32_t i = 0; i < trial->count; i++) {
    const crowd_walker *walker = &trial->walkers[i];
    if (walker->entrance == 0 || walker->samples > 0 || !walker->absent || walker->enters > trial_seconds(trial) ||
        full[walker->entrance - 1])
      continue;
    bool entered = false;
    if (!enter(trial, i, &entered)) return false;
    full[walker->entrance - 1] = !entered;
  }
  return true;
}

static bool look(crowd_trial *trial, double warm_up) {
  const uint32_t sample = trial_sample(trial);
  const bool counts = trial_seconds(trial) >= warm_up;
  if (!trial->crowd->read(trial)) return false;
  for (uint32_t i = 0; i < trial->count; i++)
    if (!trial->walkers[i].absent)
      observer_move(&trial->observer, &trial->walkers[i], i, sample, trial->seen[i][0], trial->seen[i][1], counts);
  if (counts) observer_neighbours(&trial->observer, trial->walkers, trial->count, sample % 20 == 0);
  return true;
}

/* Notes who has arrived, and removes those who do not stay. */
static bool note_arrivals(crowd_trial *trial) {
  for (uint32_t i = 0; i < trial->count; i++) {
    crowd_walker *walker = &trial->walkers[i];
    if (walker->absent || walker->arrived >= 0 || !has_arrived(trial, walker)) continue;
    walker->arrived = trial_seconds(trial);
    trial->arrivals++;
    if (walker->stays) continue;
    walker->absent = true;
    trial->here--;
    if (!trial->crowd->remove(trial, i)) return false;
  }
  return true;
}

/* Moves the goals of those who walk. Goals that are points do not move; flow fields need none. */
static bool throng_lead(crowd_trial *trial) {
  uint32_t count = 0;
  throng_error error;
  for (uint32_t i = 0; i < trial->count && trial->place.field_count == 0; i++) {
    const crowd_walker *walker = &trial->walkers[i];
    if (walker->absent || walker->aim == AIM_POINT) continue;
    trial->ids[count] = walker->id;
    trial->goals[count++] = trial_goal(trial, walker);
  }
  return count == 0 ||
         call(trial, throng_agents_write(trial->world, THRONG_COLUMN_GOAL, trial->ids, count, trial->goals, 0, &error),
              &error);
}

static bool throng_step(crowd_trial *trial) {
  throng_error error;
  trial->agent_steps += trial->here;
  return call(trial, throng_world_step(trial->world, 1.0f / (float)trial->frame_rate, &error), &error);
}

static const trial_crowd throng_trial_crowd = {throng_begin, throng_add,  throng_remove, throng_read,
                                               throng_lead,  throng_step, NULL};

/* The thread's own time: other tests may run on the same core. */
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool step_timed(crowd_trial *trial) {
  const double begin = now();
  const bool ok = trial->crowd->step(trial);
  trial->step_seconds += now() - begin;
  return ok;
}

static bool step_all(crowd_trial *trial, double seconds, double warm_up) {
  const uint32_t frames = (uint32_t)(seconds * trial->frame_rate);
  for (; trial->frame < frames && trial->arrivals < trial->count; trial->frame++) {
    if (trial->frame % trial_frames_per_sample(trial) == 0) {
      if (!look(trial, warm_up) || !note_arrivals(trial) || !let_in(trial) || !trial->crowd->lead(trial)) return false;
      if (trial->watch) trial->watch(trial, trial->watch_context);
    }
    if (!step_timed(trial)) return false;
  }
  return true;
}

bool trial_run(crowd_trial *trial, double seconds, double warm_up) {
  throng_error error;
  trial->ids = malloc(trial->count * sizeof *trial->ids);
  trial->goals = malloc(trial->count * sizeof *trial->goals);
  trial->seen = malloc(trial->count * sizeof *trial->seen);
  trial->crowd = trial->model->engine ? &engine_trial_crowd : &throng_trial_crowd;
  bool ok = trial->ids && trial->goals && trial->seen ? true : problem_set(trial->problem, "out of memory");
  ok = ok && observer_reserve(&trial->observer, trial->count, trial->problem) && trial->crowd->begin(trial) &&
       add_walkers(trial) && call(trial, throng_world_index(trial->world, &error), &error) &&
       step_all(trial, seconds, warm_up);
  if (trial->crowd->close) trial->crowd->close(trial);
  free(trial->ids);
  free(trial->goals);
  free(trial->seen);
  return observer_finish(&trial->observer, ok, trial->problem);
}

uint32_t trial_crossings(const crowd_trial *trial, uint32_t gate, double *times) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < trial->count; i++) {
    const double time = trial->walkers[i].passed[gate];
    if (time < 0) continue;
    uint32_t k = count++;
    for (; k > 0 && times[k - 1] > time; k--) times[k] = times[k - 1];
    times[k] = time;
  }
  return count;
}

double trial_mean_arrival(const crowd_trial *trial) {
  running_mean mean = {0};
  for (uint32_t i = 0; i < trial->count; i++)
    if (trial->walkers[i].arrived >= 0) mean_add(&mean, trial->walkers[i].arrived);
  return mean_of(&mean);
}

double trial_last_arrival(const crowd_trial *trial) {
  double last = 0;
  for (uint32_t i = 0; i < trial->count; i++) {
    if (trial->walkers[i].arrived < 0) return NAN;
    if (trial->walkers[i].arrived > last) last = trial->walkers[i].arrived;
  }
  return last;
}
