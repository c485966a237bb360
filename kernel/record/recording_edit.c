/* recording_edit.c: encodes what a host changed between two frames (docs/FORMATS.md). The new snapshot is described by
 * pieces: copies from the last snapshot, and bytes of its own. When agents are added or removed, every column of a
 * snapshot moves by some bytes. Copies are therefore also searched at other offsets, by blocks of the last snapshot, as
 * in rsync (Tridgell 1999).
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/assertion.h"
#include "record/recording_internal.h"

#define OWN_BYTES UINT64_MAX /* a piece has this instead of an offset if its own bytes follow */
#define LEAST_PIECE                                                                                                    \
  48u /* minimum of equal bytes for a copy, because its head and the head of the own bytes after
                                it take 32 bytes */
#define BLOCK 64u
#define PROBES 8u
#define NEAR 16u              /* bytes */
#define PATIENCE 4096u        /* number of bytes for which a nearby copy is searched */
#define LOOK_AHEAD 1024u      /* bytes */
#define NOT_ALONE 0x80000000u /* another block has the same bytes, so the entry is ambiguous */
#define MOST_BLOCKS NOT_ALONE

/* The last snapshot, and a hash table of its blocks. */
struct before {
  const uint8_t *bytes;
  size_t size;
  uint32_t *entry; /* [slots] 0, or a block's number plus 1, with NOT_ALONE if ambiguous */
  uint32_t slots;  /* a power of two */
};

static uint32_t slots_for(size_t size) {
  uint32_t slots = 64;
  while (slots < MOST_BLOCKS && slots < 2 * (size / BLOCK)) slots *= 2;
  return slots;
}
size_t throng_edit_table_bytes(size_t size) { return slots_for(size) * sizeof(uint32_t); }

static const uint8_t *block_at(const struct before *before, uint32_t entry) {
  ASSERT_ALONE((entry & ~NOT_ALONE) >= 1 && (entry & ~NOT_ALONE) <= before->size / BLOCK);
  return before->bytes + BLOCK * (size_t)((entry & ~NOT_ALONE) - 1);
}

/* Returns the entry of a block with the same bytes, or the empty entry where it would be; NULL if there is neither. */
static uint32_t *find_entry(const struct before *before, const uint8_t *block) {
  ASSERT_ALONE(before->slots > 0 && (before->slots & (before->slots - 1)) == 0);
  uint32_t slot = (uint32_t)(archive_get_u64(block) * 0x9e3779b97f4a7c15u >> 32);
  for (uint32_t probe = 0; probe < PROBES; probe++) {
    uint32_t *entry = &before->entry[(slot + probe) & (before->slots - 1)];
    if (*entry == 0 || memcmp(block_at(before, *entry), block, BLOCK) == 0) return entry;
  }
  return NULL;
}

/* Whether an equal block is unlikely to occur elsewhere by chance: most of the block's 16 numbers differ from the
 * number before. */
static bool is_telling(const uint8_t *block) {
  int changes = 0;
  for (size_t k = 4; k < BLOCK; k += 4) changes += archive_get_u32(block + k) != archive_get_u32(block + k - 4);
  return changes >= 12;
}

static void enter_blocks(struct before *before) {
  memset(before->entry, 0, before->slots * sizeof *before->entry);
  for (uint32_t number = 0; number < before->size / BLOCK && number < MOST_BLOCKS - 1; number++) {
    const uint8_t *block = before->bytes + BLOCK * (size_t)number;
    uint32_t *entry = is_telling(block) ? find_entry(before, block) : NULL;
    if (entry) *entry = *entry == 0 ? number + 1 : *entry | NOT_ALONE;
  }
}

static size_t equal_bytes(const uint8_t *a, const uint8_t *b, size_t most) {
  size_t count = 0;
  while (most - count >= 64 && memcmp(a + count, b + count, 64) == 0) count += 64;
  while (count < most && a[count] == b[count]) count++;
  return count;
}

struct piece {
  size_t from, at, count; /* offset in the last snapshot; offset in the current one */
};

/* Whether the bytes of `now` from `at` on equal those of the last snapshot from `from` on, for long enough to copy
 * them. Sets *piece to that copy. */
static bool goes_on(const struct before *before, size_t from, const uint8_t *now, size_t size, size_t at,
                    struct piece *piece) {
  ASSERT_ALONE(at < size);
  if (from >= before->size || before->bytes[from] != now[at]) return false;
  const size_t most = before->size - from < size - at ? before->size - from : size - at;
  *piece = (struct piece){from, at, equal_bytes(before->bytes + from, now + at, most)};
  return piece->count >= LEAST_PIECE;
}
/* Returns the offset of the block in the last snapshot; the last snapshot's size if it is not found. */
static size_t place_of(const struct before *before, const uint8_t *block) {
  const uint32_t *entry = find_entry(before, block);
  if (!entry || *entry == 0 || *entry & NOT_ALONE) return before->size;
  return (size_t)(block_at(before, *entry) - before->bytes);
}

/* Whether a copy skips bytes of the last snapshot that `now` has after the copy. These bytes could then no longer be
 * copied, because copies must be in the order of the last snapshot. It happens when the host copied values of one
 * column to another. */
static bool leaps_too_far(const struct before *before, size_t from, const uint8_t *now, size_t size,
                          const struct piece *piece) {
  if (piece->from - from <= piece->count) return false;
  const size_t end = piece->at + piece->count;
  bool goes_on_behind = false;
  for (size_t at = end; at < end + LOOK_AHEAD && at + BLOCK <= size; at++) {
    const size_t place = place_of(before, now + at);
    if (from <= place && place < piece->from) return true;
    goes_on_behind = goes_on_behind || place < before->size;
  }
  return !goes_on_behind;
}

/* Whether `now` has, at `at`, a block that the last snapshot has at `from` or later. Sets *piece to the copy, which is
 * extended backward, at most to `first`. */
static bool stands_elsewhere(const struct before *before, size_t from, const uint8_t *now, size_t size, size_t first,
                             size_t at, struct piece *piece) {
  if (size - at < BLOCK) return false;
  size_t place = place_of(before, now + at);
  if (place < from || place == before->size) return false;
  while (at > first && place > from && before->bytes[place - 1] == now[at - 1]) at--, place--;
  return goes_on(before, place, now, size, at, piece);
}

/* Whether `now` continues at `at` with bytes of the last snapshot from one of two places: near the offset that belongs
 * to `at` if nothing was inserted since `first`; or near `from`, where the last copy ended. This finds long series of
 * equal bytes, in which blocks are ambiguous. */
static bool stands_near(const struct before *before, size_t from, const uint8_t *now, size_t size, size_t first,
                        size_t at, struct piece *piece) {
  const size_t on = at - first;
  for (size_t shift = 1; shift <= NEAR; shift++) {
    if (goes_on(before, from + on + shift, now, size, at, piece)) return true;
    if (on >= shift && goes_on(before, from + on - shift, now, size, at, piece)) return true;
  }
  for (size_t gone = 0; gone <= NEAR; gone++) {
    if (goes_on(before, from + gone, now, size, at, piece)) return true;
  }
  return false;
}

/* Returns the next copy for `now` from `at` on. The last copy ended at `from`. Returns an empty copy at the end of
 * `now` if there is none. */
static struct piece next_piece(const struct before *before, size_t from, const uint8_t *now, size_t size, size_t at) {
  struct piece piece;
  size_t copied = at; /* the end of a copy that was rejected because it skips too much */
  for (size_t place = at; place < size; place++) {
    if (goes_on(before, from + (place - at), now, size, place, &piece)) return piece;
    if (place - at < PATIENCE && stands_near(before, from, now, size, at, place, &piece)) return piece;
    if (place < copied || !stands_elsewhere(before, from, now, size, at, place, &piece)) continue;
    if (!leaps_too_far(before, from, now, size, &piece)) return piece;
    copied = piece.at + piece.count;
  }
  return (struct piece){before->size, size, 0};
}

static void write_head(struct archive *archive, uint64_t from, uint64_t count) {
  throng_archive_u64(archive, &from);
  throng_archive_u64(archive, &count);
}

void throng_edit_write(struct archive *archive, const uint8_t *last, size_t last_size, uint8_t *now, size_t size,
                       uint32_t *table) {
  struct before before = {last, last_size, table, slots_for(last_size)};
  size_t from = 0, at = 0;
  enter_blocks(&before);
  while (at < size) {
    const struct piece piece = next_piece(&before, from, now, size, at);
    if (piece.at > at) {
      write_head(archive, OWN_BYTES, piece.at - at);
      throng_archive_bytes(archive, now + at, piece.at - at);
    }
    if (piece.count > 0) write_head(archive, piece.from, piece.count);
    from = piece.from + piece.count;
    at = piece.at + piece.count;
  }
}

/* Reads the head of a piece. Returns the address of the piece's own bytes; NULL if the piece is a copy. */
static const uint8_t *read_piece(struct archive *archive, uint64_t *from, uint64_t *count) {
  *from = *count = 0;
  throng_archive_u64(archive, from);
  throng_archive_u64(archive, count);
  return *from == OWN_BYTES ? throng_archive_take(archive, *count, 1) : NULL;
}

void throng_edit_pass(struct archive *archive, uint64_t size) {
  uint64_t next = 0;
  for (uint64_t made = 0, from, count; made < size && !archive->failed; made += count) {
    const uint8_t *own = read_piece(archive, &from, &count);
    if (count == 0 || count > size - made || (!own && (from < next || count > UINT64_MAX - from))) {
      archive->failed = true;
    }
    if (!own) next = from + count;
  }
}

bool throng_edit_apply(struct archive pieces, const uint8_t *last, size_t last_size, uint8_t *now, size_t size) {
  for (uint64_t made = 0, from, count; made < size; made += count) {
    const uint8_t *own = read_piece(&pieces, &from, &count);
    if (!own && (from > last_size || count > last_size - from)) return false;
    memcpy(now + made, own ? own : last + from, (size_t)count);
  }
  return true;
}
