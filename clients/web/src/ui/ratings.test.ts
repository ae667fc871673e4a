import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { changeText, modeText, ratingText } from './ratings.js';

test('a rating has a question mark above a deviation of 110', () => {
  assert.deepEqual([110, 111].map((deviation) => ratingText({ rating: 1500, deviation })), ['1500', '1500?']);
});

test('a change is the difference of the shown ratings, with its sign', () => {
  const changes = [[1500, 1507.5], [1500, 1487.6], [1500.1, 1500.4], [1499.6, 1500.4]];
  assert.deepEqual(changes.map(([before = 0, after = 0]) => changeText({ before, after })), ['+8', '−12', '±0', '±0']);
});

test('a game is casual or rated in its category', () => {
  assert.deepEqual([modeText(undefined), modeText('blitz')], ['Casual', 'Rated blitz']);
});
