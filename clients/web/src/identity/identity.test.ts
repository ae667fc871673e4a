import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { guestSigner, type Signer } from 'gambit-client';
import { guestIdentity, importGuest, keepsKey, keyShown } from './identity.js';

test('a guest keeps a key that was shown or brought along, until another takes its place', () => {
  const guest = guestIdentity();
  assert.ok(guest.method === 'guest' && !keepsKey(guest));
  keyShown(guest.signer);
  assert.ok(keepsKey(guest) && keepsKey(guestIdentity()));
  const other = importGuest(guestSigner().nsec);
  assert.deepEqual([keepsKey(other), keepsKey(guest)], [true, false]);
});

test('the key of an extension or a remote signer is kept by it', () => {
  assert.equal(keepsKey({ method: 'extension', signer: {} as Signer }), true);
});
