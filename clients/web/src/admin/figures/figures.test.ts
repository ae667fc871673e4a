import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { beginOf, extremes, linesThrough, pointsOf, refusals, scaleTo, withNewer, type Figures } from './figures.js';

const FIGURES: Figures = {
  now: 300,
  step: 60,
  names: ['players', 'events_refused_rate_limited', 'events_refused_blocked'],
  rows: [[60, 1, 2, 3], [120, 4, null, 5], [180, null, null, null]],
  current: { players: 7 },
};

test('newer rows are added once, and those of yesterday dropped', () => {
  const newer = { ...FIGURES, now: 86_500, rows: [[180, 9, 9, 9], [240, 8, 8, 8]] };
  assert.deepEqual(withNewer(FIGURES, newer)!.rows, [[120, 4, null, 5], [180, null, null, null], [240, 8, 8, 8]]);
});

test('with other names, the figures are fetched anew', () => {
  assert.equal(withNewer(FIGURES, { ...FIGURES, names: ['players'] }), undefined);
});

test('the values of several names are added up, and missing ones left out', () => {
  assert.deepEqual(pointsOf(FIGURES, ['events_refused_rate_limited', 'events_refused_blocked', 'unknown'], 0), [[60, 5], [120, 5]]);
  assert.deepEqual(pointsOf(FIGURES, ['players'], 100), [[120, 4]]);
  assert.deepEqual(pointsOf(FIGURES, ['unknown'], 0, true), []);
  assert.deepEqual(pointsOf(FIGURES, ['players'], 100, true), [[120, 4], [300, 7]]);
});

test('reasons of refusals are read from the names', () => {
  assert.deepEqual(refusals(FIGURES).map(({ reason }) => reason), ['rate limited', 'blocked']);
});

test('graphs of a relay that was started lately begin with its first row', () => {
  const at = (now: number) => beginOf({ ...FIGURES, now }, 3_600);
  assert.deepEqual([at(300), at(1_000), at(10_000)], [0, 60, 6_400]);
});

test('extremes have their times', () => {
  assert.deepEqual(extremes([[1, 5], [2, 3], [3, 5]]), { least: [2, 3], most: [1, 5], total: 13 });
  assert.equal(extremes([]), undefined);
});

test('a scale ends above every value, in whole steps', () => {
  assert.deepEqual(scaleTo(0), { top: 1, lines: [0, 1] });
  assert.deepEqual(scaleTo(3), { top: 3, lines: [0, 1, 2, 3] });
  assert.deepEqual(scaleTo(10).lines, [0, 5, 10]);
  for (const highest of [0, 0.2, 1, 7, 10, 11, 99, 100, 101, 12_345, 9.9e9, 2 ** 40]) {
    const { top, lines } = scaleTo(highest);
    assert.ok(top >= highest && lines.at(-1) === top && lines.length <= 6, `${highest}: ${lines.join()}`);
  }
});

test('a line is broken where the relay did not run', () => {
  assert.deepEqual(linesThrough([[0, 0], [60, 5], [600, 10]], 60, [0, 600], 10, 100, 50), ['0.0,50.0 10.0,25.0', '100.0,0.0']);
});
