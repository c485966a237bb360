/* checkpoint_format.c: the bytes of a checkpoint's head, and checksums. SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/assertion.h"
#include "mpi/checkpoint_internal.h"

#define LETTERS "throngck"
#define LETTER_COUNT 8u
#define BLOCK_BYTES 16u
#define CHECKSUM_BYTES 8u
#define GOLDEN 0x9e3779b97f4a7c15u

/* The numbers of the fixed part, in the order of the file. */
static const struct {
  size_t offset, bytes;
} numbers[] = {{offsetof(struct checkpoint, blocks), 4},          {offsetof(struct checkpoint, size), 8},
               {offsetof(struct checkpoint, frame), 8},           {offsetof(struct checkpoint, agents), 8},
               {offsetof(struct checkpoint, columns), 8},         {offsetof(struct checkpoint, record_bytes), 4},
               {offsetof(struct checkpoint, definition_bytes), 8}};
#define NUMBERS (sizeof numbers / sizeof *numbers)
_Static_assert(sizeof((struct checkpoint *)0)->blocks == 4 && sizeof((struct checkpoint *)0)->record_bytes == 4 &&
                   sizeof((struct checkpoint *)0)->size == 8,
               "numbers have the sizes of the members");
_Static_assert(LETTER_COUNT + 4 + 2 * 4 + 5 * 8 == CHECKPOINT_FIXED_BYTES,
               "letters, format, two numbers of 4 bytes, five of 8");

void throng_mpi_release_checkpoint(struct checkpoint *checkpoint) {
  free(checkpoint->block);
  free(checkpoint->definition);
  *checkpoint = (struct checkpoint){0};
}

throng_status throng_mpi_check_byte_order(throng_error *error) {
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, sizeof first);
  return first == 1 ? THRONG_OK
                    : throng_mpi_fail(error, THRONG_ERROR_UNSUPPORTED,
                                      "checkpoints are little-endian, this machine is big-endian");
}

/* A bijective mixer of 64 bits (the finaliser of splitmix64: Steele, Lea, Flood, 2014). */
static uint64_t mix(uint64_t h) {
  h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
  h = (h ^ h >> 27) * 0x94d049bb133111ebu;
  return h ^ h >> 31;
}

/* Every 8 bytes change the whole hash; the last ones are filled with zeros. */
static uint64_t hash_bytes(const void *bytes, size_t size, uint64_t h) {
  const char *at = bytes;
  for (size_t left = size; left > 0;) {
    const size_t part = left < sizeof(uint64_t) ? left : sizeof(uint64_t);
    uint64_t word = 0;
    memcpy(&word, at, part);
    h = mix(h ^ word);
    at += part;
    left -= part;
  }
  return h;
}

uint64_t throng_mpi_sum_records(const char *records, size_t record_bytes, uint64_t count, uint64_t first) {
  uint64_t sum = 0;
  for (uint64_t k = 0; k < count; k++)
    sum += hash_bytes(records + k * record_bytes, record_bytes, mix(first + k + GOLDEN));
  return sum;
}

size_t throng_mpi_head_bytes(uint32_t blocks) {
  return CHECKPOINT_FIXED_BYTES + (size_t)blocks * BLOCK_BYTES + CHECKSUM_BYTES;
}

uint64_t throng_mpi_first_block(const struct checkpoint *checkpoint) {
  return throng_mpi_head_bytes(checkpoint->blocks) + checkpoint->definition_bytes;
}

static uint64_t head_checksum(const uint8_t *bytes, size_t size) { return hash_bytes(bytes, size, mix(size + GOLDEN)); }

static uint8_t *put(uint8_t *at, const void *value, size_t bytes) {
  memcpy(at, value, bytes);
  return at + bytes;
}

void throng_mpi_write_head(const struct checkpoint *checkpoint, uint8_t *bytes) {
  const uint32_t format = CHECKPOINT_FORMAT;
  uint8_t *at = put(bytes, LETTERS, LETTER_COUNT);
  at = put(at, &format, 4);
  for (size_t k = 0; k < NUMBERS; k++) at = put(at, (const char *)checkpoint + numbers[k].offset, numbers[k].bytes);
  for (uint32_t k = 0; k < checkpoint->blocks; k++) {
    at = put(at, &checkpoint->block[k].records, 8);
    at = put(at, &checkpoint->block[k].checksum, 8);
  }
  ASSERT_ALONE((size_t)(at - bytes) + CHECKSUM_BYTES == throng_mpi_head_bytes(checkpoint->blocks));
  const uint64_t checksum = head_checksum(bytes, (size_t)(at - bytes));
  put(at, &checksum, CHECKSUM_BYTES);
}

static const uint8_t *get(const uint8_t *at, void *value, size_t bytes) {
  memcpy(value, at, bytes);
  return at + bytes;
}

throng_status throng_mpi_read_fixed(struct checkpoint *checkpoint, const uint8_t *bytes, uint64_t file_bytes,
                                    throng_error *error) {
  uint32_t format;
  if (memcmp(bytes, LETTERS, LETTER_COUNT) != 0)
    return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "it is no checkpoint");
  const uint8_t *at = get(bytes + LETTER_COUNT, &format, 4);
  if (format != CHECKPOINT_FORMAT) {
    return throng_mpi_fail(error, THRONG_ERROR_UNSUPPORTED, "version %u, this library reads version %u", format,
                           CHECKPOINT_FORMAT);
  }
  for (size_t k = 0; k < NUMBERS; k++) at = get(at, (char *)checkpoint + numbers[k].offset, numbers[k].bytes);
  ASSERT_ALONE(at == bytes + CHECKPOINT_FIXED_BYTES);
  if (checkpoint->size != file_bytes) {
    return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "it has %llu bytes, but %llu were saved",
                           (unsigned long long)file_bytes, (unsigned long long)checkpoint->size);
  }
  if (throng_mpi_head_bytes(checkpoint->blocks) <= file_bytes) return THRONG_OK;
  return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "its head is damaged: %u blocks", checkpoint->blocks);
}

/* Checks that the parts of the file have its size. */
static throng_status check_sizes(const struct checkpoint *checkpoint, throng_error *error) {
  uint64_t left = checkpoint->size - throng_mpi_head_bytes(checkpoint->blocks), agents = 0;
  bool fit = checkpoint->definition_bytes <= left && checkpoint->record_bytes >= sizeof(throng_piece_head);
  if (fit) left -= checkpoint->definition_bytes;
  for (uint32_t k = 0; fit && k < checkpoint->blocks; k++) {
    fit = checkpoint->block[k].records <= left / checkpoint->record_bytes;
    if (!fit) break;
    left -= checkpoint->block[k].records * checkpoint->record_bytes;
    agents += checkpoint->block[k].records;
  }
  if (fit && left == 0 && agents == checkpoint->agents) return THRONG_OK;
  return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "its parts do not make its size or its number of agents");
}

throng_status throng_mpi_read_table(struct checkpoint *checkpoint, const uint8_t *bytes, throng_error *error) {
  const size_t size = throng_mpi_head_bytes(checkpoint->blocks) - CHECKSUM_BYTES;
  const uint8_t *at = bytes + CHECKPOINT_FIXED_BYTES;
  ASSERT_ALONE(checkpoint->block);
  uint64_t said;
  get(bytes + size, &said, CHECKSUM_BYTES);
  if (said != head_checksum(bytes, size))
    return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "its head is damaged: the checksum differs");
  for (uint32_t k = 0; k < checkpoint->blocks; k++) {
    at = get(at, &checkpoint->block[k].records, 8);
    at = get(at, &checkpoint->block[k].checksum, 8);
  }
  return check_sizes(checkpoint, error);
}
