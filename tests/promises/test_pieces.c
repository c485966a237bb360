/* tests/promises/test_pieces.c: a world that is cut into pieces has the bits of the whole one: every golden scene, cut
 * along x into pieces that run in threads. Cuts move between frames.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <throng/instances.h>
#include <throng/piece.h>

#include "promises/golden.h"
#include "promises/golden_hashes.h"
#include "support/random.h"

#define MOST_PIECES 4u
#define MOST_INDEX 8192u /* above the id indices of the golden scenes */
/* The seconds of a frame: in one of eight no time passes. */
static float time_of(uint32_t frame) { return frame % 8 == 5 ? 0.0f : 1.0f / 30.0f; }

/* A meeting of all pieces: each waits until all have come. */
struct meeting {
  pthread_mutex_t lock;
  pthread_cond_t all_came;
  uint32_t pieces, came, round;
};
static void meet(struct meeting *m) {
  pthread_mutex_lock(&m->lock);
  const uint32_t round = m->round;
  if (++m->came == m->pieces) {
    m->came = 0;
    m->round++;
    pthread_cond_broadcast(&m->all_came);
  }
  while (m->round == round) pthread_cond_wait(&m->all_came, &m->lock);
  pthread_mutex_unlock(&m->lock);
}

struct letter { /* the records for one piece */
  char *own, *ghosts;
  uint32_t own_count, ghost_count, own_room, ghost_room;
};
struct whole;
struct member { /* one piece */
  struct whole *whole;
  uint32_t number;
  throng_world *world;
  struct letter to[MOST_PIECES];
  throng_status status;
  throng_error error;
  bool pushed, refused, begun, sent;
  float inner[2]; /* the inner box along x */
  uint64_t between;
};
struct whole {
  struct meeting meeting;
  uint32_t pieces, frames;
  struct member member[MOST_PIECES];
  throng_world_def def;
  uint64_t columns, ghost_columns;
  float cut[MOST_PIECES + 1]; /* piece k owns cut[k] <= x < cut[k + 1]; the first and the last reach to infinity */
  float halo;
  bool all_see_all; /* every agent may be a target */
  bool follows[MOST_INDEX];
  float position[MOST_INDEX][3]; /* by id index, in contact iterations */
  uint64_t hash[2], expected[2];
  uint64_t between;  /* the sum of the pieces' */
  uint32_t fails_at; /* frame in which piece 0 refuses once; 0: none */
  uint64_t crossings;
  uint32_t agents; /* of the whole world */
  bool early;      /* the rim moves first */
  float rim;       /* its width, metres */
};

/* The sum over the agents of a hash of the agent's instance, half-way between the frames if the world can tell. */
static uint64_t hash_instances(const throng_world *world) {
  static _Thread_local float instance[MOST_INDEX][7];
  static _Thread_local throng_agent_id ids[MOST_INDEX];
  throng_instances_def def = throng_default_instances_def();
  throng_error error;
  uint32_t count = 0;
  uint64_t sum = 0;
  def.form = THRONG_INSTANCE_POSITION_ROTATION;
  def.by_id = true;
  if (throng_world_get_def(world).keep_previous_pose) def.alpha = 0.5f;
  require_ok(throng_agents_get_ids(world, ids, MOST_INDEX, &count, &error), &error);
  require_ok(throng_agents_read_instances(world, &def, count, instance, &error), &error);
  for (uint32_t k = 0; k < count; k++) {
    uint64_t hash = ids[k].index;
    for (int c = 0; c < 7; c++) {
      uint32_t bits;
      memcpy(&bits, &instance[k][c], sizeof bits);
      hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
    sum += hash;
  }
  return sum;
}

/* Geometry along x. */

static uint32_t owner_of(const struct whole *w, float x) {
  uint32_t k = 0;
  while (k + 1 < w->pieces && x >= w->cut[k + 1]) k++;
  return k;
}
static float period_of(const struct whole *w) {
  return w->def.boundary[0] == THRONG_BOUNDARY_PERIODIC ? w->def.box_max.x - w->def.box_min.x : 0.0f;
}
/* Whether an agent at x is in the halo of a piece. */
static bool concerns(const struct whole *w, uint32_t piece, float x) {
  const float low = piece == 0 && period_of(w) == 0.0f ? -INFINITY : w->cut[piece];
  const float high = piece + 1 == w->pieces && period_of(w) == 0.0f ? INFINITY : w->cut[piece + 1];
  for (int image = -1; image <= 1; image++) {
    const float at = x + (float)image * period_of(w);
    if (at >= low - w->halo && at <= high + w->halo) return true;
  }
  return false;
}

/* The exchange. */

static void append(const struct member *m, uint64_t columns, char **records, uint32_t *count, uint32_t *room,
                   uint32_t element) {
  const size_t bytes = throng_piece_record_bytes(m->whole->def.space, columns);
  throng_error error;
  if (*count == *room) *records = realloc(*records, (*room = 2 * *room + 64) * bytes);
  require_ok(throng_piece_pack(m->world, columns, &element, 1, *records + *count * bytes, &error), &error);
  ++*count;
}
static void send_agent(struct member *m, uint32_t piece, uint32_t element, bool own) {
  struct letter *to = &m->to[piece];
  if (own) append(m, m->whole->columns, &to->own, &to->own_count, &to->own_room, element);
  if (!own) append(m, m->whole->ghost_columns, &to->ghosts, &to->ghost_count, &to->ghost_room, element);
}

static bool is_for_all(const struct whole *w, uint32_t index) { return w->all_see_all || w->follows[index]; }

/* Sends an own agent to the pieces that need it. Returns its owner. */
static uint32_t post(struct member *m, float x, uint32_t index, uint32_t element) {
  const struct whole *w = m->whole;
  const uint32_t owner = owner_of(w, x);
  if (owner != m->number) send_agent(m, owner, element, true);
  for (uint32_t piece = 0; piece < w->pieces; piece++) {
    const bool needs = piece != owner && piece != m->number && (is_for_all(w, index) || concerns(w, piece, x));
    if (needs) send_agent(m, piece, element, false);
  }
  return owner;
}

static throng_status take_letters(const struct member *m, throng_error *error) {
  const struct whole *w = m->whole;
  for (uint32_t from = 0; from < w->pieces; from++) {
    const struct letter *letter = &w->member[from].to[m->number];
    throng_status status = throng_piece_take(m->world, w->columns, letter->own, letter->own_count, true, error);
    if (status == THRONG_OK)
      status = throng_piece_take(m->world, w->ghost_columns, letter->ghosts, letter->ghost_count, false, error);
    if (status != THRONG_OK) return status;
  }
  return THRONG_OK;
}

static void empty_letters(struct member *m) {
  for (uint32_t piece = 0; piece < m->whole->pieces; piece++) m->to[piece].own_count = m->to[piece].ghost_count = 0;
}

/* Writes the agents at the border to the letters, and gives away those that leave. */
static void post_border(struct member *m, const throng_piece_agents *agents) {
  throng_error error;
  for (uint32_t k = 0; k < agents->border_count; k++) {
    const uint32_t element = agents->border[k], index = agents->id_index[element];
    const float x = agents->position_x[element];
    const uint32_t owner = post(m, x, index, element);
    if (owner == m->number) continue;
    if (m->number == 0) m->whole->crossings++; /* only one thread counts */
    const bool stays = is_for_all(m->whole, index) || concerns(m->whole, m->number, x);
    require_ok(throng_piece_give(m->world, &element, 1, stays, &error), &error);
  }
}

static throng_status begin(throng_world *world, const throng_piece_agents *agents, throng_error *error, void *context) {
  struct member *m = context;
  (void)error;
  assert_ptr_equal(world, m->world);
  empty_letters(m);
  post_border(m, agents);
  m->begun = true;
  return THRONG_OK;
}

static void progress(void *context) {
  const struct member *m = context;
  assert_true(m->begun || m->sent);
}

static throng_status exchange(throng_world *world, const throng_piece_agents *agents, throng_error *error,
                              void *context) {
  struct member *m = context;
  assert_ptr_equal(world, m->world);
  assert_int_equal(m->begun, m->whole->early);
  if (!m->begun) empty_letters(m);
  post_border(m, agents);
  m->begun = false;
  meet(&m->whole->meeting);
  const throng_status status = take_letters(m, error);
  meet(&m->whole->meeting);
  return status;
}

/* Whether the piece may be asked for an own agent: it is outside the inner box before the frame. */
static bool is_asked(const struct member *m, const throng_view *view, uint32_t k) {
  return !throng_view_is_ghost(view, k) && !(view->position_x[k] > m->inner[0] && view->position_x[k] < m->inner[1]);
}

/* Writes the positions of the own agents that other pieces ask for. The others are not known yet. */
static void contact_begin(float *const position[3], void *context) {
  struct member *m = context;
  throng_view view;
  throng_error error;
  require_ok(throng_world_view(m->world, &view, &error), &error);
  for (uint32_t k = 0; k < view.count; k++) {
    if (!is_asked(m, &view, k)) continue;
    for (int c = 0; c < 3; c++) {
      if (position[c]) m->whole->position[view.id_index[k]][c] = position[c][k];
    }
  }
  m->sent = true;
}

static bool contact(float *const position[3], bool pushed, void *context) {
  struct member *m = context;
  struct whole *w = m->whole;
  throng_view view;
  throng_error error;
  require_ok(throng_world_view(m->world, &view, &error), &error);
  for (int ghosts = 0; ghosts < 2; ghosts++) { /* first writes the own agents, then reads the ghosts */
    for (uint32_t k = 0; k < view.count; k++) {
      if (throng_view_is_ghost(&view, k) != (ghosts == 1)) continue;
      for (int c = 0; c < 3; c++) {
        float *shared = &w->position[view.id_index[k]][c];
        if (position[c] && ghosts) position[c][k] = *shared;
        if (position[c] && !ghosts && !m->sent) *shared = position[c][k];
      }
    }
    m->pushed = ghosts ? m->pushed : pushed;
    meet(&w->meeting);
  }
  bool any = false;
  for (uint32_t k = 0; k < w->pieces; k++) any = any || w->member[k].pushed;
  m->sent = false;
  meet(&w->meeting);
  return any;
}

static throng_status agree(throng_status status, throng_error *error, void *context) {
  struct member *m = context;
  struct whole *w = m->whole;
  const bool refuses = m->number == 0 && !m->refused && w->fails_at != 0 && throng_world_frame(m->world) == w->fails_at;
  m->refused = m->refused || refuses;
  m->status = refuses ? THRONG_ERROR_OUT_OF_MEMORY : status;
  if (error) m->error = *error;
  meet(&w->meeting);
  throng_status all = THRONG_OK;
  for (uint32_t k = 0; k < w->pieces; k++) {
    if (w->member[k].status == THRONG_OK || all != THRONG_OK) continue;
    all = w->member[k].status;
    if (error) *error = w->member[k].error;
  }
  meet(&w->meeting);
  return all;
}

/* Moves the cuts: own agents that are now another piece's are sent there, and all ghosts are made anew. */
static void redistribute(struct member *m) {
  struct whole *w = m->whole;
  throng_error error;
  require_ok(throng_piece_drop_ghosts(m->world, &error), &error);
  const throng_vec3 no_low = {-INFINITY, -INFINITY, -INFINITY}, no_high = {INFINITY, INFINITY, INFINITY};
  require_ok(throng_piece_set_outer_box(m->world, no_low, no_high, &error), &error);
  require_ok(throng_world_index(m->world, &error), &error);
  throng_view view;
  require_ok(throng_world_view(m->world, &view, &error), &error);
  empty_letters(m);
  throng_agent_id *gone = malloc((view.count + 1) * sizeof *gone);
  uint32_t leavers = 0;
  for (uint32_t k = 0; k < view.count; k++) {
    const float x = view.position_x[k];
    if (post(m, x, view.id_index[k], k) == m->number) continue;
    /* an agent that leaves, but is in the halo, comes back as a ghost */
    if (is_for_all(w, view.id_index[k]) || concerns(w, m->number, x)) send_agent(m, m->number, k, false);
    gone[leavers++] = throng_view_id(&view, k);
  }
  require_ok(throng_agents_remove(m->world, gone, leavers, &error), &error);
  free(gone);
  meet(&w->meeting);
  require_ok(take_letters(m, &error), &error);
  meet(&w->meeting);
  const float wide = w->pieces == 1 || w->all_see_all ? -1.0f : w->halo; /* -1: the box is not empty, or not used */
  throng_vec3 low = {w->cut[m->number] + wide, -INFINITY, -INFINITY},
              high = {w->cut[m->number + 1] - wide, INFINITY, INFINITY};
  if (w->all_see_all) low.x = INFINITY;
  for (uint32_t k = 0; k < MOST_INDEX; k++) low.x = w->follows[k] ? INFINITY : low.x;
  m->inner[0] = low.x;
  m->inner[1] = high.x;
  require_ok(throng_piece_set_inner_box(m->world, low, high, &error), &error);
  const float ends = w->halo * 1.01f;
  const throng_vec3 outer_low = {w->cut[m->number] - ends, -INFINITY, -INFINITY},
                    outer_high = {w->cut[m->number + 1] + ends, INFINITY, INFINITY};
  require_ok(throng_piece_set_outer_box(m->world, outer_low, outer_high, &error), &error);
}

static void *run_member(void *argument) {
  struct member *m = argument;
  struct whole *w = m->whole;
  throng_error error;
  for (uint32_t frame = 0; frame < w->frames; frame++) {
    if (frame % 7 == 0) {
      if (m->number == 0 && frame > 0) {
        const float by = 0.3f * (frame % 2 ? 1.0f : -1.0f);
        for (uint32_t k = 1; k < w->pieces; k++) w->cut[k] += by;
      }
      meet(&w->meeting);
      redistribute(m);
      m->between += hash_instances(m->world);
    }
    throng_status status = throng_world_step(m->world, time_of(frame), &error);
    if (w->fails_at == frame && frame > 0) {
      assert_int_equal(status, THRONG_ERROR_OUT_OF_MEMORY);
      require_sound(m->world, "after a frame that failed");
      status = throng_world_step(m->world, time_of(frame), &error);
    }
    require_ok(status, &error);
    m->between += hash_instances(m->world);
    if (frame % 10 == 0) require_sound(m->world, "after a frame");
  }
  return NULL;
}

/* Finds the agents that others have as targets. */
static void find_followed(struct whole *w, const throng_world *world) {
  throng_error error;
  w->all_see_all = throng_piece_columns(world) & THRONG_BIT(THRONG_COLUMN_TARGET);
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) {
    throng_group_def def;
    if (throng_world_get_group(world, g, &def, &error) != THRONG_OK) continue;
    for (uint32_t k = 0; k < def.behaviour_count; k++) {
      const throng_target *targets[2] = {&def.behaviour[k].target, &def.behaviour[k].other};
      for (int t = 0; t < 2; t++) {
        if (targets[t]->kind == THRONG_TARGET_AGENT) w->follows[targets[t]->agent.index] = true;
      }
    }
  }
}

/* Makes the golden scene as a piece that owns all its agents between its cuts. */
static void open_member(struct whole *w, uint32_t number, size_t scene, uint32_t threads) {
  struct member *m = &w->member[number];
  throng_error error;
  throng_piece_def def = throng_default_piece_def();
  *m = (struct member){.whole = w, .number = number};
  m->world = golden_scene_world(scene, THRONG_ISA_AUTO, threads, NULL);
  def.exchange = exchange;
  if (w->early) def.begin = begin;
  if (w->early) def.contact_begin = contact_begin;
  if (w->early) def.progress = progress;
  def.contact = contact;
  def.agree = agree;
  def.context = m;
  require_ok(throng_piece_set(m->world, &def, &error), &error);
  require_ok(throng_piece_set_rim(m->world, w->rim, &error), &error);
  require_ok(throng_agents_reserve(m->world, 2 * throng_agents_count(m->world), &error), &error);
  uint8_t live[THRONG_MAX_GROUPS];
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) live[g] = throng_world_group_agent_count(m->world, g) > 0;
  require_ok(throng_piece_set_live_groups(m->world, live, &error), &error);
  require_ok(throng_world_index(m->world, &error), &error);
  throng_view view;
  require_ok(throng_world_view(m->world, &view, &error), &error);
  throng_agent_id *gone = malloc((view.count + 1) * sizeof *gone);
  uint32_t count = 0;
  for (uint32_t k = 0; k < view.count; k++) {
    assert_true(view.id_index[k] < MOST_INDEX);
    if (owner_of(w, view.position_x[k]) != number) gone[count++] = throng_view_id(&view, k);
  }
  require_ok(throng_agents_remove(m->world, gone, count, &error), &error);
  free(gone);
}

static void close_member(struct member *m) {
  throng_world_destroy(m->world);
  for (uint32_t k = 0; k < MOST_PIECES; k++) {
    free(m->to[k].own);
    free(m->to[k].ghosts);
  }
}

#define ONE_PHASE (-1.0f)

static struct whole w;

/* Runs a golden scene in pieces, and returns the sum of their hashes. The rim has a width, or is ONE_PHASE. */
static uint64_t run_pieces(size_t scene, uint32_t pieces, uint32_t frames, float halo, uint32_t fails_at, float rim) {
  memset(&w, 0, sizeof w);
  w.early = rim != ONE_PHASE;
  w.rim = w.early ? rim : 0.0f;
  throng_world *plain = golden_scene_world(scene, THRONG_ISA_AUTO, 1, NULL);
  w.def = throng_world_get_def(plain);
  w.pieces = w.meeting.pieces = pieces;
  w.frames = frames;
  w.halo = halo * (w.def.neighbour_budget ? 3.0f : 1.0f) * w.def.perception_radius;
  w.agents = throng_agents_count(plain);
  w.columns = throng_piece_columns(plain);
  w.ghost_columns = throng_piece_seen_columns(plain);
  w.fails_at = fails_at;
  for (uint32_t k = 0; k <= pieces; k++)
    w.cut[k] = w.def.box_min.x + (w.def.box_max.x - w.def.box_min.x) * (float)k / (float)pieces;
  find_followed(&w, plain);
  throng_world_destroy(plain);
  pthread_mutex_init(&w.meeting.lock, NULL);
  pthread_cond_init(&w.meeting.all_came, NULL);
  pthread_t thread[MOST_PIECES];
  for (uint32_t k = 0; k < pieces; k++) open_member(&w, k, scene, 1 + k % 2);
  for (uint32_t k = 0; k < pieces; k++) assert_int_equal(pthread_create(&thread[k], NULL, run_member, &w.member[k]), 0);
  for (uint32_t k = 0; k < pieces; k++) pthread_join(thread[k], NULL);
  uint64_t hash = 0;
  uint32_t agents = 0;
  for (uint32_t k = 0; k < pieces; k++) {
    hash += throng_world_hash(w.member[k].world, 0);
    w.between += w.member[k].between;
    agents += throng_agents_count(w.member[k].world);
    close_member(&w.member[k]);
  }
  assert_int_equal(agents, w.agents);
  return hash;
}

static uint64_t run_whole(size_t scene, uint32_t frames, uint64_t *between) {
  throng_world *world = golden_scene_world(scene, THRONG_ISA_AUTO, 1, NULL);
  throng_error error;
  *between = 0;
  for (uint32_t frame = 0; frame < frames; frame++) {
    if (frame % 7 == 0) *between += hash_instances(world);
    require_ok(throng_world_step(world, time_of(frame), &error), &error);
    *between += hash_instances(world);
  }
  const uint64_t hash = throng_world_hash(world, 0);
  throng_world_destroy(world);
  return hash;
}

static void golden_scenes_have_the_bits_of_one_world(void **state) {
  (void)state;
  uint32_t wrong = 0;
  for (size_t scene = 0; scene < golden_scene_count(); scene++) {
    uint64_t between;
    const uint64_t expected = run_whole(scene, 24, &between);
    for (uint32_t run = 0; run < 2 * MOST_PIECES; run++) {
      const uint32_t pieces = 1 + run / 2;
      const float width = run % 2 == 0 ? ONE_PHASE : pieces % 2 ? 0.5f : 0.0f; /* metres */
      const uint64_t hash = run_pieces(scene, pieces, 24, 1.0f + 1.0f / 32.0f, pieces == 3 ? 11 : 0, width);
      if (hash == expected && w.between == between) continue;
      printf("%s in %u pieces, rim %g: hash %016llx, expected %016llx, instances %s (%llu crossings)\n",
             golden_scene_name(scene), pieces, (double)width, (unsigned long long)hash, (unsigned long long)expected,
             w.between == between ? "right" : "wrong", (unsigned long long)w.crossings);
      wrong++;
    }
  }
  assert_int_equal(wrong, 0);
}

/* A test that cannot fail shows nothing: with half of the halo the bits differ. */
static void a_halo_too_small_changes_bits(void **state) {
  (void)state;
  uint64_t between;
  assert_true(run_pieces(0, 3, 24, 0.5f, 0, ONE_PHASE) != run_whole(0, 24, &between));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden_scenes_have_the_bits_of_one_world),
      cmocka_unit_test(a_halo_too_small_changes_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
