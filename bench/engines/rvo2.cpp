// rvo2.cpp: RVO2, which avoids reciprocally (ORCA).
// SPDX-License-Identifier: MIT
#include <cmath>
#include <new>
#include <vector>

#include <omp.h>

#include <RVO.h>

#include "engines/engine.h"

namespace {

constexpr int most_neighbours = 10; // as in RVO2's examples
constexpr float far_away = 1e5f;    // metres: where those are who were removed

struct rvo2 {
  engine_place place;
  RVO::RVOSimulator simulator{};
  std::vector<size_t> agent{};  // by person
  std::vector<size_t> images{}; // agents that show those near a seam a second time, beyond it
  std::vector<bool> removed{};  // by person
  float farthest = 0;           // metres: how far anybody looks

  float length(int axis) const { return place.max[axis] - place.min[axis]; }
};

rvo2 *crowd_of(void *crowd) { return static_cast<rvo2 *>(crowd); }

RVO::Vector2 vector_of(const float v[2]) { return RVO::Vector2(v[0], v[1]); }

void add_obstacles(RVO::RVOSimulator &simulator, const engine_place &place) {
  for (uint32_t k = 0, corner = 0; k < place.obstacle_count; k++) {
    std::vector<RVO::Vector2> corners;
    for (; corner < place.corners_end[k]; corner++) corners.push_back(vector_of(place.corner[corner]));
    simulator.addObstacle(corners);
  }
  simulator.processObstacles();
}

void *open(const engine_place *place) {
  try {
    rvo2 *own = new rvo2{*place};
    own->simulator.setTimeStep(place->dt);
    add_obstacles(own->simulator, *place);
    return own;
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

bool add(void *crowd, const engine_person *person) {
  rvo2 *own = crowd_of(crowd);
  try {
    own->agent.push_back(own->simulator.addAgent(vector_of(person->position), person->neighbour_radius, most_neighbours,
                                                 person->horizon, person->wall_horizon, person->radius,
                                                 person->max_speed, vector_of(person->velocity)));
    own->removed.push_back(false);
    own->farthest = std::fmax(own->farthest, person->neighbour_radius);
    return true;
  } catch (const std::bad_alloc &) {
    return false;
  }
}

bool put(void *crowd, uint32_t person, const engine_person *at) {
  rvo2 *own = crowd_of(crowd);
  own->simulator.setAgentPosition(own->agent[person], vector_of(at->position));
  own->simulator.setAgentVelocity(own->agent[person], vector_of(at->velocity));
  return true;
}

bool wish(void *crowd, uint32_t person, const float velocity[2]) {
  rvo2 *own = crowd_of(crowd);
  own->simulator.setAgentPrefVelocity(own->agent[person], vector_of(velocity));
  return true;
}

// RVO2 cannot remove agents: those who are removed stand far away and look at nobody.
void banish(RVO::RVOSimulator &simulator, size_t agent) {
  simulator.setAgentPosition(agent, RVO::Vector2(far_away, far_away + 10 * static_cast<float>(agent)));
  simulator.setAgentVelocity(agent, RVO::Vector2(0, 0));
  simulator.setAgentPrefVelocity(agent, RVO::Vector2(0, 0));
  simulator.setAgentMaxNeighbors(agent, 0);
}

bool remove(void *crowd, uint32_t person) {
  rvo2 *own = crowd_of(crowd);
  own->removed[person] = true;
  banish(own->simulator, own->agent[person]);
  return true;
}

float wrapped(float at, float min, float length) { return at - length * std::floor((at - min) / length); }

// RVO2 has no periodic worlds: people who leave one enter it again at the other side.
void wrap(rvo2 &own) {
  for (size_t person = 0; person < own.agent.size(); person++) {
    if (own.removed[person]) continue;
    const RVO::Vector2 &from = own.simulator.getAgentPosition(own.agent[person]);
    float at[2] = {from.x(), from.y()};
    for (int axis = 0; axis < 2; axis++)
      if (own.place.periodic[axis]) at[axis] = wrapped(at[axis], own.place.min[axis], own.length(axis));
    own.simulator.setAgentPosition(own.agent[person], vector_of(at));
  }
}

// Makes image number k, which looks at nobody, a copy of an agent.
void show_image(rvo2 &own, size_t k, size_t agent, const RVO::Vector2 &at) {
  RVO::RVOSimulator &simulator = own.simulator;
  if (k == own.images.size())
    own.images.push_back(simulator.addAgent(at, 0, 0, 1, 1e-3f, simulator.getAgentRadius(agent), 1e-3f));
  simulator.setAgentRadius(own.images[k], simulator.getAgentRadius(agent));
  simulator.setAgentPosition(own.images[k], at);
  simulator.setAgentVelocity(own.images[k], simulator.getAgentVelocity(agent));
}

// Shows an agent on the other sides of the seams near it. Returns the number of images.
size_t show_images(rvo2 &own, size_t agent, size_t count) {
  const engine_place &place = own.place;
  const RVO::Vector2 from = own.simulator.getAgentPosition(agent);
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++) {
      if ((i == 0 && j == 0) || (i != 0 && !place.periodic[0]) || (j != 0 && !place.periodic[1])) continue;
      const float x = from.x() + static_cast<float>(i) * own.length(0),
                  z = from.y() + static_cast<float>(j) * own.length(1);
      if (x < place.min[0] - own.farthest || x > place.max[0] + own.farthest || z < place.min[1] - own.farthest ||
          z > place.max[1] + own.farthest)
        continue;
      show_image(own, count++, agent, RVO::Vector2(x, z));
    }
  return count;
}

void show_all_images(rvo2 &own) {
  size_t count = 0;
  for (size_t person = 0; person < own.agent.size(); person++)
    if (!own.removed[person]) count = show_images(own, own.agent[person], count);
  for (; count < own.images.size(); count++) banish(own.simulator, own.images[count]);
}

bool step(void *crowd) {
  rvo2 *own = crowd_of(crowd);
  const bool periodic = own->place.periodic[0] || own->place.periodic[1];
  omp_set_num_threads(static_cast<int>(own->place.threads)); // RVO2 takes OpenMP's default
  try {
    if (periodic) show_all_images(*own);
    own->simulator.doStep();
    if (periodic) wrap(*own);
    return true;
  } catch (const std::bad_alloc &) {
    return false;
  }
}

void read(const void *crowd, uint32_t person, float position[2]) {
  const rvo2 *own = static_cast<const rvo2 *>(crowd);
  const RVO::Vector2 &at = own->simulator.getAgentPosition(own->agent[person]);
  position[0] = at.x();
  position[1] = at.y();
}

uint64_t neighbours(void *crowd) {
  const rvo2 *own = crowd_of(crowd);
  uint64_t count = 0;
  for (size_t agent : own->agent) count += own->simulator.getAgentNumAgentNeighbors(agent);
  return count;
}

void close(void *crowd) { delete crowd_of(crowd); }

} // namespace

extern const crowd_engine rvo2_engine;
const crowd_engine rvo2_engine = {"rvo2",
                                  "RVO2",
                                  "only reciprocal avoidance of the nearest 10 neighbours, no solid bodies, "
                                  "accelerations or paces; compiled with -O3 -march=native",
                                  nullptr,
                                  most_neighbours,
                                  false,
                                  0,
                                  open,
                                  add,
                                  put,
                                  wish,
                                  remove,
                                  step,
                                  read,
                                  neighbours,
                                  close};
