import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { inStableOrder } from './order.js';

const games = (...all: [id: string, watching: number][]) => all.map(([id, watching]) => ({ id, watching }));
const ids = (ordered: readonly { id: string }[]) => ordered.map(({ id }) => id).join('');

test('games with as many watchers keep their places when the relay lists them in another order', () => {
  assert.equal(ids(inStableOrder(['a', 'b', 'c'], games(['c', 0], ['a', 0], ['b', 0]))), 'abc');
});

test('a more watched game comes first', () => {
  assert.equal(ids(inStableOrder(['a', 'b', 'c'], games(['a', 1], ['b', 0], ['c', 2]))), 'cab');
});

test('a new game takes the place of one that has ended', () => {
  assert.equal(ids(inStableOrder(['a', 'b', 'c'], games(['d', 0], ['a', 0], ['c', 0]))), 'adc');
});

test('without a new game, the later ones move up', () => {
  assert.equal(ids(inStableOrder(['a', 'b', 'c'], games(['a', 0], ['c', 0]))), 'ac');
});

test('further new games come last', () => {
  assert.equal(ids(inStableOrder(['a'], games(['b', 0], ['c', 0], ['a', 0]))), 'abc');
});
