/* snapshot_parts.h: the parts of a snapshot, each in its own file. snapshot.c calls them. A load changes the world only
 * after everything is checked and allocated.
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
#define TAG_ATTRACTORS ARCHIVE_TAG('a', 't', 't', 'r')
#define TAG_SPEED_ZONES ARCHIVE_TAG('z', 'o', 'n', 'e')
#define TAG_IDS ARCHIVE_TAG('i', 'd', 's', ' ')
#define TAG_AGENTS ARCHIVE_TAG('a', 'g', 'e', 'n')

/* snapshot_definition.c: the definition and the world's numbers. */
struct snapshot_facts {
  throng_world_def def; /* the parts that influence results; the other parts have defaults */
  uint64_t frame;
  uint32_t callbacks; /* bits of the callbacks that were set */
};
void throng_snapshot_write_definition(struct archive *archive, const throng_world *world);
/* Reads the section of the definition. If it succeeds, throng_world_create accepts the definition. */
throng_status throng_snapshot_read_definition(struct archive *file, struct snapshot_facts *facts, throng_error *error);
/* Checks that a world can load the snapshot. */
throng_status throng_snapshot_check_definition(const struct snapshot_facts *facts, const throng_world *world,
                                               throng_error *error);

/* snapshot_groups.c */
struct snapshot_groups {
  struct archive sections; /* the groups' sections, to be read again */
  bool defined[THRONG_MAX_GROUPS];
  uint32_t room;    /* the largest number of a group, + 1 */
  uint64_t columns; /* columns that the groups need */
  bool contact, reciprocal;
};
void throng_snapshot_write_groups(struct archive *archive, const throng_world *world);
throng_status throng_snapshot_read_groups(struct archive *file, const throng_world *world,
                                          struct snapshot_groups *groups, throng_error *error);
/* Sets the definitions of groups that were read without an error. The caller sets which groups are defined. */
void throng_snapshot_put_groups(const struct snapshot_groups *groups, throng_world *world);

/* snapshot_objects.c */
#define SNAPSHOT_OBJECTS 64u /* maximum of a kind */
struct snapshot_objects {
  struct objects all; /* its lists are the next four */
  struct flow_field flow_field[THRONG_MAX_FLOW_FIELDS];
  struct path path[THRONG_MAX_PATHS];
  struct pattern pattern[THRONG_MAX_PATTERNS];
  struct formation formation[THRONG_MAX_FORMATIONS];
  bool kept[OBJECT_KINDS][SNAPSHOT_OBJECTS]; /* the world has an equal object, whose memory is shared */
};
void throng_snapshot_write_objects(struct archive *archive, const throng_world *world);
/* Keeps objects of the world that equal the saved ones, and makes the other objects. On failure there is nothing to
 * release. */
throng_status throng_snapshot_read_objects(struct archive *file, const throng_world *world,
                                           struct snapshot_objects *objects, throng_error *error);
/* Makes sure that the world's lists can hold the objects. */
throng_status throng_snapshot_make_object_room(const struct snapshot_objects *objects, throng_world *world,
                                               throng_error *error);
/* Exchanges the objects with the world's, which must have room for them. */
void throng_snapshot_exchange_objects(struct snapshot_objects *objects, throng_world *world);
/* Releases objects that the world does not share. */
void throng_snapshot_release_objects(struct snapshot_objects *objects, const throng_world *world);

/* snapshot_agents.c: the columns and ids within the bytes; every array is little-endian. */
struct snapshot_agents {
  uint32_t count, used; /* agents; used indices */
  uint32_t lower_count, free_count;
  const uint8_t *index, *generation; /* sparse ids: [count] 32 and 16 bits, ascending; the next four are NULL then */
  const uint8_t *live;               /* [used] bits */
  const uint8_t *highest;            /* [used] 16 bits: the largest generation of each index */
  const uint8_t *lower;           /* [lower_count] 32 and 16 bits: for live agents with a smaller generation: id index
                                     and generation */
  const uint8_t *free;            /* [free_count] 32 bits: the stack of free indices */
  uint64_t columns;               /* bits of the columns, SNAPSHOT_HEIGHTS */
  struct torus torus;             /* determines the grid order, and so the order of views; no other result depends on
                                     it */
  const uint8_t *group;           /* [count] by ascending id index, like the columns */
  const uint8_t *f[COLUMN_COUNT]; /* [count] floats; NULL without that column */
};
#define SNAPSHOT_HEIGHTS THRONG_BIT(63) /* some y of a planar world is not 0 */

void throng_snapshot_write_agents(struct archive *archive, const throng_world *world);
/* Writes the sections of the same world without agents, and as if it never had any. It keeps the columns. */
void throng_snapshot_write_no_agents(struct archive *archive, const throng_world *world);
/* Finds the arrays; does not check values. */
throng_status throng_snapshot_read_agents(struct archive *file, const throng_world *world,
                                          struct snapshot_agents *agents, throng_error *error);
/* Allocates capacity and columns that the world lacks. What it allocated before a failure stays. */
throng_status throng_snapshot_make_room(const struct snapshot_agents *agents, throng_world *world, throng_error *error);
/* Checks all values. The world already has the snapshot's groups and objects, and memory for the agents. */
throng_status throng_snapshot_check_agents(const struct snapshot_agents *agents, throng_world *world,
                                           throng_error *error);
/* Replaces the world's agents by checked ones. */
void throng_snapshot_put_agents(const struct snapshot_agents *agents, throng_world *world);

#endif
