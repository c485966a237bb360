// node hashes.mjs FOLDER TABLE [SCENE...]: steps the scenes of a built page's FOLDER as throng-run does. Compares each
// hash with the one in TABLE, which is tests/cli/scene_hashes.txt: the hashes of throng-run --agents 2000 --frames 65.
// SPDX-License-Identifier: MIT
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, table, ...only] = process.argv.slice(2);
const agents = 2000, frames = 65;
const { Kernel } = await import(pathToFileURL(path.resolve(folder, 'kernel.mjs')));
const module = await WebAssembly.compile(await readFile(path.join(folder, 'throng.wasm')));
const kernel = await Kernel.start(module);

let same = 0, different = 0;
for (const line of (await readFile(table, 'utf8')).trim().split('\n')) {
  const [name, wanted] = line.split(' ');
  if (only.length && !only.includes(name)) continue;
  kernel.load(await readFile(path.join(folder, 'scenes', `${name}.json`), 'utf8'), agents);
  kernel.step(frames);
  if (kernel.hash === wanted) {
    same++;
  } else {
    different++;
    console.error(`${name}: hash ${kernel.hash} in WebAssembly, ${wanted} natively`);
  }
}
console.log(`${same} of ${same + different} scenes have the native hash`);
process.exitCode = different || !same ? 1 : 0;
