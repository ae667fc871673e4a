import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { withName } from './profile.js';

test('a new name keeps every other field of the profile', () => {
  const before = JSON.stringify({ name: 'old', about: 'chess', nip05: 'a@b', extra: { deep: [1] } });
  assert.deepEqual(JSON.parse(withName(before, 'new')), { name: 'new', about: 'chess', nip05: 'a@b', extra: { deep: [1] } });
});

test('a display name that is there changes with the name', () => {
  assert.deepEqual(JSON.parse(withName('{"display_name":"old"}', 'new')), { name: 'new', display_name: 'new' });
});

test('an empty name removes the name', () => {
  assert.deepEqual(JSON.parse(withName('{"name":"old","about":"chess"}', '')), { about: 'chess' });
});

test('a profile that is missing or damaged becomes one with a name', () => {
  for (const content of [undefined, '', 'null', '[]', '"x"', '{']) {
    assert.deepEqual(JSON.parse(withName(content, 'new')), { name: 'new' });
  }
});
