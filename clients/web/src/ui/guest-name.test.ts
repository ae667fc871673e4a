import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { guestName, isGuestName } from './guest-name.js';
import { isLookAlike } from './names.js';

const keys = Array.from({ length: 2_000 }, (_, i) => createHash('sha256').update(String(i)).digest('hex'));

test('a guest’s name depends on the public key alone: it never changes', () => {
  assert.equal(guestName('3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d'), guestName('3bf0c63fcb93'.padEnd(64, '0')));
  assert.equal(guestName('0'.repeat(64)), 'Agile Alpaca 100');
  assert.equal(guestName('f'.repeat(64)), 'Witty Walrus 835');
  assert.equal(guestName(''), 'Agile Alpaca 100');
});

test('guests of 2,000 keys have two words and a number, and hardly two of them one name', () => {
  const names = keys.map(guestName);
  for (const name of names) assert.match(name, /^[A-Z][a-z]+ [A-Z][a-z]+ [1-9]\d\d$/);
  assert.ok(new Set(names).size >= names.length - 5);
});

test('no guest’s name looks like one of the relay', () => {
  for (const key of keys) assert.ok(!isLookAlike(guestName(key), 'Computer'), guestName(key));
});

test('a chosen name in the form of a guest’s is recognized, others are not', () => {
  for (const name of [...keys.slice(0, 50).map(guestName), 'brave otter 427', 'Brave-Otter427', 'ＢＲＡＶＥ Otter ４２７']) {
    assert.ok(isGuestName(name), name);
  }
  for (const name of ['Brave Otter', 'Otter 427', 'Brave 427', 'Brave Otter 4', 'Brave Judit 427', 'Judit', '']) {
    assert.ok(!isGuestName(name), name);
  }
});
