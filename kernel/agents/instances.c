/* instances.c: see throng/instances.h. Plain C, so that the bits are the same on every instruction set. The loops over
 * a batch have few branches, so that compilers vectorise them. SPDX-License-Identifier: MIT */
#include <throng/instances.h>

#include <math.h>
#include <string.h>

#include "agents/walk.h"
#include "base/arithmetic.h"
#include "base/assertion.h"
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

/* Returns the values of a column: in place if they are consecutive, otherwise gathered in `room`. */
static const float *values_of(const float *column, const struct some *some, float room[BATCH]) {
  ASSERT_ALONE(some->count <= BATCH);
  if (!some->slots) return column + some->first;
  for (uint32_t k = 0; k < some->count; k++) room[k] = column[some->slots[k]];
  return room;
}
static void load_values(float *to, const float *column, const struct some *some) {
  const float *values = values_of(column, some, to);
  if (values != to) memcpy(to, values, some->count * sizeof *to);
}

/* Between two steps: the formulas of instances.h, from the previous values to the present ones. They calculate with the
 * results of comparisons, because compilers vectorise hardly any loop with a choice. */

/* Along one axis. */
static void mix_coordinates(const struct grid_axis *axis, float max, float alpha, const float *restrict from,
                            const float *restrict to, float *restrict at, uint32_t count) {
  const float length = axis->length, half = 0.5f * length, min = axis->origin;
  for (uint32_t k = 0; k < count && axis->period == 0; k++) at[k] = from[k] + alpha * (to[k] - from[k]);
  for (uint32_t k = 0; k < count && axis->period > 0; k++) {
    float d = to[k] - from[k];
    d -= length * (float)((d > half) - (d < -half));
    const float p = from[k] + alpha * d;
    at[k] = p - length * (float)((p >= max) - (p < min));
  }
}
static void mix_yaws(float alpha, const float *restrict from, const float *restrict to, float *restrict at,
                     uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    float d = to[k] - from[k];
    d -= SCALAR_TWO_PI * (float)((d > SCALAR_PI) - (d <= -SCALAR_PI));
    const float yaw = from[k] + alpha * d;
    at[k] = yaw - SCALAR_TWO_PI * (float)((yaw > SCALAR_PI) - (yaw < -SCALAR_PI));
  }
}
#define OPPOSITE_SQ 1e-6f /* a chord that comes so near to 0 has no direction */
static void mix_facings(float alpha, float now[3][BATCH], float *const facing[3], uint32_t count) {
  float length_sq[BATCH] = {0}, opposite[BATCH], scale[BATCH], before[3][BATCH];
  for (int c = 0; c < 3; c++) {
    float *restrict at = facing[c];
    const float *restrict to = now[c];
    memcpy(before[c], at, count * sizeof *at);
    for (uint32_t k = 0; k < count; k++) {
      at[k] += alpha * (to[k] - at[k]);
      length_sq[k] += at[k] * at[k];
    }
  }
  for (uint32_t k = 0; k < count; k++) opposite[k] = (float)(length_sq[k] < OPPOSITE_SQ);
  for (uint32_t k = 0; k < count; k++) scale[k] = (1.0f - opposite[k]) / sqrtf(length_sq[k] + opposite[k]);
  for (int c = 0; c < 3; c++) {
    float *restrict at = facing[c];
    const float *restrict instead = alpha < 0.5f ? before[c] : now[c];
    for (uint32_t k = 0; k < count; k++) at[k] = at[k] * scale[k] + opposite[k] * instead[k];
  }
}

static void load_yaws(const throng_world *world, const struct some *some, float alpha, float *yaw) {
  const float *now = world->agents.front.f[COLUMN_FACING_X], *previous = world->agents.front.f[COLUMN_PREVIOUS_FACING];
  float room[2][BATCH];
  if (alpha == 0.0f || alpha == 1.0f) {
    load_values(yaw, alpha == 0.0f ? previous : now, some);
  } else {
    mix_yaws(alpha, values_of(previous, some, room[0]), values_of(now, some, room[1]), yaw, some->count);
  }
}
static void load_facings(const throng_world *world, const struct some *some, float alpha, float *const facing[3]) {
  float *const *f = world->agents.front.f;
  float now[3][BATCH];
  for (int c = 0; c < 3; c++) {
    load_values(facing[c], f[(alpha < 1.0f ? COLUMN_PREVIOUS_FACING : COLUMN_FACING_X) + c], some);
    if (alpha > 0.0f && alpha < 1.0f) load_values(now[c], f[COLUMN_FACING_X + c], some);
  }
  if (alpha > 0.0f && alpha < 1.0f) mix_facings(alpha, now, facing, some->count);
}

/* `looks`: the form needs the sine and the cosine. */
static void load_planar(const throng_world *world, const struct some *some, float alpha, bool looks,
                        struct poses *poses) {
  load_yaws(world, some, alpha, poses->yaw);
  for (uint32_t k = 0; k < poses->count && looks; k++) scalar_sincos(poses->yaw[k], &poses->sine[k], &poses->cosine[k]);
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
/* Upright models in throng's own axes: only four elements of the rotation change, so that storing takes longer than the
 * arithmetic. */
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

/* Matrices in the host's axes: an array for each element, because compilers vectorise such arithmetic. */
struct matrices {
  const float *element[4][4]; /* [row][column][BATCH] */
  float turned[8][BATCH];     /* the elements of the rotation that differ between agents, scaled */
  float scale[BATCH], one[BATCH];
};
static const float zero[BATCH];

/* If one of throng's x and y is turned, elements (0, 1) and (1, 0) of a rotation change their sign; and so on. */
static float sign_of(const struct writer *writer, int i, int j) { return writer->sign[i] * writer->sign[j]; }
static void set_element(const struct writer *writer, struct matrices *to, int i, int j, const float *values) {
  to->element[writer->place[i]][writer->place[j]] = values;
}

/* The rotations of upright models. `+ 0.0f`: no -0. */
static void find_upright(const struct writer *writer, const struct poses *poses, struct matrices *to) {
  const float scale = writer->def->scale, sign = sign_of(writer, 0, 2);
  for (uint32_t k = 0; k < poses->count; k++) {
    to->turned[0][k] = scale * poses->cosine[k] + 0.0f;
    to->turned[1][k] = scale * (sign * poses->sine[k]) + 0.0f;
    to->turned[2][k] = scale * (sign * -poses->sine[k]) + 0.0f;
  }
  set_element(writer, to, 0, 0, to->turned[0]);
  set_element(writer, to, 0, 2, to->turned[1]);
  set_element(writer, to, 1, 1, to->scale);
  set_element(writer, to, 2, 0, to->turned[2]);
  set_element(writer, to, 2, 2, to->turned[0]);
}

/* The others. */
static void find_pitched(const struct writer *writer, const struct poses *poses, struct matrices *to) {
  const float scale = writer->def->scale;
  const float xy = sign_of(writer, 0, 1), xz = sign_of(writer, 0, 2), yz = sign_of(writer, 1, 2);
  for (uint32_t k = 0; k < poses->count; k++) {
    const float s = poses->sine[k], c = poses->cosine[k], rise = poses->rise[k], run = poses->run[k];
    to->turned[0][k] = scale * c + 0.0f;
    to->turned[1][k] = scale * (xy * (-s * rise)) + 0.0f;
    to->turned[2][k] = scale * (xz * (s * run)) + 0.0f;
    to->turned[3][k] = scale * run + 0.0f;
    to->turned[4][k] = scale * (yz * rise) + 0.0f;
    to->turned[5][k] = scale * (xz * -s) + 0.0f;
    to->turned[6][k] = scale * (yz * (-c * rise)) + 0.0f;
    to->turned[7][k] = scale * (c * run) + 0.0f;
  }
  static const int place[8][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
  for (int k = 0; k < 8; k++) set_element(writer, to, place[k][0], place[k][1], to->turned[k]);
}

#define LINES 64u /* of four elements */
/* Interleaves elements from number `begin` on. */
static void make_lines(const float *const element[4], uint32_t begin, uint32_t count, float line[LINES][4]) {
  const float *a = element[0] + begin, *b = element[1] + begin, *c = element[2] + begin, *d = element[3] + begin;
  for (uint32_t k = 0; k < count; k++) {
    line[k][0] = a[k];
    line[k][1] = b[k];
    line[k][2] = c[k];
    line[k][3] = d[k];
  }
}
/* Stores four elements of an instance at once. */
static void put_lines(const float *const element[4][4], uint32_t lines, uint32_t count, char *data, size_t stride) {
  float line[4][LINES][4];
  for (uint32_t begin = 0, part; begin < count; begin += part, data += part * stride) {
    part = count - begin < LINES ? count - begin : LINES;
    for (uint32_t n = 0; n < lines; n++) make_lines(element[n], begin, part, line[n]);
    for (uint32_t k = 0; k < part; k++) {
      char *to = data + k * stride;
      memcpy(to, line[0][k], sizeof line[0][k]);
      memcpy(to + sizeof line[0][k], line[1][k], sizeof line[0][k]);
      memcpy(to + 2 * sizeof line[0][k], line[2][k], sizeof line[0][k]);
      if (lines == 4) memcpy(to + 3 * sizeof line[0][k], line[3][k], sizeof line[0][k]);
    }
  }
}

static void write_matrices(const struct writer *writer, const struct poses *poses, char *data, size_t stride) {
  const throng_instance_form form = writer->def->form;
  struct matrices it;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) it.element[i][j] = zero;
  for (uint32_t k = 0; k < poses->count; k++) {
    it.scale[k] = writer->def->scale;
    it.one[k] = 1.0f;
  }
  (poses->upright ? find_upright : find_pitched)(writer, poses, &it);
  for (int i = 0; i < 3; i++) it.element[i][3] = poses->position[i];
  it.element[3][3] = it.one;
  const float *lines[4][4];
  for (int n = 0; n < 4; n++) {
    for (int k = 0; k < 4; k++) lines[n][k] = form == THRONG_INSTANCE_COLUMNS_4X4 ? it.element[k][n] : it.element[n][k];
  }
  put_lines((const float *const(*)[4])lines, form == THRONG_INSTANCE_ROWS_3X4 ? 3 : 4, poses->count, data, stride);
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

/* Loads coordinate c. Between two steps it is never outside of the world, whatever rounds. */
static void load_coordinates(const throng_world *world, int c, const struct some *some, float alpha, float *at) {
  const struct space *space = &world->space;
  const float *now = world->agents.front.f[COLUMN_POSITION_X + c],
              *previous = world->agents.front.f[COLUMN_PREVIOUS + c];
  const float low = space->low[c], high = space->high[c];
  float room[2][BATCH];
  if (!now) memset(at, 0, some->count * sizeof *at);
  if (!now) return;
  if (alpha == 1.0f || !previous) {
    load_values(at, now, some);
    return;
  }
  if (alpha == 0.0f) {
    load_values(at, previous, some);
  } else {
    mix_coordinates(&space->axis[c], space->end[c], alpha, values_of(previous, some, room[0]),
                    values_of(now, some, room[1]), at, some->count);
  }
  for (uint32_t k = 0; k < some->count && space->boundary[c] != THRONG_BOUNDARY_UNBOUNDED; k++) {
    const float p = at[k] < low ? low : at[k];
    at[k] = p > high ? high : p;
  }
}

static void load_poses(const throng_world *world, const throng_instances_def *def, const struct some *some,
                       struct poses *poses) {
  const float offset[3] = {def->offset.x, def->offset.y, def->offset.z};
  const float alpha = world->has_previous ? def->alpha : 1.0f;
  poses->count = some->count;
  poses->upright = !world->space.spatial;
  for (int c = 0; c < 3; c++) load_coordinates(world, c, some, alpha, poses->position[c]);
  if (world->space.axes) give_positions(&world->space, poses);
  for (int c = 0; c < 3; c++) {
    for (uint32_t k = 0; k < some->count; k++) poses->position[c][k] += offset[c];
  }
  if (world->space.spatial) load_spatial(world, some, alpha, poses);
  if (!world->space.spatial) load_planar(world, some, alpha, def->form != THRONG_INSTANCE_POSITION_YAW, poses);
}

struct writing {
  const throng_instances_def *def;
  struct writer writer;
  char *data;
  size_t stride;
};
static void write_some(const struct walk *walk, uint32_t from, uint32_t count, const uint32_t *slots, void *context) {
  const struct writing *writing = context;
  struct poses poses;
  load_poses(walk->world, writing->def, &(struct some){slots, from, count}, &poses);
  write_batch(&writing->writer, &poses, writing->data + from * writing->stride, writing->stride);
}

static OUT_OF_LINE throng_status read_inner(const throng_world *world, const throng_instances_def *def, uint32_t count,
                                            void *data, throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(def, error);
  TRY(check_def(world, def, count, error));
  if (count > 0) REQUIRE_POINTER(data, error);
  struct writing writing = {def, make_writer(world, def), data, def->stride};
  if (def->stride == 0) writing.stride = throng_instance_bytes(def->form);
  struct walk walk;
  if (def->by_id) throng_walk_begin(&walk, world, NULL, count);
  if (!def->by_id) throng_walk_begin_view(&walk, world, count);
  throng_walk(&walk, write_some, &writing);
  return THRONG_OK;
}

throng_status throng_agents_read_instances(const throng_world *world, const throng_instances_def *def, uint32_t count,
                                           void *data, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, read_inner(world, def, count, data, error));
}
