import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { WebSocket } from 'ws';
import {
  guestSigner,
  nip07Signer,
  nip46Signer,
  SignerError,
  type EventTemplate,
} from '../src/index.js';
import { Bunker } from './support/bunker.js';
import { client, pair, play, until } from './support/clients.js';

/** Signers and profiles. */
export function identities(url: () => string): void {
  test('a guest key is kept as nsec', async () => {
    const signer = guestSigner();
    assert.equal(guestSigner(signer.nsec).pubkey, signer.pubkey);
    assert.match(signer.npub, /^npub1/);
    const connected = await client(url(), { signer });
    assert.equal(connected.pubkey, signer.pubkey);
    assert.throws(() => guestSigner('nsec1no'), SignerError);
  });

  test('a game is played with the signer of a browser', async () => {
    assert.throws(() => nip07Signer(), SignerError);
    const secret = generateSecretKey();
    Object.assign(globalThis, {
      nostr: {
        getPublicKey: () => Promise.resolve(getPublicKey(secret)),
        signEvent: (template: EventTemplate) => Promise.resolve(finalizeEvent(template, secret)),
      },
    });
    const signer = nip07Signer();
    Reflect.deleteProperty(globalThis, 'nostr');
    const { white, black } = await pair(await client(url(), { signer }), await client(url()));
    assert([white.white, white.black].includes(getPublicKey(secret)));
    await play({ white, black }, 'e2e4', 'e7e5');
    await white.resign();
  });

  test('a signer that returns another event is refused', async () => {
    const secret = generateSecretKey();
    Object.assign(globalThis, {
      nostr: {
        getPublicKey: () => Promise.resolve(getPublicKey(secret)),
        signEvent: (template: EventTemplate) =>
          Promise.resolve(finalizeEvent({ ...template, content: 'resign', kind: 5003 }, secret)),
      },
    });
    const signer = nip07Signer();
    Reflect.deleteProperty(globalThis, 'nostr');
    await assert.rejects(
      signer.signEvent({ kind: 5001, content: 'e2e4', tags: [], created_at: 1 }),
      SignerError,
    );
  });

  test('a game is played with a remote signer over the relay itself', async () => {
    const bunker = await Bunker.start(url());
    const signer = await nip46Signer(bunker.url, { webSocket: WebSocket, timeout: 10_000 });
    assert.equal(await signer.getPublicKey(), bunker.user.pubkey);
    const { white, black } = await pair(await client(url(), { signer }), await client(url()));
    assert([white.white, white.black].includes(bunker.user.pubkey));
    await play({ white, black }, 'e2e4', 'e7e5');
    await black.resign();
    await until(white, () => white.record !== undefined);
    signer.close();
    bunker.close();
  });

  test('a client that a remote signer knows does not use the secret again', async () => {
    const bunker = await Bunker.start(url());
    const options = { webSocket: WebSocket, timeout: 10_000 };
    const { clientSecret, close } = await nip46Signer(bunker.url, options);
    close();
    const signer = await nip46Signer(bunker.url, { ...options, clientSecret });
    assert.equal(await signer.getPublicKey(), bunker.user.pubkey);
    await assert.rejects(nip46Signer(bunker.url, options), /the secret was used/);
    signer.close();
    bunker.close();
  });

  test('a remote signer that refuses is an error', async () => {
    const bunker = await Bunker.start(url());
    await assert.rejects(
      nip46Signer(bunker.url.replace(/secret=\w+/, 'secret=wrong'), { webSocket: WebSocket }),
      SignerError,
    );
    await assert.rejects(nip46Signer('bunker://nobody'), SignerError);
    bunker.close();
  });

  test('profiles are read from kind 0, and bounded', async () => {
    const player = await client(url());
    const content = JSON.stringify({
      name: `\u202e<b>${'x'.repeat(100)}`,
      picture: 'javascript:alert(1)',
      about: 'plays',
      bot: true,
    });
    await player.publish({ kind: 0, content, tags: [] });
    const reader = await client(url());
    const nobody = guestSigner().pubkey;
    const [profile, none] = await Promise.all([reader.profile(player.pubkey), reader.profile(nobody)]);
    assert.equal(profile.name, `<b>${'x'.repeat(61)}`);
    assert.equal(profile.picture, undefined);
    assert.equal(profile.about, 'plays');
    assert.equal(profile.bot, true);
    assert.equal(none.name, undefined);
    assert.match(none.npub, /^npub1/);
    assert.equal((await player.profile(player.pubkey)).name, profile.name);
    await player.publish({
      kind: 0,
      content: '{"name":"Ada"}',
      tags: [],
      created_at: Math.floor(Date.now() / 1000) + 2,
    });
    assert.equal((await player.profile(player.pubkey)).name, 'Ada');
  });
}
