import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Line, movesOfSans } from './line.js';
import { INITIAL_FEN, canMate, parseUci, positionOf } from './position.js';

const lineOf = (fen: string, ...moves: string[]): Line => {
  const line = Line.from(fen)!;
  assert.equal(line.update(moves), moves.length, 'all moves are legal');
  return line;
};

test('a line has SAN, number, side and position of each move', () => {
  const line = lineOf(INITIAL_FEN, 'e2e4', 'c7c5', 'g1f3');
  assert.deepEqual(
    line.plies.map((ply) => [ply.number, ply.color, ply.san]),
    [
      [1, 'white', 'e4'],
      [1, 'black', 'c5'],
      [2, 'white', 'Nf3'],
    ],
  );
  assert.equal(line.fenAt(0), INITIAL_FEN);
  assert.match(line.fenAt(1), / b KQkq - 0 1$/);
});

test('a game from a set-up position begins with the side to move there', () => {
  const line = lineOf('4k3/8/8/8/8/8/4P3/4K3 b - - 0 17', 'e8e7', 'e2e4');
  assert.deepEqual(
    line.plies.map((ply) => [ply.number, ply.color]),
    [
      [17, 'black'],
      [18, 'white'],
    ],
  );
});

test('an update keeps common moves, and removes those that were taken back', () => {
  const line = lineOf(INITIAL_FEN, 'e2e4', 'e7e5', 'g1f3', 'b8c6');
  const kept = line.plies[1];
  assert.equal(line.update(['e2e4', 'e7e5', 'd2d4']), 3);
  assert.equal(line.plies[1], kept);
  assert.equal(line.plies.at(-1)?.san, 'd4');
  assert.equal(line.turn, 'black');
  assert.equal(line.update([]), 0);
  assert.equal(line.fen, INITIAL_FEN);
});

test('a line stops before an illegal move', () => {
  const line = Line.from(INITIAL_FEN)!;
  for (const illegal of ['e2e5', 'e1g1', 'e2e4q', 'e2', 'e7e5', '0000']) {
    assert.equal(line.update(['g1f3', 'g8f6', illegal, 'd2d4']), 2, illegal);
  }
});

test('a promotion has to name its piece', () => {
  const fen = '8/4P3/8/8/8/8/k7/4K3 w - - 0 1';
  assert.equal(Line.from(fen)!.play('e7e8'), undefined);
  assert.equal(Line.from(fen)!.play('e7e8k'), undefined);
  assert.equal(Line.from(fen)!.play('e7e8q')?.san, 'e8=Q');
  assert.equal(Line.from(fen)!.play('e7e8N')?.san, 'e8=N');
});

test('positions repeat if pieces, side, castling rights and possible en passant captures are the same', () => {
  const shuffle = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
  assert.equal(lineOf(INITIAL_FEN, ...shuffle, ...shuffle).occurrences, 3);
  assert.equal(lineOf(INITIAL_FEN, ...shuffle, ...shuffle, ...shuffle, ...shuffle).outcome, 'fivefold');
  // The en passant square of a double step that nobody can capture does not matter.
  assert.equal(lineOf(INITIAL_FEN, 'e2e4', ...['g8f6', 'g1f3', 'f6g8', 'f3g1']).occurrences, 2);
  assert.equal(
    lineOf(INITIAL_FEN, 'e2e4', 'g8f6', 'e4e5', 'd7d5', 'g1f3', 'f6g8', 'f3g1', 'g8f6').occurrences,
    1,
    'the capture on d6 was possible the first time only',
  );
});

test('a line knows the end that its last position gives', () => {
  assert.equal(lineOf(INITIAL_FEN, 'f2f3', 'e7e5', 'g2g4', 'd8h4').outcome, 'checkmate');
  assert.equal(lineOf('k7/8/K7/8/8/8/8/1Q6 w - - 0 1', 'b1b6').outcome, 'stalemate');
  assert.equal(lineOf('8/8/8/8/8/8/4p3/4K2k w - - 0 1', 'e1e2').outcome, 'deadposition');
  assert.equal(lineOf('k6r/8/8/8/8/8/8/K6R w - - 149 90', 'h1g1').outcome, 'seventyfivemoves');
  assert.equal(lineOf(INITIAL_FEN, 'e2e4').outcome, undefined);
});

test('a side can mate unless its material never suffices', () => {
  const white = (fen: string) => canMate(positionOf(fen)!, 'white');
  assert.equal(white('k7/8/8/8/8/8/8/K7 w - - 0 1'), false);
  assert.equal(white('k7/8/8/8/8/8/8/KN6 w - - 0 1'), false);
  assert.equal(white('kq6/8/8/8/8/8/8/KN6 w - - 0 1'), false);
  assert.equal(white('kr6/8/8/8/8/8/8/KN6 w - - 0 1'), true);
  assert.equal(white('k7/8/8/8/8/8/8/KB6 w - - 0 1'), false);
  assert.equal(white('k7/8/8/8/8/8/8/KBB5 w - - 0 1'), true);
  assert.equal(white('kp6/8/8/8/8/8/8/KB6 w - - 0 1'.replace('kp6', 'k7').replace('8/KB6', 'p7/KB6')), true);
  assert.equal(white('k7/8/8/8/8/8/P7/K7 w - - 0 1'), true);
});

test('UCI has two squares and a promotion in either case', () => {
  assert.deepEqual(parseUci('e7e8Q'), { from: 'e7', to: 'e8', promotion: 'q' });
  for (const text of ['', 'e2', 'e2e9', 'i2e4', 'e7e8k', 'e2e4 ', ' e2e4', 'E2E4', 'e2-e4']) {
    assert.equal(parseUci(text), undefined, text);
  }
});

test('text that is not a position is refused', () => {
  for (const fen of ['', 'x', '8/8/8/8/8/8/8/8 w - - 0 1', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1']) {
    assert.equal(Line.from(fen), undefined, fen);
  }
});

test('moves in SAN are read up to the first illegal one', () => {
  assert.deepEqual(movesOfSans(INITIAL_FEN, ['e4', 'e5', 'Nf3']), ['e2e4', 'e7e5', 'g1f3']);
  assert.deepEqual(movesOfSans(INITIAL_FEN, ['e4', 'e4', 'Nf3']), ['e2e4']);
  assert.deepEqual(movesOfSans('8/4P3/8/8/8/8/k7/4K3 w - - 0 1', ['e8=N']), ['e7e8n']);
  assert.deepEqual(movesOfSans('nonsense', ['e4']), []);
});
