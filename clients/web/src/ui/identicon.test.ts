import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { cellsOf, hueOf } from './Identicon.js';

const ONE = '3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d';
const OTHER = '82341f882b6eabcd2ba7f1ef90aad961cf074af15b9ef44a09f9d2a8fbfbe6a2';

test('the pattern of a key is the same each time, and symmetric', () => {
  const cells = cellsOf(ONE);
  assert.deepEqual(cells, cellsOf(ONE));
  for (let row = 0; row < 5; row++) {
    const line = cells.slice(row * 5, row * 5 + 5);
    assert.deepEqual(line, [...line].reverse());
  }
});

test('two keys have different pictures', () => {
  assert.notDeepEqual([hueOf(ONE), ...cellsOf(ONE)], [hueOf(OTHER), ...cellsOf(OTHER)]);
});
