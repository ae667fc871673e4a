import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Line } from './line.js';
import { INITIAL_FEN } from './position.js';
import { moveInWords, positionInWords, squareInWords } from './words.js';

const words = (fen: string, ...moves: string[]): string => {
  const line = Line.from(fen)!;
  assert.equal(line.update(moves), moves.length);
  return moveInWords(line.plies.at(-1)!);
};

test('a move is announced with its side, piece and target', () => {
  assert.equal(words(INITIAL_FEN, 'g1f3'), 'White: knight to f3');
  assert.equal(words(INITIAL_FEN, 'e2e4', 'd7d5', 'e4d5'), 'White: pawn takes pawn on d5');
  assert.equal(words(INITIAL_FEN, 'e2e4', 'f7f6', 'd2d4', 'g7g5', 'd1h5'), 'White: queen to h5, checkmate');
  assert.equal(words(INITIAL_FEN, 'e2e4', 'd7d5', 'f1b5'), 'White: bishop to b5, check');
});

test('castling, promotion and en passant are announced by name', () => {
  const fen = 'r3k3/6P1/8/8/8/8/8/4K2R w Kq - 0 1';
  assert.equal(words(fen, 'e1g1'), 'White: castles kingside');
  assert.equal(words(fen, 'e1g1', 'e8c8'), 'Black: castles queenside');
  assert.equal(words(fen, 'g7g8q'), 'White: pawn to g8, promotes to queen, check');
  assert.equal(
    words(INITIAL_FEN, 'e2e4', 'a7a6', 'e4e5', 'd7d5', 'e5d6'),
    'White: pawn takes pawn on d6 en passant',
  );
});

test('the origin is announced if another piece of the kind could have moved there', () => {
  const fen = '4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1';
  assert.equal(words(fen, 'a1d1'), 'White: rook to d1');
  assert.equal(words('4k3/8/8/8/8/8/4K3/R6R w - - 0 1', 'a1d1'), 'White: rook from a1 to d1');
  assert.equal(words('4k3/8/8/3p4/8/4N3/2N1K3/8 w - - 0 1', 'e3d5'), 'White: knight takes pawn on d5');
  assert.equal(words('4k3/8/8/8/3p4/1N6/2N1K3/8 w - - 0 1', 'b3d4'), 'White: knight from b3 takes pawn on d4');
});

test('a position is described by its pieces, the side to move and check', () => {
  assert.equal(
    positionInWords('4k3/8/8/8/8/8/P6P/R3K3 w Q - 0 1'),
    'White: king e1, rook a1, pawns a2 h2. Black: king e8. White to move.',
  );
  assert.match(positionInWords('4k3/8/8/8/8/8/4R3/4K3 b - - 0 1'), /Black to move\. It is check\.$/);
  assert.equal(positionInWords('x'), 'The position is unknown.');
});

test('a square is described by what stands on it', () => {
  assert.equal(squareInWords(INITIAL_FEN, 'g8'), 'g8, black knight');
  assert.equal(squareInWords(INITIAL_FEN, 'e4'), 'e4, empty');
});
