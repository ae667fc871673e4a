import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { type Drawing, Drawings, drawingColor } from './drawings.js';
import { WheelSteps, swipeStep } from './review-input.js';

const ARROW: Drawing = { from: 'e2', to: 'e4', color: 'green' };
const NO_KEYS = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false };

test('a drawing is removed by drawing it again, and takes another colour', () => {
  const drawings = new Drawings();
  drawings.toggle('a', ARROW);
  drawings.toggle('a', { ...ARROW, color: 'red' });
  assert.deepEqual(drawings.of('a'), [{ ...ARROW, color: 'red' }]);
  drawings.toggle('a', { ...ARROW, color: 'red' });
  assert.deepEqual(drawings.of('a'), []);
});

test('each position has its own drawings, of the last positions', () => {
  const drawings = new Drawings();
  for (let i = 0; i < 600; i++) {
    drawings.toggle(`${i}`, ARROW);
  }
  assert.deepEqual([drawings.of('0'), drawings.of('599')], [[], [ARROW]]);
  assert.deepEqual([drawings.clear('599'), drawings.clear('599')], [true, false]);
  assert.deepEqual(drawings.of('598'), [ARROW]);
});

test('keys give drawings a colour', () => {
  assert.equal(drawingColor(NO_KEYS), 'green');
  assert.equal(drawingColor({ ...NO_KEYS, shiftKey: true }), 'red');
  assert.equal(drawingColor({ ...NO_KEYS, altKey: true }), 'blue');
  assert.equal(drawingColor({ ...NO_KEYS, shiftKey: true, altKey: true }), 'yellow');
});

test('a notch of a wheel is one step, and a trackpad needs several events for one', () => {
  const wheel = new WheelSteps();
  assert.equal(wheel.of({ deltaY: 100, deltaMode: 0 }), 'forward');
  assert.equal(wheel.of({ deltaY: -3, deltaMode: 1 }), 'back');
  assert.equal(wheel.of({ deltaY: 30, deltaMode: 0 }), undefined);
  assert.equal(wheel.of({ deltaY: -30, deltaMode: 0 }), undefined);
  assert.equal(wheel.of({ deltaY: -30, deltaMode: 0 }), 'back');
});

test('a swipe to the left is a step forward; short and steep ones are none', () => {
  assert.equal(swipeStep(-60, 10), 'forward');
  assert.equal(swipeStep(60, -10), 'back');
  assert.equal(swipeStep(20, 0), undefined);
  assert.equal(swipeStep(-60, 50), undefined);
});
