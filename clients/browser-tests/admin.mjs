// The admin page as tests use it: an admin in a browser, calls from elsewhere, and users of the relay with something to report.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { finalizeEvent, generateSecretKey, getPublicKey, nip19, nip44 } from 'nostr-tools';
import { Relay as Connection, useWebSocketImplementation } from 'nostr-tools/relay';
import WebSocket from 'ws';
import { Visitor } from './visitor.mjs';

useWebSocketImplementation(WebSocket);

/** Calls a method with a key; fails with the relay's sentence. */
export async function call(relay, secret, method, ...params) {
  const body = JSON.stringify({ method, params });
  const tags = [['u', relay.url], ['method', 'POST'], ['payload', createHash('sha256').update(body).digest('hex')], ['nonce', `${Math.random()}`]];
  const login = finalizeEvent({ kind: 27235, created_at: Math.floor(Date.now() / 1000), content: '', tags }, secret);
  const response = await fetch(relay.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/nostr+json+rpc', Authorization: `Nostr ${Buffer.from(JSON.stringify(login)).toString('base64')}` },
    body,
  });
  const { result, error } = await response.json();
  if (error) throw new Error(`${response.status} ${error}`);
  return result;
}

/** The key of a new admin, made by a link. */
export async function newAdmin(relay) {
  const secret = generateSecretKey();
  await call(relay, secret, 'claimadmin', (await relay.adminLink()).split('=').at(-1));
  return secret;
}

/** Somebody who publishes at the relay, and reads there. */
export class User {
  secret = generateSecretKey();
  pubkey = getPublicKey(this.secret);
  npub = nip19.npubEncode(this.pubkey);

  static async connect(relay) {
    const user = new this();
    user.connection = await Connection.connect(relay.socket);
    return user;
  }

  /** Publishes an event; returns it, or throws the relay's reason. */
  async publish(kind, content, tags = []) {
    const event = finalizeEvent({ kind, content, tags, created_at: Math.floor(Date.now() / 1000) }, this.secret);
    await this.connection.publish(event);
    return event;
  }

  /** Whether the relay has an event. */
  finds({ id }) {
    return new Promise(resolve => {
      let found = false;
      const subscription = this.connection.subscribe([{ ids: [id] }], {
        onevent: () => (found = true),
        oneose: () => {
          subscription.close();
          resolve(found);
        },
      });
    });
  }

  close() {
    this.connection.close();
  }
}

/** A remote signer (NIP-46) of a key, which listens on the relay; returns its address. */
export async function startBunker(relay, secret) {
  const bunker = await User.connect(relay);
  const results = {
    connect: () => 'ack',
    get_public_key: () => getPublicKey(secret),
    sign_event: ([template]) => JSON.stringify(finalizeEvent(JSON.parse(template), secret)),
  };
  const answer = async ({ pubkey, content }) => {
    const key = nip44.getConversationKey(bunker.secret, pubkey);
    const { id, method, params } = JSON.parse(nip44.decrypt(content, key));
    await bunker.publish(24133, nip44.encrypt(JSON.stringify({ id, result: results[method](params) }), key), [['p', pubkey]]);
  };
  await new Promise(oneose => bunker.connection.subscribe([{ kinds: [24133], '#p': [bunker.pubkey] }], { onevent: answer, oneose }));
  return { url: `bunker://${bunker.pubkey}?relay=${encodeURIComponent(relay.socket)}`, close: () => bunker.close() };
}

/** Somebody at the admin page. */
export class Admin extends Visitor {
  /** Signs in with a secret key. */
  static async signIn(browser, relay, secret, options) {
    const admin = await this.open(browser, relay, { path: 'admin', ...options });
    await admin.giveKey(secret);
    return admin;
  }

  async giveKey(secret) {
    await this.page.getByRole('radio', { name: 'Key' }).check();
    await this.page.getByLabel('Secret key').fill(nip19.nsecEncode(secret));
    await this.button('Sign in').click();
  }

  button(name) {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The titles of the views that the navigation has. */
  async views() {
    await this.button('Sign out').waitFor();
    return this.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { includeHidden: true }).allTextContents();
  }

  /** Opens a view by the navigation, and waits for what it shows. */
  async view(title) {
    await this.button('Sign out').waitFor();
    const navigation = this.page.getByRole('navigation', { name: 'Views' });
    const menu = navigation.getByRole('button');
    if (await menu.isVisible()) await menu.click();
    await navigation.getByRole('link', { name: title, exact: true }).click();
    await this.page.getByRole('heading', { level: 1, name: title }).waitFor();
    await this.page.getByText('Loading…').waitFor({ state: 'detached' });
  }

  report(text) {
    return this.page.getByRole('article').filter({ hasText: text });
  }

  notice(text) {
    return this.page.getByRole('complementary', { name: 'Messages' }).getByText(text);
  }

  /**
   * Fails if the page as it is now has a serious fault for axe-core in light or dark, or is wider than the window. On a
   * phone without colours, which are the same at any width.
   */
  async assertGood() {
    if (this.page.viewportSize().width > 1_000) await this.assertAccessibleInBothSchemes();
    else await this.assertAccessibleButColours();
    await this.assertFits();
  }

  /** Fails if the page as it is now is wider than the window. */
  async assertFits() {
    const [content, window] = await this.page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(content <= window, `${this.page.url()} is ${content} pixels wide in ${window}`);
  }
}
