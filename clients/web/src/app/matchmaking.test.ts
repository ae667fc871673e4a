import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { ReceivedInvite } from 'gambit-client';
import { withInvite } from './matchmaking.js';

test('300 invites of 30 strangers hide no invite of an acquaintance, and an author has the oldest and the newest', () => {
  let received: readonly ReceivedInvite[] = [];
  for (let i = 0; i < 300; i++) {
    received = withInvite(received, { id: `${i}`, author: `stranger ${i % 30}`, kind: 'invite' });
  }
  assert.equal(received.length, 20);
  const friend: ReceivedInvite = { id: 'friend', author: 'friend', kind: 'invite', isFromAcquaintance: true };
  for (const id of ['first', 'first', 'second', 'third']) {
    received = withInvite(received, { ...friend, id });
  }
  assert.deepEqual(received.slice(20).map(({ id }) => id), ['first', 'third']);
});
