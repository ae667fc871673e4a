import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { piecesOf, placeOf } from './fen.js';

test('the initial position has 32 pieces, each on its square', () => {
  const pieces = piecesOf('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
  assert.equal(pieces.length, 32);
  assert.deepEqual(pieces.find(({ piece }) => piece === 'wk'), { piece: 'wk', file: 4, rank: 0 });
  assert.deepEqual(pieces.find(({ piece }) => piece === 'bq'), { piece: 'bq', file: 3, rank: 7 });
});

test('a FEN that is none draws nothing beside the board', () => {
  for (const fen of ['', 'x', '9/9', 'kkkkkkkkkkkk', '8/8/8/8/8/8/8/8/K7']) {
    for (const { file, rank } of piecesOf(fen)) assert.ok(file >= 0 && file < 8 && rank >= 0 && rank < 8, fen);
  }
});

test('a square is at the opposite corner for the other side', () => {
  assert.deepEqual(placeOf('a1', 'white'), { x: 0, y: 7 });
  assert.deepEqual(placeOf('a1', 'black'), { x: 7, y: 0 });
  assert.equal(placeOf('i9', 'white'), undefined);
});
