/* instances.c: see throng/instances.h. Plain C, so that the bits are the same on every instruction set. The loops over
 * a batch have few branches, so that compilers vectorise them. SPDX-License-Identifier: MIT */
#include <throng/instances.h>

#include <math.h>
#include <string.h>

#include "agents/batches.h"
#include "agents/lookup.h"
#include "base/arithmetic.h"
#include "base/definitions.h"
#include "base/float_environment.h"
#include "base/span.h"
#include "columns/convert.h"
#include "state.h"

static const size_t form_floats[THRONG_INSTANCE_FORM_COUNT] = {[THRONG_INSTANCE_POSITION_YAW] = 4,
                                                               [THRONG_INSTANCE_POSITION_ROTATION] = 7,
                                                               [THRONG_INSTANCE_ROWS_3X4] = 12,
                                                               [THRONG_INSTANCE_ROWS_4X4] = 16,
                                                               [THRONG_INSTANCE_COLUMNS_4X4] = 16};

throng_instances_def throng_default_instances_def(void) {
  throng_instances_def def;
  memset(&def, 0, sizeof def);
  def.scale = 1.0f;
  def.alpha = 1.0f;
  def.cookie = THRONG_INSTANCES_COOKIE;
  return def;
}

size_t throng_instance_bytes(throng_instance_form form) {
  return (unsigned)form < THRONG_INSTANCE_FORM_COUNT ? form_floats[form] * sizeof(float) : 0;
}

static throng_status check_def(const throng_world *world, const throng_instances_def *def, uint32_t count,
                               throng_error *error) {
  if (def->cookie != THRONG_INSTANCES_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "instances definition has a wrong cookie: it is not from throng_default_instances_def()");
  }
  if ((unsigned)def->form >= THRONG_INSTANCE_FORM_COUNT) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "instances.form is %d, allowed: 0 to %d", (int)def->form,
                       THRONG_INSTANCE_FORM_COUNT - 1);
  }
  if (def->stride == THRONG_STRIDE_ONE) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "instances.stride is THRONG_STRIDE_ONE: all instances would be written to one place");
  }
  TRY(span_check_stride(def->stride, throng_instance_bytes(def->form), "instances.stride", error));
  TRY(throng_check_range(def->scale, 1e-9f, 1e9f, "instances.scale", error));
  TRY(throng_check_range(def->alpha, 0.0f, 1.0f, "instances.alpha", error));
  if (def->alpha < 1.0f && !world->def.keep_previous_pose) {
    return throng_fail(error, THRONG_ERROR_UNSUPPORTED,
                       "instances.alpha is %.9g, but the world keeps no previous poses: world.keep_previous_pose",
                       (double)def->alpha);
  }
  TRY(throng_check_range(def->offset.x, -1e9f, 1e9f, "instances.offset.x", error));
  TRY(throng_check_range(def->offset.y, -1e9f, 1e9f, "instances.offset.y", error));
  TRY(throng_check_range(def->offset.z, -1e9f, 1e9f, "instances.offset.z", error));
  if (count != throng_agents_count(world)) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "count is %u, must be the agent count, %u", count,
                       throng_agents_count(world));
  }
  throng_view view;
  return def->by_id ? THRONG_OK : throng_world_view(world, &view, error);
}

/* The agents of a batch: slots[count], or `count` slots from `first` on. */
struct some {
  const uint32_t *slots; /* NULL: consecutive */
  uint32_t first, count;
};
/* Their values in throng's axes, but their positions in the host's and with the offset. */
struct poses {
  uint32_t count;
  bool upright; /* all facings are horizontal: `rise` and `run` are not set */
  float position[3][BATCH];
  float yaw[BATCH];                 /* set if they are upright */
  float sine[BATCH], cosine[BATCH]; /* of the yaw of the facing along the ground */
  float rise[BATCH], run[BATCH];    /* of the facing: its y, and its length along the ground */
};

static void load_values(float *to, const float *column, const struct some *some) {
  if (!some->slots) memcpy(to, column + some->first, some->count * sizeof *to);
  for (uint32_t k = 0; k < some->count && some->slots; k++) to[k] = column[some->slots[k]];
}

/* Between two steps. The functions change the previous values, `at`, to those at `alpha`, as instances.h says. They
 * calculate with the results of comparisons, because compilers vectorise hardly any loop with a choice. */

/* Along one axis. Never outside of the world, whatever rounds. */
static void mix_coordinates(const struct space *space, int c, float alpha, const float *restrict to, float *restrict at,
                            uint32_t count) {
  const struct grid_axis *axis = &space->axis[c];
  const float length = axis->period ? axis->length : 0.0f, half = axis->period ? 0.5f * length : INFINITY;
  const float min = axis->period ? axis->origin : -INFINITY, max = axis->period ? space->end[c] : INFINITY;
  const float low = space->low[c], high = space->high[c];
  for (uint32_t k = 0; k < count && alpha > 0.0f; k++) {
    float d = to[k] - at[k];
    d -= length * (float)((d > half) - (d < -half));
    const float p = at[k] + alpha * d;
    at[k] = p - length * (float)((p >= max) - (p < min));
  }
  for (uint32_t k = 0; k < count; k++) {
    const float p = at[k] < low ? low : at[k];
    at[k] = p > high ? high : p;
  }
}
static void mix_yaws(float alpha, const float *restrict to, float *restrict at, uint32_t count) {
  for (uint32_t k = 0; k < count && alpha > 0.0f; k++) {
    float d = to[k] - at[k];
    d -= SCALAR_TWO_PI * (float)((d > SCALAR_PI) - (d <= -SCALAR_PI));
    const float yaw = at[k] + alpha * d;
    at[k] = yaw - SCALAR_TWO_PI * (float)((yaw > SCALAR_PI) - (yaw < -SCALAR_PI));
  }
}
#define OPPOSITE_SQ 1e-6f /* a chord that comes so near to 0 has no direction */
static void mix_facings(float alpha, const float *restrict to_x, const float *restrict to_y, const float *restrict to_z,
                        float *restrict x, float *restrict y, float *restrict z, uint32_t count) {
  const float early = alpha < 0.5f ? 1.0f : 0.0f, late = 1.0f - early;
  for (uint32_t k = 0; k < count && alpha > 0.0f; k++) {
    const float vx = x[k] + alpha * (to_x[k] - x[k]), vy = y[k] + alpha * (to_y[k] - y[k]),
                vz = z[k] + alpha * (to_z[k] - z[k]);
    const float length_sq = vx * vx + vy * vy + vz * vz;
    const float opposite = (float)(length_sq < OPPOSITE_SQ), scale = (1.0f - opposite) / sqrtf(length_sq + opposite);
    const float before = opposite * early, now = opposite * late; /* 1 for the facing that it is instead */
    x[k] = vx * scale + (before * x[k] + now * to_x[k]);
    y[k] = vy * scale + (before * y[k] + now * to_y[k]);
    z[k] = vz * scale + (before * z[k] + now * to_z[k]);
  }
}

static void load_yaws(const throng_world *world, const struct some *some, float alpha, float *yaw) {
  float *const *f = world->agents.front.f;
  float to[BATCH];
  load_values(yaw, f[alpha < 1.0f ? COLUMN_PREVIOUS_FACING : COLUMN_FACING_X], some);
  if (!(alpha < 1.0f)) return;
  load_values(to, f[COLUMN_FACING_X], some);
  mix_yaws(alpha, to, yaw, some->count);
}
static void load_facings(const throng_world *world, const struct some *some, float alpha, float *const facing[3]) {
  float *const *f = world->agents.front.f;
  float to[3][BATCH];
  const int from = alpha < 1.0f ? COLUMN_PREVIOUS_FACING : COLUMN_FACING_X;
  for (int c = 0; c < 3; c++) load_values(facing[c], f[from + c], some);
  if (!(alpha < 1.0f)) return;
  for (int c = 0; c < 3; c++) load_values(to[c], f[COLUMN_FACING_X + c], some);
  mix_facings(alpha, to[0], to[1], to[2], facing[0], facing[1], facing[2], some->count);
}

static void load_planar(const throng_world *world, const struct some *some, float alpha, struct poses *poses) {
  load_yaws(world, some, alpha, poses->yaw);
  for (uint32_t k = 0; k < poses->count; k++) scalar_sincos(poses->yaw[k], &poses->sine[k], &poses->cosine[k]);
}
static void load_spatial(const throng_world *world, const struct some *some, float alpha, struct poses *poses) {
  load_facings(world, some, alpha, (float *const[3]){poses->sine, poses->rise, poses->cosine});
  for (uint32_t k = 0; k < poses->count; k++) {
    const float x = poses->sine[k], z = poses->cosine[k],
                run = (float)sqrt((double)x * (double)x + (double)z * (double)z);
    const float upright = (float)(run == 0.0f);
    poses->run[k] = run;
    poses->sine[k] = x / (run + upright);
    poses->cosine[k] = z / (run + upright) + upright;
  }
}

/* How a call writes: the host's place and sign of each of throng's axes. */
struct writer {
  const throng_instances_def *def;
  bool own;        /* throng's own axes */
  size_t place[3]; /* of throng's axis */
  float sign[3], turn;
  float mirror; /* -1 if the axes mirror: rotations are then reversed */
};
static struct writer make_writer(const throng_world *world, const throng_instances_def *def) {
  const throng_axes *axes = world->space.axes;
  struct writer writer = {.def = def, .own = !axes, .turn = 1.0f, .mirror = 1.0f};
  for (size_t c = 0; c < 3; c++) {
    const struct host_component host = throng_convert_component(axes, THRONG_COLUMN_POSITION, true, c);
    writer.place[c] = host.place;
    writer.sign[c] = host.turned ? -1.0f : 1.0f;
  }
  if (!axes) return writer;
  writer.turn = throng_axes_turn(axes, 1.0f);
  const bool odd = (writer.place[1] + 3 - writer.place[0]) % 3 == 2;
  writer.mirror = (odd ? -1.0f : 1.0f) * writer.sign[0] * writer.sign[1] * writer.sign[2];
  return writer;
}

/* Writes the rotation, as basis[row][column] in the host's axes. Its columns are where it turns the model's x, y and
 * z. */
static void find_basis(const struct writer *writer, const struct poses *poses, uint32_t k, float basis[3][3]) {
  const float s = poses->sine[k], c = poses->cosine[k];
  const float rise = poses->upright ? 0.0f : poses->rise[k], run = poses->upright ? 1.0f : poses->run[k];
  const float own[3][3] = {{c, -s * rise, s * run}, {0.0f, run, rise}, {-s, -c * rise, c * run}};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      basis[writer->place[i]][writer->place[j]] = writer->sign[i] * writer->sign[j] * own[i][j];
    }
  }
}

/* Sine and cosine of half an angle in [-pi, pi]; the cosine is at least 0. */
static void halve(float sine, float cosine, float *half_sine, float *half_cosine) {
  if (cosine >= 0.0f) {
    *half_cosine = sqrtf(0.5f + 0.5f * cosine);
    *half_sine = sine / (2.0f * *half_cosine);
  } else {
    const float positive = sqrtf(0.5f - 0.5f * cosine);
    *half_sine = sine < 0.0f ? -positive : positive;
    *half_cosine = sine / (2.0f * *half_sine);
  }
}
/* The yaw about y, after the pitch about x. */
static void find_quaternion(const struct writer *writer, const struct poses *poses, uint32_t k, float q[4]) {
  float yaw[2], pitch[2] = {0.0f, 1.0f};
  halve(poses->sine[k], poses->cosine[k], &yaw[0], &yaw[1]);
  if (!poses->upright) halve(-poses->rise[k], poses->run[k], &pitch[0], &pitch[1]);
  const float own[3] = {yaw[1] * pitch[0], yaw[0] * pitch[1], -yaw[0] * pitch[0]};
  for (int c = 0; c < 3; c++) q[writer->place[c]] = writer->mirror * writer->sign[c] * own[c] + 0.0f; /* no -0 */
  q[3] = yaw[1] * pitch[1];
}

#define POSITION(poses, k) (poses)->position[0][k], (poses)->position[1][k], (poses)->position[2][k]

/* Writes float number `at` of an instance. Float by float, because loading a whole instance just after storing its
 * parts stalls processors. */
static void put(char *instance, size_t at, float value) { memcpy(instance + at * sizeof value, &value, sizeof value); }
static void put_row(char *row, float x, float y, float z, float w) {
  put(row, 0, x);
  put(row, 1, y);
  put(row, 2, z);
  put(row, 3, w);
}

static void write_yaws(const struct writer *writer, const struct poses *poses, char *data, size_t stride) {
  for (uint32_t k = 0; k < poses->count; k++) {
    const float yaw = poses->upright ? poses->yaw[k] : scalar_atan2(poses->sine[k], poses->cosine[k]);
    put_row(data + k * stride, POSITION(poses, k), writer->turn * yaw);
  }
}
static void write_quaternions(const struct writer *writer, const struct poses *poses, char *data, size_t stride) {
  for (uint32_t k = 0; k < poses->count; k++) {
    float it[7] = {POSITION(poses, k)};
    find_quaternion(writer, poses, k, it + 3);
    memcpy(data + k * stride, it, sizeof it);
  }
}
/* Upright models in throng's own axes: four elements of the matrix change. */
static void write_upright(const struct writer *writer, const struct poses *poses, char *data, size_t stride) {
  const throng_instance_form form = writer->def->form;
  const size_t line = 4 * sizeof(float);
  for (uint32_t k = 0; k < poses->count; k++, data += stride) {
    const float scale = writer->def->scale, s = scale * poses->sine[k], c = scale * poses->cosine[k];
    if (form == THRONG_INSTANCE_COLUMNS_4X4) {
      put_row(data, c, 0.0f, 0.0f - s, 0.0f);
      put_row(data + line, 0.0f, scale, 0.0f, 0.0f);
      put_row(data + 2 * line, s, 0.0f, c, 0.0f);
      put_row(data + 3 * line, POSITION(poses, k), 1.0f);
      continue;
    }
    put_row(data, c, 0.0f, s, poses->position[0][k]);
    put_row(data + line, 0.0f, scale, 0.0f, poses->position[1][k]);
    put_row(data + 2 * line, 0.0f - s, 0.0f, c, poses->position[2][k]);
    if (form == THRONG_INSTANCE_ROWS_4X4) put_row(data + 3 * line, 0.0f, 0.0f, 0.0f, 1.0f);
  }
}
static void write_matrices(const struct writer *writer, const struct poses *poses, char *data, size_t stride) {
  const throng_instance_form form = writer->def->form;
  const bool columns = form == THRONG_INSTANCE_COLUMNS_4X4;
  const size_t row = columns ? 1 : 4, column = columns ? 4 : 1;
  for (uint32_t k = 0; k < poses->count; k++, data += stride) {
    float basis[3][3];
    find_basis(writer, poses, k, basis);
    for (size_t i = 0; i < 3; i++) {
      for (size_t j = 0; j < 3; j++)
        put(data, i * row + j * column, writer->def->scale * basis[i][j] + 0.0f); /* no -0 */
      put(data, i * row + 3 * column, poses->position[i][k]);
    }
    for (size_t j = 0; j < 4 && form != THRONG_INSTANCE_ROWS_3X4; j++)
      put(data, 3 * row + j * column, j == 3 ? 1.0f : 0.0f);
  }
}

static void write_batch(const struct writer *writer, const struct poses *poses, char *data, size_t stride) {
  if (writer->def->form == THRONG_INSTANCE_POSITION_YAW) {
    write_yaws(writer, poses, data, stride);
  } else if (writer->def->form == THRONG_INSTANCE_POSITION_ROTATION) {
    write_quaternions(writer, poses, data, stride);
  } else if (writer->own && poses->upright) {
    write_upright(writer, poses, data, stride);
  } else {
    write_matrices(writer, poses, data, stride);
  }
}

/* Converts positions to the host's axes: the arithmetic of throng_agents_read. */
static void give_positions(const struct space *space, struct poses *poses) {
  struct host_component to[3];
  for (size_t c = 0; c < 3; c++) to[c] = throng_convert_component(space->axes, THRONG_COLUMN_POSITION, true, c);
  for (uint32_t k = 0; k < poses->count; k++) {
    float host[3];
    for (int c = 0; c < 3; c++) host[to[c].place] = component_give(&to[c], poses->position[c][k]);
    space_hold_host(space, false, host);
    for (int c = 0; c < 3; c++) poses->position[c][k] = host[c];
  }
}

/* Positions in the host's axes. */
static void load_positions(const throng_world *world, const struct some *some, float alpha, struct poses *poses) {
  float *const *f = world->agents.front.f;
  for (int c = 0; c < 3; c++) {
    const float *now = f[COLUMN_POSITION_X + c], *previous = alpha < 1.0f ? f[COLUMN_PREVIOUS + c] : NULL;
    float to[BATCH], *at = poses->position[c];
    if (!now) memset(at, 0, some->count * sizeof *at);
    if (now) load_values(at, previous ? previous : now, some);
    if (!previous) continue;
    load_values(to, now, some);
    mix_coordinates(&world->space, c, alpha, to, at, some->count);
  }
  if (world->space.axes) give_positions(&world->space, poses);
}

static void load_poses(const throng_world *world, const throng_instances_def *def, const struct some *some,
                       struct poses *poses) {
  const float offset[3] = {def->offset.x, def->offset.y, def->offset.z};
  const float alpha = world->has_previous ? def->alpha : 1.0f;
  poses->count = some->count;
  poses->upright = !world->space.spatial;
  load_positions(world, some, alpha, poses);
  for (int c = 0; c < 3; c++) {
    for (uint32_t k = 0; k < some->count; k++) poses->position[c][k] += offset[c];
  }
  (world->space.spatial ? load_spatial : load_planar)(world, some, alpha, poses);
}

/* Lists the next slots, from slot `next` on, of agents that are no ghosts. Returns the slot after them. */
static uint32_t next_own_slots(const throng_world *world, uint32_t next, uint32_t *slots, uint32_t count) {
  for (uint32_t k = 0; k < count; next++) {
    slots[k] = next;
    k += !(world->agents.front.meta[next] & META_GHOST);
  }
  return next;
}

static OUT_OF_LINE throng_status read_inner(const throng_world *world, const throng_instances_def *def, uint32_t count,
                                            void *data, throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(def, error);
  TRY(check_def(world, def, count, error));
  if (count > 0) REQUIRE_POINTER(data, error);
  const struct writer writer = make_writer(world, def);
  const size_t stride = def->stride == 0 ? throng_instance_bytes(def->form) : def->stride;
  struct id_loop all = {0};
  if (def->by_id) {
    throng_lookup_expect(world, count);
    all = throng_lookup_all(world);
  }
  const bool skips_ghosts = !def->by_id && world->piece.ghosts > 0;
  uint32_t slots[BATCH], agents, next = 0;
  for (uint32_t k = 0; k < count; k += agents) {
    struct poses poses;
    agents = count - k < BATCH ? count - k : BATCH;
    if (def->by_id) throng_lookup_next_slots(&all, slots, agents);
    if (skips_ghosts) next = next_own_slots(world, next, slots, agents);
    load_poses(world, def, &(struct some){def->by_id || skips_ghosts ? slots : NULL, k, agents}, &poses);
    write_batch(&writer, &poses, (char *)data + k * stride, stride);
  }
  return THRONG_OK;
}

throng_status throng_agents_read_instances(const throng_world *world, const throng_instances_def *def, uint32_t count,
                                           void *data, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, read_inner(world, def, count, data, error));
}
