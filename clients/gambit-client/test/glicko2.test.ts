import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import glicko2 from 'glicko2-lite';
import { deviationAt, type Rating, ratingAfter, unroundedAfter } from '../src/ratings.js';

type Values = [rating: number, deviation: number, volatility: number];
type Before = [...Values, games: number, lastAt: number];
type Vector = [Before, Before, halfPoints: number, time: number, deviations: number[], Values, Values];

const ratingOf = ([rating, deviation, volatility, games, lastAt]: Before): Rating => ({ rating, deviation, volatility, games, lastAt });
const valuesOf = (it: Rating): Values => [it.rating, it.deviation, it.volatility];

test('the published games have the values of this arithmetic', () => {
  const file = process.env['RATED_GAMES'] ?? '../../docs/protocol/vectors/ratings.jsonl';
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  assert.ok(lines.length >= 1000);
  for (const line of lines) {
    const [before, beforeOfBlack, halfPoints, time, deviations, after, afterOfBlack] = JSON.parse(line) as Vector;
    const white = ratingOf(before);
    const black = ratingOf(beforeOfBlack);
    assert.deepEqual([deviationAt(white, time), deviationAt(black, time)], deviations, line);
    const newWhite = ratingAfter(white, black, halfPoints, time);
    assert.deepEqual(valuesOf(newWhite), after, line);
    assert.deepEqual([newWhite.games, newWhite.lastAt], [white.games + 1, time]);
    assert.deepEqual(valuesOf(ratingAfter(black, white, 2 - halfPoints, time)), afterOfBlack, line);
  }
});

test('games after one rating period have the values of a published implementation, unless their volatility exceeds the bound', () => {
  let state = 38;
  const random = (bound: number): number => {
    state = (state * 69069 + 1) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * bound);
  };
  const anyRating = (): Rating => ({
    rating: 40000 + random(300000),
    deviation: 4500 + random(45501),
    volatility: 1000 + random(99001),
    games: 1,
    lastAt: 0,
  });
  const isClose = (actual: number, expected: number): boolean => Math.abs(actual - expected) <= 1e-6 * expected;
  let beyond = 0;
  for (let i = 0; i < 5000; i++) {
    const own = anyRating();
    const opponent = anyRating();
    const halfPoints = random(3);
    const game: [number, number, number] = [opponent.rating / 100, opponent.deviation / 100, halfPoints / 2];
    const expected = glicko2(own.rating / 100, own.deviation / 100, own.volatility / 1e6, [game], { tau: 0.75 });
    const actual = unroundedAfter(own, opponent, halfPoints, 1);
    if (expected.vol > 0.1) {
      beyond++;
      assert.ok(actual.volatility <= 0.1);
    } else {
      const text = JSON.stringify({ own, opponent, halfPoints, expected, actual });
      assert.ok(isClose(actual.volatility, expected.vol), text);
      assert.ok(isClose(actual.rating, expected.rating), text);
      assert.ok(isClose(actual.deviation, expected.rd), text);
    }
  }
  assert.ok(beyond < 20, `${beyond}`);
});
