// Draws a world with WebGL 2. Each agent is a dart, one instance. The kernel's columns are uploaded unchanged.
// SPDX-License-Identifier: MIT
import { noColour } from './kernel.mjs';
import { buildScenery } from './scenery.mjs';

const background = [0.027, 0.043, 0.071];
const palette = [0x5BB8FF, 0xFFB347, 0x7CE38B, 0xFF6F91, 0xC79BFF, 0xF4E06D, 0x4FE0D0, 0xE8E8E8];
const groups = 256;
const bodiesLong = { planar: 2.4, spatial: 1.7 }; // a dart's length in body radii
// A dart is at least as long as the mean distance between agents spread over the picture, within these limits.
const leastPixels = 3, mostPixels = 8;

export const colourings = ['heading', 'group', 'speed', 'density'];

// Perceptually uniform: the upper three quarters of matplotlib's plasma and viridis (CC0), in even steps.
export const ramps = {
  speed: [0x7E03A8, 0xA82296, 0xCC4778, 0xE56B5D, 0xF89540, 0xFDC328, 0xF0F921],
  density: [0x3B528B, 0x2C728E, 0x21918C, 0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725],
};

// The colour of a heading: ofHue of the shader, without the mixing of lightness.
function colourOfHeading(angle) {
  const a = 0.135 * Math.cos(angle), b = 0.135 * Math.sin(angle);
  const l = (0.76 + 0.3963377774 * a + 0.2158037573 * b) ** 3, m = (0.76 - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (0.76 - 0.0894841775 * a - 1.2914855480 * b) ** 3;
  return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m -
    0.3413193965 * s, -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s].map((value) =>
    Math.min(Math.max(value, 0), 1) ** (1 / 2.2));
}
const parts = (rgb) => [rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255];

const agentShader = `#version 300 es
precision highp float;
layout(location = 0) in vec2 corner;
layout(location = 1) in vec4 x; layout(location = 2) in vec4 y; layout(location = 3) in vec4 z; // rows of an instance
layout(location = 4) in float vx; layout(location = 5) in float vy; layout(location = 6) in float vz;
layout(location = 7) in float group; layout(location = 8) in float density;
uniform mat4 camera;
uniform vec3 eye, background;
uniform bool spatial;
uniform float metres, pixels, pixelsPerMetre, distance0, maxSpeed;
uniform int colouring;
uniform sampler2D palette;      // the groups' colours
uniform highp sampler2D bodies; // the groups' body radii, 0 where bodies do not matter
uniform vec3 ramp[7];           // of the speed or the density
out vec4 colour;
out vec3 disc; // place in a disc, ahead and across, in body radii; z: 1, or 2 if it shows the facing; 0: a dart

// B. Ottosson, A perceptual color space for image processing (Oklab), 2020: lightness 0.76, chroma 0.135.
vec3 ofHue(float angle) {
  float a = 0.135 * cos(angle), b = 0.135 * sin(angle);
  float l = 0.76 + 0.3963377774 * a + 0.2158037573 * b;
  float m = 0.76 - 0.1055613458 * a - 0.0638541728 * b;
  float s = 0.76 - 0.0894841775 * a - 1.2914855480 * b;
  vec3 linear = mat3(4.0767416621, -1.2684380046, -0.0041960863, -3.3077115913, 2.6097574011, -0.7034186147,
                     0.2309699292, -0.3413193965, 1.7076147010) * vec3(l * l * l, m * m * m, s * s * s);
  return pow(clamp(linear, 0.0, 1.0), vec3(1.0 / 2.2));
}

vec3 onRamp(float part) {
  float place = clamp(part, 0.0, 1.0) * 6.0;
  int at = min(int(place), 5);
  return mix(ramp[at], ramp[at + 1], place - float(at));
}

void main() {
  vec3 velocity = vec3(vx, vy, vz), place = vec3(x.w, y.w, z.w), forward = vec3(x.z, y.z, z.z);
  vec3 across = spatial ? cross(forward, place - eye) : vec3(forward.z, 0.0, -forward.x);
  across /= max(length(across), 1e-6);
  float w = (camera * vec4(place, 1.0)).w;
  float size = max(metres, pixels * w / pixelsPerMetre);
  float body = texelFetch(bodies, ivec2(int(group), 0), 0).r, radius = body * pixelsPerMetre / w;
  vec2 at = vec2(gl_VertexID == 0 || gl_VertexID == 3 ? 1.0 : -1.0, gl_VertexID < 2 ? 1.0 : -1.0), shape = corner;
  disc = vec3(0.0);
  if (!spatial && radius >= 1.5) {
    disc = vec3(at, radius < 4.0 ? 1.0 : 2.0);
    shape = at;
    size = body;
  }
  gl_Position = camera * vec4(place + size * (shape.x * forward + shape.y * across), 1.0);
  vec3 rgb = colouring == 0 ? ofHue(atan(forward.x, forward.z))
           : colouring == 1 ? texelFetch(palette, ivec2(int(group), 0), 0).rgb
           : onRamp(colouring == 2 ? length(velocity) / maxSpeed : density);
  if (spatial) rgb = mix(background, rgb, clamp(1.55 - 0.62 * w / distance0, 0.22, 1.0));
  colour = vec4(rgb, 1.0);
}`;

const sceneryShader = `#version 300 es
precision highp float;
layout(location = 0) in vec3 place;
layout(location = 1) in vec4 tint;
uniform mat4 camera;
out vec4 colour;
void main() {
  gl_Position = camera * vec4(place, 1.0);
  colour = tint;
}`;

const agentColourShader = `#version 300 es
precision mediump float;
in vec4 colour;
in vec3 disc;
out vec4 pixel;
void main() {
  float edge = length(disc.xy), soft = fwidth(edge);
  bool arrow = disc.x > -0.4 && abs(disc.y) < 0.4 * (0.7 - disc.x);
  pixel = disc.z > 1.5 && arrow ? vec4(0.4 * colour.rgb, colour.a) : colour;
  if (disc.z > 0.0) pixel.a *= clamp((1.0 - edge) / max(soft, 1e-3) + 0.5, 0.0, 1.0);
}`;

const colourShader = `#version 300 es
precision mediump float;
in vec4 colour;
out vec4 pixel;
void main() { pixel = colour; }`;

function makeProgram(gl, vertexSource, fragmentSource) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertexSource], [gl.FRAGMENT_SHADER, fragmentSource]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  const at = {};
  for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
    const { name } = gl.getActiveUniform(program, i);
    at[name] = gl.getUniformLocation(program, name);
  }
  return { program, at };
}

export class Drawing {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = this.gl = canvas.getContext('webgl2', { antialias: true, alpha: false });
    if (!gl) throw new Error('This page draws with WebGL 2, which this browser does not offer.');
    this.agents = makeProgram(gl, agentShader, agentColourShader);
    this.scenery = makeProgram(gl, sceneryShader, colourShader);
    this.sceneryBuffer = gl.createBuffer();
    this.trailBuffer = gl.createBuffer();
    this.columns = Array.from({ length: 9 }, () => ({ buffer: gl.createBuffer(), size: 0 }));
    const dart = [0.6, 0, -0.4, 0.36, -0.18, 0, -0.4, -0.36]; // tip, corner, notch, corner
    this.#upload(0, new Float32Array(dart));
    this.palette = gl.createTexture();
    this.bodies = gl.createTexture();
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  // Uploads what does not change in a world: its scenery and the colours of its groups.
  show(kernel) {
    const { gl } = this, { triangles, lines } = buildScenery(kernel.layout);
    this.layout = kernel.layout;
    this.groupColours = [];
    this.triangleVertices = triangles.length / 7;
    this.lineVertices = lines.length / 7;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.sceneryBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, 4 * (triangles.length + lines.length), gl.STATIC_DRAW);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, triangles);
    gl.bufferSubData(gl.ARRAY_BUFFER, 4 * triangles.length, lines);
    const colours = new Uint8Array(4 * groups), bodies = new Float32Array(groups);
    for (let group = 0; group < kernel.layout.groups; group++) {
      const given = kernel.groupColour(group), rgb = given === noColour ? palette[group % palette.length] : given;
      colours.set([...parts(rgb), 255], 4 * group);
      this.groupColours[group] = parts(rgb).map((value) => value / 255);
      bodies[group] = kernel.groupBody(group);
    }
    this.#fillRow(this.palette, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, colours);
    this.#fillRow(this.bodies, gl.R32F, gl.RED, gl.FLOAT, bodies);
  }

  // Fills a texture of one row with a value per group.
  #fillRow(texture, stored, format, type, values) {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, stored, groups, 1, 0, format, type, values);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  #upload(k, array) {
    const { gl } = this, column = this.columns[k];
    gl.bindBuffer(gl.ARRAY_BUFFER, column.buffer);
    if (array.byteLength > column.size) {
      gl.bufferData(gl.ARRAY_BUFFER, array, gl.DYNAMIC_DRAW);
      column.size = array.byteLength;
    } else {
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, array);
    }
  }

  // Sets attribute k: one number per agent, or 0 for all agents if the array is null. normal: a byte of 255 becomes 1.
  #attribute(k, array, type, normal = false) {
    const { gl } = this;
    if (!array) {
      gl.disableVertexAttribArray(k);
      gl.vertexAttrib1f(k, 0);
      return;
    }
    this.#upload(k, array);
    gl.enableVertexAttribArray(k);
    gl.vertexAttribPointer(k, 1, type, normal, 0, 0);
    gl.vertexAttribDivisor(k, 1);
  }

  // Sets attributes 1 to 3, the rows of the instances.
  #setInstances(instances) {
    const { gl } = this;
    this.#upload(1, instances);
    for (let row = 0; row < 3; row++) {
      gl.enableVertexAttribArray(1 + row);
      gl.vertexAttribPointer(1 + row, 4, gl.FLOAT, false, 48, 16 * row);
      gl.vertexAttribDivisor(1 + row, 1);
    }
  }

  // Draws with vertices of a place and a colour.
  #usePlain(matrix, buffer) {
    const { gl } = this, { program, at } = this.scenery;
    gl.useProgram(program);
    gl.uniformMatrix4fv(at.camera, false, matrix);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    for (let k = 0; k < this.columns.length; k++) gl.disableVertexAttribArray(k);
    for (const [k, size, offset] of [[0, 3, 0], [1, 4, 12]]) {
      gl.enableVertexAttribArray(k);
      gl.vertexAttribDivisor(k, 0);
      gl.vertexAttribPointer(k, size, gl.FLOAT, false, 28, offset);
    }
  }

  #drawScenery(matrix) {
    const { gl } = this;
    this.#usePlain(matrix, this.sceneryBuffer);
    gl.drawArrays(gl.TRIANGLES, 0, this.triangleVertices);
    gl.drawArrays(gl.LINES, this.triangleVertices, this.lineVertices);
  }

  // Draws trails without writing depths, so that they hide no agents.
  #drawTrails(view, matrix, { instances, colouring, trails, frame }) {
    const { gl, groupColours } = this, [vx, , vz] = view.velocity;
    const colourOf = colouring === 'heading' ? (k) => colourOfHeading(Math.atan2(vx[k], vz[k]))
      : (k) => groupColours[view.group[k]];
    const lines = trails.lines(view, instances, frame, colourOf);
    this.#usePlain(matrix, this.trailBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, lines, gl.STREAM_DRAW);
    gl.depthMask(false);
    gl.drawArrays(gl.LINES, 0, lines.length / 7);
    gl.depthMask(true);
  }

  #drawAgents(view, camera, { instances, colouring, maxSpeed, density }) {
    const { gl } = this, { program, at } = this.agents, { spatial, bodyRadius } = this.layout;
    const apart = Math.sqrt(this.canvas.clientWidth * this.canvas.clientHeight / Math.max(view.count, 1));
    gl.useProgram(program);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.columns[0].buffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribDivisor(0, 0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    this.#setInstances(instances);
    view.velocity.forEach((array, i) => this.#attribute(4 + i, array, gl.FLOAT));
    this.#attribute(7, view.group, gl.UNSIGNED_BYTE);
    this.#attribute(8, density, gl.UNSIGNED_BYTE, true);
    [this.palette, this.bodies].forEach((texture, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    });
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform1i(at.palette, 0);
    gl.uniform1i(at.bodies, 1);
    gl.uniform3fv(at['ramp[0]'], (ramps[colouring] ?? ramps.speed).flatMap(parts).map((value) => value / 255));
    gl.uniformMatrix4fv(at.camera, false, camera.matrix);
    gl.uniform3fv(at.eye, camera.eye ?? [0, 0, 0]);
    gl.uniform3fv(at.background, background);
    gl.uniform1i(at.spatial, Number(spatial));
    gl.uniform1f(at.metres, bodiesLong[spatial ? 'spatial' : 'planar'] * bodyRadius);
    gl.uniform1f(at.pixels, Math.min(Math.max(apart, leastPixels), mostPixels));
    // The scale at depth w = 1. In planar worlds w is 1 everywhere.
    gl.uniform1f(at.pixelsPerMetre, (spatial ? camera.distance : 1) / camera.metresPerPixel);
    gl.uniform1f(at.distance0, camera.distance ?? 1);
    gl.uniform1f(at.maxSpeed, maxSpeed);
    gl.uniform1i(at.colouring, colourings.indexOf(colouring));
    gl.drawArraysInstanced(gl.TRIANGLE_FAN, 0, 4, view.count);
  }

  // look.instances are those of the view's agents; look.trails is a Trails or null.
  draw(view, camera, look) {
    const { gl, canvas } = this, sharp = Math.min(globalThis.devicePixelRatio || 1, 2);
    const width = Math.round(canvas.clientWidth * sharp), height = Math.round(canvas.clientHeight * sharp);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    gl.viewport(0, 0, width, height);
    gl.clearColor(...background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (this.layout.spatial) gl.enable(gl.DEPTH_TEST);
    else gl.disable(gl.DEPTH_TEST);
    this.#drawScenery(camera.matrix);
    if (look.trails) this.#drawTrails(view, camera.matrix, look);
    this.#drawAgents(view, camera, look);
  }
}
