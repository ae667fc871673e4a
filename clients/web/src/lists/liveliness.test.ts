import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { GameSummary } from 'gambit-client';
import { livelyGames } from './liveliness.js';

const NOW = 1_800_000_000_000;

function game(id: string, facts: { rating?: number; watching?: number; quiet?: number; left?: number; deserted?: boolean } = {}): GameSummary {
  const { rating, watching = 0, quiet = 90, left, deserted = false } = facts;
  const strength = rating === undefined ? undefined : { rating, deviation: 60 };
  const presence = deserted ? { awaySince: NOW - 9_000 } : 'present';
  return {
    ...{ id, watching, changedAt: NOW - quiet * 1000, presence: { white: presence, black: presence, watching } },
    ...(strength && { rated: { category: 'blitz', white: strength, black: strength } }),
    ...{ clockRunning: 'white', clock: () => left && { white: left * 1000, black: 500_000 } },
  } as unknown as GameSummary;
}

const ids = (previous: string, games: GameSummary[], max = 12) => livelyGames([...previous], games, max, NOW).map(({ id }) => id).join('');

test('stronger players, spectators, a move just made and little time come first; long silence and empty seats last', () => {
  const games = [
    ...[game('a'), game('b', { deserted: true, rating: 2800, watching: 9 }), game('c', { rating: 1600 }), game('d', { rating: 2100 })],
    ...[game('e', { watching: 1 }), game('f', { quiet: 2 }), game('g', { left: 9, watching: 1 }), game('h', { quiet: 3600, rating: 2800 })],
  ];
  assert.equal(ids('', games), 'dcgfeahb');
});

test('games that are shown keep their places, however lively others become', () => {
  assert.equal(ids('abc', [game('c', { watching: 40 }), game('d', { rating: 2900 }), game('b'), game('a')], 3), 'abc');
});

test('the liveliest of the others takes the place of a game that has ended', () => {
  assert.equal(ids('abc', [game('a'), game('c'), game('d'), game('e', { watching: 3 })], 3), 'aec');
});

test('the liveliest of all takes the first place, and its own is filled', () => {
  assert.equal(ids('abc', [game('b'), game('c', { watching: 5 }), game('d', { watching: 1 })], 3), 'cbd');
  assert.equal(ids('abc', [game('b'), game('c', { watching: 5 })], 3), 'cb');
});
