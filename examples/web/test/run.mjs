// node run.mjs FOLDER SCENES CHROMIUM THRONG_RUN OUT: tests the built page of FOLDER in a headless Chromium.
// Screenshots go to OUT. If THRONG_RUN is '', no hash is compared with a native run.
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Browser, serve } from './browser.mjs';

const [folder, scenes, chromium, throngRun, out] = process.argv.slice(2);
const desktop = { width: 1280, height: 800 }, phone = { width: 360, height: 740, phone: true };
const compared = [['flock2', 3000, 60], ['courtyard', 1500, 60], ['plaza', 1200, 90], ['commuters', 2500, 40],
  ['gather', 800, 60], ['starlings', 1500, 60], ['reef', 700, 60]];

await mkdir(out, { recursive: true });
const server = await serve(folder);
const browser = await Browser.start(chromium);
const keep = async (page, name) => writeFile(path.join(out, `${name}.png`), await page.screenshot());

async function open(query, size) {
  const page = await browser.open(`${server.address}/?${query}`, size);
  assert.ok(await page.evaluate('throngPage.ready'), page.errors.join('; '));
  return page;
}

const positions = '[...throngPage.kernel.view().position[0]]';
// Draws the world now and returns the canvas without the rest of the page.
const picture = "throngPage.run(0), document.getElementById('canvas').toDataURL()";
const press = (id) => `document.getElementById('${id}').click()`;
const move = (id, value, event = 'input') => `{ const slider = document.getElementById('${id}');
  slider.value = ${value}; slider.dispatchEvent(new Event('${event}')); }`;

// Runs in the page. Lists what overlaps or leaves the window: the numbers, the hint, the panel, the buttons, and the
// world: its box from eight sides, or the agents' places if it has none.
const overlaps = `() => {
  const { kernel, camera } = throngPage, { layout } = kernel, found = [];
  const box = (id) => document.getElementById(id).getBoundingClientRect(), stage = box('canvas');
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const parts = { stats: box('stats'), hint: box('hint'), panel: box('panel'), pause: box('pause'), step: box('step'),
    restart: box('restart') };
  const { position: [x, y, z], count } = kernel.view();
  const places = layout.open
    ? [...Array(count).keys()].map((k) => [x[k], y ? y[k] : 0, z[k]])
    : [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1 ? layout.max[0] : layout.min[0],
      !layout.spatial ? 0 : k & 2 ? layout.max[1] : layout.min[1], k & 4 ? layout.max[2] : layout.min[2]]);
  const turn = camera.turn, turns = layout.spatial ? [0, 1, 2, 3, 4, 5, 6, 7] : [0];
  const world = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const k of turns) {
    camera.turn = turn + k * Math.PI / 4;
    const { matrix: m } = camera.view();
    for (const p of places) {
      const [cx, cy, , w] = [0, 1, 2, 3].map((i) => m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i]);
      const px = stage.left + (1 + cx / w) / 2 * stage.width, py = stage.top + (1 - cy / w) / 2 * stage.height;
      Object.assign(world, { left: Math.min(world.left, px), right: Math.max(world.right, px),
        top: Math.min(world.top, py), bottom: Math.max(world.bottom, py) });
    }
  }
  camera.turn = turn;
  for (const [name, part] of Object.entries(parts)) if (meet(world, part)) found.push('the world meets ' + name);
  if (world.left < stage.left || world.right > stage.right) found.push('the world leaves the stage aside');
  if (world.top < stage.top || world.bottom > stage.bottom) found.push('the world leaves the stage');
  const buttons = ['pause', 'step', 'restart'];
  for (const name of buttons) if (parts[name].bottom > innerHeight) found.push(name + ' is below the window');
  for (const name of ['stats', 'hint']) {
    const { left, right, top, bottom, height } = parts[name];
    const inside = height && left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
    if (!inside) found.push(name + ' is not in the window');
    const others = ['panel', ...buttons].filter((other) => meet(parts[name], parts[other]));
    if (others.length) found.push(name + ' meets ' + others.join());
  }
  if (meet(parts.stats, parts.hint)) found.push('stats meets hint');
  return found;
}`;

async function nativeHash(scene, agents, frames) {
  const results = path.join(out, `${scene}.native`);
  await promisify(execFile)(throngRun,
    ['--scene', scene, '--agents', agents, '--frames', frames, '--quiet', '--out', results]);
  return JSON.parse(await readFile(path.join(results, 'results.json'), 'utf8')).runs[0].hash;
}

const tests = {
  async 'starts, and agents move'() {
    const page = await open('scene=shoal', desktop);
    const before = await page.evaluate(positions), frame = await page.evaluate('throngPage.kernel.frame');
    await page.until(`throngPage.kernel.frame > ${frame + 10}`);
    assert.notDeepEqual(await page.evaluate(positions), before);
    await page.until("/^[0-9]/.test(document.getElementById('fps').textContent)"); // waits for a slow machine too
    await page.evaluate('throngPage.run(400)');
    await keep(page, 'desktop');
    return page;
  },

  async 'has instances between two steps'() {
    const page = await open('scene=shoal&agents=500&paused', desktop);
    const [before, atZero, atQuarter, after] = await page.evaluate(`(() => {
      const { kernel } = throngPage;
      const read = (alpha) => {
        const { id } = kernel.view(), instances = kernel.instances(alpha), rows = [];
        id.forEach((index, k) => { rows[index - 1] = [...instances.subarray(12 * k, 12 * k + 12)]; });
        return rows;
      };
      throngPage.run(3);
      const before = read(1);
      throngPage.run(1);
      return [before, read(0), read(0.25), read(1)];
    })()`);
    assert.deepEqual(atZero, before);
    before.forEach((from, k) => [3, 7, 11].forEach((i) => {
      const way = after[k][i] - from[i], off = atQuarter[k][i] - from[i] - 0.25 * way;
      assert.ok(Math.abs(way) > 1 || Math.abs(off) < 1e-4, `agent ${k + 1}`); // more than 1 m: across a seam
    }));
    assert.ok(after.some((to, k) => to[3] !== before[k][3]), 'no agent moves');
    return page;
  },

  async 'draws each agent at its place'() {
    const page = await open('scene=flock2&agents=2000&paused', desktop);
    const { ids, inside, columns } = await page.evaluate(`(() => {
      const { kernel } = throngPage, { count, id, position } = kernel.view(), { min, max } = kernel.layout;
      throngPage.run(0); // draws; the picture can be read until the browser shows it
      const gl = document.getElementById('canvas').getContext('webgl2'), columns = new Set();
      const wide = gl.drawingBufferWidth, high = gl.drawingBufferHeight, pixels = new Uint8Array(4 * wide * high);
      gl.readPixels(0, 0, wide, high, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      for (let k = 0; k < wide * high; k++) {
        const rgb = pixels.subarray(4 * k, 4 * k + 3);
        if (Math.max(...rgb) > 150) columns.add(Math.floor((k % wide) / 16)); // scenery is darker
      }
      return { ids: [...id].sort((a, b) => a - b), columns: columns.size,
        inside: [...Array(count).keys()].every((k) => position[0][k] >= min[0] && position[0][k] < max[0]
          && position[2][k] >= min[2] && position[2][k] < max[2]) };
    })()`);
    assert.deepEqual(ids, [...Array(2000).keys()].map((k) => k + 1));
    assert.ok(inside, 'agents outside of the box');
    assert.ok(columns > 35, `agents in ${columns} of 43 columns of 16 pixels`); // the box is about 690 pixels wide
    return page;
  },

  async 'pauses, steps and restarts'() {
    const page = await open('scene=circle&paused', desktop);
    const frame = () => page.evaluate('throngPage.kernel.frame'), hash = () => page.evaluate('throngPage.kernel.hash');
    const start = await hash();
    assert.equal(await frame(), 0);
    await page.evaluate(press('step'));
    assert.equal(await frame(), 1);
    assert.notEqual(await hash(), start);
    await page.evaluate(press('hash'));
    const hashes = await page.evaluate("document.getElementById('hashes').textContent");
    assert.equal(hashes, `${await hash()} after 1 frames`);
    await page.evaluate(press('restart'));
    assert.equal(await hash(), start);
    await page.evaluate(press('pause'));
    await page.until('throngPage.kernel.frame > 2');
    return page;
  },

  async 'draws the agents, and not only once'() {
    const page = await open('scene=streams&paused', desktop);
    const still = await page.evaluate(picture);
    assert.ok(await page.evaluate(picture) === still, 'something moved');
    await page.evaluate('throngPage.run(120)');
    assert.ok(await page.evaluate(picture) !== still, 'nothing moved');
    return page;
  },

  async 'sliders change the world, and As the scene has it takes that back'() {
    const page = await open('scene=flock2&agents=2000&paused', desktop);
    const after = async (...actions) => {
      await page.evaluate(press('reset'));
      for (const action of actions) await page.evaluate(action);
      return page.evaluate('throngPage.kernel.step(30), throngPage.kernel.hash');
    };
    const plain = await after(), seen = new Set([plain]);
    for (const [slider, value] of [['separation', 0.25], ['cohesion', 0.5], ['alignment', 0], ['avoidance', 1.5],
      ['maxSpeed', 0.5], ['perceptionRadius', 0.5], ['fieldOfView', 2]]) {
      const hash = await after(move(slider, value));
      assert.equal(await page.evaluate(`throngPage.kernel.get(0, '${slider}')`), value);
      assert.ok(!seen.has(hash), `the slider ${slider} changed nothing`);
      seen.add(hash);
    }
    assert.equal(await after(), plain);
    return page;
  },

  async 'sliders change one group or all'() {
    const page = await open('scene=courtyard&agents=500&paused', desktop);
    const weights = () => page.evaluate("[0, 1, 2, 3].map((group) => throngPage.kernel.get(group, 'cohesion'))");
    await page.evaluate(move('group', 2, 'change'));
    await page.evaluate(move('cohesion', 0.5));
    assert.deepEqual(await weights(), [0, 0, 0.5, 0]);
    await page.evaluate(move('group', -1, 'change'));
    await page.evaluate(move('cohesion', 0.25));
    assert.deepEqual(await weights(), [0.25, 0.25, 0.25, 0.25]);
    return page;
  },

  async 'the camera pans, zooms and fits; in 3-D it turns'() {
    const page = await open('scene=circle&paused', desktop);
    const camera = () => page.evaluate('({ ...throngPage.camera, canvas: 0, pointers: 0 })');
    const mouse = (type, x, y, more) => page.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', ...more });
    const drag = async () => {
      await mouse('mousePressed', 400, 400, { clickCount: 1 });
      await mouse('mouseMoved', 460, 380);
      await mouse('mouseReleased', 460, 380, { clickCount: 1 });
      return camera();
    };
    const start = await camera(), panned = await drag();
    assert.ok(panned.centre[0] < start.centre[0] && panned.centre[2] > start.centre[2]);
    await mouse('mouseWheel', 400, 400, { deltaX: 0, deltaY: -300 });
    await page.until(`throngPage.camera.zoom < ${panned.zoom}`);
    await page.evaluate("document.getElementById('canvas').dispatchEvent(new MouseEvent('dblclick'))");
    assert.deepEqual((await camera()).centre, start.centre);
    await page.evaluate(move('scene', "'reef'", 'change'));
    await page.until("throngPage.state.scene === 'reef'");
    const before = await camera(), turned = await drag();
    assert.ok(turned.turn < before.turn && turned.rise < before.rise);
    return page;
  },

  async 'two fingers zoom'() {
    const page = await open('scene=circle&paused', phone);
    const touch = (type, ...points) => page.send('Input.dispatchTouchEvent',
      { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    await touch('touchStart', [150, 200], [210, 200]);
    await touch('touchMove', [130, 200], [230, 200]);
    await touch('touchMove', [110, 200], [250, 200]);
    await touch('touchEnd');
    const zoom = await page.evaluate('throngPage.camera.zoom');
    assert.ok(Math.abs(zoom - 60 / 140) < 0.02, `zoom ${zoom}`);
    return page;
  },

  async 'goes on drawing after the graphics card was lost'() {
    const page = await open('scene=streams&paused', desktop);
    const before = await page.evaluate(picture);
    await page.evaluate(`(async () => {
      const card = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
      const happens = (name) => new Promise((done) => document.getElementById('canvas').addEventListener(name, done));
      const lost = happens('webglcontextlost'), restored = happens('webglcontextrestored');
      card.loseContext();
      await lost;
      setTimeout(() => card.restoreContext(), 50);
      await restored;
    })()`);
    assert.ok(await page.evaluate(picture) === before, 'the picture is another');
    return page;
  },

  async 'takes up to 50 000 agents'() {
    const page = await open('scene=shoal&agents=50&paused', desktop);
    assert.equal(await page.evaluate('throngPage.kernel.agents'), 50);
    await page.evaluate(move('agents', 1, 'change'));
    await page.until('throngPage.kernel.agents === 50000');
    await page.evaluate('throngPage.run(2)');
    await page.evaluate(move('count', 70000, 'change'));
    await page.until('throngPage.kernel.agents === 50000');
    return page;
  },

  async 'stops after the frames that the address asks for'() {
    const page = await open('scene=swap&agents=100&frames=12&pace=8&colour=speed', desktop);
    await page.until('throngPage.state.paused');
    assert.equal(await page.evaluate('throngPage.kernel.frame'), 12);
    return page;
  },

  async 'colours by the density around each agent'() {
    const page = await open('scene=swap&agents=200&paused&colour=density', desktop);
    await page.evaluate('throngPage.run(90)');
    const wrong = await page.evaluate(`(() => {
      const { kernel } = throngPage, density = [...kernel.density()], { count, position: [x, , z] } = kernel.view();
      return density.filter((value, k) => {
        let near = 0;
        for (let other = 0; other < count; other++) near += Math.hypot(x[other] - x[k], z[other] - z[k]) <= 1;
        return Math.abs(value - Math.floor(255 * Math.min(near / Math.PI, 5) / 5)) > 1;
      }).length;
    })()`);
    assert.equal(wrong, 0);
    const pictures = [];
    for (const colouring of ['density', 'speed', 'heading']) {
      await page.evaluate(move('colouring', `'${colouring}'`, 'change'));
      assert.equal(await page.evaluate("document.getElementById('scale').hidden"), colouring === 'heading');
      pictures.push(await page.evaluate(picture));
    }
    assert.equal(new Set(pictures).size, 3);
    await page.evaluate(move('colouring', "'density'", 'change'));
    return page;
  },

  async 'draws trails where agents were, and none across seams'() {
    const page = await open('scene=wrapped&trails=2&paused', desktop);
    await page.evaluate('throngPage.run(240)');
    const lengths = (name) => page.evaluate(`(() => {
      const { kernel, trails } = throngPage, { periodic, min, max } = kernel.layout, found = [];
      const lines = trails.lines(kernel.view(), kernel.instances(1), kernel.frame, () => [1, 1, 1]);
      for (let k = 0; k < lines.length; k += 14) {
        found.push(${name === 'length' ? 'Math.hypot(lines[k] - lines[k + 7], lines[k + 2] - lines[k + 9])'
      : 'lines[k + 6]'});
      }
      return { periodic, dt: kernel.layout.dt, every: trails.every, most: kernel.get(0, 'maxSpeed'), found };
    })()`);
    const { periodic, dt, every, most, found } = await lengths('length');
    assert.equal(periodic, 5);
    assert.ok(found.length > 400 * 20);
    assert.ok(Math.max(...found) <= (every + 1) * most * dt * 1.001);
    const { found: opacities } = await lengths('opacity');
    assert.ok(Math.max(...opacities) > 0.7 && Math.min(...opacities) < 0.1 && Math.min(...opacities) >= 0);
    const with2 = await page.evaluate(picture);
    await page.evaluate(move('trails', "'0'", 'change'));
    assert.notEqual(await page.evaluate(picture), with2);
    await page.evaluate(move('trails', "'3'", 'change'));
    await page.evaluate('throngPage.run(180)');
    return page;
  },

  async 'the menu has every shipped scene, and each can be chosen'() {
    const page = await open('paused', desktop);
    const menu = await page.evaluate("[...document.querySelectorAll('#scene option')].map(({ value }) => value)");
    const shipped = (await readdir(scenes)).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
    assert.deepEqual(menu.sort(), [...shipped, 'own'].sort());
    for (const name of shipped) {
      await page.evaluate(move('scene', `'${name}'`, 'change'));
      await page.until(`throngPage.state.scene === '${name}'`);
      await page.evaluate('throngPage.run(2)');
    }
    return page;
  },

  async 'says what is wrong with a scene, and goes on with the one before'() {
    const page = await open('scene=circle&paused', desktop);
    const before = await page.evaluate('throngPage.kernel.hash');
    const offer = async (text) => {
      await page.evaluate(`{ const files = new DataTransfer(), input = document.getElementById('file');
        files.items.add(new File([${JSON.stringify(text)}], 'mine.json')); input.files = files.files;
        input.dispatchEvent(new Event('change')); }`);
      await page.until("!document.getElementById('problem').hidden");
      return page.evaluate("document.getElementById('problem').textContent");
    };
    const good = await readFile(path.join(scenes, 'circle.json'), 'utf8');
    assert.match(await offer('{ "groups": [ }'), /scene:1: malformed JSON near '}'/);
    assert.match(await offer(good.replace('"planar"', '"flat"')),
      /field 'world.space': value "flat", allowed planar, spatial/);
    assert.equal(await page.evaluate('throngPage.kernel.hash'), before);
    page.errors = page.errors.filter((error) => !error.startsWith('scene:')); // the test wants these
    return page;
  },

  async 'opens a scene of one\'s own'() {
    const page = await open('scene=circle&paused', desktop);
    const text = JSON.stringify({ groups: [{}], spawns: [{ region: { shape: 'disc', radius: 9 } }], agents: 77 });
    await page.evaluate(`throngPage.open(new File([${JSON.stringify(text)}], 'mine.json'))`);
    assert.equal(await page.evaluate('throngPage.kernel.agents'), 77);
    assert.equal(await page.evaluate("document.getElementById('scene').value"), 'own');
    await page.evaluate('throngPage.run(3)');
    return page;
  },

  async 'says what is wrong with an address, and uses the defaults for it'() {
    const state = () => page.evaluate(`(({ scene, pace, colouring, paused, last }) => ({ scene, pace, colouring, paused,
      last: last === Infinity ? 0 : last, agents: throngPage.kernel.agents }))(throngPage.state)`);
    const circle = { scene: 'circle', pace: 2, colouring: 'heading', paused: false, last: 0, agents: 400 };
    const shoal = { ...circle, scene: 'shoal', pace: 1, agents: 9000 }, count = 'is a whole number from 1 to 50000';
    let page;
    for (const [query, wanted, ...problems] of [
      ['scene=nowhere', shoal, /^\?scene=nowhere is ignored: allowed are shoal, flock2, /],
      ['scene=constructor&pace=4', { ...shoal, pace: 4 }, /^\?scene=constructor is ignored: /],
      ['agents=abc', shoal, `?agents=abc is ignored: allowed ${count}`],
      ['scene=circle&agents=abc', circle, `?agents=abc is ignored: allowed ${count}`],
      ['scene=circle&agents=', circle, `?agents= is ignored: allowed ${count}`],
      ['scene=circle&agents=0', circle, `?agents=0 is ignored: allowed ${count}`],
      ['scene=circle&agents=-3&pace=5', { ...circle, pace: 5 }, `?agents=-3 is ignored: allowed ${count}`],
      ['scene=circle&agents=2.5', circle, `?agents=2.5 is ignored: allowed ${count}`],
      ['scene=circle&agents=50001', circle, `?agents=50001 is ignored: allowed ${count}`],
      ['scene=circle&agents=NaN&agents=3', circle, `?agents=NaN is ignored: allowed ${count}`],
      ['scene=circle&frames=many&agents=9', { ...circle, agents: 9 },
        '?frames=many is ignored: allowed is a whole number from 1 to 1000000000'],
      ['scene=circle&pace=fast', circle, '?pace=fast is ignored: allowed is more than 0, at most 1000'],
      ['scene=circle&pace=Infinity&colour=speed', { ...circle, colouring: 'speed' },
        '?pace=Infinity is ignored: allowed is more than 0, at most 1000'],
      ['scene=circle&colour=beige', circle, '?colour=beige is ignored: allowed are heading, group, speed, density'],
      ['scene=circle&trails=-1', circle, '?trails=-1 is ignored: allowed is more than 0, at most 3600'],
      ['scene=circle&trails=NaN', circle, '?trails=NaN is ignored: allowed is more than 0, at most 3600'],
      ['scene=circle&paused=maybe', circle, '?paused=maybe is ignored: allowed are 0 and 1'],
      ['scene=circle&paused=0', circle],
      ['scene=circle&agent=7', circle,
        '?agent=7 is ignored: allowed are scene, agents, frames, pace, colour, trails, paused'],
      ['scene=circle&agents=x&pace=y', circle, `?agents=x is ignored: allowed ${count}`,
        '?pace=y is ignored: allowed is more than 0, at most 1000'],
    ]) {
      page = await open(query, desktop);
      const said = await page.evaluate("document.getElementById('problem').textContent"), lines = said.split('\n');
      assert.equal(said ? lines.length : 0, problems.length, said);
      problems.forEach((problem, i) => {
        if (problem instanceof RegExp) assert.match(lines[i], problem);
        else assert.equal(lines[i], problem);
      });
      assert.deepEqual(await state(), wanted, query);
      assert.deepEqual(page.errors, problems.length ? [said] : []);
      await page.until('throngPage.kernel.frame > 2');
      await page.evaluate(press('pause')); // the controls live
      assert.equal(await page.evaluate('throngPage.state.paused'), true);
      await page.evaluate(move('count', 33, 'change'));
      await page.until('throngPage.kernel.agents === 33');
      await page.close();
    }
  },

  async 'says that it needs WebGL 2 where there is none'() {
    const page = await browser.open(server.address, { ...desktop,
      before: 'HTMLCanvasElement.prototype.getContext = () => null;' });
    assert.match(await page.evaluate("document.getElementById('problem').innerText"), /WebGL 2/);
    await page.close();
  },

  async 'has the hash of throng-run'() {
    const page = await open('scene=circle&paused', desktop);
    for (const [scene, agents, frames] of throngRun ? compared : []) {
      const wanted = await nativeHash(scene, agents, frames);
      await page.evaluate(`throngPage.choose('${scene}', ${agents})`);
      await page.evaluate(`throngPage.run(${frames})`);
      assert.equal(await page.evaluate('throngPage.kernel.hash'), wanted, scene);
    }
    return page;
  },

  async 'fits a phone'() {
    const page = await open('scene=courtyard&paused', phone);
    await page.evaluate('throngPage.run(520)');
    await keep(page, 'phone');
    await page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })");
    const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth && innerWidth === 360');
    assert.ok(fits, 'it scrolls sideways');
    const small = await page.evaluate(`[...document.querySelectorAll('button, select, summary')]
      .filter((part) => part.offsetParent && part.getBoundingClientRect().height < 32).map(({ id }) => id)`);
    assert.deepEqual(small, [], 'too small for a finger');
    await page.evaluate("document.getElementById('sliders').scrollIntoView()");
    await keep(page, 'phone-rules');
    return page;
  },

  async 'the world at its start, the numbers, the hint and the buttons are clear of each other and of the panel'() {
    for (const size of [desktop, { width: 390, height: 844, phone: true }]) {
      const page = await open('paused', size);
      const names = await page.evaluate("[...document.querySelectorAll('#scene option')].map(({ value }) => value)");
      for (const name of names.filter((value) => value !== 'own')) {
        await page.evaluate(`throngPage.choose('${name}')`);
        const problems = await page.evaluate(`(${overlaps})()`);
        assert.deepEqual(problems, [], `${name} at ${size.width} x ${size.height}`);
      }
      await keep(page, `start-${size.width}`);
      await page.close();
    }
  },

  async 'draws spatial scenes'() {
    const page = await open('scene=reef&paused', desktop);
    await page.evaluate('throngPage.run(200)');
    await keep(page, 'spatial');
    return page;
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    const page = await test();
    if (page) {
      assert.deepEqual(page.errors, [], 'messages in the console');
      await page.close();
    }
    console.log(`ok: ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}: ${error.message}`);
  }
}
await browser.close();
server.close();
console.log(`${Object.keys(tests).length - failed} of ${Object.keys(tests).length} passed`);
process.exitCode = failed ? 1 : 0;
