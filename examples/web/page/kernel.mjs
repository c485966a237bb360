// Wraps throng.wasm in a class. It needs no page, so Node can run it too (../test/hashes.mjs, ../speed.mjs).
// SPDX-License-Identifier: MIT

// The enumerators of page_parameter and page_measure in page.h.
export const parameters = ['separation', 'cohesion', 'alignment', 'avoidance', 'maxSpeed', 'perceptionRadius',
  'fieldOfView'];
export const measures = ['neighbours', 'behaviours', 'integrate', 'constrain', 'index', 'neighboursEach'];

const mostGoals = 16; // per flow field: SCENE_MAX_FIELD_GOALS of bench/scene/scene.h
export const noColour = 0xFFFFFFFF;

// The WASI functions that the module imports: a clock for the profile, an empty environment, and error messages.
function wasi(memory) {
  const words = () => new DataView(memory().buffer);
  return {
    clock_time_get(clock, precision, at) {
      words().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    environ_sizes_get(count, size) {
      words().setUint32(count, 0, true);
      words().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_write(file, vectors, count, written) {
      let size = 0;
      for (let i = 0; i < count; i++) {
        const at = words().getUint32(vectors + 8 * i, true), length = words().getUint32(vectors + 8 * i + 4, true);
        console.error(new TextDecoder().decode(new Uint8Array(memory().buffer, at, length)));
        size += length;
      }
      words().setUint32(written, size, true);
      return 0;
    },
    fd_close: () => 0,
    fd_seek: () => 0,
    fd_fdstat_get: () => 0,
    proc_exit(status) { throw new Error(`the kernel stopped with status ${status}`); },
  };
}

// Reads consecutive members of 4 bytes from a struct.
class MemberReader {
  constructor(buffer, at) { Object.assign(this, { buffer, at, words: new DataView(buffer) }); }
  uint() { return this.words.getUint32((this.at += 4) - 4, true); }
  float() { return this.words.getFloat32((this.at += 4) - 4, true); }
  point() { return [this.float(), this.float(), this.float()]; }
  // The array that a pointer member points at, copied because the drawing keeps it.
  floats(count) { return new Float32Array(this.buffer, this.uint(), count).slice(); }
  bytes(count) { return new Uint8Array(this.buffer, this.uint(), count).slice(); }
}

export class Kernel {
  // `module` is a compiled WebAssembly.Module.
  static async start(module) {
    const kernel = new Kernel();
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi(() => kernel.memory) });
    kernel.calls = instance.exports;
    kernel.memory = instance.exports.memory;
    kernel.calls._initialize();
    return kernel;
  }

  #text(at) {
    const bytes = new Uint8Array(this.memory.buffer, at);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  #check(done) {
    if (!done) throw new Error(this.#text(this.calls.page_problem()));
  }

  // Makes a world from the JSON text of a scene. If `agents` is 0, the scene gives their number, at most `atMost`.
  load(scene, agents = 0, atMost = 50000) {
    const bytes = new TextEncoder().encode(scene), room = this.calls.page_text_size();
    if (bytes.length >= room) throw new Error(`scene: ${bytes.length} bytes, allowed less than ${room}`);
    const text = new Uint8Array(this.memory.buffer, this.calls.page_text(), room);
    text.set(bytes);
    text[bytes.length] = 0;
    this.#check(this.calls.page_load(agents, atMost));
    this.layout = this.#readLayout();
  }

  restart() { this.#check(this.calls.page_restart()); }
  step(frames = 1) { this.#check(this.calls.page_step(frames)); }

  get agents() { return this.calls.page_agents(); }
  get frame() { return this.calls.page_frame(); }
  get hash() { return BigInt.asUintN(64, this.calls.page_hash()).toString(16).padStart(16, '0'); }

  get(group, parameter) { return this.calls.page_get(group, parameters.indexOf(parameter)); }
  set(group, parameter, value) { this.#check(this.calls.page_set(group, parameters.indexOf(parameter), value)); }

  groupName(group) { return this.#text(this.calls.page_group_name(group)); }
  groupBody(group) { return this.calls.page_group_body(group); }
  groupColour(group) { return this.calls.page_group_colour(group) >>> 0; }

  // A 3 x 4 matrix for each agent of view(), row by row: the pose between those before, 0, and after the last frame, 1.
  instances(alpha) {
    const at = this.calls.page_instances(alpha);
    this.#check(at);
    return new Float32Array(this.memory.buffer, at, 12 * this.agents);
  }

  // The local density of each agent of view(), in 255ths of 5 per square metre; null if memory is short.
  density() {
    const at = this.calls.page_density();
    return at ? new Uint8Array(this.memory.buffer, at, this.agents) : null;
  }

  // Returns {name: mean} for the names in `measures`, over the frames since the last call.
  profile() {
    const means = new Float64Array(this.memory.buffer, this.calls.page_profile(), measures.length);
    return Object.fromEntries(measures.map((name, i) => [name, means[i]]));
  }

  // throng_view: arrays over the world's own memory, valid until it changes. An array is null if the column is missing.
  view() {
    const members = new MemberReader(this.memory.buffer, this.calls.page_view());
    const count = members.uint(), groups = this.calls.page_groups();
    members.uint(); // id_world
    const column = (Type) => {
      const at = members.uint();
      return at ? new Type(this.memory.buffer, at, count) : null;
    };
    const vector = () => [column(Float32Array), column(Float32Array), column(Float32Array)];
    return { count, id: column(Uint32Array), meta: column(Uint32Array), position: vector(), velocity: vector(),
      yaw: column(Float32Array), facing: vector(), group: new Uint8Array(this.memory.buffer, groups, count) };
  }

  // Converts page_layout of page.h to an object.
  #readLayout() {
    const m = new MemberReader(this.memory.buffer, this.calls.page_get_layout());
    const layout = { spatial: m.uint() === 1, open: m.uint() === 1, periodic: m.uint(),
      groups: m.uint(), dt: m.float(), perceptionRadius: m.float(), bodyRadius: m.float(), min: m.point(),
      max: m.point() };
    const wide = m.uint(), high = m.uint();
    layout.cells = { wide, high, blocked: m.bytes(wide * high), side: m.float(), x: m.float(), z: m.float() };
    let count = m.uint();
    layout.circles = { count, centre: m.floats(3 * count), radius: m.floats(count) };
    count = m.uint();
    layout.walls = { count, from: m.floats(3 * count), to: m.floats(3 * count) };
    count = m.uint();
    layout.boxes = { count, min: m.floats(3 * count), max: m.floats(3 * count) };
    count = m.uint();
    layout.planes = { count, point: m.floats(3 * count), normal: m.floats(3 * count) };
    count = m.uint();
    const path = new MemberReader(this.memory.buffer, m.uint());
    layout.paths = Array.from({ length: count }, () => {
      const closed = (path.uint() & 0xFF) !== 0, points = path.uint();
      return { closed, points: path.floats(3 * points) };
    });
    count = m.uint();
    const fields = m.uint(), size = 8 + 16 * mostGoals;
    layout.goals = Array.from({ length: count }, (_, k) => {
      const field = new MemberReader(this.memory.buffer, fields + k * size);
      return Array.from({ length: field.uint() }, () => ({ centre: field.point(), radius: field.float() }));
    }).flat();
    count = m.uint();
    const zone = new MemberReader(this.memory.buffer, m.uint());
    layout.zones = Array.from({ length: count }, () => {
      const read = { centre: zone.point(), circle: zone.uint() === 0, radius: zone.float(), width: zone.float(),
        length: zone.float(), yaw: zone.float(), height: zone.float(), factor: zone.float() };
      zone.uint(); // the mask
      return read;
    });
    const columns = m.uint(), rows = m.uint();
    layout.raster = { wide: columns, high: rows, factor: m.floats(columns * rows), side: m.float(), x: m.float(),
      z: m.float() };
    count = m.uint();
    const attractor = m.floats(8 * count);
    layout.attractors = Array.from({ length: count }, (_, k) => ({ place: [...attractor.subarray(8 * k, 8 * k + 3)],
      attracts: attractor[8 * k + 3] > 0 }));
    return layout;
  }
}
