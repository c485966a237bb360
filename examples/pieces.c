/* pieces.c: one world in two pieces, each stepped by a thread of its own, with the bits of one world.
 *   The left piece owns the agents with x < 0, the right one the others. After each move a piece writes two letters to
 * the other: the agents that have crossed the middle, and those so near to it that the other's agents perceive them.
 * With processes or machines instead of threads, only the letters travel otherwise: libthrong-mpi sends them by MPI.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <throng/throng.h>

#define AGENTS 4000u
#define FRAMES 200
#define SIDE 60.0f  /* metres, of the box; its middle is 0 */
#define RADIUS 2.0f /* the perception radius */
#define HALO (RADIUS + RADIUS / 32)
#define DT (1.0f / 30.0f)

static void check(throng_status status, const throng_error *error) {
  if (status == THRONG_OK) return;
  fprintf(stderr, "%s: %s\n", throng_status_name(status), error->text);
  exit(1);
}

/* Every piece begins as the whole world, so that definition, groups and ids are the same. */
static throng_world *make_world(void) {
  static throng_vec3 position[AGENTS], velocity[AGENTS];
  throng_world_def def = throng_default_world_def();
  throng_error error;
  throng_world *world;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.box_min = (throng_vec3){-SIDE / 2, 0, -SIDE / 2};
  def.box_max = (throng_vec3){SIDE / 2, 0, SIDE / 2};
  def.perception_radius = RADIUS;
  def.thread_count = 1;
  check(throng_world_create(&def, &world, &error), &error);
  const throng_group_def flock = throng_flock_group_def();
  check(throng_world_set_group(world, 0, &flock, &error), &error);
  for (uint32_t k = 0; k < AGENTS; k++) {
    const float angle = 2.4f * (float)k, far = 0.48f * SIDE * sqrtf((float)k / AGENTS); /* a disc of equal density */
    position[k] = (throng_vec3){far * cosf(angle), 0, far * sinf(angle)};
    velocity[k] = (throng_vec3){cosf((float)k), 0, sinf((float)k)};
  }
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = position;
  agents.velocity.data = velocity;
  check(throng_agents_add(world, &agents, AGENTS, NULL, &error), &error);
  check(throng_world_index(world, &error), &error);
  return world;
}

/* Both threads wait here for each other. */
struct meeting {
  pthread_mutex_t lock;
  pthread_cond_t both_came;
  int came, round;
};
static struct meeting meeting = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
static void meet(void) {
  pthread_mutex_lock(&meeting.lock);
  const int round = meeting.round;
  if (++meeting.came == 2) {
    meeting.came = 0;
    meeting.round++;
    pthread_cond_broadcast(&meeting.both_came);
  }
  while (meeting.round == round) pthread_cond_wait(&meeting.both_came, &meeting.lock);
  pthread_mutex_unlock(&meeting.lock);
}

struct letter {
  uint32_t count, element[AGENTS];
  char *records; /* room for all agents */
};
struct piece {
  throng_world *world;
  float sign; /* it owns the agents with sign * x > 0; x = 0 belongs to the right one */
  uint64_t columns, seen_columns;
  struct letter own, ghosts; /* to the other piece: agents that it owns from now on, and those that it only sees */
  throng_status status;
  struct piece *other;
  uint64_t crossed;
};

static bool owns(const struct piece *piece, float x) { return (x >= 0.0f) == (piece->sign > 0.0f); }

/* Decides what the other piece needs of an agent at x. Returns whether the agent has left this piece. */
static bool address(struct piece *piece, uint32_t element, float x) {
  if (!owns(piece, x))
    piece->own.element[piece->own.count++] = element;
  else if (fabsf(x) <= HALO)
    piece->ghosts.element[piece->ghosts.count++] = element;
  return !owns(piece, x);
}

static void seal(const struct piece *piece, uint64_t columns, const struct letter *letter, throng_error *error) {
  check(throng_piece_pack(piece->world, columns, letter->element, letter->count, letter->records, error), error);
}

static throng_status read_letters(const struct piece *piece, throng_error *error) {
  const struct piece *from = piece->other;
  const throng_status status =
      throng_piece_take(piece->world, piece->columns, from->own.records, from->own.count, true, error);
  if (status != THRONG_OK) return status;
  return throng_piece_take(piece->world, piece->seen_columns, from->ghosts.records, from->ghosts.count, false, error);
}

/* The exchange of a frame. */
static throng_status exchange(throng_world *world, const throng_piece_agents *agents, throng_error *error,
                              void *context) {
  struct piece *piece = context;
  piece->own.count = piece->ghosts.count = 0;
  for (uint32_t k = 0; k < agents->border_count; k++) {
    const uint32_t element = agents->border[k];
    const float x = agents->position_x[element];
    if (!address(piece, element, x)) continue;
    check(throng_piece_give(world, &element, 1, fabsf(x) <= HALO, error), error); /* near the middle it stays a ghost */
    piece->crossed++;
  }
  seal(piece, piece->columns, &piece->own, error);
  seal(piece, piece->seen_columns, &piece->ghosts, error);
  meet();
  const throng_status status = read_letters(piece, error);
  meet(); /* now both may write new letters */
  return status;
}

/* Both pieces commit the frame, or none. */
static throng_status agree(throng_status status, throng_error *error, void *context) {
  struct piece *piece = context;
  (void)error;
  piece->status = status;
  meet();
  const throng_status both = piece->status != THRONG_OK ? piece->status : piece->other->status;
  meet();
  return both;
}

/* Keeps the own agents, and gets the first ghosts from the other piece. */
static void become_piece(struct piece *piece) {
  throng_piece_def def = throng_default_piece_def();
  throng_error error;
  throng_view view;
  throng_agent_id gone[AGENTS];
  uint32_t leavers = 0;
  def.exchange = exchange;
  def.agree = agree;
  def.context = piece;
  check(throng_piece_set(piece->world, &def, &error), &error);
  const throng_vec3 low = {piece->sign > 0 ? HALO : -INFINITY, -INFINITY, -INFINITY},
                    high = {piece->sign > 0 ? INFINITY : -HALO, INFINITY, INFINITY};
  check(throng_piece_set_inner_box(piece->world, low, high, &error), &error);
  check(throng_world_view(piece->world, &view, &error), &error);
  for (uint32_t k = 0; k < view.count; k++) {
    if (!owns(piece, view.position_x[k]))
      gone[leavers++] = throng_view_id(&view, k);
    else if (fabsf(view.position_x[k]) <= HALO)
      piece->ghosts.element[piece->ghosts.count++] = k;
  }
  seal(piece, piece->seen_columns, &piece->ghosts, &error);
  check(throng_agents_remove(piece->world, gone, leavers, &error), &error);
  meet();
  check(read_letters(piece, &error), &error);
  meet();
}

static void *run(void *argument) {
  struct piece *piece = argument;
  throng_error error;
  become_piece(piece);
  for (int frame = 0; frame < FRAMES; frame++) check(throng_world_step(piece->world, DT, &error), &error);
  return NULL;
}

static void open_piece(struct piece *piece, struct piece *other, float sign) {
  piece->world = make_world();
  piece->other = other;
  piece->sign = sign;
  piece->columns = throng_piece_columns(piece->world);
  piece->seen_columns = throng_piece_seen_columns(piece->world);
  const size_t bytes = AGENTS * throng_piece_record_bytes(THRONG_SPACE_PLANAR, piece->columns);
  piece->own.records = malloc(bytes);
  piece->ghosts.records = malloc(bytes);
  if (!piece->own.records || !piece->ghosts.records) exit(1);
}

int main(void) {
  static struct piece left, right;
  throng_world *one = make_world();
  throng_error error;
  open_piece(&left, &right, -1.0f);
  open_piece(&right, &left, 1.0f);
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, &left) != 0) return 1;
  run(&right);
  pthread_join(thread, NULL);
  for (int frame = 0; frame < FRAMES; frame++) check(throng_world_step(one, DT, &error), &error);
  const uint64_t pieces = throng_world_hash(left.world, 0) + throng_world_hash(right.world, 0);
  printf("%u agents, %d frames: %u on the left, %u on the right, %llu crossings\n", AGENTS, FRAMES,
         throng_agents_count(left.world), throng_agents_count(right.world),
         (unsigned long long)(left.crossed + right.crossed));
  printf("hash of the pieces %016llx, of one world %016llx\n", (unsigned long long)pieces,
         (unsigned long long)throng_world_hash(one, 0));
  const bool same = pieces == throng_world_hash(one, 0);
  throng_world_destroy(left.world);
  throng_world_destroy(right.world);
  throng_world_destroy(one);
  free(left.own.records);
  free(left.ghosts.records);
  free(right.own.records);
  free(right.ghosts.records);
  return same ? 0 : 1;
}
