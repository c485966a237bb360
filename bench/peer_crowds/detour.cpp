// detour.cpp: DetourCrowd on a navigation mesh of one rectangle, the scene's box. Of the rules it has only separation:
// every agent's desired velocity is always that of the start.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

#include <DetourCommon.h>
#include <DetourCrowd.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>

#include "peer.h"

namespace {

// With a radius of 0 there are no collisions, as in the scenes, and every agent is in only one cell of the grid.
constexpr float body_radius = 0, height = 2;
constexpr float separation_weight = 2;   // as in DetourCrowd's demo
constexpr float grid_cell = 0.5f;        // in query ranges; smaller values are slower, 1 misses neighbours
constexpr uint32_t most_agents = 0xFFFF; // its grid numbers the entries with 16 bits, and one value means no entry

struct mesh_deleter {
  void operator()(dtNavMesh *mesh) const { dtFreeNavMesh(mesh); }
};
struct crowd_deleter {
  void operator()(dtCrowd *crowd) const { dtFreeCrowd(crowd); }
};

struct detour {
  peer_task task;
  std::unique_ptr<dtNavMesh, mesh_deleter> mesh;
  std::unique_ptr<dtCrowd, crowd_deleter> crowd; // after `mesh`, so that it is destroyed first: it points to the mesh
  uint64_t used = 0, frames = 0;
};

// Returns a mesh of one walkable rectangle; nullptr: failed. Its corners are 16-bit numbers of steps from box_min.
dtNavMesh *make_mesh(const peer_rules &rules) {
  const float side = std::max(rules.box_max[0] - rules.box_min[0], rules.box_max[1] - rules.box_min[1]);
  const float step = side / 0x4000;
  const auto x = static_cast<unsigned short>(std::ceil((rules.box_max[0] - rules.box_min[0]) / step));
  const auto z = static_cast<unsigned short>(std::ceil((rules.box_max[1] - rules.box_min[1]) / step));
  const unsigned short corners[] = {0, 0, 0, 0, 0, z, x, 0, z, x, 0, 0};
  const unsigned short outside = 0xFFFF;
  const unsigned short polygon[] = {0, 1, 2, 3, outside, outside, outside, outside};
  const unsigned short flags = 1;
  const unsigned char area = 0;
  dtNavMeshCreateParams params{};
  params.verts = corners;
  params.vertCount = 4;
  params.polys = polygon;
  params.polyFlags = &flags;
  params.polyAreas = &area;
  params.polyCount = 1;
  params.nvp = 4;
  params.bmin[0] = rules.box_min[0];
  params.bmin[2] = rules.box_min[1];
  params.bmax[0] = rules.box_max[0];
  params.bmax[1] = height;
  params.bmax[2] = rules.box_max[1];
  params.walkableHeight = height;
  params.walkableRadius = body_radius;
  params.walkableClimb = 1;
  params.cs = step;
  params.ch = step;
  params.buildBvTree = true;
  unsigned char *data = nullptr;
  int size = 0;
  if (!dtCreateNavMeshData(&params, &data, &size)) return nullptr;
  std::unique_ptr<dtNavMesh, mesh_deleter> mesh(dtAllocNavMesh());
  if (mesh && dtStatusSucceed(mesh->init(data, size, DT_TILE_FREE_DATA))) return mesh.release();
  dtFree(data);
  return nullptr;
}

bool add_agents(dtCrowd &crowd, const peer_task &task) {
  dtCrowdAgentParams params{};
  params.radius = body_radius;
  params.height = height;
  params.maxAcceleration = task.rules.max_acceleration;
  params.maxSpeed = task.rules.max_speed;
  params.collisionQueryRange = task.rules.radius;
  params.pathOptimizationRange = task.rules.radius;
  params.separationWeight = separation_weight;
  params.updateFlags = DT_CROWD_SEPARATION;
  for (uint32_t i = 0; i < task.count; i++) {
    const float place[] = {task.position[i][0], 0, task.position[i][1]};
    const int index = crowd.addAgent(place, &params);
    if (index < 0 || crowd.getAgent(index)->state != DT_CROWDAGENT_STATE_WALKING) return false;
  }
  return true;
}

} // namespace

static void destroy(void *crowd) { delete static_cast<detour *>(crowd); }

static void *create(const peer_task *task) {
  std::unique_ptr<detour> own(new (std::nothrow) detour{*task, nullptr, nullptr});
  if (!own) return nullptr;
  own->mesh.reset(make_mesh(task->rules));
  own->crowd.reset(dtAllocCrowd());
  const float largest_radius = task->rules.radius * grid_cell / 3; // the grid's cells are three times as wide
  if (own->mesh && own->crowd && own->crowd->init(static_cast<int>(task->count), largest_radius, own->mesh.get()) &&
      add_agents(*own->crowd, *task))
    return own.release();
  return nullptr;
}

static bool start(void *crowd) {
  detour *own = static_cast<detour *>(crowd);
  for (uint32_t i = 0; i < own->task.count; i++) {
    dtCrowdAgent *agent = own->crowd->getEditableAgent(static_cast<int>(i));
    const float place[] = {own->task.position[i][0], 0, own->task.position[i][1]};
    const float velocity[] = {own->task.velocity[i][0], 0, own->task.velocity[i][1]};
    agent->corridor.reset(agent->corridor.getFirstPoly(), place);
    agent->boundary.reset();
    dtVcopy(agent->npos, place);
    dtVcopy(agent->vel, velocity);
    if (!own->crowd->requestMoveVelocity(static_cast<int>(i), velocity)) return false;
  }
  own->used = 0;
  own->frames = 0;
  return true;
}

static bool step(void *crowd) {
  detour *own = static_cast<detour *>(crowd);
  own->crowd->update(own->task.rules.dt, nullptr);
  own->frames++;
  for (uint32_t i = 0; own->task.counting && i < own->task.count; i++)
    own->used += static_cast<uint64_t>(own->crowd->getAgent(static_cast<int>(i))->nneis);
  return true;
}

static double mean_neighbours(const void *crowd) {
  const detour *own = static_cast<const detour *>(crowd);
  return static_cast<double>(own->used) / (static_cast<double>(own->frames) * own->task.count);
}

static bool read(const void *crowd, float (*position)[3]) {
  const detour *own = static_cast<const detour *>(crowd);
  for (uint32_t i = 0; i < own->task.count; i++) {
    const dtCrowdAgent *agent = own->crowd->getAgent(static_cast<int>(i));
    position[i][0] = agent->npos[0];
    position[i][1] = agent->npos[2];
    position[i][2] = 0;
  }
  return true;
}

const peer_crowd detour_peer = {
    "DetourCrowd",
    "only separation, by its own law and from at most 6 neighbours, the nearest of the first 32 "
    "that it finds; it also keeps all agents on a navigation mesh; compiled by Debian",
    nullptr,
    DT_CROWDAGENT_MAX_NEIGHBOURS,
    true,
    true,
    false,
    most_agents,
    create,
    start,
    step,
    mean_neighbours,
    read,
    destroy,
    PEER_FLOCKS};
