import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { relayUrl } from './relay.js';

const relayOf = (page: string) => relayUrl(new URL(page));

test("the page's own host is the relay, encrypted where the page is", () => {
  assert.equal(relayOf('http://localhost:7447/#/me'), 'ws://localhost:7447/');
  assert.equal(relayOf('https://chess.example/play/index.html'), 'wss://chess.example/play/');
});

test('?relay= names another relay', () => {
  assert.equal(relayOf('https://static.example/?relay=wss://relay.example/'), 'wss://relay.example/');
  assert.equal(relayOf('https://static.example/?relay=relay.example'), 'wss://relay.example/');
  assert.equal(relayOf('http://static.example/?relay=http://127.0.0.1:7447'), 'ws://127.0.0.1:7447/');
});

test('?relay= with something else than a relay is an error', () => {
  for (const bad of ['javascript://x', 'ftp://relay.example', 'wss://', '']) {
    assert.equal(relayOf(`http://x/?relay=${encodeURIComponent(bad)}`), undefined, bad);
  }
});
