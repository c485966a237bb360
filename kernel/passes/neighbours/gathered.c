/* gathered.c: the neighbour walk for the agents that are due (time slicing). If few agents of a strip are due, they are
 * gathered: their values are copied to consecutive places, so that they fill whole blocks. Each block is walked over
 * all candidates of its window, and the results go back to the agents' places in the strip.
 *
 * Every lane adds the neighbours that walk.h would add, in the same order. What is rare is left to that file,
 * which then walks the whole strip: rare rules and forms, dense cells, coincident agents, long lists.
 * SPDX-License-Identifier: MIT */
#include "passes/neighbours/candidates.h"
#include "passes/neighbours/quarters.h"
#include "passes/neighbours/walk_list.h"

/* The columns that a block loads of its own agents. */
static const int gathered_columns[] = {
    COLUMN_POSITION_X,        COLUMN_POSITION_Y,  COLUMN_POSITION_Z, COLUMN_VELOCITY_X, COLUMN_VELOCITY_Y,
    COLUMN_VELOCITY_Z,        COLUMN_FACING_X,    COLUMN_FACING_Y,   COLUMN_FACING_Z,   COLUMN_MASS,
    COLUMN_PERCEPTION_RADIUS, COLUMN_BODY_RADIUS, COLUMN_MAX_SPEED};
#define GATHERED_COLUMNS (sizeof gathered_columns / sizeof gathered_columns[0])

/* The gathered agents of a strip, in its walk_scratch. Element n of every array belongs to gathered agent n; the last
 * agent fills up the last block. */
struct gathered {
  struct frame frame; /* the frame, with these columns in front */
  struct columns columns;
  uint32_t begin, end; /* the strip's own */
  uint64_t candidates_tested, neighbours_found;
  uint32_t place[STRIP_CAPACITY]; /* in the strip */
  uint32_t cell[STRIP_CAPACITY];  /* the strip's own cells */
  uint32_t id[STRIP_CAPACITY], meta[STRIP_CAPACITY];
  float value[GATHERED_COLUMNS][STRIP_CAPACITY];
  union {
    struct candidates list;
#if LANES == 16
    struct quarters quarters;
#endif
  };
};
_Static_assert(sizeof(struct gathered) <= WALK_SCRATCH_BYTES, "gathered");

/* Returns which of the next LANES agents of the strip, from number k on, are due. */
LANES_INLINE lm due_lanes(const struct strip *strip, uint32_t k) {
  return lu_test_where(lm_first(strip->end - strip->begin - k), lu_load(strip->due + k), lu_set1(DUE));
}

static uint32_t list_due(uint32_t *place, const struct strip *strip) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < strip->end - strip->begin; k += LANES) {
    count += lu_store_set(place + count, due_lanes(strip, k), k);
  }
  ASSERT_ALONE(count >= 1);
  for (uint32_t n = 0; n < LANES; n++) place[count + n] = place[count - 1];
  return count;
}

/* Copies the numbers of the due agents. The last number is repeated until the block is full. */
static void gather_numbers(uint32_t *to, const uint32_t *from, const struct strip *strip, const uint32_t *place) {
  const uint32_t due = strip->due_count;
#if LANES == 16
  for (uint32_t k = 0, n = 0; k < strip->end - strip->begin; k += LANES) {
    const lm lanes = due_lanes(strip, k);
    lu_store(to + n, lu_compress(lanes, lu_load(from + k)));
    n += lm_count(lanes);
  }
#else
  for (uint32_t n = 0; n < due; n++) to[n] = from[place[n]];
#endif
  for (uint32_t n = 0; n < LANES; n++) to[due + n] = from[place[due]];
}
static void gather_floats(float *to, const float *from, const struct strip *strip, const uint32_t *place) {
  const uint32_t due = strip->due_count;
#if LANES == 16
  for (uint32_t k = 0, n = 0; k < strip->end - strip->begin; k += LANES) {
    const lm lanes = due_lanes(strip, k);
    lf_store(to + n, lf_from_bits(lu_compress(lanes, lf_bits(lf_load(from + k)))));
    n += lm_count(lanes);
  }
#else
  for (uint32_t n = 0; n < due; n++) to[n] = from[place[n]];
#endif
  for (uint32_t n = 0; n < LANES; n++) to[due + n] = from[place[due]];
}

/* Gathers the agents that are due. The strip then has these agents alone, from slot 0 on. */
static void gather_due(struct gathered *gathered, const struct frame *frame, struct strip *strip) {
  const struct columns *front = frame->front;
  const uint32_t begin = strip->begin, due = list_due(gathered->place, strip);
  ASSERT_ALONE(due == strip->due_count);
  gathered->frame = *frame;
  gathered->frame.front = &gathered->columns;
  gathered->columns = (struct columns){.id = gathered->id, .meta = gathered->meta};
  for (size_t c = 0; c < GATHERED_COLUMNS; c++) {
    const float *from = front->f[gathered_columns[c]];
    if (!from) continue;
    gathered->columns.f[gathered_columns[c]] = gathered->value[c];
    gather_floats(gathered->value[c], from + begin, strip, gathered->place);
  }
  gather_numbers(gathered->id, front->id + begin, strip, gathered->place);
  gather_numbers(gathered->meta, front->meta + begin, strip, gathered->place);
  for (uint32_t k = 0; k < strip->end - begin; k++) gathered->cell[k] = strip->cell[k];
  gather_numbers(strip->cell, gathered->cell, strip, gathered->place);
  gathered->begin = begin;
  gathered->end = strip->end;
  gathered->candidates_tested = gathered->neighbours_found = 0;
  strip->begin = 0;
  strip->end = due;
}

/* Gives the strip its own agents back. */
static void give_back(const struct gathered *gathered, struct strip *strip) {
  strip->begin = gathered->begin;
  strip->end = gathered->end;
  for (uint32_t k = 0; k < strip->end - strip->begin; k++) strip->cell[k] = gathered->cell[k];
}

/* Moves the results to the agents' places. No place is before the agent's number, so the last one goes first. */
static void scatter(const struct gathered *gathered, const struct frame *frame, struct strip *strip) {
  const bool spatial = is_spatial(frame);
  for (uint32_t rules = frame->groups->rules & NEIGHBOUR_RULES; rules; rules &= rules - 1) {
    for (int c = 0; c < 3; c += spatial ? 1 : 2) {
      float *rule = strip->rule[__builtin_ctz(rules)][c];
      for (uint32_t n = strip->due_count; n-- > 0;) rule[gathered->place[n]] = rule[n];
    }
  }
}

/* Returns how many gathered agents from number `at` on can share a window: as window_agents, but their slots do not
 * tell where the row ends. */
LANES_INLINE uint32_t block_agents(const struct grid *grid, const struct strip *strip, uint32_t at) {
  const uint32_t bits = grid->torus.bits_x, cell = cell_of(strip, at);
  uint32_t n = lanes_left(at, strip->end);
  while (cell_of(strip, at + n - 1) >> bits != cell >> bits) n--;
  while (cell_of(strip, at + n - 1) - cell + 2 * (REACH_BINS + 1) >= 1u << bits) n--;
  return before_seam(grid, strip, at, n);
}

/* Lists the candidates of the window that an agent of the block may reach, the block's own agents included. Returns
 * false if the list would overflow. */
LANES_INLINE bool list_gathered(struct candidates *list, const struct block *block, const struct window *window,
                                bool spatial) {
  const struct grid *grid = block->frame->grid;
  float *const *position = block->all->front->f + COLUMN_POSITION_X;
  struct bounds bounds;
  find_bounds(&bounds, block->frame, block->at, block->lanes, spatial);
  begin_list(list);
  uint32_t from, to;
  lv3 shift;
  bool shifted;
  FOR_EACH_RANGE(grid, grid->start, window, from, to, shift, shifted, spatial) {
    if (to - from > CANDIDATES - list->count || list->ranges > LIST_RANGES - 2) return false;
    begin_range(list, shift, shifted);
    list_reachable(list, &bounds, false, position, from, to, shift, shifted, spatial, false);
  }
  end_list(list);
  return true;
}

/* Walks the block's window. Returns false if that is left to walk.h. */
LANES_INLINE bool walk_block(struct gathered *gathered, const struct block *block, struct sums *sums,
                             const struct window *window, uint64_t *tested, unsigned variant) {
#if LANES == 16
  const bool spatial = variant & VARIANT_SPATIAL, seam = crosses_seam(block->frame->grid, window);
  struct quarters *quarters = &gathered->quarters;
  if (!seam && list_quarters(quarters, block->frame, block->all, window, block->at, block->lanes, spatial)) {
    walk_quarters(block, sums, quarters, tested, variant);
    return true;
  }
#endif
  if (!list_gathered(&gathered->list, block, window, variant & VARIANT_SPATIAL)) return false;
  struct threats threats;
  walk_list(block, sums, &gathered->list, &threats, tested, true, variant);
  return true;
}

/* Walks the gathered agents. Returns false if the whole strip is left to walk.h. */
LANES_INLINE bool walk_gathered(struct gathered *gathered, const struct frame *frame, struct strip *strip,
                                unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  const struct frame *own = &gathered->frame;
  ASSERT_ALONE(!throng_grid_periodic_aliased(frame->grid) && !frame->grid->dense);
  uint32_t lanes;
  for (uint32_t at = 0; at < strip->end; at += lanes) {
    lanes = block_agents(frame->grid, strip, at);
    struct window window;
    make_window(&window, own, strip, at, lanes, false, spatial);
    struct lane_groups groups;
    load_groups(&groups, own, at);
    struct layer_lanes layer_lanes[LAYER_LANES];
    struct block block = load_block(own, &groups, at, lanes, layer_lanes, variant);
    block.all = frame;
    block.reads_layers = block.reads_layers && frame->groups->features & FEATURE_MASKS;
    struct sums sums = sums_zero(&block);
    uint64_t tested = 0;
    if (!walk_block(gathered, &block, &sums, &window, &tested, variant)) return false;
    const lm close = lf_less_equal(sums.nearest_sq, lf_set1(block.close_sq));
    if (lm_any(lm_and(block.valid, close))) return false; /* coincident agents */
    finish_rules(&block, &groups, &sums, strip, variant);
    if (block.profile) add_pairs(&block, tested, sums.found, &gathered->candidates_tested, &gathered->neighbours_found);
  }
  return true;
}

/* Two variants per space: for flocks with the inverse law, and for all other rules. A bit that is set but not needed
 * takes time, but more variants would take more code than all behaviours together. */
#define VARIANT_FLOCK (VARIANT_QUARTERS | VARIANT_AVOIDANCE | VARIANT_RADIUS | VARIANT_VIEW | VARIANT_MASKS)
#define VARIANT_ANY (VARIANT_QUARTERS | VARIANT_GENERIC | VARIANT_AVOIDANCE | VARIANT_VIEW | VARIANT_MASKS)
#define DEFINE_GATHERED(name, variant)                                                                                 \
  static OUT_OF_LINE bool walk_##name(struct gathered *gathered, const struct frame *frame, struct strip *strip) {     \
    return walk_gathered(gathered, frame, strip, VARIANT_GATHERED | (variant));                                        \
  }
DEFINE_GATHERED(planar_flock, VARIANT_FLOCK)
DEFINE_GATHERED(planar_any, VARIANT_ANY)
DEFINE_GATHERED(spatial_flock, VARIANT_SPATIAL | VARIANT_FLOCK)
DEFINE_GATHERED(spatial_any, VARIANT_SPATIAL | VARIANT_ANY)

static bool walk_variant(struct gathered *gathered, const struct frame *frame, struct strip *strip) {
  const unsigned variant = needed_variant(frame);
  if (variant & (VARIANT_GENERIC | VARIANT_WALKERS))
    return (variant & VARIANT_SPATIAL ? walk_spatial_any : walk_planar_any)(gathered, frame, strip);
  return (variant & VARIANT_SPATIAL ? walk_spatial_flock : walk_planar_flock)(gathered, frame, strip);
}

/* Whether gathering is possible, and may save time: blocks of gathered agents are longer, and have more candidates. */
static bool may_gather(const struct frame *frame, const struct strip *strip) {
  if (frame->groups->features & (FEATURE_MORE_RULES | FEATURE_NEAREST) || frame->grid->dense) return false;
  if (throng_grid_periodic_aliased(frame->grid)) return false;
  return strip->due_count * 4 <= (strip->end - strip->begin) * 3;
}

bool THRONG_TABLE(walk_due)(const struct frame *frame, struct strip *strip) {
  /* Agents with a queue or a pace are due in every frame, and the walk stores that nothing limits the others. */
  if (frame->groups->features & (FEATURE_QUEUE | FEATURE_PACE)) return false;
  if (strip->due_count == 0) return true;
  if (!may_gather(frame, strip)) return false;
  struct gathered *gathered = (struct gathered *)strip->walk_scratch;
  gather_due(gathered, frame, strip);
  const bool walked = walk_variant(gathered, frame, strip);
  give_back(gathered, strip);
  if (!walked) return false;
  strip->candidates_tested += gathered->candidates_tested;
  strip->neighbours_found += gathered->neighbours_found;
  scatter(gathered, frame, strip);
  return true;
}
