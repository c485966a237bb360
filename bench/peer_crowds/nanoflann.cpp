// nanoflann.cpp: boids that search nanoflann's kd-tree, which is rebuilt every frame. Boids are stored in the order of
// the tree's leaves, so that neighbours are close in memory.
// SPDX-License-Identifier: MIT
#include <cstring>
#include <new>
#include <vector>

#include <nanoflann.hpp>

#include "boids.h"

namespace {

constexpr size_t leaf_size = 24; // the fastest of 5, 10, 16, 24, 32 and 48; 16 and 32 are nearly as fast

struct boid_set {
  std::vector<boid> boids;

  size_t kdtree_get_point_count() const { return boids.size(); }
  float kdtree_get_pt(size_t i, size_t axis) const { return boids[i].position[axis]; }
  template <class Box> bool kdtree_get_bbox(Box &) const { return false; }
};

// Receives the points that a search finds, and adds each at once to the sums of the boid `self`, without a list.
template <int dimensions> struct summing_results {
  using DistanceType = float;
  const std::vector<boid> &boids;
  uint32_t self;
  float radius_squared;
  boid_sums sums{};

  size_t size() const { return sums.count; }
  bool full() const { return true; }
  float worstDist() const { return radius_squared; }
  bool addPoint(float squared, uint32_t index) {
    if (index == self) return true;
    float d[3];
    for (int a = 0; a < dimensions; a++) d[a] = boids[index].position[a] - boids[self].position[a];
    boid_sums_add(&sums, dimensions, d, squared, boids[index].velocity);
    return true;
  }
};

struct flock {
  peer_task task;
  boid_set now;
  std::vector<boid> next;
  uint64_t found = 0, frames = 0;

  explicit flock(const peer_task &given) : task(given), next(given.count) { now.boids.resize(given.count); }
  virtual ~flock() = default;
  virtual void frame() = 0;
};

template <int dimensions> struct tree_flock final : flock {
  using metric = nanoflann::L2_Simple_Adaptor<float, boid_set, float, uint32_t>;
  using tree_type = nanoflann::KDTreeSingleIndexAdaptor<metric, boid_set, dimensions, uint32_t>;
  tree_type tree;

  explicit tree_flock(const peer_task &given)
      : flock(given), tree(dimensions, now,
                           nanoflann::KDTreeSingleIndexAdaptorParams(
                               leaf_size, nanoflann::KDTreeSingleIndexAdaptorFlags::SkipInitialBuildIndex)) {}

  void frame() override {
    tree.buildIndex();
    const float radius_squared = task.rules.radius * task.rules.radius;
    const int64_t count = task.count;
    uint64_t met = 0;
#pragma omp parallel for schedule(dynamic, 1024) num_threads(task.threads) reduction(+ : met)
    for (int64_t k = 0; k < count; k++) {
      const uint32_t i = tree.vAcc[static_cast<size_t>(k)];
      const boid &self = now.boids[i];
      summing_results<dimensions> results{now.boids, i, radius_squared};
      tree.radiusSearchCustomCallback(self.position, results);
      next[static_cast<size_t>(k)] = boid_move(&self, &results.sums, &task.rules, dimensions);
      met += results.sums.count;
    }
    now.boids.swap(next);
    found += met;
    frames++;
  }
};

} // namespace

static void *create(const peer_task *task) {
  try {
    if (task->rules.dimensions == 2) return static_cast<flock *>(new tree_flock<2>(*task));
    return static_cast<flock *>(new tree_flock<3>(*task));
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

static bool start(void *crowd) {
  flock *own = static_cast<flock *>(crowd);
  for (uint32_t i = 0; i < own->task.count; i++) {
    boid &start = own->now.boids[i];
    std::memcpy(start.position, own->task.position[i], sizeof start.position);
    std::memcpy(start.velocity, own->task.velocity[i], sizeof start.velocity);
    start.id = i;
  }
  own->found = 0;
  own->frames = 0;
  return true;
}

static bool step(void *crowd) {
  try {
    static_cast<flock *>(crowd)->frame();
    return true;
  } catch (const std::bad_alloc &) {
    return false;
  }
}

static double mean_neighbours(const void *crowd) {
  const flock *own = static_cast<const flock *>(crowd);
  return static_cast<double>(own->found) / (static_cast<double>(own->frames) * own->task.count);
}

static bool read(const void *crowd, float (*position)[3]) {
  for (const boid &one : static_cast<const flock *>(crowd)->now.boids)
    std::memcpy(position[one.id], one.position, sizeof *position);
  return true;
}

static void destroy(void *crowd) { delete static_cast<flock *>(crowd); }

const peer_crowd nanoflann_peer = {"nanoflann",
                                   "a kd-tree, built every frame by one thread and searched by all",
                                   nullptr,
                                   0,
                                   false,
                                   false,
                                   false,
                                   0,
                                   create,
                                   start,
                                   step,
                                   mean_neighbours,
                                   read,
                                   destroy,
                                   PEER_FLOCKS};
