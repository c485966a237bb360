// The panel: what a user can set, and how much time the kernel takes.
// SPDX-License-Identifier: MIT
import { ramps } from './draw.mjs';
import { menu, mostAgents, own } from './scenes.mjs';

const $ = (id) => document.getElementById(id);

const fewestAgents = 10;
const decades = Math.log10(mostAgents / fewestAgents); // along the slider, whose ends are 0 and 1
const everyGroup = -1;

// Each row is a slider: its label, its parameter, the unit, and a function from the scene's value to the maximum.
const upTo = (least) => (value) => Math.max(least, Math.min(value, 100) * 3);
const rules = [
  ['Separation', 'separation', '', upTo(2)],
  ['Cohesion', 'cohesion', '', upTo(1)],
  ['Alignment', 'alignment', '', upTo(2)],
  ['Avoidance', 'avoidance', '', upTo(2)],
  ['Top speed', 'maxSpeed', ' m/s', upTo(2)],
  ['Perception', 'perceptionRadius', ' m', null],
  ['Field of view', 'fieldOfView', '°', () => 2 * Math.PI],
];
const passes = [['neighbours', 'neighbours'], ['behaviours', 'behaviours'], ['integrate', 'motion'],
  ['constrain', 'walls, bodies'], ['index', 'grid']];
const degrees = 180 / Math.PI;

const number = (value, digits = 0) => value.toLocaleString('en-GB', { maximumFractionDigits: digits,
  minimumFractionDigits: digits }).replaceAll(',', '\u202f');

const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

export class Controls {
  // `act` has a function for each action that a user can choose.
  constructor(act) {
    this.act = act;
    this.#fillMenu();
    $('scene').addEventListener('change', ({ target }) => this.#choose(target));
    $('file').addEventListener('change', ({ target }) => {
      if (target.files[0]) act.open(target.files[0]);
      target.value = ''; // the same file may be opened again, changed
    });
    $('agents').addEventListener('input', () => this.#showAgents(this.#sliderAgents()));
    $('agents').addEventListener('change', () => act.setAgents(this.#sliderAgents()));
    $('count').addEventListener('change', ({ target }) => {
      const asked = Math.round(Number(target.value)) || 1;
      act.setAgents(Math.min(Math.max(asked, 1), mostAgents));
    });
    $('pace').addEventListener('change', ({ target }) => act.setPace(Number(target.value)));
    $('colouring').addEventListener('change', ({ target }) => act.setColouring(target.value));
    $('trails').addEventListener('change', ({ target }) => act.setTrails(Number(target.value)));
    $('group').addEventListener('change', () => this.#showRules());
    for (const name of ['pause', 'step', 'restart', 'reset', 'hash']) $(name).addEventListener('click', act[name]);
    this.sliders = rules.map((rule) => this.#addSlider(...rule));
    this.bars = passes.map(([pass, label]) => this.#addPass(pass, label));
    $('rules').open = $('time').open = matchMedia('(min-width: 761px)').matches;
  }

  // Shows the chosen scene. For a user's own scene it first opens a dialog; the scene stays until a file is chosen.
  #choose(select) {
    if (select.value !== own) return this.act.choose(select.value);
    select.value = this.scene;
    $('file').click();
  }

  #fillMenu() {
    for (const { label, scenes } of menu) {
      const options = scenes.map((scene) => element('option', { value: scene.name, textContent: scene.label }));
      $('scene').append(element('optgroup', { label }, ...options));
    }
    $('scene').append(element('option', { value: own, textContent: 'A file of your own…' }));
  }

  #addSlider(label, parameter, unit, most) {
    const input = element('input', { type: 'range', id: parameter, min: 0, step: 'any' });
    const output = element('output');
    output.htmlFor = parameter;
    $('sliders').append(element('label', { htmlFor: parameter, textContent: label }), input, output);
    input.addEventListener('input', () => {
      const value = Number(input.value);
      for (const group of this.#chosenGroups()) this.act.setRule(group, parameter, value);
      this.#showRule(output, parameter, unit, value);
    });
    return { input, output, parameter, unit, most };
  }

  #addPass(pass, label) {
    const bar = element('span', { className: `pass ${pass}` }), value = element('td');
    $('bar').append(bar);
    $('passes').append(element('tr', {}, element('td', {}, element('i', { className: pass }), ` ${label}`), value));
    return { pass, bar, value };
  }

  #chosenGroups() {
    const chosen = Number($('group').value);
    return chosen === everyGroup ? [...Array(this.kernel.layout.groups).keys()] : [chosen];
  }

  #sliderAgents() {
    const exact = fewestAgents * 10 ** (decades * Number($('agents').value));
    return Math.min(Number(exact.toPrecision(2)), mostAgents);
  }

  #showAgents(agents) {
    $('count').value = agents;
  }

  #showRule(output, parameter, unit, value) {
    output.textContent = parameter === 'fieldOfView' ? `${number(value * degrees)}${unit}`
      : Number.isFinite(value) ? `${number(value, 2)}${unit}` : '∞';
  }

  // Shows what the colours mean: for speeds and densities a bar with its ends.
  showColouring(colouring) {
    const ramp = ramps[colouring], { spatial } = this.kernel.layout;
    $('colouring').value = colouring;
    $('scale').hidden = !ramp;
    if (!ramp) return;
    const stops = ramp.map((rgb) => `#${rgb.toString(16).padStart(6, '0')}`);
    $('scale').querySelector('i').style.background = `linear-gradient(to right, ${stops.join(', ')})`;
    const density = `5 or more within 1 m, per ${spatial ? 'm³' : 'm²'}`;
    $('most').textContent = colouring === 'speed' ? 'maximum speed' : density;
  }

  #showRules() {
    const [group] = this.#chosenGroups(), { kernel } = this;
    for (const { input, output, parameter, unit, most } of this.sliders) {
      const value = kernel.get(group, parameter);
      input.max = most ? most(value) : kernel.layout.perceptionRadius;
      // A radius of 0 would mean the world's radius.
      input.min = parameter === 'maxSpeed' || parameter === 'perceptionRadius' ? input.max / 50 : 0;
      input.value = value;
      this.#showRule(output, parameter, unit, value);
    }
  }

  // Shows a number in a menu. Adds it with its unit if it is missing there, because an address may name any number.
  #showNumber(id, value, unit) {
    if (![...$(id).options].some((option) => Number(option.value) === value)) {
      $(id).append(element('option', { value, textContent: `${value}${unit}` }));
    }
    $(id).value = value;
  }

  showTrails(seconds) { this.#showNumber('trails', seconds, ' s'); }

  // Shows the settings of a new world.
  show(kernel, { scene, comment, agents, pace, colouring, trails }) {
    Object.assign(this, { kernel, scene });
    $('scene').value = scene;
    $('comment').textContent = $('comment').title = comment;
    $('agents').value = Math.log10(Math.max(agents, fewestAgents) / fewestAgents) / decades;
    this.#showAgents(agents);
    this.#showNumber('pace', pace, '×');
    this.showTrails(trails);
    this.showColouring(colouring);
    const names = [...Array(kernel.layout.groups).keys()].map((group) => kernel.groupName(group) || `group ${group}`);
    const options = [['All groups', everyGroup], ...names.map((name, group) => [name, group])];
    $('group').replaceChildren(...options.map(([textContent, value]) => element('option', { textContent, value })));
    $('group').parentElement.hidden = names.length < 2;
    this.#showRules();
    this.showHash('');
  }

  showRules() { this.#showRules(); }

  showPaused(paused) { $('pause').textContent = paused ? 'Play' : 'Pause'; }

  showHash(hash) { $('hashes').textContent = hash; }

  showProblem(text) {
    $('problem').textContent = text;
    $('problem').hidden = !text;
  }

  // Shows {fps, ms, agents, frame, profile}. fps and ms are NaN if nothing was measured.
  showSpeed({ fps, ms, agents, frame, profile }) {
    const measured = (value, digits) => (Number.isFinite(value) ? number(value, digits) : '–');
    $('fps').textContent = measured(fps, fps < 10 ? 1 : 0);
    $('ms').textContent = measured(ms, ms < 10 ? 2 : 1);
    $('rate').textContent = measured(agents / ms);
    $('number').textContent = number(agents);
    $('frame').textContent = `frame ${number(frame)}`;
    if (!profile) return;
    const whole = this.bars.reduce((sum, { pass }) => sum + profile[pass], 0) || 1;
    for (const { pass, bar, value } of this.bars) {
      bar.style.width = `${100 * profile[pass] / whole}%`;
      value.textContent = `${number(profile[pass], 2)} ms`;
    }
    $('each').textContent = `${number(profile.neighboursEach, 1)} neighbours each`;
  }
}
