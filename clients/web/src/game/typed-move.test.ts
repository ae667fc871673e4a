import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { INITIAL_FEN } from '../board/position.js';
import { parseTypedMove } from './typed-move.js';

const uci = (fen: string, text: string): string => {
  const typed = parseTypedMove(fen, text);
  return typed.kind === 'move' ? typed.uci : `${typed.kind}`;
};

test('moves are read in SAN, in UCI and in long forms', () => {
  for (const text of ['e4', 'e2e4', 'e2-e4', ' e4 ', 'e4!', 'E4', 'E2E4']) {
    assert.equal(uci(INITIAL_FEN, text), 'e2e4', text);
  }
  for (const text of ['Nf3', 'nf3', 'g1f3', 'Ng1f3', 'Ng1-f3', 'Ngf3', 'N1f3', 'NF3']) {
    assert.equal(uci(INITIAL_FEN, text), 'g1f3', text);
  }
});

test('castling is read with letters and zeros', () => {
  const fen = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
  for (const text of ['O-O', 'o-o', '0-0', 'oo', 'e1g1', 'O-O+']) {
    assert.equal(uci(fen, text), 'e1g1', text);
  }
  for (const text of ['O-O-O', 'o-o-o', '0-0-0', 'e1c1']) {
    assert.equal(uci(fen, text), 'e1c1', text);
  }
});

test('a promotion is read with its piece, and asks for it otherwise', () => {
  const fen = '8/4P3/8/8/8/8/k7/4K3 w - - 0 1';
  for (const text of ['e8=Q', 'e8Q', 'e8q', 'e7e8q', 'e7e8Q', 'e7-e8=Q+']) {
    assert.equal(uci(fen, text), 'e7e8q', text);
  }
  assert.equal(uci(fen, 'e8=N'), 'e7e8n');
  assert.deepEqual(parseTypedMove(fen, 'e8'), { kind: 'promotion', from: 'e7', to: 'e8' });
  assert.deepEqual(parseTypedMove(fen, 'e7e8'), { kind: 'promotion', from: 'e7', to: 'e8' });
});

test('a lower-case b is a pawn where one can move so, otherwise a bishop', () => {
  const fen = '4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1';
  assert.equal(uci(fen, 'bxc4'), 'b3c4');
  assert.equal(uci(fen, 'Bxc4'), 'f1c4');
  assert.equal(uci('4k3/8/8/8/2p5/8/8/4KB2 w - - 0 1', 'bxc4'), 'f1c4');
});

test('an ambiguous text lists the moves that it could be', () => {
  const fen = '4k3/8/8/8/8/8/4K3/R6R w - - 0 1';
  assert.deepEqual(parseTypedMove(fen, 'Rd1'), { kind: 'unknown', message: 'Rd1 could be Rad1 or Rhd1.' });
  assert.equal(uci(fen, 'Rad1'), 'a1d1');
  assert.equal(uci(fen, 'rhd1'), 'h1d1');
});

test('an impossible move and a text that is none are told apart', () => {
  const message = (text: string, fen = INITIAL_FEN): string => {
    const typed = parseTypedMove(fen, text);
    return typed.kind === 'unknown' ? typed.message : '';
  };
  assert.equal(message('e5'), 'e5 is not possible here.');
  assert.equal(message('O-O'), 'O-O is not possible here.');
  assert.equal(message('Nf3', '4k3/8/8/8/8/8/4r3/4K1N1 w - - 0 1'), 'Nf3 is not possible: the king is in check.');
  assert.match(message('hello'), /is not a move/);
  assert.match(message(''), /^Type a move/);
  assert.match(message('<b>'), /is not a move/);
});
