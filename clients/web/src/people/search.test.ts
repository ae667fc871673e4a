import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { guestName } from '../ui/guest-name.js';
import { withName } from './search.js';

const NAMES: Record<string, string> = { a: 'Grace Hopper', b: 'Ada Lovelace', c: 'Žofia', d: 'Canada', e: '  \u200b ' };
const profiles = { get: (pubkey: string) => ({ pubkey, npub: '', bot: false, name: NAMES[pubkey]! }) };
const KEYS = Object.keys(NAMES);

test('names are found by their beginning, then by that of a word, then by any part', () => {
  assert.deepEqual(withName(KEYS, 'ADA', profiles), ['b', 'd']);
  assert.deepEqual(withName(KEYS, 'hop', profiles), ['a']);
  assert.deepEqual(withName(KEYS, ' grace   h', profiles), ['a']);
  assert.deepEqual(withName(KEYS, 'zofia', profiles), ['c']);
});

test('players without a visible name are found by their names as guests, and nothing finds nobody', () => {
  assert.deepEqual(withName(KEYS, guestName('e').toLowerCase(), profiles), ['e']);
  for (const nothing of ['', '  ', '\u0301', 'xyzzy']) assert.deepEqual(withName(KEYS, nothing, profiles), []);
});
