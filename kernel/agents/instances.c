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

static void load_planar(const throng_world *world, const struct some *some, struct poses *poses) {
  load_values(poses->yaw, world->agents.front.f[COLUMN_FACING_X], some);
  for (uint32_t k = 0; k < poses->count; k++) scalar_sincos(poses->yaw[k], &poses->sine[k], &poses->cosine[k]);
}
static void load_spatial(const throng_world *world, const struct some *some, struct poses *poses) {
  float *const *facing = world->agents.front.f + COLUMN_FACING_X;
  load_values(poses->sine, facing[0], some);
  load_values(poses->rise, facing[1], some);
  load_values(poses->cosine, facing[2], some);
  for (uint32_t k = 0; k < poses->count; k++) {
    const float x = poses->sine[k], z = poses->cosine[k],
                run = (float)sqrt((double)x * (double)x + (double)z * (double)z);
    poses->run[k] = run;
    poses->sine[k] = run > 0.0f ? x / run : 0.0f;
    poses->cosine[k] = run > 0.0f ? z / run : 1.0f;
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

/* Positions in the host's axes. */
static void load_positions(const throng_world *world, const struct some *some, struct poses *poses) {
  float host[BATCH][3];
  uint32_t slots[BATCH];
  float *const *own = world->agents.front.f + COLUMN_POSITION_X;
  for (int c = 0; c < 3 && !world->space.axes; c++) {
    if (own[c]) load_values(poses->position[c], own[c], some);
    if (!own[c]) memset(poses->position[c], 0, some->count * sizeof(float));
  }
  if (!world->space.axes) return;
  for (uint32_t k = 0; k < some->count; k++) slots[k] = some->slots ? some->slots[k] : some->first + k;
  throng_values_load(world, THRONG_COLUMN_POSITION, slots, some->count, (char *)host, sizeof host[0]);
  for (int c = 0; c < 3; c++) {
    for (uint32_t k = 0; k < some->count; k++) poses->position[c][k] = host[k][c];
  }
}

static void load_poses(const throng_world *world, const throng_instances_def *def, const struct some *some,
                       struct poses *poses) {
  const float offset[3] = {def->offset.x, def->offset.y, def->offset.z};
  poses->count = some->count;
  poses->upright = !world->space.spatial;
  load_positions(world, some, poses);
  for (int c = 0; c < 3; c++) {
    for (uint32_t k = 0; k < some->count; k++) poses->position[c][k] += offset[c];
  }
  (world->space.spatial ? load_spatial : load_planar)(world, some, poses);
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
