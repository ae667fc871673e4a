// The engines of the analysis, under the policy with which the relay serves the page.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';
import { ownEngine, UciWorker } from './uci.mjs';
import { Visitor } from './visitor.mjs';

const TWO_ROOKS = '7k/8/8/8/8/R7/1R6/K7 w - - 0 1';

/** The operator's engine: it knows one move, which it has from a second file, and the smallest WebAssembly. */
const OPERATORS_ENGINE = `
  const known = fetch('fish.nnue').then((answer) => answer.text());
  const module = WebAssembly.compileStreaming(fetch('fish.wasm'));
  onmessage = async ({ data }) => {
    await module;
    if (data === 'uci') for (const line of ['id name Fish of the operator', 'uciok']) postMessage(line);
    if (data.startsWith('go')) {
      const move = await known;
      postMessage('info depth 21 multipv 1 score cp 77 nodes 9000 nps 8000 pv ' + move);
      postMessage('bestmove ' + move);
    }
  };`;

const directory = mkdtempSync(join(tmpdir(), 'gambit-engine-'));
writeFileSync(join(directory, 'fish.js'), OPERATORS_ENGINE);
writeFileSync(join(directory, 'fish.nnue'), 'h2h4');
writeFileSync(join(directory, 'fish.wasm'), Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
after(() => rmSync(directory, { recursive: true }));

startRelayAndBrowser({ 'web.engine': directory });

test("the relay's engine finds a mate in two, and three lines", async () => {
  const visitor = await Visitor.open(browser, relay);
  const engine = await UciWorker.start(visitor.page, await ownEngine());
  const lines = await engine.ask('bestmove', 'setoption name MultiPV value 3', `position fen ${TWO_ROOKS}`, 'go depth 6');
  const last = [1, 2, 3].map((line) => lines.findLast((it) => it.includes(` multipv ${line} `)));
  assert.match(last[0], / score mate 2 .* pv (\w{4} ){2}\w{4}$/);
  assert.equal(new Set(last.map((line) => / pv (\w+)/.exec(line)[1])).size, 3);
  assert.equal(lines.at(-1), `bestmove ${/ pv (\w+)/.exec(last[0])[1]}`);
  await visitor.close();
});

test('it stops at once between two iterations, and keeps to its time', async () => {
  const visitor = await Visitor.open(browser, relay);
  const engine = await UciWorker.start(visitor.page, await ownEngine());
  const begun = await engine.ask('info', 'position startpos', 'go infinite');
  assert.match(begun.at(-1), /^info depth 1 /);
  assert.match((await engine.ask('bestmove', 'stop')).at(-1), /^bestmove \w{4}$/);
  const lines = await engine.ask('bestmove', 'go movetime 300');
  assert.ok(Number(/ time (\d+)/.exec(lines.at(-2))[1]) >= 300);
  await visitor.close();
});

test('the page itself may not compile WebAssembly, and no script may evaluate text', async () => {
  const visitor = await Visitor.open(browser, relay);
  const refused = await visitor.page.evaluate(async () => {
    const wasm = await WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)).catch(({ name }) => name);
    const policy = (await fetch(document.querySelector('script').src)).headers.get('Content-Security-Policy');
    return [wasm, policy];
  });
  assert.equal(refused[0], 'CompileError');
  assert.match(refused[1], /; script-src 'self' 'wasm-unsafe-eval'; /);
  visitor.complaints = []; // of the refusal
  await visitor.close();
});

test("the operator's engine is named in NIP-11, and runs with its files", async () => {
  const information = await (await fetch(relay.url, { headers: { accept: 'application/nostr+json' } })).json();
  assert.equal(information.chess.engine, '/engine/fish.js');
  const module = await fetch(new URL('/engine/fish.wasm', relay.url));
  assert.equal(module.headers.get('content-type'), 'application/wasm');
  assert.equal((await fetch(new URL('/engine/fish.pem', relay.url))).status, 404);
  const visitor = await Visitor.open(browser, relay);
  const engine = await UciWorker.start(visitor.page, { script: 'engine/fish.js' });
  assert.deepEqual(await engine.ask('bestmove', 'position startpos', 'go depth 3'), [
    'info depth 21 multipv 1 score cp 77 nodes 9000 nps 8000 pv h2h4',
    'bestmove h2h4',
  ]);
  await visitor.close();
});

test("the analysis offers the operator's engine beside the relay's", async () => {
  const visitor = await Visitor.open(browser, relay, { path: '#/analysis' });
  const best = visitor.page.getByRole('list', { name: 'Best lines' });
  await visitor.page.getByRole('switch', { name: 'Engine' }).click();
  await best.getByRole('button').first().waitFor();
  await visitor.page.getByRole('combobox', { name: 'Choice of the engine' }).selectOption('operator');
  await best.getByRole('button', { name: 'h4' }).waitFor();
  await best.getByText('0.8').waitFor();
  await visitor.page.getByRole('combobox', { name: 'Choice of the engine' }).selectOption('own');
  await best.getByRole('button', { name: 'h4' }).waitFor({ state: 'detached' });
  await best.getByRole('button').first().waitFor();
  await visitor.close();
});
