import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { guestSigner } from 'gambit-client';
import { nip19 } from 'nostr-tools';
import * as nip49 from 'nostr-tools/nip49';
import { decryptKey, encryptKey } from './nip49.js';

const { nsec } = guestSigner();

test('an encrypted key is opened by its passphrase, however its letters are composed, and by no other', async () => {
  const encrypted = await encryptKey(nsec, 'Ångström ①');
  assert.match(encrypted, /^ncryptsec1.{152}$/);
  assert.equal(await decryptKey(` ${encrypted}\n`, 'A\u030angstro\u0308m 1'), nsec);
  // With less work, which a key may ask for, too.
  const cheap = nip49.encrypt(nip19.decode(nsec).data as Uint8Array, 'Ångström ①', 1);
  await assert.rejects(decryptKey(cheap, 'Angstrom 1'), /^Error: The passphrase is wrong\.$/);
  await assert.rejects(decryptKey(cheap, ''), /passphrase is wrong/);
});

test('the example of NIP-49 is opened', async () => {
  const example = 'ncryptsec1qgg9947rlpvqu76pj5ecreduf9jxhselq2nae2kghhvd5g7dgjtcxfqtd67p9m0w57lspw8gsq6yphnm8623nsl8xn9j4jdzz84zm3frztj3z7s35vpzmqf6ksu8r89qk5z2zxfmu5gv8th8wclt0h4p';
  const secret = nip19.decode(await decryptKey(example, 'nostr')).data as Uint8Array;
  assert.equal(Buffer.from(secret).toString('hex'), '3501454135014541350145413501453fefb02227e449e57cf4d3a3ce05378683');
});

test('a damaged key is called damaged, whatever the passphrase', async () => {
  const encrypted = nip49.encrypt(new Uint8Array(32).fill(1), 'x', 1);
  const mistyped = encrypted.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'));
  const noKey = nip49.encrypt(new Uint8Array(32), 'x', 1);
  for (const text of [mistyped, encrypted.slice(0, -1), `${encrypted}q`, encrypted.toUpperCase(), noKey, nsec, '', 'ncryptsec1', 'x'.repeat(1_000_000)]) {
    await assert.rejects(decryptKey(text, 'x'), /^Error: The encrypted key is damaged/);
  }
});

test('a key whose decryption needs gigabytes is refused before', async () => {
  // The cost is 2 to the power of the second byte: 255, and 21.
  for (const head of ['qtls', 'qg24']) {
    const started = performance.now();
    await assert.rejects(decryptKey(`ncryptsec1${head}${'q'.repeat(148)}`, 'x'), /cannot read/);
    assert.ok(performance.now() - started < 1_000);
  }
});
