// rvo2.cpp: RVO2 in scenes of people: the same bodies, speeds, obstacles and wishes. It avoids reciprocally (ORCA).
// SPDX-License-Identifier: MIT
#include <memory>
#include <new>
#include <vector>

#include <omp.h>

#include <RVO.h>

#include "peer.h"
#include "people.h"

namespace {

constexpr int most_neighbours = 10; // as in RVO2's examples

struct rvo2 {
  peer_task task;
  RVO::RVOSimulator simulator;
  uint64_t used = 0, frames = 0;
};

RVO::Vector2 vector_of(const float v[3]) { return RVO::Vector2(v[0], v[1]); }

void add_obstacles(RVO::RVOSimulator &simulator, const peer_people &people) {
  uint32_t corner = 0;
  for (uint32_t k = 0; k < people.obstacle_count; k++) {
    std::vector<RVO::Vector2> corners;
    for (; corner < people.corners_end[k]; corner++) corners.push_back(vector_of(people.corner[corner]));
    simulator.addObstacle(corners);
  }
  simulator.processObstacles();
}

void add_agents(RVO::RVOSimulator &simulator, const peer_task &task) {
  for (uint32_t i = 0; i < task.count; i++) {
    const peer_person person = people_person(task.people, i);
    simulator.addAgent(vector_of(task.position[i]), person.neighbour_radius, most_neighbours, person.horizon,
                       person.wall_horizon, person.radius, person.max_speed, vector_of(task.velocity[i]));
  }
}

// RVO2 has no periodic worlds: agents that leave one enter it again at the other side, but do not see across the seam.
void wrap(rvo2 &own) {
  const peer_rules &rules = own.task.rules;
  const bool *periodic = own.task.people->periodic;
  if (!periodic[0] && !periodic[1]) return;
  for (uint32_t i = 0; i < own.task.count; i++) {
    const RVO::Vector2 &at = own.simulator.getAgentPosition(i);
    float p[2] = {at.x(), at.y()};
    for (int k = 0; k < 2; k++) {
      const float length = rules.box_max[k] - rules.box_min[k];
      if (periodic[k] && p[k] < rules.box_min[k]) p[k] += length;
      if (periodic[k] && p[k] >= rules.box_max[k]) p[k] -= length;
    }
    own.simulator.setAgentPosition(i, RVO::Vector2(p[0], p[1]));
  }
}

} // namespace

static void destroy(void *crowd) { delete static_cast<rvo2 *>(crowd); }

static void *create(const peer_task *task) {
  try {
    std::unique_ptr<rvo2> own(new rvo2{*task, RVO::RVOSimulator()});
    own->simulator.setTimeStep(task->rules.dt);
    add_obstacles(own->simulator, *task->people);
    add_agents(own->simulator, *task);
    return own.release();
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

static bool start(void *crowd) {
  rvo2 *own = static_cast<rvo2 *>(crowd);
  for (uint32_t i = 0; i < own->task.count; i++) {
    own->simulator.setAgentPosition(i, vector_of(own->task.position[i]));
    own->simulator.setAgentVelocity(i, vector_of(own->task.velocity[i]));
  }
  own->used = 0;
  own->frames = 0;
  return true;
}

static bool step(void *crowd) {
  rvo2 *own = static_cast<rvo2 *>(crowd);
  const int64_t count = own->task.count;
  omp_set_num_threads(static_cast<int>(own->task.threads)); // RVO2 takes OpenMP's default
#pragma omp parallel for
  for (int64_t i = 0; i < count; i++) {
    const auto agent = static_cast<uint32_t>(i);
    const RVO::Vector2 &at = own->simulator.getAgentPosition(agent);
    const float from[2] = {at.x(), at.y()};
    float wish[2];
    people_wish(own->task.people, agent, from, wish);
    own->simulator.setAgentPrefVelocity(agent, RVO::Vector2(wish[0], wish[1]));
  }
  own->simulator.doStep();
  wrap(*own);
  own->frames++;
  for (uint32_t i = 0; own->task.counting && i < own->task.count; i++)
    own->used += own->simulator.getAgentNumAgentNeighbors(i);
  return true;
}

static double mean_neighbours(const void *crowd) {
  const rvo2 *own = static_cast<const rvo2 *>(crowd);
  return static_cast<double>(own->used) / (static_cast<double>(own->frames) * own->task.count);
}

static bool read(const void *crowd, float (*position)[3]) {
  const rvo2 *own = static_cast<const rvo2 *>(crowd);
  for (uint32_t i = 0; i < own->task.count; i++) {
    const RVO::Vector2 &at = own->simulator.getAgentPosition(i);
    position[i][0] = at.x();
    position[i][1] = at.y();
    position[i][2] = 0;
  }
  return true;
}

const peer_crowd rvo2_peer = {
    "RVO2",
    "only reciprocal avoidance of the nearest 10 neighbours, no solid bodies, accelerations or paces; circles have 16 "
    "corners; agents do not see across seams; compiled "
    "with -O3 -march=native",
    nullptr,
    most_neighbours,
    true,
    false,
    0,
    create,
    start,
    step,
    mean_neighbours,
    read,
    destroy,
    PEER_PEOPLE};
