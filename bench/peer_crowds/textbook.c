/* textbook.c: boids in an array of structures and a grid of cells as wide as the radius. Every frame a counting sort
 * puts the boids in the order of their cells, so that neighbours are close in memory. A boid searches the cells around
 * its own.
 * SPDX-License-Identifier: MIT */
#include "boids.h"

#include <stdlib.h>
#include <string.h>

typedef struct textbook {
  peer_task task;
  uint32_t cells[3], cell_count;
  uint32_t *begin; /* each cell's first index in `sorted`; the last element is the number of boids */
  uint32_t *cell;  /* of each boid */
  boid *boids, *sorted;
  uint64_t found, frames;
} textbook;

static void textbook_destroy(void *crowd) {
  textbook *book = crowd;
  if (!book) return;
  free(book->begin);
  free(book->cell);
  free(book->boids);
  free(book->sorted);
  free(book);
}

static void *textbook_create(const peer_task *task) {
  textbook *book = calloc(1, sizeof *book);
  if (!book) return NULL;
  book->task = *task;
  book->cell_count = 1;
  for (int a = 0; a < 3; a++) {
    const peer_rules *rules = &task->rules;
    bool used = a < rules->dimensions;
    book->cells[a] = used ? (uint32_t)((rules->box_max[a] - rules->box_min[a]) / rules->radius) + 1 : 1;
    book->cell_count *= book->cells[a];
  }
  book->begin = malloc(((size_t)book->cell_count + 1) * sizeof *book->begin);
  book->cell = malloc((size_t)task->count * sizeof *book->cell);
  book->boids = malloc((size_t)task->count * sizeof *book->boids);
  book->sorted = malloc((size_t)task->count * sizeof *book->sorted);
  if (book->begin && book->cell && book->boids && book->sorted) return book;
  textbook_destroy(book);
  return NULL;
}

static bool textbook_start(void *crowd) {
  textbook *book = crowd;
  for (uint32_t i = 0; i < book->task.count; i++) {
    boid *start = &book->boids[i];
    memcpy(start->position, book->task.position[i], sizeof start->position);
    memcpy(start->velocity, book->task.velocity[i], sizeof start->velocity);
    start->id = i;
  }
  book->found = 0;
  book->frames = 0;
  return true;
}

static inline uint32_t cell_along(const textbook *book, const boid *self, int a) {
  const peer_rules *rules = &book->task.rules;
  return (uint32_t)((self->position[a] - rules->box_min[a]) / rules->radius);
}

static inline uint32_t cell_of(const textbook *book, const boid *self, int dimensions) {
  uint32_t cell = 0;
  for (int a = dimensions - 1; a >= 0; a--) cell = cell * book->cells[a] + cell_along(book, self, a);
  return cell;
}

static inline void sort(textbook *book, int dimensions) {
  uint32_t count = book->task.count, *begin = book->begin;
  memset(begin, 0, ((size_t)book->cell_count + 1) * sizeof *begin);
  for (uint32_t i = 0; i < count; i++) {
    book->cell[i] = cell_of(book, &book->boids[i], dimensions);
    begin[book->cell[i]]++;
  }
  for (uint32_t cell = 0, sum = 0; cell <= book->cell_count; cell++) {
    sum += begin[cell];
    begin[cell] = sum;
  }
  for (uint32_t i = count; i-- > 0;) book->sorted[--begin[book->cell[i]]] = book->boids[i];
}

/* Adds the neighbours in up to three cells of a row, whose boids are adjacent in memory. */
static inline void look_along_row(boid_sums *sums, const textbook *book, const boid *self, uint32_t row,
                                  int dimensions) {
  float radius_squared = book->task.rules.radius * book->task.rules.radius;
  uint32_t x = cell_along(book, self, 0);
  uint32_t first = x > 0 ? x - 1 : 0, last = x + 1 < book->cells[0] ? x + 1 : x;
  uint32_t end = book->begin[row * book->cells[0] + last + 1];
  for (uint32_t j = book->begin[row * book->cells[0] + first]; j < end; j++) {
    const boid *other = &book->sorted[j];
    float d[3], d2 = 0;
    for (int a = 0; a < dimensions; a++) {
      d[a] = other->position[a] - self->position[a];
      d2 += d[a] * d[a];
    }
    if (d2 <= radius_squared && other != self) boid_sums_add(sums, dimensions, d, d2, other->velocity);
  }
}

static inline boid_sums look_around(const textbook *book, const boid *self, int dimensions) {
  boid_sums sums = {0};
  uint32_t y = cell_along(book, self, 1), z = dimensions == 3 ? cell_along(book, self, 2) : 0;
  for (uint32_t k = z > 0 ? z - 1 : 0; k <= z + 1 && k < book->cells[2]; k++)
    for (uint32_t j = y > 0 ? y - 1 : 0; j <= y + 1 && j < book->cells[1]; j++)
      look_along_row(&sums, book, self, k * book->cells[1] + j, dimensions);
  return sums;
}

static inline void frame(textbook *book, int dimensions) {
  int64_t count = book->task.count;
  uint64_t found = 0;
  sort(book, dimensions);
#pragma omp parallel for schedule(dynamic, 1024) num_threads(book->task.threads) reduction(+ : found)
  for (int64_t i = 0; i < count; i++) {
    boid_sums sums = look_around(book, &book->sorted[i], dimensions);
    book->boids[i] = boid_move(&book->sorted[i], &sums, &book->task.rules, dimensions);
    found += sums.count;
  }
  book->found += found;
  book->frames++;
}

static bool textbook_step(void *crowd) {
  textbook *book = crowd;
  if (book->task.rules.dimensions == 2)
    frame(book, 2);
  else
    frame(book, 3);
  return true;
}

static double textbook_mean_neighbours(const void *crowd) {
  const textbook *book = crowd;
  return (double)book->found / ((double)book->frames * book->task.count);
}

static bool textbook_read(const void *crowd, float (*position)[3]) {
  const textbook *book = crowd;
  for (uint32_t i = 0; i < book->task.count; i++)
    memcpy(position[book->boids[i].id], book->boids[i].position, sizeof *position);
  return true;
}

const peer_crowd textbook_peer = {
    .name = "textbook grid",
    .note = "an array of structures, sorted into cells every frame by one thread and searched by all",
    .create = textbook_create,
    .start = textbook_start,
    .step = textbook_step,
    .mean_neighbours = textbook_mean_neighbours,
    .read = textbook_read,
    .destroy = textbook_destroy};
