import { strict as assert } from 'node:assert';
import { afterEach, test } from 'node:test';
import { load, save } from '../app/storage.js';
import { countFinished, isReminderDue, putOffReminder } from './nudge.js';

const PLAYER = 'a'.repeat(64);

function finish(from: number, to: number): void {
  for (let game = from; game <= to; game++) countFinished(PLAYER, `game ${game}`);
}

afterEach(() => void save('finished', undefined));

test('the reminder is due with the third game, which is counted once, and again ten games after it was put off', () => {
  finish(1, 2);
  finish(2, 2);
  assert.equal(isReminderDue(PLAYER), false);
  finish(3, 3);
  assert.equal(isReminderDue(PLAYER), true);
  putOffReminder(PLAYER);
  finish(4, 12);
  assert.equal(isReminderDue(PLAYER), false);
  finish(13, 13);
  assert.equal(isReminderDue(PLAYER), true);
});

test('another player begins at 0, and so does a damaged count', () => {
  finish(1, 3);
  assert.equal(isReminderDue('b'.repeat(64)), false);
  for (const damaged of ['', '{', 'null', '[]', `{"player":"${PLAYER}","games":"9","due":3,"last":[]}`]) {
    save('finished', damaged);
    assert.equal(isReminderDue(PLAYER), false);
  }
});

test('the count stays small', () => {
  finish(1, 500);
  assert.ok(load('finished')!.length < 400);
});
