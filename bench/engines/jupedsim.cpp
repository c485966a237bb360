// jupedsim.cpp: the operational models of JuPedSim's C++ core, which compute how people walk to a point near them.
// Routes and journeys are the host's. Every model has its default numbers, except for radius and speed.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <unordered_map>
#include <vector>

#include <CollisionGeometry.hpp>
#include <GenericAgent.hpp>
#include <NeighborhoodSearch.hpp>
#include <OperationalDecisionSystem.hpp>

#include "engines/engine.h"

namespace {

constexpr double cell_size = 2.2;      // metres: as in JuPedSim's Simulation
constexpr double far_away = 50;        // metres: of the outer walls, which JuPedSim demands, from all else
constexpr double slowest_wish = 1e-3;  // m/s: the centrifugal model divides by the wished speed
constexpr uint64_t random_seed = 1234; // as in JuPedSim's examples

// For JuPedSim a wall is a hole with two corners. It lists a hole's sides, hence a wall twice. This gives access to its
// lists, so that a wall counts once.
using wall_lists = std::unordered_map<Cell, std::vector<LineSegment>>;
wall_lists &walls_of(CollisionGeometry &geometry);
template <wall_lists CollisionGeometry::*member> struct wall_access {
  friend wall_lists &walls_of(CollisionGeometry &geometry) { return geometry.*member; }
};
template struct wall_access<&CollisionGeometry::_approximateGrid>;

void count_walls_once(CollisionGeometry &geometry) {
  const auto same = [](const LineSegment &a, const LineSegment &b) { return a == b || (a.p1 == b.p2 && a.p2 == b.p1); };
  for (auto &[cell, walls] : walls_of(geometry))
    walls.erase(std::unique(walls.begin(), walls.end(), same), walls.end());
}

CollisionGeometry geometry_of(const engine_place &place) {
  double low[2] = {place.min[0], place.min[1]}, high[2] = {place.max[0], place.max[1]};
  std::vector<Poly> holes;
  for (uint32_t k = 0, corner = 0; k < place.obstacle_count; k++) {
    holes.emplace_back();
    for (; corner < place.corners_end[k]; corner++) {
      const float *at = place.corner[corner];
      holes.back().push_back(K::Point_2(at[0], at[1]));
      for (int axis = 0; axis < 2; axis++) {
        low[axis] = std::min(low[axis], static_cast<double>(at[axis]));
        high[axis] = std::max(high[axis], static_cast<double>(at[axis]));
      }
    }
  }
  Poly outer;
  outer.push_back(K::Point_2(low[0] - far_away, low[1] - far_away));
  outer.push_back(K::Point_2(high[0] + far_away, low[1] - far_away));
  outer.push_back(K::Point_2(high[0] + far_away, high[1] + far_away));
  outer.push_back(K::Point_2(low[0] - far_away, high[1] + far_away));
  CollisionGeometry geometry(PolyWithHoles(outer, holes.begin(), holes.end()));
  count_walls_once(geometry);
  return geometry;
}

template <class State> GenericAgent::ModelState state_of(const engine_person &person) {
  State state;
  const Point velocity(person.velocity[0], person.velocity[1]);
  state.position = Point(person.position[0], person.position[1]);
  if constexpr (requires { state.radius; }) state.radius = person.radius;
  if constexpr (requires { state.velocity; }) state.velocity = velocity;
  if constexpr (requires { state.speed; }) state.speed = velocity.Norm();
  if constexpr (requires { state.orientation; })
    if (velocity.Norm() > 0) state.orientation = velocity.Normalized();
  return state;
}

void set_speed(GenericAgent::ModelState &model, double speed) {
  std::visit(
      [speed](auto &state) {
        if constexpr (requires { state.v0; }) state.v0 = speed;
        if constexpr (requires { state.desiredSpeed; }) state.desiredSpeed = speed;
      },
      model);
}

struct jupedsim {
  engine_place place;
  GenericAgent::ModelState (*state)(const engine_person &person);
  double reach; // metres: how far the model looks
  CollisionGeometry geometry;
  OperationalDecisionSystem decisions;
  NeighborhoodSearch<GenericAgent> search{cell_size};
  AgentContainer<GenericAgent> agents{}, images{};
  std::vector<uint32_t> slot{}; // by person: its index in agents

  jupedsim(const engine_place &where, GenericAgent::ModelState (*make)(const engine_person &), double far,
           std::unique_ptr<OperationalModel> model)
      : place(where), state(make), reach(far), geometry(geometry_of(where)), decisions(std::move(model)) {}

  double length(int axis) const { return place.periodic[axis] ? place.max[axis] - place.min[axis] : 0; }
  void wrap();
  void add_images(const GenericAgent &agent);
  void find_neighbours();
};

jupedsim *crowd_of(void *crowd) { return static_cast<jupedsim *>(crowd); }

double wrapped(double at, double min, double length) {
  return length > 0 ? at - length * std::floor((at - min) / length) : at;
}

// JuPedSim has no periodic worlds: people who leave one enter it again at the other side.
void jupedsim::wrap() {
  if (!place.periodic[0] && !place.periodic[1]) return;
  for (GenericAgent &agent : agents) {
    Point &at = agent.position();
    at = Point(wrapped(at.x, place.min[0], length(0)), wrapped(at.y, place.min[1], length(1)));
  }
}

// Near a seam people are seen a second time, beyond it.
void jupedsim::add_images(const GenericAgent &agent) {
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++) {
      if ((i == 0 && j == 0) || (i != 0 && !place.periodic[0]) || (j != 0 && !place.periodic[1])) continue;
      const Point at = agent.position() + Point(i * length(0), j * length(1));
      if (at.x < place.min[0] - reach || at.x > place.max[0] + reach || at.y < place.min[1] - reach ||
          at.y > place.max[1] + reach)
        continue;
      images.push_back(agent);
      images.back().position() = at;
    }
}

void jupedsim::find_neighbours() {
  search.Update(agents);
  images.clear();
  if (!place.periodic[0] && !place.periodic[1]) return;
  for (const GenericAgent &agent : agents) add_images(agent);
  for (const GenericAgent &image : images) search.AddAgent(image);
}

template <class Model> std::unique_ptr<OperationalModel> default_model() { return std::make_unique<Model>(); }
template <> std::unique_ptr<OperationalModel> default_model<CollisionFreeSpeedModel>() {
  return std::make_unique<CollisionFreeSpeedModel>(8.0, 0.1, 5.0, 0.02);
}
template <> std::unique_ptr<OperationalModel> default_model<AnticipationVelocityModel>() {
  return std::make_unique<AnticipationVelocityModel>(0.3, random_seed);
}
template <> std::unique_ptr<OperationalModel> default_model<GeneralizedCentrifugalForceModel>() {
  return std::make_unique<GeneralizedCentrifugalForceModel>(0.3, 0.2, 2, 2, 0.1, 0.1, 9, 3);
}
template <> std::unique_ptr<OperationalModel> default_model<SocialForceModel>() {
  return std::make_unique<SocialForceModel>(120000, 240000);
}

template <class Model, int reach_tenths> void *open(const engine_place *place) {
  try {
    return new jupedsim(*place, state_of<typename Model::State>, reach_tenths / 10.0, default_model<Model>());
  } catch (const std::exception &) {
    return nullptr;
  }
}

bool add(void *crowd, const engine_person *person) {
  jupedsim *own = crowd_of(crowd);
  try {
    own->slot.push_back(static_cast<uint32_t>(own->agents.size()));
    own->agents.emplace_back(GenericAgent::ID::Invalid, jps::UniqueID<Journey>::Invalid,
                             jps::UniqueID<BaseStage>::Invalid, own->state(*person));
    return true;
  } catch (const std::exception &) {
    return false;
  }
}

bool put(void *crowd, uint32_t person, const engine_person *at) {
  jupedsim *own = crowd_of(crowd);
  own->agents[own->slot[person]].model = own->state(*at);
  return true;
}

bool wish(void *crowd, uint32_t person, const float velocity[2]) {
  jupedsim *own = crowd_of(crowd);
  GenericAgent &agent = own->agents[own->slot[person]];
  const Point way(velocity[0], velocity[1]);
  agent.nextTarget = agent.position() + way.Normalized();
  set_speed(agent.model, std::max(way.Norm(), slowest_wish));
  return true;
}

bool remove(void *crowd, uint32_t person) {
  jupedsim *own = crowd_of(crowd);
  const uint32_t gone = own->slot[person];
  own->agents.erase(own->agents.begin() + gone);
  for (uint32_t &slot : own->slot) slot -= slot > gone;
  return true;
}

bool step(void *crowd) {
  jupedsim *own = crowd_of(crowd);
  try {
    own->find_neighbours();
    own->decisions.Run(own->place.dt, 0, own->search, own->geometry, own->agents);
    own->wrap();
    return true;
  } catch (const std::exception &) {
    return false;
  }
}

void read(const void *crowd, uint32_t person, float position[2]) {
  const jupedsim *own = static_cast<const jupedsim *>(crowd);
  const Point &at = own->agents[own->slot[person]].position();
  position[0] = static_cast<float>(at.x);
  position[1] = static_cast<float>(at.y);
}

uint64_t neighbours(void *crowd) {
  jupedsim *own = crowd_of(crowd);
  uint64_t count = 0;
  own->find_neighbours();
  for (const GenericAgent &agent : own->agents)
    count += own->search.GetNeighboringAgents(agent.position(), own->reach).size() - 1; // without itself
  return count;
}

void close(void *crowd) { delete crowd_of(crowd); }

#define MODEL(name, label, model, reach_tenths)                                                                        \
  {                                                                                                                    \
    "jupedsim-" name, "JuPedSim " label,                                                                               \
        "default numbers, but throng's radius and wished speed; only its operational level, no routes or journeys; "   \
        "compiled with -O3 -march=native",                                                                             \
        nullptr, 0, true, 0.01f, open<model, reach_tenths>, add, put, wish, remove, step, read, neighbours, close      \
  }

} // namespace

extern const crowd_engine jupedsim_engines[];
const crowd_engine jupedsim_engines[] = {MODEL("v1", "V1", CollisionFreeSpeedModel, 30),
                                         MODEL("v2", "V2", CollisionFreeSpeedModelV2, 30),
                                         MODEL("v3", "V3", CollisionFreeSpeedModelV3, 30),
                                         MODEL("anticipation", "anticipation", AnticipationVelocityModel, 30),
                                         MODEL("centrifugal", "centrifugal", GeneralizedCentrifugalForceModel, 40),
                                         MODEL("social", "social force", SocialForceModel, 25)};
