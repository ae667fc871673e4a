import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { INITIAL_FEN } from './position.js';
import { isPromotingPremove, premoveTargets, resolvePremove } from './premove.js';

const sorted = (squares: string[]) => squares.sort().join(' ');

test('a premove may go wherever the piece could go on some board', () => {
  assert.equal(sorted(premoveTargets(INITIAL_FEN, 'white', 'g1')), 'e2 f3 h3');
  assert.equal(sorted(premoveTargets(INITIAL_FEN, 'white', 'e2')), 'd3 e3 e4 f3');
  assert.equal(sorted(premoveTargets(INITIAL_FEN, 'black', 'e7')), 'd6 e5 e6 f6');
  assert.equal(premoveTargets(INITIAL_FEN, 'white', 'a1').length, 14);
  assert.equal(premoveTargets(INITIAL_FEN, 'white', 'd1').length, 21);
  assert.equal(sorted(premoveTargets(INITIAL_FEN, 'white', 'e1')), 'a1 c1 d1 d2 e2 f1 f2 g1 h1');
  assert.equal(sorted(premoveTargets('4k3/8/8/8/8/8/8/4K3 b - - 0 1', 'white', 'e1')), 'd1 d2 e2 f1 f2');
});

test('only own pieces can be moved in advance', () => {
  assert.deepEqual(premoveTargets(INITIAL_FEN, 'white', 'e7'), []);
  assert.deepEqual(premoveTargets(INITIAL_FEN, 'white', 'e4'), []);
  assert.deepEqual(premoveTargets('nonsense', 'white', 'e2'), []);
});

test('a premove is sent if it is legal after the move of the opponent', () => {
  const after = 'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2';
  assert.equal(resolvePremove(after, { from: 'e4', to: 'd5' }), 'e4d5');
  assert.equal(resolvePremove(after, { from: 'e4', to: 'f5' }), undefined);
  assert.equal(resolvePremove(after, { from: 'd7', to: 'd6' }), undefined);
});

test('a premove of a pawn to the last rank becomes the chosen piece, otherwise a queen', () => {
  const fen = '8/4P3/8/8/8/8/k7/4K3 w - - 0 1';
  assert.equal(isPromotingPremove(fen, { from: 'e7', to: 'e8' }), true);
  assert.equal(isPromotingPremove(fen, { from: 'e1', to: 'e2' }), false);
  assert.equal(resolvePremove(fen, { from: 'e7', to: 'e8' }), 'e7e8q');
  assert.equal(resolvePremove(fen, { from: 'e7', to: 'e8', promotion: 'n' }), 'e7e8n');
  assert.equal(resolvePremove(fen, { from: 'e1', to: 'e2', promotion: 'n' }), 'e1e2');
});
