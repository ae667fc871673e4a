import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { cornerOf, squareUnder } from './geometry.js';
import { changeBetween, isOneMove, placementOf, withSteps } from './placement.js';
import { INITIAL_FEN } from './position.js';

const change = (before: string, after: string) => changeBetween(placementOf(before), placementOf(after));

test('a move is one movement, and a capture removes the piece that stood there', () => {
  const before = '4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1';
  const after = '4k3/8/8/3P4/8/8/8/4K3 b - - 0 1';
  assert.deepEqual(change(before, after), {
    movements: [{ from: 'e4', to: 'd5', piece: 'wp' }],
    removed: ['d5'],
    added: [],
  });
  assert.equal(isOneMove(change(before, after)), true);
  assert.deepEqual(change(after, before).added, ['d5'], 'a takeback brings it back');
});

test('castling is one move, moves of both sides are not', () => {
  const castling = change('4k3/8/8/8/8/8/8/4K2R w K - 0 1', '4k3/8/8/8/8/8/8/5RK1 b - - 1 1');
  assert.equal(castling.movements.length, 2);
  assert.equal(isOneMove(castling), true);
  assert.equal(isOneMove(change(INITIAL_FEN, withSteps(INITIAL_FEN, [{ from: 'e2', to: 'e4' }, { from: 'e7', to: 'e5' }]))), false);
  assert.equal(isOneMove(change(INITIAL_FEN, INITIAL_FEN)), false);
});

test('the nearest piece of a kind is the one that moved', () => {
  const { movements } = change('8/8/8/8/8/8/8/R6R w - - 0 1', '8/8/8/8/8/8/8/R4R2 b - - 1 1');
  assert.deepEqual(movements, [{ from: 'h1', to: 'f1', piece: 'wr' }]);
});

test('moves that nobody has checked move pieces, also the rook of a castling, and promote', () => {
  const fen = 'r3k3/6P1/8/8/8/8/8/4K3 b q - 3 9';
  assert.equal(
    withSteps(fen, [{ from: 'e8', to: 'c8' }, { from: 'g7', to: 'g8', promotion: 'n' }, { from: 'd4', to: 'd5' }]),
    '2kr2N1/8/8/8/8/8/8/4K3 b q - 3 9',
  );
  assert.equal(withSteps(fen, []), fen);
});

test('a text that is no position has the pieces that can be read', () => {
  assert.equal(placementOf('').size, 0);
  assert.equal(placementOf('<svg>/9/kkkkkkkkkkkkk/////////////////K w').get('h6'), 'bk');
});

test('a place of the drawing is a square of the side below', () => {
  assert.equal(squareUnder({ x: 1, y: 1 }, 'white'), 'a8');
  assert.equal(squareUnder({ x: 1, y: 1 }, 'black'), 'h1');
  assert.equal(squareUnder({ x: -1, y: 1 }, 'white'), undefined);
  assert.equal(squareUnder({ x: 1, y: 320 }, 'white'), undefined);
  for (const side of ['white', 'black'] as const) {
    const { x, y } = cornerOf('c6', side);
    assert.equal(squareUnder({ x: x + 39, y: y + 1 }, side), 'c6');
  }
});
