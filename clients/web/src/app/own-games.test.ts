import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { byUrgency, type OwnGame } from './own-games.js';

test('games that wait for the player come first, those with the least time before others, and those without clocks last', () => {
  const game = (id: string, turn: 'white' | 'black', left?: number): OwnGame => ({
    id, turn, color: 'white', clock: () => (left === undefined ? undefined : { white: left, black: left + 1 }),
  });
  const games = [game('e', 'black', 1), game('c', 'white'), game('b', 'white', 50), game('f', 'black'), game('a', 'white', 20), game('d', 'white')];
  assert.equal(byUrgency(games).map(({ id }) => id).join(''), 'abcdef');
});
