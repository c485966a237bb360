/* lockstep.c: two machines of a game that exchange only inputs. Each machine steps its own world and records the
 * world's hash in every frame. If an input arrives late, the machine loads the snapshot before the input's frame and
 * steps again with the input. If a bit differs between the machines, the hashes of that frame differ.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#define AGENTS 3000u
#define FRAMES 300u
#define LATENCY 8u /* frames until the other machine's input arrives; as many snapshots are kept */
#define DT (1.0f / 60.0f)

/* A player's input in one frame: in some frames it gives one agent a goal. */
struct input {
  bool given;
  uint32_t agent; /* index into machine.id */
  throng_vec3 goal;
};

struct machine {
  throng_world *world;
  throng_agent_id id[AGENTS];
  struct input input[2][FRAMES]; /* the inputs of both players that have arrived, by frame */
  void *snapshot[LATENCY + 1];   /* the snapshot before frame n is element n % (LATENCY + 1) */
  size_t snapshot_bytes[LATENCY + 1], room;
  uint64_t hash[FRAMES + 1]; /* of the world before each frame, and at the end */
  uint32_t frame, rollbacks;
};

static void require(throng_status status, const throng_error *error) {
  if (status == THRONG_OK) return;
  fprintf(stderr, "%s: %s\n", throng_status_name(status), error->text);
  exit(1);
}

/* Returns the input of a player in a frame. */
static struct input play(uint32_t player, uint32_t frame) {
  const uint32_t draw = (frame * 2654435761u) ^ (player * 40503u);
  if (frame % 11 != 3 + player) return (struct input){0};
  return (struct input){true, draw % AGENTS, {(float)(draw >> 8 & 31u), 0.0f, (float)(draw >> 16 & 31u)}};
}

static void make_machine(struct machine *machine, uint32_t threads) {
  static throng_vec3 position[AGENTS];
  throng_error error;
  throng_world_def def = throng_default_world_def();
  def.thread_count = threads;
  require(throng_world_create(&def, &machine->world, &error), &error);
  throng_group_def group = throng_default_group_def();
  throng_group_def_add(&group, THRONG_BEHAVIOUR_ARRIVE);
  throng_group_def_add(&group, THRONG_BEHAVIOUR_WANDER)->weight = 0.3f;
  require(throng_world_set_group(machine->world, 0, &group, &error), &error);
  for (uint32_t k = 0; k < AGENTS; k++) position[k] = (throng_vec3){0.5f * (float)(k % 60), 0, 0.5f * (float)(k / 60)};
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = agents.goal.data = position;
  require(throng_agents_add(machine->world, &agents, AGENTS, machine->id, &error), &error);
  require(throng_world_index(machine->world, &error), &error);
  require(throng_world_save_snapshot(machine->world, NULL, 0, &machine->room, &error), &error);
  machine->room += machine->room / 4; /* for the columns of wander, which the first frame adds */
  for (uint32_t k = 0; k <= LATENCY; k++) {
    machine->snapshot[k] = malloc(machine->room);
    if (!machine->snapshot[k]) abort();
  }
}

/* Saves a snapshot, and steps one frame with the inputs of this frame that have arrived. */
static void step(struct machine *machine) {
  const uint32_t frame = machine->frame, slot = frame % (LATENCY + 1);
  throng_error error;
  require(throng_world_save_snapshot(machine->world, machine->snapshot[slot], machine->room,
                                     &machine->snapshot_bytes[slot], &error),
          &error);
  machine->hash[frame] = throng_world_hash(machine->world, 0);
  for (int player = 0; player < 2; player++) {
    const struct input *input = &machine->input[player][frame];
    if (!input->given) continue;
    require(
        throng_agents_write(machine->world, THRONG_COLUMN_GOAL, &machine->id[input->agent], 1, &input->goal, 0, &error),
        &error);
  }
  require(throng_world_step(machine->world, DT, &error), &error);
  machine->hash[++machine->frame] = throng_world_hash(machine->world, 0);
}

/* Receives an input. If its frame is over, loads the snapshot before that frame and steps again up to now. */
static void receive(struct machine *machine, uint32_t player, uint32_t frame, struct input input) {
  const uint32_t now = machine->frame;
  machine->input[player][frame] = input;
  if (frame >= now || !input.given) return;
  const uint32_t slot = frame % (LATENCY + 1);
  throng_error error;
  require(throng_world_load_snapshot(machine->world, machine->snapshot[slot], machine->snapshot_bytes[slot], &error),
          &error);
  machine->frame = frame;
  machine->rollbacks++;
  while (machine->frame < now) step(machine);
}

/* Returns the first frame before which the hashes of the machines differ; FRAMES + 1: none. */
static uint32_t first_difference(const struct machine *machines) {
  uint32_t frame = 0;
  while (frame <= FRAMES && machines[0].hash[frame] == machines[1].hash[frame]) frame++;
  return frame;
}

static void play_game(struct machine *machines) {
  for (uint32_t frame = 0; frame < FRAMES + LATENCY; frame++) {
    for (uint32_t me = 0; me < 2; me++) {
      struct machine *machine = &machines[me];
      if (frame >= LATENCY) receive(machine, 1 - me, frame - LATENCY, play(1 - me, frame - LATENCY));
      if (frame >= FRAMES) continue;
      machine->input[me][frame] = play(me, frame);
      step(machine);
    }
  }
}

/* Flips one bit of one agent's speed on one machine, as a memory defect or an uninitialised variable might. */
static void flip_a_bit(struct machine *machine) {
  const throng_agent_id *id = &machine->id[AGENTS / 2];
  throng_error error;
  float velocity[3];
  uint32_t bits;
  require(throng_agents_read(machine->world, THRONG_COLUMN_VELOCITY, id, 1, velocity, 0, &error), &error);
  memcpy(&bits, velocity, sizeof bits);
  bits ^= 1u;
  memcpy(velocity, &bits, sizeof bits);
  require(throng_agents_write(machine->world, THRONG_COLUMN_VELOCITY, id, 1, velocity, 0, &error), &error);
}

/* Steps both machines from the same state, and flips a bit of one of them before frame 3. Returns the first frame
 * before which the hashes differ; 5: none. */
static uint32_t disturb(struct machine *machines) {
  throng_error error;
  for (int k = 0; k < 2; k++) {
    require(
        throng_world_load_snapshot(machines[k].world, machines[0].snapshot[0], machines[0].snapshot_bytes[0], &error),
        &error);
  }
  for (uint32_t frame = 0; frame < 5; frame++) {
    if (frame == 3) flip_a_bit(&machines[1]);
    if (throng_world_hash(machines[0].world, 0) != throng_world_hash(machines[1].world, 0)) return frame;
    for (int k = 0; k < 2; k++) require(throng_world_step(machines[k].world, DT, &error), &error);
  }
  return 5;
}

int main(void) {
  static struct machine machines[2];
  make_machine(&machines[0], 1);
  make_machine(&machines[1], 2);
  play_game(machines);
  const uint32_t differs = first_difference(machines), noticed = disturb(machines);
  printf("%u frames, inputs %u frames late: %u and %u rollbacks, hashes %s; a flipped bit in frame 3 is noticed in "
         "frame %u\n",
         FRAMES, LATENCY, machines[0].rollbacks, machines[1].rollbacks,
         differs > FRAMES ? "equal throughout" : "DIFFER", noticed);
  for (int k = 0; k < 2; k++) {
    for (uint32_t n = 0; n <= LATENCY; n++) free(machines[k].snapshot[n]);
    throng_world_destroy(machines[k].world);
  }
  return differs > FRAMES && noticed == 3 && machines[0].rollbacks > 0 ? 0 : 1;
}
