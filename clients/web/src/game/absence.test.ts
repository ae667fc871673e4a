import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { INITIAL_FEN } from '../board/position.js';
import { absenceInWords } from './absence.js';

test('an absence is said by what it leads to', () => {
  const game = { color: 'white', fen: INITIAL_FEN, isSlow: false, ply: 2 } as const;
  assert.equal(absenceInWords(game, 'black', 34_900), 'You win in 34 s');
  assert.equal(absenceInWords({ ...game, color: undefined }, 'white', 5_000), 'Black wins in 5 s');
  assert.equal(absenceInWords({ ...game, ply: 1 }, 'black', 34_000), 'Aborted in 34 s');
  assert.equal(absenceInWords({ ...game, fen: '4k3/p7/8/8/8/8/8/4K3 w - - 0 1' }, 'black', 34_000), 'Draw in 34 s');
  assert.equal(absenceInWords({ ...game, isSlow: true }, 'black', -1), 'away');
});
