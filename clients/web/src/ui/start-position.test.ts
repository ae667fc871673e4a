import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { readStart } from './start-position.js';

const problem = (fen: string): string => {
  const start = readStart(fen);
  return 'problem' in start ? start.problem : '';
};

test('a position is read, and what is missing after its pieces is added', () => {
  assert.deepEqual(readStart(' 4k3/8/8/8/8/8/4P3/4K2R b K - 3 7 '), { fen: '4k3/8/8/8/8/8/4P3/4K2R b K - 3 7', turn: 'black' });
  assert.deepEqual(readStart('4k3/8/8/8/8/8/4P3/4K2R'), { fen: '4k3/8/8/8/8/8/4P3/4K2R w - - 0 1', turn: 'white' });
});

test('a wrong position has a reason', () => {
  assert.match(problem('hello'), /^This is not a position/);
  assert.match(problem('8/8/8/8/8/8/8/4K3 w - - 0 1'), /missing black king/);
  assert.match(problem('4k3/8/8/8/8/8/8/4K2P w - - 0 1'), /pawns are on the edge/);
  assert.match(problem('4k3/8/8/8/8/8/8/4K3 w xy - 0 1'), /castling/);
  assert.match(problem('4k3/8/8/8/8/8/8/4K3 w - - 0 x'), /move number/);
  assert.match(problem('rnbqkbnr/pppppppp/p7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'), /^Black has more than 16 pieces/);
  assert.match(problem('4k3/pppppppp/p7/8/8/8/8/4K2R w - - 0 1'), /^Black has more than 8 pawns/);
  assert.match(problem('4k3/8/8/8/8/8/4P3/4K3 w K - 0 1'), /^White cannot castle/);
  assert.match(problem('4k3/8/8/8/8/8/8/r3K2R b Q - 0 1'), /^White cannot castle/);
  assert.match(problem('4k3/8/8/8/8/8/8/4R1K1 w - - 0 1'), /^Black is in check, and it is not their turn/);
  assert.match(problem('7k/5KQ1/8/8/8/8/8/8 b - - 0 1'), /over already/);
  assert.match(problem('4k3/8/8/8/8/8/8/4K3 w - - 0 1'), /over already/);
});

test('an en passant square that no pawn can reach is omitted', () => {
  const start = readStart('rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2');
  assert.equal('fen' in start && start.fen, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2');
});
