import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { inverse, keyOfFault, sectionsOf, type Setting } from './settings.js';

const setting = (key: string, more: Partial<Setting> = {}): Setting =>
  ({ key, value: '1', default: '1', source: 'default', reloads: true, secret: false, changeable: true, ...more });

test('settings are in sections, and found by all words of a search, in keys, values and comments', () => {
  const all = [setting('limits.max_limit', { about: 'Events of a query.' }), setting('limits.connections'), setting('relay.name', { value: 'Club' })];
  const found = (search: string) => [...sectionsOf(all, search)].map(([name, section]) => [name, section.length]);
  assert.deepEqual(found(''), [['limits', 2], ['relay', 1]]);
  assert.deepEqual(found('QUERY max'), [['limits', 1]]);
  assert.deepEqual(found('club'), [['relay', 1]]);
  assert.deepEqual(found('club query'), []);
});

test('a fault is about the longest key that it names', () => {
  assert.equal(keyOfFault('limits.max_limit_x: not a number', { 'limits.max_limit': '1', 'limits.max_limit_x': '2' }), 'limits.max_limit_x');
  assert.equal(keyOfFault('the disk is full', { 'limits.max_limit': '1' }), undefined);
});

test('a change is undone to the value that was set here, otherwise by taking it back', () => {
  const all = [setting('a.b', { source: 'admin.conf: 3', value: '7' }), setting('c.d', { source: 'gambit.conf: 9', value: '8' })];
  assert.deepEqual(inverse({ 'a.b': null, 'c.d': '9' }, all), { 'a.b': '7', 'c.d': null });
});
