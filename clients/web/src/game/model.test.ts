import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Line } from '../board/line.js';
import { INITIAL_FEN } from '../board/position.js';
import { capturedBetween } from './captured.js';
import { navigate, shownPly, stepOfKey, viewAt, type View } from './navigation.js';
import { exportPgn, movePairs } from './pgn-export.js';
import { resultInWords } from './result-words.js';

test('captured pieces are listed by value, with the lead of the side that has more', () => {
  const line = Line.from(INITIAL_FEN)!;
  line.update(['e2e4', 'd7d5', 'e4d5', 'd8d5', 'b1c3', 'd5e5', 'f1e2', 'e5e2', 'd1e2']);
  const { white, black } = capturedBetween(INITIAL_FEN, line.fen);
  assert.deepEqual(white, { pieces: ['q', 'p'], lead: 6 });
  assert.deepEqual(black, { pieces: ['b', 'p'], lead: 0 });
});

test('a promoted pawn is not captured, and gives a lead', () => {
  const start = '8/4P3/8/8/8/8/k7/4K3 w - - 0 1';
  const after = '4Q3/8/8/8/8/8/k7/4K3 b - - 0 1';
  assert.deepEqual(capturedBetween(start, after), {
    white: { pieces: [], lead: 9 },
    black: { pieces: [], lead: 0 },
  });
});

test('a game from a set-up position starts with nothing captured', () => {
  const fen = '4k3/8/8/8/8/8/4P3/4K3 b - - 0 17';
  assert.deepEqual(capturedBetween(fen, fen).black, { pieces: [], lead: 0 });
});

test('navigation steps through the plies, and the last one is the live position', () => {
  let view: View = 'live';
  view = navigate(view, 'back', 3);
  assert.equal(view, 2);
  view = navigate(view, 'first', 3);
  assert.equal(view, 0);
  assert.equal(navigate(view, 'back', 3), 0);
  view = navigate(view, 'forward', 3);
  assert.equal(view, 1);
  assert.equal(navigate(2, 'forward', 3), 'live');
  assert.equal(navigate(1, 'last', 3), 'live');
  assert.equal(viewAt(3, 3), 'live');
});

test('the live view follows the game, another one stays, and a takeback does not leave it beyond the end', () => {
  assert.equal(shownPly('live', 7), 7);
  assert.equal(shownPly(4, 7), 4);
  assert.equal(shownPly(6, 5), 5);
});

test('arrows, Home and End are the keys of navigation', () => {
  assert.deepEqual(
    ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'Home', 'ArrowDown', 'End', 'a'].map(stepOfKey),
    ['back', 'forward', 'first', 'first', 'last', 'last', undefined],
  );
});

test('the PGN of a running game has the seven tag roster and numbered moves', () => {
  const line = Line.from(INITIAL_FEN)!;
  line.update(['e2e4', 'e7e5', 'g1f3']);
  const pgn = exportPgn({
    white: 'Ann "A" \\ B',
    black: 'Böb',
    site: 'wss://relay.example/',
    startFen: INITIAL_FEN,
    time: '300+3',
    result: '*',
    plies: line.plies,
    startedAt: 1_800_000_000,
  });
  assert.equal(
    pgn,
    [
      '[Event "Casual game"]',
      '[Site "wss://relay.example/"]',
      '[Date "2027.01.15"]',
      '[Round "-"]',
      '[White "Ann \\"A\\" \\\\ B"]',
      '[Black "B?b"]',
      '[Result "*"]',
      '[TimeControl "300+3"]',
      '',
      '1. e4 e5 2. Nf3 *',
      '',
    ].join('\n'),
  );
});

test('the PGN of a set-up game has its position, and Black may move first', () => {
  const fen = '4k3/8/8/8/8/8/4P3/4K3 b - - 0 17';
  const line = Line.from(fen)!;
  line.update(['e8e7', 'e2e4', 'e7e6']);
  const pgn = exportPgn({ white: 'a', black: 'b', site: '?', startFen: fen, time: '-', result: '*', plies: line.plies });
  assert.match(pgn, /\[Date "\?{4}\.\?\?\.\?\?"]/);
  assert.match(pgn, /\[FEN "4k3\/8\/8\/8\/8\/8\/4P3\/4K3 b - - 0 17"]\n\[SetUp "1"]/);
  assert.match(pgn, /\n17\.\.\. Ke7 18\. e4 Ke6 \*\n$/);
  assert.deepEqual(movePairs(fen, line.plies), [
    { number: 17, black: 1 },
    { number: 18, white: 2, black: 3 },
  ]);
});

test('the lines of a PGN have at most 79 characters', () => {
  const line = Line.from(INITIAL_FEN)!;
  const shuffle = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
  line.update([...shuffle, ...shuffle, ...shuffle, ...shuffle, ...shuffle, ...shuffle, ...shuffle]);
  const levels = { white: 3 };
  const pgn = exportPgn({ white: 'a', black: 'b', levels, site: '?', startFen: INITIAL_FEN, time: '60', result: '*', plies: line.plies });
  assert.match(pgn, /\[TimeControl "60"\]\n\[WhiteLevel "3"\]\n\[WhiteType "program"\]\n\n/);
  const lines = pgn.split('\n\n')[1]!.split('\n');
  assert.ok(lines.length > 2);
  assert.ok(lines.every((text) => text.length <= 79));
});

test('the end is told from the side of the reader', () => {
  assert.deepEqual(resultInWords('1-0', 'checkmate', 'white'), { title: 'You won', reason: 'By checkmate.', mood: 'won' });
  assert.deepEqual(resultInWords('1-0', 'timeout', 'black'), { title: 'You lost', reason: 'You ran out of time.', mood: 'lost' });
  assert.deepEqual(resultInWords('0-1', 'resignation', 'black'), { title: 'You won', reason: 'Your opponent resigned.', mood: 'won' });
  assert.deepEqual(resultInWords('0-1', 'resignation'), { title: 'Black won', reason: 'White resigned.', mood: 'neutral' });
  assert.equal(resultInWords('1/2-1/2', 'agreement', 'white').title, 'Draw');
  assert.equal(resultInWords('*', 'aborted', 'white').title, 'Game aborted');
  assert.equal(resultInWords('1-0', 'something new').reason, 'Black has lost.');
});

test('every termination has words', () => {
  const drawn = ['stalemate', 'deadposition', 'threefold', 'fivefold', 'fiftymoves', 'seventyfivemoves', 'agreement', 'timeout', 'abandoned', 'illegalmoves'];
  for (const word of drawn) {
    assert.notEqual(resultInWords('1/2-1/2', word).reason, 'The game is drawn.', word);
  }
  for (const word of ['checkmate', 'resignation', 'timeout', 'illegalmoves', 'abandoned']) {
    assert.notEqual(resultInWords('1-0', word).reason, 'Black has lost.', word);
  }
});
