/* archive.c: see archive.h. SPDX-License-Identifier: MIT */
#include "record/archive.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/assertion.h"

#define SECTION_HEADER 16u /* tag, number, size */
#define STRETCH 64u        /* floats converted at a time */

/* Advances by `bytes`. If that passes the end, sets `failed` and returns false. */
static bool advance(struct archive *archive, size_t bytes) {
  ASSERT_ALONE(archive->mode == ARCHIVE_MEASURE || archive->at <= archive->size);
  if (archive->mode != ARCHIVE_MEASURE && (archive->failed || bytes > archive->size - archive->at)) {
    archive->failed = true;
    return false;
  }
  archive->at += bytes;
  return true;
}

void throng_archive_bytes(struct archive *archive, uint8_t *bytes, size_t count) {
  if (!advance(archive, count)) {
    if (archive->mode == ARCHIVE_READ) memset(bytes, 0, count);
    return;
  }
  const size_t from = archive->at - count;
  if (archive->mode == ARCHIVE_WRITE) memcpy(archive->out + from, bytes, count);
  if (archive->mode == ARCHIVE_READ) memcpy(bytes, archive->in + from, count);
  if (archive->mode == ARCHIVE_COMPARE && memcmp(archive->in + from, bytes, count) != 0) archive->failed = true;
}

void throng_archive_u8(struct archive *archive, uint8_t *value) { throng_archive_bytes(archive, value, 1); }

void throng_archive_u16(struct archive *archive, uint16_t *value) {
  uint8_t bytes[2] = {(uint8_t)*value, (uint8_t)(*value >> 8)};
  throng_archive_bytes(archive, bytes, sizeof bytes);
  if (archive->mode == ARCHIVE_READ) *value = (uint16_t)archive_get_u16(bytes);
}

static void put_u32(uint8_t *at, uint32_t value) {
  for (int k = 0; k < 4; k++) at[k] = (uint8_t)(value >> 8 * k);
}

static void put_float(uint8_t *at, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_u32(at, bits);
}

void throng_archive_u32(struct archive *archive, uint32_t *value) {
  uint8_t bytes[4];
  put_u32(bytes, *value);
  throng_archive_bytes(archive, bytes, sizeof bytes);
  if (archive->mode == ARCHIVE_READ) *value = archive_get_u32(bytes);
}

void throng_archive_u64(struct archive *archive, uint64_t *value) {
  uint32_t half[2] = {(uint32_t)*value, (uint32_t)(*value >> 32)};
  throng_archive_u32(archive, &half[0]);
  throng_archive_u32(archive, &half[1]);
  if (archive->mode == ARCHIVE_READ) *value = (uint64_t)half[0] | (uint64_t)half[1] << 32;
}

void throng_archive_float(struct archive *archive, float *value) { throng_archive_floats(archive, value, 1); }

/* Converts the floats in parts of up to STRETCH. */
void throng_archive_floats(struct archive *archive, float *values, size_t count) {
  uint8_t bytes[4 * STRETCH];
  for (size_t begin = 0; begin < count; begin += STRETCH) {
    const size_t n = count - begin < STRETCH ? count - begin : STRETCH;
    for (size_t k = 0; k < n && archive->mode != ARCHIVE_READ; k++) put_float(bytes + 4 * k, values[begin + k]);
    throng_archive_bytes(archive, bytes, 4 * n);
    for (size_t k = 0; k < n && archive->mode == ARCHIVE_READ; k++)
      values[begin + k] = archive_get_float(bytes + 4 * k);
  }
}

void throng_archive_bool(struct archive *archive, bool *value) {
  uint8_t byte = *value;
  throng_archive_u8(archive, &byte);
  if (archive->mode != ARCHIVE_READ) return;
  if (byte > 1) archive->failed = true;
  *value = byte == 1;
}

const uint8_t *throng_archive_take(struct archive *archive, uint64_t count, size_t bytes) {
  ASSERT_ALONE(archive->mode == ARCHIVE_READ && archive->at <= archive->size && bytes > 0);
  if (archive->failed || count > (archive->size - archive->at) / bytes) {
    archive->failed = true;
    return NULL;
  }
  archive->at += (size_t)count * bytes;
  return archive->in + archive->at - (size_t)count * bytes;
}

bool throng_archive_measured(struct archive *archive, size_t bytes) {
  return archive->mode == ARCHIVE_MEASURE && advance(archive, bytes);
}

bool throng_archive_complete(const struct archive *archive) {
  ASSERT_ALONE(archive->mode == ARCHIVE_COMPARE || archive->mode == ARCHIVE_READ);
  return !archive->failed && archive->at == archive->size;
}

static void write_header(struct archive *archive, uint32_t tag, uint32_t number, uint64_t size) {
  throng_archive_u32(archive, &tag);
  throng_archive_u32(archive, &number);
  throng_archive_u64(archive, &size);
}

size_t throng_archive_begin(struct archive *archive, uint32_t tag, uint32_t number) {
  const size_t begun = archive->at;
  ASSERT_ALONE(archive->mode != ARCHIVE_READ); /* throng_archive_next reads sections */
  write_header(archive, tag, number, 0);
  return begun;
}

void throng_archive_end(struct archive *archive, size_t begun) {
  ASSERT_ALONE(begun + SECTION_HEADER <= archive->at || archive->failed);
  if (archive->mode != ARCHIVE_WRITE || archive->failed) return;
  struct archive patch = {.mode = ARCHIVE_WRITE, .out = archive->out + begun + 8, .size = 8};
  uint64_t size = archive->at - begun - SECTION_HEADER;
  throng_archive_u64(&patch, &size);
}

bool throng_archive_next(struct archive *archive, uint32_t tag, uint32_t number, struct archive *body) {
  ASSERT_ALONE(archive->mode == ARCHIVE_READ && archive->at <= archive->size);
  const size_t left = archive->size - archive->at;
  const uint8_t *header = archive->in + archive->at;
  if (left < SECTION_HEADER || archive_get_u32(header) != tag || archive_get_u32(header + 4) != number) return false;
  const uint64_t size = archive_get_u64(header + 8);
  if (size > left - SECTION_HEADER) return false;
  *body = (struct archive){.mode = ARCHIVE_READ, .in = header + SECTION_HEADER, .size = (size_t)size};
  archive->at += SECTION_HEADER + (size_t)size;
  return true;
}

throng_status throng_archive_malformed(const char *what, uint32_t number, throng_error *error) {
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "%s %u: missing, out of place or not well-formed", what, number);
}

uint64_t throng_archive_checksum(const uint8_t *bytes, size_t size) {
  uint64_t h = mix64((uint64_t)size + 0x9e3779b97f4a7c15u);
  size_t at = 0;
  for (; size - at >= 8; at += 8) h = mix64(h ^ archive_get_u64(bytes + at));
  uint8_t rest[8] = {0};
  memcpy(rest, bytes + at, size - at);
  return mix64(h ^ archive_get_u64(rest));
}
