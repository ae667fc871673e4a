import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { relayUrl, sentenceOf } from './calls.js';
import { bytesText, durationText } from './common.js';
import { viewId } from './link.js';
import { nameIn } from './people.js';

test('the relay is where the page is, also in a folder behind a proxy', () => {
  assert.equal(relayUrl(new URL('https://relay.example.com/admin#/reports')), 'https://relay.example.com/');
  assert.equal(relayUrl(new URL('http://localhost:7447/chess/admin?x')), 'http://localhost:7447/chess/');
});

test('a refusal is a sentence, of the relay where it has one', () => {
  assert.equal(sentenceOf(200, 'the first parameter is not a kind'), 'The first parameter is not a kind.');
  assert.equal(sentenceOf(401, 'Try again!'), 'Try again!');
  assert.ok(sentenceOf(200, 'x'.repeat(10_000)).length <= 402);
  assert.match(sentenceOf(502, undefined), /not available/);
  assert.match(sentenceOf(429, { message: 'x' }), /^Too many/);
  assert.match(sentenceOf(200, '\u202e'), /could not be read/);
});

test('the view is read from the address', () => {
  assert.deepEqual(['#/reports', '#/reports/1?x', '', '#/', '#link=x', '#/<b>', '#/__proto__'].map(viewId), ['reports', 'reports', '', '', '', '', '']);
});

test('a name is one line of the profile, or none', () => {
  assert.equal(nameIn('{"name":"Bob\\n\\u202eeve"}'), 'Bob eve');
  assert.equal(nameIn('{"name":"","display_name":"Ann"}'), 'Ann');
  for (const content of ['', '[]', 'null', '{"name":{}}', '{"name":" "}']) assert.equal(nameIn(content), undefined, content);
});

test('bytes and durations are written in their largest unit', () => {
  assert.deepEqual([0, 999, 1_000, 1_234_567, 2e11].map(bytesText), ['0 B', '999 B', '1 kB', '1.2 MB', '200 GB']);
  assert.deepEqual([0, 59, 60, 7_300, 200_000].map(durationText), ['0 seconds', '59 seconds', '1 minute', '2 hours', '2 days']);
});
