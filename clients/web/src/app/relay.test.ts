import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { allow, isAllowed, isForeign, relayUrl } from './relay.js';

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

test('a relay is foreign if its host, port or encryption is not that of the page', () => {
  const page = new URL('https://chess.example/play/?relay=x#/me');
  assert.equal(isForeign('wss://chess.example/other', page), false);
  for (const relay of ['wss://relay.example/', 'wss://chess.example:444/', 'ws://chess.example/']) {
    assert.equal(isForeign(relay, page), true, relay);
  }
});

test('a foreign relay is allowed by its host and port, and only the newest 50 are remembered', () => {
  allow('wss://first.example/play');
  assert.equal(isAllowed('wss://first.example/'), true);
  assert.equal(isAllowed('wss://first.example:444/'), false);
  for (let i = 0; i < 50; i++) allow(`wss://relay-${i}.example/`);
  assert.equal(isAllowed('wss://first.example/'), false);
  assert.equal(isAllowed('wss://relay-0.example/'), true);
});
