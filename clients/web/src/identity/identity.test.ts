import { strict as assert } from 'node:assert';
import { afterEach, test } from 'node:test';
import { guestSigner, type Signer } from 'gambit-client';
import { nip19 } from 'nostr-tools';
import { save } from '../app/storage.js';
import {
  encryptedKey, guestIdentity, hasEarlierKey, importGuest, isMadeHere, keepEncrypted, keepPlain, keepsKey, keyShown, restoredIdentity,
} from './identity.js';

/** A localStorage of which calls can be made to fail, as where the user blocks it. */
function provideLocalStorage(failing: (call: string, key: string) => boolean = () => false): Map<string, string> {
  const kept = new Map<string, string>();
  const checked = <Value>(call: string, key: string, act: () => Value): Value => {
    if (failing(call, key)) throw new Error('SecurityError');
    return act();
  };
  const storage = {
    get length() {
      return kept.size;
    },
    key: (i: number) => [...kept.keys()][i] ?? null,
    getItem: (key: string) => checked('get', key, () => kept.get(key) ?? null),
    setItem: (key: string, value: string) => checked('set', key, () => void kept.set(key, value)),
    removeItem: (key: string) => checked('remove', key, () => void kept.delete(key)),
  };
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
  return kept;
}

function hexOf(nsec: string): string {
  return Buffer.from(nip19.decode(nsec).data as Uint8Array).toString('hex');
}

afterEach(() => {
  for (const key of ['key', 'locked']) save(key, undefined);
  Reflect.deleteProperty(globalThis, 'localStorage');
});

test('a guest keeps a key that was shown or brought along, until another takes its place', () => {
  const guest = guestIdentity();
  assert.ok(!keepsKey(guest) && isMadeHere(guest.signer));
  keyShown(guest.signer);
  assert.ok(keepsKey(guest) && keepsKey(guestIdentity()));
  const other = importGuest(guestSigner().nsec, guest);
  assert.deepEqual([keepsKey(other), keepsKey(guest), isMadeHere(other.signer)], [true, false, false]);
});

test('the key of an extension or a remote signer is kept by it', () => {
  assert.equal(keepsKey({ method: 'extension', signer: {} as Signer }), true);
});

test('nothing that is stored has the key after encrypting, wherever it was; the passphrase is asked for until it is removed', async () => {
  const kept = provideLocalStorage();
  const guest = guestIdentity();
  const { nsec } = guest.signer;
  kept.set('gambit.secret', `{"key":"${nsec}"}`);
  kept.set('of-an-older-version', hexOf(nsec));
  kept.set('gambit.settings', '{}');
  assert.equal(keepEncrypted(nsec, 'ncryptsec1x').encrypted, true);
  const stored = [...kept].join();
  assert.ok(!stored.includes(nsec) && !stored.includes(hexOf(nsec)));
  assert.deepEqual([kept.get('gambit.locked'), kept.get('gambit.settings')], ['ncryptsec1x', '{}']);
  assert.equal(await restoredIdentity(), undefined);

  const plain = keepPlain(guest.signer);
  assert.deepEqual([plain.encrypted, encryptedKey()], [false, undefined]);
  assert.equal((await restoredIdentity())!.method, 'guest');
});

test('who plays as a new guest keeps the encrypted key, and who takes another key for it does not', async () => {
  provideLocalStorage();
  keepEncrypted(guestSigner().nsec, 'ncryptsec1x');
  const guest = guestIdentity();
  assert.equal(encryptedKey(), 'ncryptsec1x');
  assert.equal((await restoredIdentity() as typeof guest).signer.pubkey, guest.signer.pubkey);
  importGuest(guestSigner().nsec, guest);
  assert.equal(encryptedKey(), 'ncryptsec1x');
  importGuest(guestSigner().nsec, keepEncrypted(guestSigner().nsec, 'ncryptsec1y'));
  assert.equal(encryptedKey(), undefined);
});

test('where the browser does not store, the key remains as it was, and a sentence says so', () => {
  let isBlocked = false;
  const kept = provideLocalStorage((call) => isBlocked && call === 'set');
  const guest = guestIdentity();
  isBlocked = true;
  assert.throws(() => keepEncrypted(guest.signer.nsec, 'ncryptsec1x'), /cannot be kept encrypted\.$/);
  assert.deepEqual([kept.get('gambit.key'), encryptedKey()], [guest.signer.nsec, undefined]);
  isBlocked = false;
  keepEncrypted(guest.signer.nsec, 'ncryptsec1x');
  isBlocked = true;
  assert.throws(() => keepPlain(guest.signer), /remains encrypted\.$/);
  assert.deepEqual([kept.get('gambit.key'), encryptedKey()], [undefined, 'ncryptsec1x']);
});

test('where the browser does not delete, a sentence says so', () => {
  provideLocalStorage((call, key) => call === 'remove' && key === 'gambit.key');
  assert.throws(() => keepEncrypted(guestIdentity().signer.nsec, 'ncryptsec1x'), /did not delete/);
});

test('a key of this visit is no earlier one; a stored or encrypted one is', () => {
  provideLocalStorage();
  const guest = guestIdentity();
  assert.equal(hasEarlierKey(), false);
  keepEncrypted(guest.signer.nsec, 'ncryptsec1x');
  assert.equal(hasEarlierKey(), true);
  provideLocalStorage().set('gambit.key', guestSigner().nsec);
  assert.equal(hasEarlierKey(), true);
});
