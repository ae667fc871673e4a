import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { npubOf } from '../ui/names.js';
import { hrefOf, parseRoute, type Route } from './router.js';

const ID = 'ab'.repeat(32);

test('every route is parsed back from its own address', () => {
  const routes: Route[] = [
    { page: 'lobby' },
    { page: 'lobby', fen: '4k3/8/8/8/8/8/4P3/4K2R w K - 0 1' },
    { page: 'game', id: ID },
    { page: 'analysis' },
    { page: 'analysis', fen: '4k3/8/8/8/8/8/4P3/4K2R w K - 0 1' },
    { page: 'analysis', id: ID },
    { page: 'challenge', id: ID },
    { page: 'challenge', id: ID, secret: 'aZ_-09' },
    { page: 'player', npub: npubOf(ID) },
    { page: 'leaderboards' },
    { page: 'me' },
    { page: 'help' },
    { page: 'join' },
  ];
  for (const route of routes) assert.deepEqual(parseRoute(hrefOf(route)), route);
});

test('an empty address is the lobby', () => {
  for (const hash of ['', '#', '#/', '#?x', '#/?fen=', `#/?fen=${'8'.repeat(129)}`]) assert.deepEqual(parseRoute(hash), { page: 'lobby' });
});

test('an address that names nothing is a missing page', () => {
  for (const hash of ['#/game', '#/game/1', `#/game/${ID}/x`, `#/game/${ID.toUpperCase()}`, '#/player/npub1', '#/x', `#/challenge/${ID}/`, `#/challenge/${ID}/a/b`, `#/challenge/${ID}/${'a'.repeat(65)}`, `#/challenge/${ID}/a%20b`, '#/challenge/1/a', '#/me/x']) {
    assert.deepEqual(parseRoute(hash), { page: 'missing' }, hash);
  }
});
