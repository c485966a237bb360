/* record/snapshot_parts.h: the parts of a snapshot, each written and read by a file of its own. snapshot.c has the
 * format and the order of a load: nothing of a world changes before everything is checked, made and allocated.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_RECORD_SNAPSHOT_PARTS_H
#define THRONG_KERNEL_RECORD_SNAPSHOT_PARTS_H

#include "record/archive.h"
#include "state.h"
#include "world/objects.h"

#define TAG_DEFINITION ARCHIVE_TAG('d', 'e', 'f', ' ')
#define TAG_GROUP ARCHIVE_TAG('g', 'r', 'o', 'u')
#define TAG_CELLS ARCHIVE_TAG('c', 'e', 'l', 'l')
#define TAG_SCENERY ARCHIVE_TAG('s', 'c', 'e', 'n')
#define TAG_FLOW_FIELD ARCHIVE_TAG('f', 'l', 'o', 'w')
#define TAG_PATH ARCHIVE_TAG('p', 'a', 't', 'h')
#define TAG_PATTERN ARCHIVE_TAG('p', 'a', 't', 't')
#define TAG_FORMATION ARCHIVE_TAG('f', 'o', 'r', 'm')
#define TAG_IDS ARCHIVE_TAG('i', 'd', 's', ' ')
#define TAG_AGENTS ARCHIVE_TAG('a', 'g', 'e', 'n')

/* snapshot_definition.c: the world's own numbers. */
struct snapshot_facts {
  throng_world_def def; /* what decides about bits; the rest is default */
  uint64_t frame;
  uint32_t callbacks; /* bits of the numbers that were set */
};
void throng_snapshot_write_definition(struct archive *archive, const throng_world *world);
/* Reads the definition's section; it is one that throng_world_create would take. */
throng_status throng_snapshot_read_definition(struct archive *file, struct snapshot_facts *facts, throng_error *error);
/* Whether a world is one that can go on from there. */
throng_status throng_snapshot_check_definition(const struct snapshot_facts *facts, const throng_world *world,
                                               throng_error *error);

/* snapshot_groups.c */
struct snapshot_groups {
  struct archive sections; /* of the groups, to be read again */
  bool defined[THRONG_MAX_GROUPS];
  uint32_t columns; /* that they need */
  bool contact;
};
void throng_snapshot_write_groups(struct archive *archive, const throng_world *world);
throng_status throng_snapshot_read_groups(struct archive *file, const throng_world *world,
                                          struct snapshot_groups *groups, throng_error *error);
/* Of groups that were read without an error: their definitions; which there are is the caller's to note. */
void throng_snapshot_put_groups(const struct snapshot_groups *groups, throng_world *world);

/* snapshot_objects.c */
#define SNAPSHOT_OBJECTS 64u /* at most, of a kind */
struct snapshot_objects {
  struct objects all;
  bool kept[OBJECT_KINDS][SNAPSHOT_OBJECTS]; /* the world has the same one: the memory is shared with the world's */
};
void throng_snapshot_write_objects(struct archive *archive, const throng_world *world);
/* Keeps the world's objects that are the same and makes the others. On failure nothing is left to release. */
throng_status throng_snapshot_read_objects(struct archive *file, const throng_world *world,
                                           struct snapshot_objects *objects, throng_error *error);
/* Exchanges them with the world's. */
void throng_snapshot_exchange_objects(struct snapshot_objects *objects, throng_world *world);
/* Releases those that the world does not share. */
void throng_snapshot_release_objects(struct snapshot_objects *objects, const throng_world *world);

/* snapshot_agents.c: where the columns and the ids lie in the bytes; every array is little-endian. */
struct snapshot_agents {
  uint32_t count, used; /* agents; indices that were given out */
  uint32_t lower_count, free_count;
  const uint8_t *live;            /* [used] bits */
  const uint8_t *highest;         /* [used] 16 bits: the largest generation of each index */
  const uint8_t *lower;           /* [lower_count] 32 and 16 bits: the agents that live under a smaller one */
  const uint8_t *free;            /* [free_count] 32 bits: the stack of indices that wait to be given out again */
  uint32_t columns;               /* bits 1u << throng_column, SNAPSHOT_HEIGHTS */
  const uint8_t *group;           /* [count], by ascending id index as all that follows */
  const uint8_t *f[COLUMN_COUNT]; /* [count] floats; NULL where there is no such column */
};
#define SNAPSHOT_HEIGHTS (1u << 31) /* agents of a planar world have heights */

void throng_snapshot_write_agents(struct archive *archive, const throng_world *world);
/* Finds the arrays; looks at none of the values. */
throng_status throng_snapshot_read_agents(struct archive *file, const throng_world *world,
                                          struct snapshot_agents *agents, throng_error *error);
/* Makes room and the columns that the world lacks; what it made before it failed stays. */
throng_status throng_snapshot_make_room(const struct snapshot_agents *agents, throng_world *world, throng_error *error);
/* Whether all values may be the world's. It has the snapshot's groups and objects by now, and memory for the agents. */
throng_status throng_snapshot_check_agents(const struct snapshot_agents *agents, throng_world *world,
                                           throng_error *error);
/* Of agents that were checked: makes them the world's. */
void throng_snapshot_put_agents(const struct snapshot_agents *agents, throng_world *world);

#endif
