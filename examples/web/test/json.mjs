// node json.mjs FOLDER: tests the module's JSON reader (../cjson). It must accept the same texts as JSON.parse.
// SPDX-License-Identifier: MIT
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder] = process.argv.slice(2);
const { Kernel } = await import(pathToFileURL(path.resolve(folder, 'kernel.mjs')));
const kernel = await Kernel.start(await WebAssembly.compile(await readFile(path.join(folder, 'throng.wasm'))));

const values = ['0', '-0', '12', '-12.5e+3', '1E5', '2e-3', '01', '1.', '.5', '-', '+1', '1e', '1e+', 'NaN', 'Infinity',
  '0x10', '1_0', 'true', 'false', 'null', 'True', 'nul', 'truefalse', '""', '"a\\n\\t\\"\\\\\\/\\b\\f\\r"',
  '"\\u00e9\\u20AC"', '"\\ud83d\\ude00"', '"\\u12"', '"\\u12g4"', '"\\x"', '"\\"', '"open', '"line\nbreak"',
  '"tab\there"', "'single'", '[]', '[1,2]',
  '[1,]', '[,1]', '[1 2]', '[', ']', '[[[[1]]]]', '{}', '{"a":1}', '{"a":1,}', '{"a" 1}', '{a:1}', '{"a":}', '{1:2}',
  '{"a":{"b":[{}]}}', '{"a":1 "b":2}', '1 2', '/* no */ 1', '[1]]', '', ' \t\r\n1\r\n', '\u00a01', '"é€😀"',
  '"\\u0041"'];
// Each value is that of a key that no scene has. The reader calls the key unknown if it accepts the value, otherwise it
// calls the text malformed.
const texts = values.map((value) => `{"odd": ${value}}`)
  .concat(['', '{', '{}}', '{"odd": 1} x', '{"odd": 1}\n\n', '\u0000']);

const parses = (text) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

let wrong = 0;
for (const text of texts) {
  let message = '';
  try {
    kernel.load(text, 1);
  } catch (error) {
    ({ message } = error);
  }
  const taken = /unknown field 'odd'/.test(message), refused = /malformed JSON/.test(message);
  if (taken === refused || taken !== parses(text)) {
    wrong++;
    console.error(`${JSON.stringify(text)}: ${message}; JSON.parse ${parses(text) ? 'takes' : 'refuses'} it`);
  }
}
const deep = '['.repeat(100000);
try {
  kernel.load(`{"odd": ${deep}`, 1);
} catch (error) {
  wrong += !/malformed JSON/.test(error.message);
}
console.log(`${texts.length - wrong} of ${texts.length} texts are read as JSON.parse reads them`);
process.exitCode = wrong ? 1 : 0;
