import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Engine, type Info } from './engine.js';
import { operatorScript } from './operator.js';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** A worker that answers `uci`, and whose further lines the test sends. */
class FakeWorker {
  static all: FakeWorker[] = [];
  static isSilent = false;
  received: string[] = [];
  isTerminated = false;
  onmessage?: (event: { data: unknown }) => void;
  onerror?: (event: { preventDefault: () => void }) => void;

  constructor() {
    FakeWorker.all.push(this);
  }

  postMessage(line: string): void {
    this.received.push(line);
    if (line === 'uci' && !FakeWorker.isSilent) queueMicrotask(() => this.send('id name Fake  Fish', 'uciok'));
    if (line.startsWith('go')) this.gone();
  }

  send(...lines: string[]): void {
    for (const data of lines) if (!this.isTerminated) this.onmessage?.({ data });
  }

  terminate(): void {
    this.isTerminated = true;
  }

  gone = (): void => undefined;

  /** Until it has been given a position. */
  went(): Promise<void> {
    return new Promise((resolve) => {
      this.gone = resolve;
    });
  }
}

const workers = FakeWorker.all;
Object.assign(globalThis, { Worker: FakeWorker });

afterEach(() => {
  workers.length = 0;
  FakeWorker.isSilent = false;
});

/** Begins an analysis by the operator's engine. */
async function analysis(fen = START, moves: string[] = [], lines = 1) {
  const engine = await Engine.start('engine.js');
  const worker = workers[0]!;
  const infos: Info[] = [];
  const went = worker.went();
  const end = engine.analyse(fen, moves, { lines }, (info) => infos.push(info));
  await went;
  return { engine, worker, infos, end };
}

test('an engine is asked in UCI, and its lines are for White', async () => {
  const { engine, worker, infos, end } = await analysis(START, ['e2e4'], 2);
  assert.equal(engine.name, 'Fake Fish');
  assert.deepEqual(worker.received, [
    'uci',
    'setoption name MultiPV value 2',
    `position fen ${START} moves e2e4`,
    'go infinite',
  ]);
  worker.send(
    'info depth 7 seldepth 9 multipv 1 score cp 31 nodes 1000 nps 500 hashfull 1 time 2 pv e7e5 g1f3',
    'info depth 7 multipv 2 score mate -3 nodes 1100 nps 501 pv a7a6',
    'bestmove e7e5 ponder g1f3',
  );
  await end;
  assert.deepEqual(infos, [
    {
      depth: 7,
      nodes: 1100,
      nps: 501,
      lines: [
        { score: { cp: -31 }, pv: ['e7e5', 'g1f3'] },
        { score: { mate: 3 }, pv: ['a7a6'] },
      ],
    },
  ]);
});

test('limits of time and depth are passed on', async () => {
  const engine = await Engine.start('engine.js');
  const went = workers[0]!.went();
  void engine.analyse(START, [], { lines: 1, millis: 100, depth: 3 }, () => undefined);
  await went;
  assert.equal(workers[0]!.received.at(-1), 'go depth 3 movetime 100');
});

test('lines that make no sense are left out', async () => {
  const { worker, infos, end } = await analysis(START, [], 2);
  worker.send(
    'info',
    'info depth 1 multipv 1 score',
    'info depth 1 score cp x pv e2e4',
    'info depth 1 score cp 1e9 pv e2e4',
    'info depth 1 score toast 5 pv e2e4',
    'info depth 1 multipv 3 score cp 5 pv e2e4',
    'info depth 1 multipv 2 score cp 5 pv e2e4',
    'info depth 2 score cp 5 lowerbound pv e2e4',
    'info string score cp 5',
    'id',
    'constructor __proto__',
    '',
    'info depth 9 multipv 1 score cp 12 pv e2e4 <b> e7e5',
    'bestmove e2e4',
  );
  await end;
  assert.deepEqual(infos, [{ depth: 9, nodes: 0, nps: 0, lines: [{ score: { cp: 12 }, pv: ['e2e4'] }] }]);
});

test('a stopped analysis ends at once, and the next one waits for the worker', async () => {
  const { engine, worker, infos, end } = await analysis();
  engine.stop();
  await end;
  assert.equal(worker.received.at(-1), 'stop');
  worker.send('info depth 1 score cp 5 pv e2e4');
  const went = worker.went();
  const next = engine.analyse(START, ['d2d4'], { lines: 1 }, (info) => infos.push(info));
  assert.equal(worker.received.at(-1), 'stop');
  worker.send('bestmove e2e4');
  await went;
  worker.send('info depth 1 score cp 7 pv d7d5', 'bestmove d7d5');
  await next;
  assert.deepEqual(
    infos.map(({ lines }) => lines),
    [[{ score: { cp: -7 }, pv: ['d7d5'] }]],
  );
  assert.equal(worker.isTerminated, false);
});

test('of several positions in a row the last is analysed', async () => {
  const { engine, worker, end } = await analysis();
  const others = ['e2e4', 'd2d4', 'c2c4'].map((move) => engine.analyse(START, [move], { lines: 1 }, () => undefined));
  await end;
  const went = worker.went();
  worker.send('bestmove e2e4');
  await went;
  worker.send('bestmove e7e5');
  await Promise.all(others);
  assert.deepEqual(
    worker.received.filter((line) => line.startsWith('position')),
    [`position fen ${START}`, `position fen ${START} moves c2c4`],
  );
});

test('a worker that does not stop is replaced', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { engine, worker, end } = await analysis();
  engine.stop();
  await end;
  const next = engine.analyse(START, ['d2d4'], { lines: 1 }, () => undefined);
  context.mock.timers.tick(1000);
  assert.equal(worker.isTerminated, true);
  const second = workers[1]!;
  await second.went();
  second.send('bestmove d7d5');
  await next;
});

test('a worker that dies, or never starts, is a sentence, and so is all that follows', async (context) => {
  const { engine, worker, end } = await analysis();
  worker.onerror?.({ preventDefault: () => undefined });
  await assert.rejects(end, { message: 'The engine has failed.' });
  await assert.rejects(engine.analyse(START, [], { lines: 1 }, () => undefined), { message: 'The engine has failed.' });
  assert.equal(worker.isTerminated, true);
  context.mock.timers.enable({ apis: ['setTimeout'] });
  FakeWorker.isSilent = true;
  const start = Engine.start('engine.js');
  context.mock.timers.tick(60_000);
  await assert.rejects(start, { message: 'The engine does not answer.' });
});

test('a worker that sends too much is ended', async () => {
  const { worker, end } = await analysis();
  worker.send(...Array<string>(10_000).fill('info depth 1 score cp 1 pv e2e4'));
  await assert.rejects(end, { message: 'The engine has failed.' });
  assert.equal(worker.isTerminated, true);
  const second = await Engine.start('engine.js');
  workers[1]!.send('x'.repeat(100_000));
  await assert.rejects(second.analyse(START, [], { lines: 1 }, () => undefined), { message: 'The engine has failed.' });
});

test('a closed engine ends its analysis', async () => {
  const { engine, worker, end } = await analysis();
  engine.close();
  await end;
  assert.equal(worker.isTerminated, true);
  await assert.rejects(engine.analyse(START, [], { lines: 1 }, () => undefined));
});

test("the operator's engine is offered at the page's own origin only", () => {
  const info = { engine: '/engine/a.js' } as never as Parameters<typeof operatorScript>[0];
  Object.assign(globalThis, { location: { origin: 'https://relay.example' } });
  try {
    assert.equal(operatorScript({ ...info, url: 'wss://relay.example' }), 'https://relay.example/engine/a.js');
    assert.equal(operatorScript({ ...info, url: 'wss://relay.example/chess/' }), 'https://relay.example/chess/engine/a.js');
    assert.equal(operatorScript({ ...info, url: 'wss://other.example' }), undefined);
    assert.equal(operatorScript({ ...info, url: 'wss://relay.example', engine: '/https://x.example' }), 'https://relay.example/https://x.example');
  } finally {
    Reflect.deleteProperty(globalThis, 'location');
  }
});
