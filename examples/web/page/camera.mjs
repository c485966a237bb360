// The camera: it looks straight down on planar worlds and circles spatial ones. Matrices are WebGL's: column by column.
// SPDX-License-Identifier: MIT

const fieldOfView = 0.8; // radians, top to bottom
const turnPerSecond = 0.06; // radians, of the slow orbit
const restSeconds = 4; // after a drag the orbit waits for this time
const margin = 1.04; // around a world that fits
// CSS pixels at the top, for the numbers, and at the bottom, for the hint. fit() keeps worlds between them.
const topPixels = 72, bottomPixels = 32;

const subtract = (a, b) => a.map((value, i) => value - b[i]);
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const normalise = (a) => a.map((value) => value / Math.hypot(...a));

export class Camera {
  constructor(canvas) {
    this.canvas = canvas;
    this.pointers = new Map();
    canvas.addEventListener('pointerdown', (event) => this.#press(event));
    canvas.addEventListener('pointermove', (event) => this.#drag(event));
    for (const end of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
    }
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.#zoom(Math.exp(event.deltaY * (event.deltaMode ? 0.04 : 0.0015)), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener('dblclick', () => this.fit());
  }

  // Begins to show another world.
  look(layout) {
    this.layout = layout;
    this.fit();
  }

  fit() {
    const { min, max, spatial } = this.layout;
    this.centre = min.map((low, i) => (low + max[i]) / 2);
    this.extent = min.map((low, i) => Math.max(max[i] - low, 1));
    this.zoom = 1;
    this.rested = restSeconds;
    if (spatial) Object.assign(this, { turn: 0.7, rise: 0.42 });
    else this.centre[2] -= (topPixels - bottomPixels) / 2 * this.metresPerPixel;
  }

  // Moves the centre towards `place`. The page calls it for unbounded worlds, whose agents would leave the picture.
  follow(place, seconds) {
    const share = 1 - Math.exp(-seconds);
    this.centre = this.centre.map((value, i) => value + (place[i] - value) * share);
  }

  pass(seconds) {
    this.rested += seconds;
    if (this.layout.spatial && this.rested > restSeconds) this.turn += turnPerSecond * seconds;
  }

  get #freeHeight() { return Math.max(this.canvas.clientHeight - topPixels - bottomPixels, 1); }

  get metresPerPixel() { // of CSS, in the middle of the picture
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (this.layout.spatial) return 2 * this.#distance() * Math.tan(fieldOfView / 2) / height;
    return this.zoom * margin * Math.max(this.extent[0] / width, this.extent[2] / this.#freeHeight);
  }

  #distance() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    // The ball around the world fits into the picture for every direction of the camera.
    const angle = Math.atan(Math.tan(fieldOfView / 2) * Math.min(width, this.#freeHeight) / height);
    return this.zoom * 0.5 * Math.hypot(...this.extent) / Math.sin(angle);
  }

  // Returns {matrix, eye, metresPerPixel}. eye is null for planar worlds.
  view() {
    const { clientWidth: width, clientHeight: height } = this.canvas, { centre, metresPerPixel } = this;
    if (!this.layout.spatial) {
      const x = 2 / (width * metresPerPixel), z = -2 / (height * metresPerPixel);
      return { eye: null, metresPerPixel,
        matrix: [x, 0, 0, 0, 0, 0, 0, 0, 0, z, 0, 0, -x * centre[0], -z * centre[2], 0, 1] };
    }
    const distance = this.#distance(), flat = Math.cos(this.rise);
    const back = [Math.sin(this.turn) * flat, Math.sin(this.rise), Math.cos(this.turn) * flat];
    const eye = centre.map((value, i) => value + distance * back[i]);
    const right = normalise(cross([0, 1, 0], back)), up = cross(back, right);
    const near = distance * 0.02, far = distance * 8;
    const fy = 1 / Math.tan(fieldOfView / 2), fx = fy * height / width;
    const depth = (far + near) / (near - far), w = dot(back, eye);
    const lower = (topPixels - bottomPixels) / height; // of half the picture
    const column = (i) => [fx * right[i], fy * up[i] + lower * back[i], depth * back[i], -back[i]];
    return { eye, metresPerPixel, distance, matrix: [...column(0), ...column(1), ...column(2),
      -fx * dot(right, eye), -fy * dot(up, eye) - lower * w, -depth * w + 2 * far * near / (near - far), w] };
  }

  #press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
  }

  #drag(event) {
    const before = this.pointers.get(event.pointerId), now = [event.offsetX, event.offsetY];
    if (!before) return;
    this.pointers.set(event.pointerId, now);
    this.rested = 0;
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId);
    const [dx, dy] = subtract(now, before).map((value) => value / this.pointers.size);
    if (this.layout.spatial && others.length === 0) {
      this.turn -= dx * 0.006;
      this.rise = Math.min(Math.max(this.rise + dy * 0.006, -1.5), 1.5);
    } else if (!this.layout.spatial) {
      this.centre[0] -= dx * this.metresPerPixel;
      this.centre[2] -= dy * this.metresPerPixel;
    }
    if (others.length === 0) return;
    const [, other] = others[0], apart = (a) => Math.max(Math.hypot(...subtract(a, other)), 1);
    this.#zoom(apart(before) / apart(now), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  }

  // Zooms. In planar worlds the point of the world at pixel (x, y) stays at that pixel.
  #zoom(factor, x, y) {
    const before = this.metresPerPixel;
    this.zoom = Math.min(Math.max(this.zoom * factor, 0.005), 5);
    if (this.layout.spatial) return;
    const shrunk = before - this.metresPerPixel;
    this.centre[0] += (x - this.canvas.clientWidth / 2) * shrunk;
    this.centre[2] += (y - this.canvas.clientHeight / 2) * shrunk;
  }
}
