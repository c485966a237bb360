// Drives a headless Chromium by the DevTools protocol over two pipes. Serves its page from a folder.
// SPDX-License-Identifier: MIT
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';

const types = { '.html': 'text/html', '.css': 'text/css', '.mjs': 'text/javascript', '.json': 'application/json',
  '.wasm': 'application/wasm' };

// Serves the files of a folder. Returns {address, close}.
export async function serve(folder) {
  const server = createServer(async (request, response) => {
    const name = path.normalize(decodeURIComponent(new URL(request.url, 'http://page').pathname));
    try {
      const file = path.join(folder, name.endsWith('/') ? `${name}index.html` : name);
      const data = await readFile(file);
      response.writeHead(200, { 'Content-Type': types[path.extname(file)] ?? 'application/octet-stream' }).end(data);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

const options = ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--no-first-run', '--hide-scrollbars',
  '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--remote-debugging-pipe'];

export class Browser {
  #calls = new Map();
  #listeners = [];
  #next = 1;
  #rest = Buffer.alloc(0);

  static async start(program) {
    const browser = new Browser();
    browser.profile = await mkdtemp(path.join(os.tmpdir(), 'throng-web-'));
    browser.process = spawn(program, [...options, `--user-data-dir=${browser.profile}`, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    browser.ended = new Promise((done) => {
      browser.process.on('error', done).on('exit', (code) => done(new Error(`${program} ended with status ${code}`)));
    });
    browser.ended.then((error) => { for (const { fail } of browser.#calls.values()) fail(error); });
    browser.process.stdio[3].on('error', () => {});
    browser.process.stdio[4].on('data', (data) => browser.#receive(data));
    return browser;
  }

  // Messages end with a 0.
  #receive(data) {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (let end; (end = this.#rest.indexOf(0)) >= 0; this.#rest = this.#rest.subarray(end + 1)) {
      const message = JSON.parse(this.#rest.toString('utf8', 0, end)), call = this.#calls.get(message.id);
      if (!call) {
        for (const listener of this.#listeners) listener(message);
        continue;
      }
      this.#calls.delete(message.id);
      if (message.error) call.fail(new Error(`${call.method}: ${message.error.message}`));
      else call.done(message.result);
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.#next++;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((done, fail) => { this.#calls.set(id, { method, done, fail }); });
  }

  // Opens a page; width and height are CSS pixels. Its `errors` collect messages of the console and exceptions.
  // `before` is a script that runs before those of the page.
  async open(address, { width, height, phone = false, before = '' }) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    this.#listeners.push((message) => message.sessionId === sessionId && page.hear(message));
    for (const domain of ['Page', 'Runtime', 'Log']) await page.send(`${domain}.enable`);
    await page.send('Emulation.setDeviceMetricsOverride',
      { width, height, deviceScaleFactor: phone ? 2 : 1, mobile: phone });
    if (phone) await page.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: before });
    await page.send('Page.navigate', { url: address });
    const broken = async () => page.errors.length > 0 && !(await page.evaluate('globalThis.throngPage'));
    await page.until('globalThis.throngPage?.ready.then(() => true)', broken);
    return page;
  }

  async close() {
    this.send('Browser.close').catch(() => {});
    await this.ended;
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

const patience = 60000, pause = 100; // milliseconds

class Page {
  errors = [];

  constructor(browser, session, target) { Object.assign(this, { browser, session, target }); }

  send(method, params) { return this.browser.send(method, params, this.session); }

  hear({ method, params }) {
    if (method === 'Runtime.exceptionThrown') {
      const { exception, text } = params.exceptionDetails;
      this.errors.push(exception?.description ?? text);
    }
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type)) {
      this.errors.push(params.args.map(({ value, description }) => value ?? description).join(' '));
    }
    if (method === 'Log.entryAdded' && params.entry.level === 'error') {
      this.errors.push(`${params.entry.text} ${params.entry.url ?? ''}`);
    }
  }

  // Returns the value of an expression. Awaits it if it is a promise.
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) {
      throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    }
    return result.value;
  }

  // Waits until the expression is true. Throws after `patience` milliseconds, or once hopeless() is true.
  async until(expression, hopeless = async () => false) {
    for (const begin = Date.now(); Date.now() - begin < patience;) {
      if (await this.evaluate(`Promise.resolve(${expression})`).catch(() => false)) return;
      if (await hopeless()) break;
      await new Promise((done) => { setTimeout(done, pause); });
    }
    throw new Error(`never, or not within ${patience / 1000} s: ${expression}; ${this.errors.join('; ')}`);
  }

  async screenshot() { // PNG
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }

  close() { return this.browser.send('Target.closeTarget', { targetId: this.target }); }
}
