// node --no-liftoff speed.mjs FOLDER [SCENE [AGENTS [FRAMES]]]: prints the milliseconds per frame that the kernel of a
// built page's FOLDER takes.
// SPDX-License-Identifier: MIT
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, scene = 'flock2', agents = 20000, frames = 300] = process.argv.slice(2);
const { Kernel } = await import(pathToFileURL(path.resolve(folder, 'kernel.mjs')));
const kernel = await Kernel.start(await WebAssembly.compile(await readFile(path.join(folder, 'throng.wasm'))));

kernel.load(await readFile(path.join(folder, 'scenes', `${scene}.json`), 'utf8'), Number(agents));
kernel.step(20); // lets the engine compile before the timing
kernel.profile();
const begin = performance.now(), before = process.cpuUsage();
kernel.step(Number(frames));
const ms = (performance.now() - begin) / Number(frames), used = process.cpuUsage(before);
const cpu = (used.user + used.system) / 1000 / Number(frames); // below ms if other programs use the machine too
const passes = Object.entries(kernel.profile()).map(([name, value]) => `${name} ${value.toFixed(2)}`);
console.log(`${scene}, ${kernel.agents} agents: ${ms.toFixed(2)} ms a frame, `
  + `${cpu.toFixed(2)} ms of them on the processor`);
console.log(passes.join(', '));
