/* tests/record/test_snapshot_hostile.c: tests of snapshots that are truncated, changed or of another definition, and of
 * failing allocations: the load fails and changes nothing, or the world is sound. SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/full.h"
#include "support/memory.h"
#include "support/snapshots.h"
#include "support/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/archive.h"

static uint64_t base_seed;

/* Checks that the world refuses the bytes, and is still the one of the snapshot `before`. */
static void require_refusal(throng_world *world, const snapshot *bytes, const snapshot *before) {
  throng_error error = {.status = THRONG_OK};
  throng_world_def def = {.cookie = 77};
  const throng_status status = throng_world_load_snapshot(world, bytes->bytes, bytes->size, &error);
  assert_int_not_equal(status, THRONG_OK);
  require_error(status, status, &error);
  assert_true(strncmp(error.text, "snapshot: ", 10) == 0);
  assert_true(snapshot_is_of(before, world));
  assert_int_not_equal(throng_snapshot_get_def(bytes->bytes, bytes->size, &def, &error), THRONG_OK);
  assert_int_equal(def.cookie, 77);
}

static void every_truncation_is_refused(void **state) {
  (void)state;
  throng_world *world = small_furnished_world(base_seed, NULL);
  snapshot saved = snapshot_take(world);
  printf("%zu bytes\n", saved.size);
  for (size_t size = 0; size < saved.size; size++) {
    snapshot cut = snapshot_copy(&saved, size);
    require_refusal(world, &cut, &saved);
    snapshot_free(&cut);
  }
  for (size_t more = 1; more < 40; more++) {
    snapshot longer = snapshot_copy(&saved, saved.size + more);
    require_refusal(world, &longer, &saved);
    snapshot_free(&longer);
  }
  throng_world_destroy(world);
  snapshot_free(&saved);
}

/* A truncated snapshot is also refused if its size and checksum are made valid again. */
static void every_sealed_truncation_is_refused(void **state) {
  (void)state;
  throng_world *world = small_furnished_world(base_seed, NULL);
  snapshot saved = snapshot_take(world);
  for (size_t size = 0; size < saved.size; size++) {
    throng_error error;
    snapshot cut = snapshot_copy(&saved, size);
    snapshot_seal(&cut);
    assert_int_not_equal(throng_world_load_snapshot(world, cut.bytes, cut.size, &error), THRONG_OK);
    assert_true(snapshot_is_of(&saved, world));
    snapshot_free(&cut);
  }
  throng_world_destroy(world);
  snapshot_free(&saved);
}

static void every_flipped_bit_is_refused(void **state) {
  (void)state;
  throng_world *world = small_furnished_world(base_seed, NULL);
  snapshot saved = snapshot_take(world), flipped = snapshot_take(world);
  throng_error error;
  for (size_t bit = 0; bit < 8 * saved.size; bit++) {
    flipped.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    if (bit % 64 == 0) {
      require_refusal(world, &flipped, &saved);
    } else {
      assert_int_not_equal(throng_world_load_snapshot(world, flipped.bytes, flipped.size, &error), THRONG_OK);
    }
    flipped.bytes[bit / 8] = saved.bytes[bit / 8];
  }
  assert_true(snapshot_is_of(&saved, world));
  throng_world_destroy(world);
  snapshot_free(&saved);
  snapshot_free(&flipped);
}

/* Returns a number that decoders may handle wrongly: limits, float infinities and NaNs, or a random one. */
static uint32_t odd_number(test_rng *rng) {
  static const uint32_t odd[] = {0,          1,          2,          255,        256,        65535,      65536,
                                 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x3f800000, 0x7f800000, 0xff800000,
                                 0x7fc00000, 0x00000001, 0x7f7fffff, 0x501502f9, 16384,      0x40000000};
  return rng_chance(rng, 0.3f) ? (uint32_t)rng_next(rng) : odd[rng_below(rng, sizeof odd / sizeof odd[0])];
}

static void mutate(test_rng *rng, snapshot *s) {
  const uint32_t changes = 1 + rng_below(rng, 3);
  for (uint32_t k = 0; k < changes; k++) {
    size_t at = 20 + rng_below(rng, (uint32_t)s->size - 28);
    if (rng_chance(rng, 0.5f)) at = 20 + (at - 20) / 4 * 4; /* most numbers begin at multiples of 4 bytes */
    const uint32_t number = odd_number(rng);
    if (rng_chance(rng, 0.25f)) {
      s->bytes[at] ^= (uint8_t)(1u << number % 8);
      continue;
    }
    for (uint32_t i = 0; i < 4 && at + i < s->size - 8; i++) s->bytes[at + i] = (uint8_t)(number >> 8 * i);
  }
  if (rng_chance(rng, 0.1f)) { /* copies a range of bytes to another place in the file */
    const size_t from = 20 + rng_below(rng, (uint32_t)s->size - 28), to = 20 + rng_below(rng, (uint32_t)s->size - 28);
    const size_t longest = s->size - 8 - (from > to ? from : to), bytes = rng_below(rng, 64);
    memmove(s->bytes + to, s->bytes + from, bytes < longest ? bytes : longest);
  }
  snapshot_seal(s);
}

static void check_mutations(uint64_t seed, uint32_t rounds, uint32_t *taken) {
  test_rng rng = rng_from(seed);
  test_memory memory = {0};
  const throng_allocator allocator = test_allocator(&memory);
  throng_world *world = small_furnished_world(seed, &allocator);
  snapshot saved = snapshot_take(world);
  throng_error error;
  for (uint32_t round = 0; round < rounds; round++) {
    snapshot changed = snapshot_copy(&saved, saved.size);
    mutate(&rng, &changed);
    if (throng_world_load_snapshot(world, changed.bytes, changed.size, &error) == THRONG_OK) {
      ++*taken;
      require_sound(world, "a changed snapshot");
      for (uint32_t frame = 0; frame < 2; frame++) {
        if (throng_world_step(world, 0.02f, NULL) == THRONG_OK)
          require_sound(world, "a frame after a changed snapshot");
      }
      stir_world(world, round);
      (void)throng_world_step(world, 0.02f, NULL);
      require_ok(throng_world_load_snapshot(world, saved.bytes, saved.size, &error), &error);
    }
    if (!snapshot_is_of(&saved, world))
      print_error("seed %llu, round %u: the world differs\n", (unsigned long long)seed, round);
    assert_true(snapshot_is_of(&saved, world));
    snapshot_free(&changed);
  }
  throng_world_destroy(world);
  snapshot_free(&saved);
  assert_true(memory.live == 0 && memory.mistakes == 0);
}

static void sealed_changes_do_no_harm(void **state) {
  (void)state;
  uint32_t taken = 0;
  for (uint32_t k = 0; k < 24; k++) check_mutations(base_seed + 100 + k, 400, &taken);
  printf("%u of 9600 changed snapshots were loaded\n", taken);
}

static void running_out_of_memory_changes_nothing(void **state) {
  (void)state;
  for (uint64_t seed = base_seed + 200; seed < base_seed + 206; seed++) {
    throng_world *rich = small_furnished_world(seed, NULL);
    snapshot saved = snapshot_take(rich);
    throng_error error;
    uint64_t k = 1;
    for (bool over = false; !over; k++) {
      test_memory memory = {0};
      const throng_allocator allocator = test_allocator(&memory);
      throng_world_def def;
      throng_world *world = NULL;
      require_ok(throng_snapshot_get_def(saved.bytes, saved.size, &def, &error), &error);
      def.thread_count = 1;
      def.allocator = allocator;
      require_ok(throng_world_create(&def, &world, &error), &error);
      snapshot before = snapshot_take(world);
      const uint64_t live = memory.live;
      memory.fail_at = memory.calls + k;
      const throng_status status = throng_world_load_snapshot(world, saved.bytes, saved.size, &error);
      over = memory.calls < memory.fail_at;
      memory.fail_at = 0;
      assert_int_equal(status, over ? THRONG_OK : THRONG_ERROR_OUT_OF_MEMORY);
      if (!over) {
        assert_true(snapshot_is_of(&before, world) && memory.live == live);
        require_sound(world, "out of memory");
        require_ok(throng_world_load_snapshot(world, saved.bytes, saved.size, &error), &error);
      }
      assert_true(snapshot_is_of(&saved, world));
      throng_world_destroy(world);
      assert_true(memory.live == 0 && memory.mistakes == 0);
      snapshot_free(&before);
    }
    assert_true(k > 10);
    throng_world_destroy(rich);
    snapshot_free(&saved);
  }
}

static void refuse_definition(const throng_world_def *def, const snapshot *saved, const char *field) {
  const throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(def, &g);
  throng_error error;
  require_error(throng_world_load_snapshot(world, saved->bytes, saved->size, &error), THRONG_ERROR_BAD_VALUE, &error);
  if (!strstr(error.text, field)) print_error("the error does not name %s: %s\n", field, error.text);
  assert_non_null(strstr(error.text, field));
  throng_world_destroy(world);
}

/* A world with another value of a field that changes bits refuses the snapshot. The error names the field. */
static void other_definitions_are_refused(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def(), d;
  throng_error error;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.space = THRONG_SPACE_SPATIAL;
  throng_world *world = NULL;
  require_ok(throng_world_create(&def, &world, &error), &error);
  const throng_vec3 p = {10, 10, 10};
  stage_add(world, 1, &p, NULL, NULL, NULL);
  snapshot saved = snapshot_take_indexed(world);
#define OTHER(field, value) d = def, d.field = (value), refuse_definition(&d, &saved, "world." #field)
  OTHER(space, THRONG_SPACE_PLANAR);
  OTHER(boundary[0], THRONG_BOUNDARY_BOX);
  OTHER(boundary[1], THRONG_BOUNDARY_BOX);
  OTHER(boundary[2], THRONG_BOUNDARY_UNBOUNDED);
  OTHER(box_min.x, -1.0f);
  OTHER(box_min.y, -1.0f);
  OTHER(box_min.z, -1.0f);
  OTHER(box_max.x, 50.0f);
  OTHER(box_max.y, 50.0f);
  OTHER(box_max.z, 50.0f);
  OTHER(perception_radius, 2.0f);
  OTHER(separation_law, THRONG_SEPARATION_LINEAR);
  OTHER(update, THRONG_UPDATE_BALLISTIC);
  OTHER(seed, 1ull << 40);
  OTHER(id_world, 3);
  OTHER(neighbour_budget, 7);
  OTHER(contact_iterations, 5);
  throng_world_destroy(world);
  snapshot_free(&saved);
}

static void wrong_arguments_are_refused(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  throng_world_def def;
  size_t size = 1;
  uint8_t bytes[8192];
  require_error(throng_world_save_snapshot(NULL, bytes, 5, &size, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_world_save_snapshot(world, bytes, 5, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_world_load_snapshot(NULL, bytes, 5, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_world_load_snapshot(world, NULL, 5, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_snapshot_get_def(NULL, 5, &def, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_snapshot_get_def(bytes, 5, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_world_load_snapshot(world, bytes, 0, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_int_equal(throng_world_load_snapshot(world, bytes, 0, NULL), THRONG_ERROR_BAD_VALUE);

  const throng_vec3 p = {10, 0, 10};
  stage_add(world, 1, &p, NULL, NULL, NULL);
  require_error(throng_world_save_snapshot(world, bytes, sizeof bytes, &size, &error), THRONG_ERROR_NOT_INDEXED,
                &error);
  require_ok(throng_world_index(world, &error), &error);
  require_ok(throng_world_save_snapshot(world, NULL, 0, &size, &error), &error);
  char needed[32];
  snprintf(needed, sizeof needed, "needs %zu", size);
  memset(bytes, 7, sizeof bytes);
  const size_t needs = size;
  require_error(throng_world_save_snapshot(world, bytes, needs - 1, &size, &error), THRONG_ERROR_CAPACITY, &error);
  assert_non_null(strstr(error.text, needed));
  assert_true(size == needs && bytes[0] == 7);
  require_ok(throng_world_save_snapshot(world, bytes, needs, &size, &error), &error);
  assert_true(bytes[needs] == 7);

  throng_world_destroy(world);
}

/* Snapshots of older and newer format versions are refused. */
static void other_formats_are_refused(void **state) {
  (void)state;
  throng_world *world = small_furnished_world(base_seed, NULL);
  snapshot saved = snapshot_take(world);
  const uint8_t now = saved.bytes[8];
  assert_int_equal(now, 3);
  for (uint8_t format = 0; format < 5; format++) {
    if (format == now) continue;
    throng_error error;
    throng_world_def def;
    char versions[60];
    snprintf(versions, sizeof versions, "version %u, this library reads version %u", format, now);
    snapshot other = snapshot_copy(&saved, saved.size);
    other.bytes[8] = format;
    snapshot_seal(&other);
    require_refusal(world, &other, &saved);
    require_error(throng_world_load_snapshot(world, other.bytes, other.size, &error), THRONG_ERROR_UNSUPPORTED, &error);
    assert_non_null(strstr(error.text, versions));
    require_error(throng_snapshot_get_def(other.bytes, other.size, &def, &error), THRONG_ERROR_UNSUPPORTED, &error);
    assert_non_null(strstr(error.text, versions));
    snapshot_free(&other);
  }
  throng_world_destroy(world);
  snapshot_free(&saved);
}

static void put(snapshot *s, size_t at, uint32_t number) {
  for (int i = 0; i < 4; i++) s->bytes[at + (size_t)i] = (uint8_t)(number >> 8 * i);
}

/* Counts of speed zones and of the raster's cells whose sum overflows, or that have no factors. */
static void counts_of_zones_are_checked(void **state) {
  (void)state;
  static const uint32_t counts[][3] = {{780903145u, UINT32_MAX, UINT32_MAX}, /* 11 per zone: the sum is 2^64 + 4 */
                                       {UINT32_MAX, 4, 4},
                                       {2, UINT32_MAX, 4},
                                       {2, 65536, 65536},
                                       {2, 0, 4},
                                       {0, 4, 0},
                                       {0, 0, 0}};
  const throng_world_def def = full_def(THRONG_SPACE_PLANAR);
  throng_world *world = full_world(&def, NULL);
  snapshot saved = snapshot_take_indexed(world);
  size_t at = 0;
  while (memcmp(saved.bytes + at, "zone", 4) != 0) at++;
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    snapshot changed = snapshot_copy(&saved, saved.size);
    for (size_t i = 0; i < 3; i++) put(&changed, at + 16 + 4 * i, counts[k][i]); /* behind the section's header */
    snapshot_seal(&changed);
    throng_error error;
    const throng_status status = throng_world_load_snapshot(world, changed.bytes, changed.size, &error);
    require_error(status, THRONG_ERROR_BAD_VALUE, &error);
    assert_true(snapshot_is_of(&saved, world));
    snapshot_free(&changed);
  }
  throng_world_destroy(world);
  snapshot_free(&saved);
}

int main(void) {
  base_seed = test_seed("test_snapshot_hostile", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_truncation_is_refused),           cmocka_unit_test(every_sealed_truncation_is_refused),
      cmocka_unit_test(every_flipped_bit_is_refused),          cmocka_unit_test(sealed_changes_do_no_harm),
      cmocka_unit_test(running_out_of_memory_changes_nothing), cmocka_unit_test(other_definitions_are_refused),
      cmocka_unit_test(wrong_arguments_are_refused),           cmocka_unit_test(other_formats_are_refused),
      cmocka_unit_test(counts_of_zones_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
