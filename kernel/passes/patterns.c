/* passes/patterns.c: patterns of movement (Bourg & Seemann 3.3): at the start of a frame the instruction that acts, at its end how
 * far the agents have come with it. The formulas are those of ../ARITHMETIC.md, "Patterns". SPDX-License-Identifier: MIT */
#include "../pattern.h"
#include "entry.h"

/* Where an agent is: an instruction, and what it has turned (anticlockwise) and moved since that began. */
struct stage {
  float place, turned, moved_x, moved_z;
};

/* To the side that the instruction turns to. */
static float turned_so_far(const throng_pattern_instruction *i, const struct stage *stage) {
  if (i->right > 0.0f) return -stage->turned;
  return i->right < 0.0f || stage->turned > 0.0f ? stage->turned : -stage->turned;
}

static bool is_done(const throng_pattern_instruction *i, const struct stage *stage) {
  const float moved_sq = stage->moved_x * stage->moved_x + stage->moved_z * stage->moved_z;
  return (i->heading > 0.0f && turned_so_far(i, stage) >= i->heading) ||
         (i->distance > 0.0f && moved_sq >= i->distance * i->distance);
}

/* Goes on to the next instruction where the last one is done. NULL: there is none to obey. */
static const throng_pattern_instruction *obey(const struct pattern *pattern, struct stage *stage) {
  const float count = (float)pattern->count;
  if (pattern->count == 0) return NULL;
  if (stage->place < count && is_done(&pattern->instruction[(uint32_t)stage->place], stage)) {
    *stage = (struct stage){.place = stage->place + 1.0f};
  }
  if (!(stage->place >= 0.0f) || (pattern->loop && stage->place >= count)) *stage = (struct stage){.place = 0.0f};
  return stage->place < count ? &pattern->instruction[(uint32_t)stage->place] : NULL;
}

static float taper(const throng_pattern_instruction *i, const struct stage *stage) {
  if (!(i->heading > 0.0f)) return 1.0f;
  const float left = 1.0f - turned_so_far(i, stage) / i->heading;
  return left < 1.0f ? (left > 0.05f ? left : 0.05f) : 1.0f;
}

/* One agent's: shares of its acceleration to its right and along its facing. */
static void play(const struct frame *frame, uint32_t slot, float of_group, float *right, float *thrust) {
  float *const *front = frame->front->f, *const *back = frame->back->f;
  const float own = front[COLUMN_PATTERN] ? front[COLUMN_PATTERN][slot] : NAN;
  struct stage stage = {front[COLUMN_PATTERN_PLACE][slot], front[COLUMN_PATTERN_TURNED][slot],
                        front[COLUMN_PATTERN_MOVED_X][slot], front[COLUMN_PATTERN_MOVED_Z][slot]};
  const throng_pattern_instruction *i = obey(&frame->pattern[(uint32_t)(own == own ? own : of_group)], &stage);
  *right = i ? i->right * taper(i, &stage) : 0.0f;
  *thrust = i ? i->thrust : 0.0f;
  back[COLUMN_PATTERN_PLACE][slot] = stage.place;
  back[COLUMN_PATTERN_TURNED][slot] = stage.turned;
  back[COLUMN_PATTERN_MOVED_X][slot] = stage.moved_x;
  back[COLUMN_PATTERN_MOVED_Z][slot] = stage.moved_z;
}

void BEHAVIOUR(follow_pattern)(const struct frame *frame, struct strip *strip) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_FOLLOW_PATTERN)) continue;
    float number[LANES], right[LANES] = {0}, thrust[LANES] = {0};
    lf_store(number, ENTRY_VALUE(follow_pattern.pattern));
    for (uint32_t k = 0; k < LANES; k++) {
      if (lm_bits(block.wants) >> k & 1) play(frame, at + k, number[k], &right[k], &thrust[k]);
    }
    lv3 f = load_facing(frame, at, false);
    lf limit = load_limit(frame, &block.groups, at, PARAM_MAX_ACCELERATION);
    lv3 along = lv3_scale(f, lf_mul(lf_load(thrust), limit), false),
        aside = lv3_scale(right_of(f, false), lf_mul(lf_load(right), limit), false);
    store_entry(frame, strip, &block, lv3_clip(lv3_add(along, aside, false), limit, false), false);
  }
}

/* The lanes whose group has the behaviour in any place of its list. */
LANES_INLINE lm players(const struct frame *frame, const struct lane_groups *groups, uint32_t lanes) {
  lm play = lm_first(0);
  for (int entry = 0; entry < (int)THRONG_MAX_BEHAVIOURS; entry++) {
    if (!(frame->groups->entry[entry].kinds & 1u << THRONG_BEHAVIOUR_FOLLOW_PATTERN)) continue;
    lu kind = lf_bits(load_param(frame, groups, PARAM_KIND + entry));
    play = lm_or(play, lu_equal(kind, lu_set1(THRONG_BEHAVIOUR_FOLLOW_PATTERN)));
  }
  return lm_and(play, lm_first(lanes));
}

void THRONG_TABLE(progress)(const struct frame *frame, struct strip *strip) {
  float *const *front = frame->front->f, *const *back = frame->back->f;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t lanes = lanes_left(at, strip->end);
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    lm play = players(frame, &groups, lanes);
    if (!lm_any(play)) continue;
    lv3 p = load_lv3(front + COLUMN_POSITION_X, at, false),
        q = load_lv3_first(back + COLUMN_POSITION_X, at, lanes, false),
        way = world_difference(frame->grid, q, p, false);
    lf yaw = lf_load_first(back[COLUMN_FACING_X] + at, lanes);
    const lf step[3] = {lf_wrap_angle(lf_sub(yaw, lf_load(front[COLUMN_FACING_X] + at))), way.x, way.z};
    for (int c = 0; c < 3; c++) {
      float *memory = back[COLUMN_PATTERN_TURNED + c] + at;
      lf before = lf_load_first(memory, lanes);
      lf_store_first(memory, lf_select(play, lf_add(before, step[c]), before), lanes);
    }
  }
}
