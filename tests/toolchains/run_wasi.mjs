// run_wasi.mjs PROGRAM.wasm [ARGUMENT...]: runs a WebAssembly program under Node; exits with the program's exit status.
// SPDX-License-Identifier: MIT
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const wasi = new WASI({ version: 'preview1', args: process.argv.slice(2), returnOnExit: true });
const program = await WebAssembly.compile(await readFile(process.argv[2]));
const instance = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
