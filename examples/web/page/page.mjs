// The page: steps a world by the clock and draws it at every refresh of the screen.
// Parameters of the address: ?scene=courtyard&agents=5000&frames=300&pace=2&colour=speed&trails=4&paused. With
// frames=300 the world stops after 300 frames. The page ignores a parameter with another value, and says so.
// SPDX-License-Identifier: MIT
import { Camera } from './camera.mjs';
import { Controls } from './controls.mjs';
import { Drawing, colourings } from './draw.mjs';
import { Kernel } from './kernel.mjs';
import { findScene, menu, mostAgents, own } from './scenes.mjs';
import { Trails, mostSeconds } from './trails.mjs';

const longestGap = 0.1; // seconds: after a longer gap, such as a hidden page, the world steps only by this time
const patience = 24; // milliseconds of steps per picture; if more are due, the world runs slower than the clock
const speedEvery = 400; // milliseconds between two updates of the numbers
const followed = 500; // the flock's position is the mean of at most this number of agents
const firstScene = 'shoal';

const state = { scene: '', text: '', pace: 1, colouring: 'heading', paused: false, last: Infinity, owed: 0, ms: NaN,
  choices: 0, trails: 0 };
const counters = { since: 0, pictures: 0, steps: 0, ms: 0 };
let kernel, drawing, camera, controls, view;
let trails = null; // a Trails if state.trails, in seconds, is above 0

async function fetchChecked(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
  return answer;
}

// Wraps an action. If it throws, the page shows why and nothing else changes.
const guarded = (action) => async (...values) => {
  try {
    controls?.showProblem('');
    await action(...values);
  } catch (error) {
    report(error);
  }
};

function report(error) {
  if (controls) controls.showProblem(error.message);
  else Object.assign(document.getElementById('problem'), { textContent: error.message, hidden: false });
  console.warn(error.message);
}

function load(scene, text, agents, pace) {
  kernel.load(text, agents, mostAgents);
  Object.assign(state, { scene, text, pace, colouring: kernel.layout.groups > 1 ? 'group' : 'heading', owed: 0 });
  camera.look(kernel.layout);
  drawing.show(kernel);
  beginTrails();
  const { comment = '' } = JSON.parse(text);
  controls.show(kernel, { ...state, comment, agents: kernel.agents });
  forgetSpeed();
}

async function choose(name, agents) {
  const item = findScene(name), choice = ++state.choices;
  if (!item) throw new Error(`${name}: there is no such scene`);
  const text = await (await fetchChecked(`scenes/${name}.json`)).text();
  if (choice === state.choices) load(name, text, agents || item.agents, item.pace); // unless a later choice was faster
}

function beginTrails() {
  trails = state.trails > 0 ? new Trails(kernel.layout, kernel.agents, state.trails) : null;
  trails?.add(kernel.view(), kernel.frame);
}

function stepAndFollow(frames) {
  if (!trails) return kernel.step(frames);
  for (let left = frames; left > 0;) {
    const next = Math.min(trails.every - kernel.frame % trails.every, left);
    kernel.step(next);
    left -= next;
    if (kernel.frame % trails.every === 0) trails.add(kernel.view(), kernel.frame);
  }
}

function step(frames) {
  const begin = performance.now();
  stepAndFollow(frames);
  counters.ms += performance.now() - begin;
  counters.steps += frames;
}

function forgetSpeed() {
  kernel.profile();
  state.ms = NaN;
  Object.assign(counters, { since: performance.now(), pictures: 0, steps: 0, ms: 0 });
  controls.showSpeed({ fps: NaN, ms: NaN, agents: kernel.agents, frame: kernel.frame });
}

function showSpeed(now) {
  const { since, pictures, steps, ms } = counters;
  if (now - since < speedEvery) return;
  if (steps) state.ms = ms / steps;
  controls.showSpeed({ fps: state.paused ? NaN : 1000 * pictures / (now - since), ms: state.ms, agents: kernel.agents,
    frame: kernel.frame, profile: steps ? kernel.profile() : null });
  Object.assign(counters, { since: now, pictures: 0, steps: 0, ms: 0 });
}

// Steps until the world has caught up with the clock, or for `patience` milliseconds.
function advance(seconds) {
  const { dt } = kernel.layout, begin = performance.now();
  state.owed += seconds * state.pace;
  while (state.owed >= dt && kernel.frame < state.last) {
    step(1);
    state.owed -= dt;
    if (performance.now() - begin > patience) state.owed = Math.min(state.owed, dt / 2);
  }
  if (kernel.frame < state.last) return;
  setPaused(true);
  state.last = Infinity;
}

function followFlock(instances, seconds) {
  if (!kernel.layout.open || !view.count) return;
  const stride = Math.ceil(view.count / followed), sum = [0, 0, 0];
  let count = 0;
  for (let k = 0; k < view.count; k += stride, count++) {
    for (let axis = 0; axis < 3; axis++) sum[axis] += instances[12 * k + 4 * axis + 3];
  }
  camera.follow(sum.map((value) => value / count), seconds);
}

function draw(seconds) {
  const density = state.colouring === 'density' ? kernel.density() : null; // first: it may move the memory
  view = kernel.view();
  const instances = kernel.instances(state.paused ? 1 : Math.min(state.owed / kernel.layout.dt, 1));
  followFlock(instances, seconds);
  camera.pass(seconds);
  drawing.draw(view, camera.view(), { instances, colouring: state.colouring,
    maxSpeed: Math.min(kernel.get(0, 'maxSpeed'), 100), density, trails, frame: kernel.frame });
}

let before = 0;
function tick(now) {
  requestAnimationFrame(tick);
  const seconds = Math.min((now - before) / 1000, longestGap);
  before = now;
  try {
    if (!state.paused) advance(seconds);
    draw(seconds);
    counters.pictures++;
    showSpeed(now);
  } catch (error) {
    setPaused(true);
    report(error);
  }
}

function setPaused(paused) {
  state.paused = paused;
  state.owed = 0;
  controls.showPaused(paused);
}

const actions = {
  choose: guarded((name) => choose(name)),
  open: guarded(async (file) => {
    const choice = ++state.choices, text = await file.text();
    if (choice === state.choices) load(own, text, 0, 1); // unless a later choice was faster
  }),
  setAgents: guarded((agents) => load(state.scene, state.text, agents, state.pace)),
  setPace: (pace) => { state.pace = pace; },
  setColouring: (colouring) => {
    state.colouring = colouring;
    controls.showColouring(colouring);
  },
  setTrails: (seconds) => {
    state.trails = seconds;
    controls.showTrails(seconds);
    beginTrails();
  },
  setRule: guarded((group, parameter, value) => kernel.set(group, parameter, value)),
  pause: () => setPaused(!state.paused),
  step: guarded(() => { setPaused(true); step(1); }),
  restart: guarded(() => { kernel.restart(); beginTrails(); forgetSpeed(); controls.showHash(''); }),
  reset: guarded(() => load(state.scene, state.text, kernel.agents, state.pace)),
  hash: () => controls.showHash(`${kernel.hash} after ${kernel.frame} frames`),
};

function listen(canvas) {
  // A phone may take the graphics card from the page for a while.
  canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
  canvas.addEventListener('webglcontextrestored', () => {
    drawing = new Drawing(canvas);
    drawing.show(kernel);
  });
  addEventListener('keydown', (event) => {
    if (event.target.closest('input, select, button, summary')) return;
    const action = { ' ': actions.pause, '.': actions.step, r: actions.restart, f: () => camera.fit() }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) actions.open(event.dataTransfer.files[0]);
  });
}

// Reads parameters of the page's address. A value that is not allowed counts as missing and adds a text to `problems`.
class Address {
  problems = [];

  constructor(parameters) { this.parameters = parameters; }

  // Returns the value that `read` makes from a parameter's text; `missing` if there is no such parameter or `read`
  // returns undefined.
  get(name, read, allowed, missing) {
    if (!this.parameters.has(name)) return missing;
    const text = this.parameters.get(name), value = read(text);
    if (value !== undefined) return value;
    this.problems.push(`?${name}=${text} is ignored: allowed ${allowed}`);
    return missing;
  }

  number(name, most) {
    const read = (text) => (text.trim() && Number(text) > 0 && Number(text) <= most ? Number(text) : undefined);
    return this.get(name, read, `is more than 0, at most ${most}`);
  }

  wholeNumber(name, most) {
    const read = (text) => (text.trim() && Number.isInteger(Number(text)) && Number(text) >= 1 && Number(text) <= most
      ? Number(text) : undefined);
    return this.get(name, read, `is a whole number from 1 to ${most}`);
  }

  word(name, words, missing) {
    return this.get(name, (text) => words.find((word) => word === text), `are ${words.join(', ')}`, missing);
  }

  flag(name) {
    const values = { '': true, 1: true, true: true, 0: false, false: false };
    return this.get(name, (text) => (Object.hasOwn(values, text) ? values[text] : undefined), 'are 0 and 1', false);
  }

  refuseOthers(known) {
    for (const [name, text] of this.parameters) {
      if (!known.includes(name)) this.problems.push(`?${name}=${text} is ignored: allowed are ${known.join(', ')}`);
    }
  }
}

async function chooseAsked() {
  const address = new Address(new URLSearchParams(location.search));
  const names = menu.flatMap(({ scenes }) => scenes).map(({ name }) => name);
  const scene = address.word('scene', names, firstScene), agents = address.wholeNumber('agents', mostAgents);
  const frames = address.wholeNumber('frames', 1e9), pace = address.number('pace', 1000);
  const colouring = address.word('colour', colourings);
  state.trails = address.number('trails', mostSeconds) ?? 0;
  state.paused = address.flag('paused');
  address.refuseOthers(['scene', 'agents', 'frames', 'pace', 'colour', 'trails', 'paused']);
  try {
    await choose(scene, agents);
  } catch (error) { // such as too few agents for the scene
    address.problems.push(error.message);
    await choose(agents ? scene : firstScene);
  }
  Object.assign(state, { last: frames ?? Infinity, pace: pace ?? state.pace, colouring: colouring ?? state.colouring });
  if (address.problems.length) report(new Error(address.problems.join('\n')));
}

async function start() {
  const canvas = document.getElementById('canvas');
  // Compiling while the file streams needs the type application/wasm, which some servers do not send.
  const module = fetchChecked('throng.wasm').then((answer) => answer.arrayBuffer()).then(WebAssembly.compile);
  drawing = new Drawing(canvas);
  camera = new Camera(canvas);
  kernel = await Kernel.start(await module);
  controls = new Controls(actions);
  await chooseAsked();
  controls.show(kernel, { ...state, comment: document.getElementById('comment').textContent, agents: kernel.agents });
  controls.showPaused(state.paused);
  listen(canvas);
  requestAnimationFrame(tick);
}

// Tests and the browser's console use this object.
globalThis.throngPage = {
  ready: start().then(() => true, (error) => { report(error); return false; }),
  choose,
  open: actions.open,
  pause: () => setPaused(true),
  play: () => setPaused(false),
  // Steps now, without waiting for the screen, and draws once.
  run: (frames) => { step(frames); draw(0); },
  get kernel() { return kernel; },
  get state() { return state; },
  get camera() { return camera; },
  get trails() { return trails; },
};
