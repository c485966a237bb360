/* tests/mpi/test_checkpoint.c: tests that a checkpoint gives the same next frames, and that a damaged file is refused
 * alike on all ranks. Run by mpirun with 2 ranks, in an empty folder. SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <throng/mpi.h>
#include <throng/piece.h>

#include "mpi/checkpoint_internal.h"
#include "support/random.h"

#define AGENTS 500u
#define DT (1.0f / 30.0f)
#define STATE (~(THRONG_BIT(THRONG_COLUMN_ACCELERATION) | THRONG_BIT(THRONG_COLUMN_YAW_ACCELERATION)))
#define BIG_FILE (1 << 20)
#define FIXED_BYTES 60u /* docs/FORMATS.md: the beginning of a checkpoint */

static int rank;

/* A failed check ends the job, because the other ranks may wait. */
#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (condition) break;                                                                                              \
    fprintf(stderr, "%s:%d: rank %d: not so: %s\n", __FILE__, __LINE__, rank, #condition);                             \
    MPI_Abort(MPI_COMM_WORLD, 1);                                                                                      \
  } while (0)

static throng_error error;

static void check_ok(throng_status status, int line) {
  if (status == THRONG_OK) return;
  fprintf(stderr, "%s:%d: rank %d: %s: %s\n", __FILE__, line, rank, throng_status_name(status), error.text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
#define OK(call) check_ok((call), __LINE__)

/* Checks that the call failed on all ranks with the same status and the same line. */
static void check_refused(throng_status status, throng_status expected, const char *word, int line) {
  struct {
    throng_status status;
    char text[sizeof error.text];
  } own = {status, ""}, first;
  snprintf(own.text, sizeof own.text, "%s", error.text);
  first = own;
  MPI_Bcast(&first, (int)sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
  const bool alike = own.status == first.status && strcmp(own.text, first.text) == 0;
  if (status == expected && alike && strstr(own.text, word) && !strchr(own.text, '\n')) return;
  fprintf(stderr, "%s:%d: rank %d: %s '%s', expected %s with '%s' on all ranks\n", __FILE__, line, rank,
          throng_status_name(status), own.text, throng_status_name(expected), word);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
#define REFUSED(status, word, call) check_refused((call), THRONG_ERROR_##status, word, __LINE__)

/* Makes the same world on every rank. */
static throng_world *make_world(void) {
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 2.0f;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.box_max = (throng_vec3){60.0f, 60.0f, 60.0f};
  def.thread_count = 1;
  throng_world *world;
  OK(throng_world_create(&def, &world, &error));
  throng_group_def group = throng_default_group_def();
  group.separation.weight = group.alignment.weight = 1.0f;
  OK(throng_world_set_group(world, 0, &group, &error));
  static throng_vec3 position[AGENTS], velocity[AGENTS];
  test_rng rng = rng_from(7);
  for (uint32_t k = 0; k < AGENTS; k++) {
    position[k] = (throng_vec3){rng_float(&rng, 0.0f, 60.0f), 0.0f, rng_float(&rng, 0.0f, 60.0f)};
    velocity[k] = (throng_vec3){rng_float(&rng, -1.0f, 1.0f), 0.0f, rng_float(&rng, -1.0f, 1.0f)};
  }
  throng_agents_def agents = throng_default_agents_def();
  agents.position = (throng_span){position, 0};
  agents.velocity = (throng_span){velocity, 0};
  OK(throng_agents_add(world, &agents, AGENTS, NULL, &error));
  return world;
}

/* Files of rank 0. */

struct file {
  char *bytes;
  size_t size;
};

static void write_file(const char *name, const char *bytes, size_t size) {
  if (rank == 0) {
    FILE *file = fopen(name, "wb");
    CHECK(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static struct file read_file(const char *name) {
  struct file read = {malloc(BIG_FILE), 0};
  FILE *file = fopen(name, "rb");
  CHECK(read.bytes && file);
  read.size = fread(read.bytes, 1, BIG_FILE, file);
  CHECK(read.size > 0 && read.size < BIG_FILE && fclose(file) == 0);
  return read;
}

static bool is_file(const char *name) {
  FILE *file = fopen(name, "rb");
  if (file) fclose(file);
  return file != NULL;
}

/* The two blocks, as docs/FORMATS.md has them: each by ascending id index. Together they have all agents. */
static void check_blocks(const struct file *good) {
  uint64_t records[4], definition;
  uint32_t bytes, before, all = 0;
  memcpy(&bytes, good->bytes + 48, sizeof bytes);
  memcpy(&definition, good->bytes + 52, sizeof definition);
  memcpy(records, good->bytes + FIXED_BYTES, sizeof records); /* and checksums */
  const char *at = good->bytes + FIXED_BYTES + sizeof records + 8 + definition;
  for (int block = 0; block < 2; block++) {
    before = 0;
    CHECK(records[2 * block] > 0);
    for (uint64_t k = 0; k < records[2 * block]; k++, at += bytes, all++) {
      throng_piece_head head;
      memcpy(&head, at, sizeof head);
      CHECK(head.index > before && head.index <= AGENTS);
      before = head.index;
    }
  }
  CHECK(all == AGENTS && at == good->bytes + good->size);
}

/* Tries to load a file that is not the good one. */
static void refuse(throng_world *world, const char *bytes, size_t size, throng_status expected, const char *word) {
  throng_mpi *mpi = NULL;
  write_file("other", bytes, size);
  check_refused(throng_mpi_load(world, NULL, "other", &mpi, &error), expected, word, __LINE__);
  CHECK(!mpi && strstr(error.text, "checkpoint 'other'"));
}

/* In every part of the file one bit is wrong. */
static void refuse_flipped_bits(throng_world *world, const struct file *good) {
  const size_t head = FIXED_BYTES + 16 * 2 + 8;
  uint32_t parts[3] = {0, 0, 0};
  char *bytes = malloc(good->size);
  CHECK(bytes);
  memcpy(bytes, good->bytes, good->size);
  for (size_t at = 0; at < good->size; at += at < head ? 1 : 97) {
    bytes[at] = (char)(bytes[at] ^ 1 << at % 8);
    const bool version = at >= 8 && at < 12;
    refuse(world, bytes, good->size, version ? THRONG_ERROR_UNSUPPORTED : THRONG_ERROR_BAD_VALUE, "checkpoint");
    parts[at < head ? 0 : strstr(error.text, "block") ? 2 : 1]++;
    bytes[at] = good->bytes[at];
  }
  CHECK(parts[0] == head && parts[1] > 5 && parts[2] > 100);
  free(bytes);
}

static void refuse_wrong_files(throng_world *world, const struct file *good) {
  const uint64_t hash = throng_world_hash(world, 0), definition = throng_piece_hash_definition(world);
  throng_mpi *mpi = NULL;
  char *longer = malloc(good->size + 1), *later = malloc(good->size);
  CHECK(longer && later);
  memcpy(longer, good->bytes, good->size);
  longer[good->size] = 0;
  memcpy(later, good->bytes, good->size);
  later[8] = 3;
  refuse(world, longer, good->size + 1, THRONG_ERROR_BAD_VALUE, "bytes, but");
  refuse(world, later, good->size, THRONG_ERROR_UNSUPPORTED, "version 3, this library reads version 2");
  refuse(world, good->bytes + 1, good->size - 1, THRONG_ERROR_BAD_VALUE, "it is no checkpoint");
  for (size_t size = 0; size < good->size; size += size < 120 ? 1 : 509)
    refuse(world, good->bytes, size, THRONG_ERROR_BAD_VALUE, "bytes");
  refuse_flipped_bits(world, good);
  REFUSED(BAD_VALUE, "checkpoint 'none'", throng_mpi_load(world, NULL, "none", &mpi, &error));
  REFUSED(BAD_VALUE, "checkpoint '.'", throng_mpi_load(world, NULL, ".", &mpi, &error));
  CHECK(throng_world_hash(world, 0) == hash && throng_piece_hash_definition(world) == definition);
  CHECK(throng_agents_count(world) == AGENTS);
  free(longer);
  free(later);
}

/* Forged agents. The checksums are right. */

/* Changes 4 bytes of the last record of the first block, which is that of an agent of rank 0, and seals the file. The
 * error must name that agent. */
static void refuse_forged(const struct file *good, size_t offset, const void *bytes, throng_status expected,
                          const char *word) {
  struct block blocks[2];
  struct checkpoint head = {.block = blocks};
  char *forged = malloc(good->size);
  CHECK(forged);
  memcpy(forged, good->bytes, good->size);
  OK(throng_mpi_read_fixed(&head, (uint8_t *)forged, good->size, &error));
  OK(throng_mpi_read_table(&head, (uint8_t *)forged, &error));
  char *first = forged + throng_mpi_first_block(&head);
  char *record = first + (blocks[0].records - 1) * head.record_bytes;
  throng_piece_head agent;
  memcpy(record + offset, bytes, 4);
  memcpy(&agent, record, sizeof agent);
  blocks[0].checksum = throng_mpi_sum_records(first, head.record_bytes, blocks[0].records, 0);
  throng_mpi_write_head(&head, (uint8_t *)forged);
  throng_world *world = make_world(); /* a refused agent may change it */
  refuse(world, forged, good->size, expected, word);
  char name[32];
  snprintf(name, sizeof name, "agent %u: ", agent.index);
  CHECK(strstr(error.text, name));
  throng_world_destroy(world);
  free(forged);
}

static void refuse_forged_agents(const struct file *good) {
  const size_t position = sizeof(throng_piece_head), velocity = position + 8, facing = velocity + 8;
  const float far = 1e7f, fast = 1e19f, turned = 4.0f, none = 0.0f / 0.0f;
  const uint32_t index = 0x7ffffffeu;
  refuse_forged(good, position, &far, THRONG_ERROR_OUT_OF_RANGE, "position");
  refuse_forged(good, velocity, &fast, THRONG_ERROR_BAD_VALUE, "velocity");
  refuse_forged(good, facing, &turned, THRONG_ERROR_BAD_VALUE, "facing");
  refuse_forged(good, facing, &none, THRONG_ERROR_NOT_FINITE, "facing");
  refuse_forged(good, 0, &index, THRONG_ERROR_CAPACITY, "id index"); /* a table of 30 GB */
}

static void refuse_wrong_arguments(throng_mpi *mpi, throng_world *world) {
  throng_mpi_checkpoint found;
  throng_mpi *made = NULL;
  throng_mpi_def def = throng_default_mpi_def();
  REFUSED(NULL_ARGUMENT, "NULL", throng_mpi_save(NULL, "good", &error));
  REFUSED(NULL_ARGUMENT, "NULL", throng_mpi_save(mpi, NULL, &error));
  REFUSED(NULL_ARGUMENT, "NULL", throng_mpi_load(NULL, NULL, "good", &made, &error));
  REFUSED(NULL_ARGUMENT, "NULL", throng_mpi_load(world, NULL, NULL, &made, &error));
  REFUSED(NULL_ARGUMENT, "NULL", throng_mpi_load(world, NULL, "good", NULL, &error));
  REFUSED(NULL_ARGUMENT, "NULL", throng_mpi_inspect(MPI_COMM_WORLD, NULL, &found, &error));
  REFUSED(NULL_ARGUMENT, "NULL", throng_mpi_inspect(MPI_COMM_WORLD, "good", NULL, &error));
  def.cookie = 0;
  REFUSED(BAD_COOKIE, "cookie", throng_mpi_load(world, &def, "good", &made, &error));
  CHECK(throng_mpi_save(mpi, "none/good", NULL) == THRONG_ERROR_BAD_VALUE && !made);
}

/* A disk that is full: the older file stays, and nothing else. */
static void keep_the_older_file(throng_mpi *mpi, const struct file *good) {
  struct rlimit limit, small;
  signal(SIGXFSZ, SIG_IGN);
  CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0);
  small = limit;
  small.rlim_cur = 4096;
  CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
  REFUSED(BAD_VALUE, "checkpoint 'good': cannot write it", throng_mpi_save(mpi, "good", &error));
  CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  const struct file now = read_file("good");
  CHECK(now.size == good->size && memcmp(now.bytes, good->bytes, now.size) == 0);
  CHECK(!is_file("good.part"));
  free(now.bytes);
}

/* What is no file is refused on all ranks: nothing waits for ever, and nothing is replaced. */
static void refuse_what_is_no_file(throng_mpi *mpi, throng_world *world) {
  static const char *const names[] = {"folder", "pipe", "device"};
  throng_mpi_checkpoint found;
  throng_mpi *made = NULL;
  if (rank == 0) CHECK(mkdir("folder", 0777) == 0 && mkfifo("pipe", 0666) == 0 && mkfifo("new.part", 0666) == 0);
  if (rank == 0) CHECK(symlink("/dev/null", "device") == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  alarm(60);
  for (int k = 0; k < 3; k++) {
    char part[16];
    struct stat before, after;
    snprintf(part, sizeof part, "%s.part", names[k]);
    CHECK(lstat(names[k], &before) == 0);
    REFUSED(BAD_VALUE, k == 0 ? "a folder, allowed is a file" : "a device or a pipe, allowed is a file",
            throng_mpi_save(mpi, names[k], &error));
    CHECK(strstr(error.text, names[k]) && lstat(part, &after) != 0);
    REFUSED(BAD_VALUE, "allowed is a file", throng_mpi_load(world, NULL, names[k], &made, &error));
    REFUSED(BAD_VALUE, "allowed is a file", throng_mpi_inspect(MPI_COMM_WORLD, names[k], &found, &error));
    CHECK(lstat(names[k], &after) == 0 && after.st_mode == before.st_mode && after.st_ino == before.st_ino);
  }
  REFUSED(BAD_VALUE, "'new.part' is a device or a pipe", throng_mpi_save(mpi, "new", &error));
  CHECK(!is_file("new"));
  alarm(0);
}

/* Changes that the ranks have not been told are not saved in part. */
static void refuse_unsynced(throng_mpi *mpi) {
  throng_agent_id ids[AGENTS];
  uint32_t count;
  OK(throng_agents_get_ids(throng_mpi_world(mpi), ids, AGENTS, &count, &error));
  if (rank == 1) OK(throng_agents_remove(throng_mpi_world(mpi), ids, 1, &error));
  REFUSED(NOT_INDEXED, "throng_mpi_sync", throng_mpi_save(mpi, "later", &error));
  CHECK(!is_file("later") && !is_file("later.part"));
  OK(throng_mpi_sync(mpi, &error));
  OK(throng_mpi_save(mpi, "later", &error));
  CHECK(is_file("later") && !is_file("later.part"));
}

static void step(throng_mpi *mpi, uint32_t frames) {
  for (uint32_t k = 0; k < frames; k++) OK(throng_mpi_step(mpi, DT, &error));
}

/* Half of the agents have a target that is removed before the world is saved. */
static void save_lost_targets(void) {
  static throng_agent_id ids[AGENTS], target[AGENTS];
  throng_mpi *mpi;
  uint32_t count;
  throng_world *world = make_world();
  OK(throng_agents_get_ids(world, ids, AGENTS, &count, &error));
  for (uint32_t k = 0; k + 2 < AGENTS; k++) target[k] = ids[AGENTS - 1 - k % 2];
  OK(throng_agents_write(world, THRONG_COLUMN_TARGET, ids, AGENTS - 2, target, 0, &error));
  OK(throng_agents_remove(world, ids + AGENTS - 1, 1, &error));
  OK(throng_mpi_create(world, NULL, &mpi, &error));
  step(mpi, 1);
  OK(throng_mpi_save(mpi, "targets", &error));
  throng_mpi_destroy(mpi);
}

/* A host needs only the file: the definition is in it. */
static void load_into_new_world(uint64_t hash) {
  throng_mpi_checkpoint found;
  throng_world *world;
  throng_mpi *mpi;
  OK(throng_mpi_inspect(MPI_COMM_WORLD, "good", &found, &error));
  CHECK(found.frame == 4 && found.agents == AGENTS && found.blocks == 2 && found.world.perception_radius == 2.0f);
  OK(throng_world_create(&found.world, &world, &error));
  OK(throng_mpi_load(world, NULL, "good", &mpi, &error));
  CHECK(throng_world_frame(world) == 4 && throng_mpi_agents_count(mpi) == AGENTS);
  step(mpi, 4);
  CHECK(throng_mpi_hash(mpi, STATE) == hash);
  throng_mpi_destroy(mpi);
}

int main(int count, char **arguments) {
  throng_mpi *mpi, *loaded;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  OK(throng_mpi_create(make_world(), NULL, &mpi, &error));
  step(mpi, 4);
  OK(throng_mpi_save(mpi, "good", &error));
  CHECK(!is_file("good.part"));
  const struct file good = read_file("good");
  check_blocks(&good);
  step(mpi, 4);
  const uint64_t hash = throng_mpi_hash(mpi, STATE);
  throng_world *world = make_world();
  OK(throng_world_index(world, &error));
  refuse_wrong_arguments(mpi, world);
  refuse_wrong_files(world, &good);
  refuse_forged_agents(&good);
  refuse_what_is_no_file(mpi, world);
  OK(throng_mpi_load(world, NULL, "good", &loaded, &error));
  step(loaded, 4);
  CHECK(throng_mpi_hash(loaded, STATE) == hash);
  load_into_new_world(hash);
  keep_the_older_file(mpi, &good);
  refuse_unsynced(mpi);
  save_lost_targets();
  throng_mpi_destroy(loaded);
  throng_mpi_destroy(mpi);
  free(good.bytes);
  MPI_Finalize();
  return 0;
}
