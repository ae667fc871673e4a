import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { GameRecord } from 'gambit-client';
import { HEIGHT, WIDTH, curveOf, gamesOf } from './curve.js';

const change = (before: number, after: number) => ({ before, after, deviation: 80, volatility: 0.09 });

/** A record at a time, of a game that changed White's rating and not Black's. */
function record(at: number, before: number, after: number): GameRecord {
  const rated = { category: 'blitz', seq: at, previous: '', white: change(before, after), black: change(1400, 1400) };
  return { id: `${at}`, at, white: 'ada', black: 'bea', rated } as unknown as GameRecord;
}

test('the games of a player have the player’s side of each record', () => {
  const records = [record(1, 1500, 1510), { ...record(2, 1510, 1520), rated: undefined }];
  assert.deepEqual(
    ['ada', 'bea'].map((pubkey) => gamesOf(records, pubkey).map(({ after, opponent }) => [after, opponent])),
    [[[1510, 'bea']], [[1400, 'ada']]],
  );
});

test('a curve goes from the rating before the first game to the last one, within its drawing, higher where more', () => {
  const games = gamesOf([record(1000, 1500, 1612.4), record(3000, 1612.4, 1700), record(5000, 1700, 1433.1)], 'ada');
  const { points, lines } = curveOf(games);
  assert.equal(points.length, 4);
  assert.ok(points.every(([x, y]) => x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT));
  assert.deepEqual(points.map(([x]) => x), [42, 42, 217, 392]);
  assert.ok(points[2]![1] < points[1]![1] && points[3]![1] > points[0]![1]);
  assert.deepEqual(lines.map(({ rating }) => rating), [1400, 1500, 1600, 1700]);
});

test('a single game, games of one second, and a rating that has not changed are drawn', () => {
  for (const records of [[record(1, 1500, 1500)], [record(1, 1500, 1510), record(1, 1510, 1520)]]) {
    const { points, lines } = curveOf(gamesOf(records, 'ada'));
    assert.ok(points.flat().every(Number.isFinite));
    assert.ok(lines.length >= 2 && lines.length <= 6);
  }
  const xs = curveOf(gamesOf([record(1, 1500, 1510), record(1, 1510, 1520)], 'ada')).points.map(([x]) => x);
  assert.deepEqual(xs, [42, 217, 392]);
});
