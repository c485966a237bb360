/* archive.h: converts values to bytes and back. One function describes a part of the state by its values, in order. The
 * archive's mode decides whether the function measures, writes, compares or reads this part. On every machine numbers
 * are little-endian and without padding.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_RECORD_ARCHIVE_H
#define THRONG_KERNEL_RECORD_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

enum archive_mode { ARCHIVE_MEASURE, ARCHIVE_WRITE, ARCHIVE_COMPARE, ARCHIVE_READ };

struct archive {
  enum archive_mode mode;
  uint8_t *out;      /* WRITE: [size] */
  const uint8_t *in; /* COMPARE and READ: [size] */
  size_t size, at;
  bool failed; /* the bytes ended too early; or COMPARE found a difference; or READ found an invalid value. After a
                  failure READ gives zeros */
};

/* Values. READ sets them; the other modes do not change them. */
void throng_archive_u8(struct archive *archive, uint8_t *value);
void throng_archive_u16(struct archive *archive, uint16_t *value);
void throng_archive_u32(struct archive *archive, uint32_t *value);
void throng_archive_u64(struct archive *archive, uint64_t *value);
void throng_archive_float(struct archive *archive, float *value);
void throng_archive_floats(struct archive *archive, float *values, size_t count);
/* One byte, 0 or 1; READ fails on other values. */
void throng_archive_bool(struct archive *archive, bool *value);
void throng_archive_bytes(struct archive *archive, uint8_t *bytes, size_t count);

/* An enumerator as a 32-bit number. */
#define ARCHIVE_ENUM(archive, type, value)                                                                             \
  do {                                                                                                                 \
    uint32_t number = (uint32_t)(value);                                                                               \
    throng_archive_u32(archive, &number);                                                                              \
    (value) = (type)number;                                                                                            \
  } while (0)

/* In mode READ it skips `count` elements of `bytes` bytes each, and returns their address. If the archive is too short,
 * it sets `failed` and returns NULL. */
const uint8_t *throng_archive_take(struct archive *archive, uint64_t count, size_t bytes);
/* In mode MEASURE it adds `bytes` and returns true. In other modes it returns false, and the caller must describe the
 * values. */
bool throng_archive_measured(struct archive *archive, size_t bytes);
/* In modes COMPARE and READ: whether all bytes were used without a failure. */
bool throng_archive_complete(const struct archive *archive);

/* Read from elements that throng_archive_take returned. */
static inline uint32_t archive_get_u16(const uint8_t *at) { return (uint32_t)at[0] | (uint32_t)at[1] << 8; }
static inline uint32_t archive_get_u32(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}
static inline uint64_t archive_get_u64(const uint8_t *at) {
  return (uint64_t)archive_get_u32(at) | (uint64_t)archive_get_u32(at + 4) << 32;
}
static inline float archive_get_float(const uint8_t *at) {
  const uint32_t bits = archive_get_u32(at);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Sections: four letters, a number, the size of the body as 64 bits, then the body. */
#define ARCHIVE_TAG(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* Begin and end a section; `end` takes what `begin` returned. */
size_t throng_archive_begin(struct archive *archive, uint32_t tag, uint32_t number);
void throng_archive_end(struct archive *archive, size_t begun);
/* READ: if the next section has this tag and number, skips it, sets *body to its body and returns true. */
bool throng_archive_next(struct archive *archive, uint32_t tag, uint32_t number, struct archive *body);
/* The error of a malformed section. */
throng_status throng_archive_malformed(const char *what, uint32_t number, throng_error *error);

/* Returns a 64-bit checksum. A change within one aligned group of 8 bytes always changes the checksum. Any other change
 * leaves it unchanged with probability 2^-64. */
uint64_t throng_archive_checksum(const uint8_t *bytes, size_t size);

#endif
