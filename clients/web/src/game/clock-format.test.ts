import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { parseTimeControl } from 'gambit-client';
import { clockInWords, durationInWords, formatClock, lowTime, untilChange } from './clock-format.js';

test('a clock shows minutes and seconds, hours and days when there are any, and tenths below ten seconds', () => {
  const times: [number, string][] = [
    [300_000, '5:00'],
    [299_999, '4:59'],
    [60_000, '1:00'],
    [10_000, '0:10'],
    [9_999, '0:09.9'],
    [9_949, '0:09.9'],
    [50, '0:00.0'],
    [0, '0:00.0'],
    [-700, '0:00.0'],
    [3_600_000, '1:00:00'],
    [3_725_000, '1:02:05'],
    [86_400_000, '1 d 00:00'],
    [2 * 86_400_000 + 3 * 3_600_000 + 10 * 60_000, '2 d 03:10'],
  ];
  for (const [millis, text] of times) {
    assert.equal(formatClock(millis), text, `${millis} ms`);
  }
});

test('a clock turns red below a tenth of its base time, between ten seconds and a minute', () => {
  const low = (text: string) => lowTime(parseTimeControl(text)!);
  assert.equal(low('60'), 10_000);
  assert.equal(low('300+3'), 30_000);
  assert.equal(low('5400+30'), 60_000);
  assert.equal(low('1/86400'), 3_600_000);
});

test('a clock is asked again when its text changes or it turns red', () => {
  for (const left of [3_600_000, 299_999.5, 60_000, 12_700, 12_500, 10_000, 9_999, 9_950.25, 100, 50, 0.5]) {
    const wait = untilChange(left, 12_500);
    const seen = (millis: number) => `${formatClock(millis)} ${millis < 12_500}`;
    assert.ok(wait <= 1001, `${wait} ms`);
    assert.equal(seen(left - wait + 1.001), seen(left), `before ${wait} ms of ${left}`);
    if (left > 100) assert.notEqual(seen(left - wait), seen(left), `after ${wait} ms of ${left}`);
  }
  assert.equal(untilChange(0, 10_000), 101);
  assert.equal(untilChange(-750, 10_000), 101);
});

test('a clock is spoken in its two largest units', () => {
  assert.equal(clockInWords(299_999), '4 minutes 59 seconds');
  assert.equal(clockInWords(61_000), '1 minute 1 second');
  assert.equal(clockInWords(3_600_000), '1 hour');
  assert.equal(clockInWords(90_000_000), '1 day 1 hour');
  assert.equal(clockInWords(0), '0 seconds');
});

test('an absence is given in one unit', () => {
  assert.deepEqual([12_400, 61_000, 7_200_000, -1].map(durationInWords), ['12 s', '1 min', '2 h', '0 s']);
});
