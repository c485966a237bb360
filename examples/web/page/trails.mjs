// Where agents were in the last seconds: a ring of past positions of each agent, and the lines that show them.
// SPDX-License-Identifier: MIT

export const mostSeconds = 3600;
const mostPoints = 64, fewestPoints = 8; // of one agent
const intended = 400000; // positions of all agents together, where fewestPoints allow it
const opacity = 0.8;
const floats = 7; // per vertex: place, colour, opacity

export class Trails {
  // `layout`: that of the kernel. The ids of agents are 1 to `agents`.
  constructor({ dt, periodic, min, max }, agents, seconds) {
    const most = Math.min(Math.max(Math.floor(intended / Math.max(agents, 1)), fewestPoints), mostPoints);
    this.frames = dt > 0 ? Math.max(seconds / dt, 1) : 1;
    this.every = Math.ceil(this.frames / (most - 1)); // frames between two positions
    this.rows = Math.min(Math.ceil(this.frames / this.every) + 1, most);
    this.agents = agents;
    this.reach = [0, 1, 2].map((axis) => (periodic >> axis & 1 ? (max[axis] - min[axis]) / 2 : Infinity));
    this.places = new Float32Array(3 * this.rows * agents);
    this.vertices = new Float32Array(2 * floats * this.rows * agents);
    this.clear();
  }

  clear() { this.frameOf = []; } // of the rows, the newest last

  // Adds where the agents are now. Call it at the start and then every `every` frames.
  add({ count, id, position: [x, y, z] }, frame) {
    if (this.frameOf.length === this.rows) {
      this.places.copyWithin(0, 3 * this.agents);
      this.frameOf.shift();
    }
    const row = 3 * this.agents * this.frameOf.length;
    this.frameOf.push(frame);
    for (let k = 0; k < count; k++) {
      const at = row + 3 * (id[k] - 1);
      this.places[at] = x[k];
      this.places[at + 1] = y ? y[k] : 0;
      this.places[at + 2] = z[k];
    }
  }

  // Writes the lines from agents at `instances`, shortly before `frame`, and returns them. colourOf(k): [r, g, b] of
  // agent k of the view. No line crosses a seam.
  lines({ count, id }, instances, frame, colourOf) {
    const { places, vertices, reach } = this, [reachX, reachY, reachZ] = reach;
    let used = 0;
    for (let k = 0; k < count; k++) {
      const [r, g, b] = colourOf(k);
      let x = instances[12 * k + 3], y = instances[12 * k + 7], z = instances[12 * k + 11], age = 0;
      for (let row = this.frameOf.length - 1; row >= 0 && age < 1; row--) {
        if (this.frameOf[row] >= frame && frame > 0) continue;
        const at = 3 * (this.agents * row + id[k] - 1), toX = places[at], toY = places[at + 1], toZ = places[at + 2];
        const exact = (frame - this.frameOf[row]) / this.frames, older = Math.min(exact, 1);
        const part = exact > 1 ? (1 - age) / (exact - age) : 1;
        if (Math.abs(toX - x) <= reachX && Math.abs(toY - y) <= reachY && Math.abs(toZ - z) <= reachZ) {
          vertices.set([x, y, z, r, g, b, opacity * (1 - age), x + (toX - x) * part, y + (toY - y) * part,
            z + (toZ - z) * part, r, g, b, opacity * (1 - older)], used);
          used += 2 * floats;
        }
        [x, y, z, age] = [toX, toY, toZ, older];
      }
    }
    return vertices.subarray(0, used);
  }
}
