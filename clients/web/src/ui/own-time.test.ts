import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { parseTimeControl } from 'gambit-client';
import { DAYS, INCREMENTS, MINUTES, ownTimeOf, stepsOf, textOfOwn } from './own-time.js';

test('every place of the sliders is a time control, and leads back to the same place', () => {
  assert.deepEqual([MINUTES[0], MINUTES.at(-1), INCREMENTS[0], INCREMENTS.at(-1)], [0, 180, 0, 180]);
  for (const minutes of MINUTES) {
    for (const seconds of INCREMENTS) {
      const text = textOfOwn('clock', minutes, seconds);
      const control = parseTimeControl(text);
      assert.equal(control?.text, text);
      assert.equal(textOfOwn('clock', ...stepsOf('clock', text)), text);
    }
  }
  for (const days of DAYS) assert.deepEqual(stepsOf('days', textOfOwn('days', days, 0)), [days, 0]);
});

test('without minutes and seconds, a side has a second', () => {
  assert.equal(textOfOwn('clock', 0, 0), '1+1');
});

test('a time control that no slider sets is none of the player\u2019s own', () => {
  assert.deepEqual(['420+7', '1/259200', '1/600', '421', '-'].map(ownTimeOf), ['clock', 'days', undefined, undefined, undefined]);
});
