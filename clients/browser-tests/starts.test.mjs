// Correspondence of users of other Nostr clients (kind 30) on the page: open starts, challenges, playing, watching.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Chess } from 'chess.js';
import { guestSigner } from 'gambit-client';
import * as nip19 from 'nostr-tools/nip19';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { Relay as Connection, useWebSocketImplementation } from 'nostr-tools/relay';
import WebSocket from 'ws';
import { Player } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';
import { Relay } from './relay.mjs';

const START = 'b1791d7fc9ae3d38966568c257ffb3a02cbf8394cdb4805bc70f64fc3c0b6879';
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

startRelayAndBrowser();
useWebSocketImplementation(WebSocket);

const connections = [];
after(() => connections.forEach(connection => connection.close()));

/** A user of a client that knows nothing but events of kind 30. */
class Stranger {
  #key = generateSecretKey();
  pubkey = getPublicKey(this.#key);
  nsec = nip19.nsecEncode(this.#key);

  static async connect() {
    const stranger = new Stranger();
    stranger.connection = await Connection.connect(relay.socket);
    connections.push(stranger.connection);
    return stranger;
  }

  /** Publishes an event; fails if the relay refuses it. */
  async publish(kind, content, tags) {
    const event = finalizeEvent({ kind, content, tags, created_at: Math.floor(Date.now() / 1000) }, this.#key);
    await this.connection.publish(event);
    return event;
  }

  /** Begins a game, open or with one opponent. */
  async start({ color, opponent, nonce = `${Math.random()}` } = {}) {
    const content = { version: '0', kind: 0, history: [], nonce, ...(color && { playerColor: color }) };
    const tags = [['e', START], ...(opponent ? [['p', opponent]] : [])];
    const event = await this.publish(30, JSON.stringify(content), tags);
    return new Correspondence(event);
  }
}

/** A game as these clients see it: its start, its last event and its moves. */
class Correspondence {
  chess = new Chess();
  #received = new Set();

  constructor(start) {
    this.id = start.id;
    this.head = start.id;
  }

  /** A move, with further members of the message; without a move, an end. */
  async send(stranger, san, end = {}) {
    if (san) this.chess.move(san);
    const history = this.chess.history();
    const content = { version: '0', kind: 1, fen: this.chess.fen(), move: history.at(-1), history, ...end };
    const event = await stranger.publish(30, JSON.stringify(content), [['e', this.id], ['e', this.head]]);
    if (san) this.head = event.id;
  }

  /** Waits for an event by the player of the page, follows the move in it, and returns its message. */
  async receive(stranger, author) {
    const event = await new Promise(resolve => {
      const subscription = stranger.connection.subscribe([{ kinds: [30], authors: [author], '#e': [this.id] }], {
        onevent: it => {
          if (this.#received.has(it.id)) return;
          this.#received.add(it.id);
          subscription.close();
          resolve(it);
        },
      });
    });
    const message = JSON.parse(event.content);
    assert.deepEqual(event.tags.filter(([name]) => name === 'e').map(([, id]) => id), [this.id, this.head]);
    if (message.history.length > this.chess.history().length) {
      this.chess.move(message.move);
      this.head = event.id;
    }
    assert.deepEqual(message.history, this.chess.history());
    return message;
  }
}

const challenges = player => player.card('Open challenges');
const starts = player => challenges(player).getByRole('listitem').filter({ hasText: 'correspondence with another Nostr client' });
const ownGames = player => player.card(/^Your games/).getByRole('link');

/** A player of the page with a key that the test knows. */
async function open(options) {
  const signer = guestSigner();
  const player = await Player.open(browser, relay, { init: `localStorage.setItem('gambit.key', '${signer.nsec}')`, ...options });
  return Object.assign(player, { pubkey: signer.pubkey });
}

/** Makes a move, and confirms it. */
async function move(player, uci) {
  await player.turn();
  await player.click(uci);
  await player.button('Confirm').click();
}

async function assertNone(player, names) {
  for (const name of names) assert.equal(await player.button(name).count(), 0, name);
}

test('an open start is a challenge until somebody takes the seat; then the game is watched like others', async () => {
  const [white, black] = [await Stranger.connect(), await Stranger.connect()];
  const visitor = await open(PHONE);
  const { page } = visitor;
  await challenges(visitor).getByText('Nobody challenges the lobby').waitFor();
  const game = await white.start();
  await starts(visitor).getByText('you play Black').waitFor();
  await visitor.assertAccessible();

  await game.send(white, 'e4');
  await game.send(black, 'c5');
  await starts(visitor).waitFor({ state: 'detached' });
  await page.locator('.game-card').getByText('Move 1, c5').waitFor();
  await page.locator('.game-card').click();
  assert.equal(await visitor.game(), game.id);
  await page.getByText('correspondence with another Nostr client').waitFor();
  await visitor.seen('1… c5');
  await game.send(white, 'Nf3');
  await visitor.seen('2. Nf3');
  assert.equal(await page.locator('.chat').count(), 0);
  await visitor.assertAccessible();
  await game.send(black, undefined, { result: '1-0', termination: 'resignation' });
  assert.equal(await visitor.result(), 'White won: Black resigned.');
  await page.locator('.chat').waitFor();
  await page.locator('.result-analysis').click();
  await page.locator('.tree').getByRole('button', { name: /Nf3$/ }).waitFor();
  await visitor.close();

  const author = await Player.open(browser, relay, { init: `localStorage.setItem('gambit.key', '${white.nsec}')` });
  await white.start();
  await starts(author).getByRole('button', { name: 'Withdraw' }).click();
  await starts(author).waitFor({ state: 'detached' });
  await author.close();
});

for (const [where, options] of Object.entries({ desktop: {}, phone: PHONE })) {
  test(`whoever accepts an open start plays it like a slow game, without what it lacks, on a ${where}`, async () => {
    const stranger = await Stranger.connect();
    const game = await stranger.start({ color: 'white' });
    await game.send(stranger, 'e4');
    const player = await open(options);
    const { page } = player;
    await challenges(player).getByRole('button', { name: /^Accept the challenge of .+, no clock$/ }).click();
    assert.equal(await player.game(), game.id);
    await page.getByText('The game begins with your first move.').first().waitFor();
    await player.seen('1. e4');
    await assertNone(player, ['Take back', 'Abort', 'Chat']);
    await player.assertAccessible();

    const first = game.receive(stranger, player.pubkey);
    await move(player, 'e7e5');
    assert.equal((await first).move, 'e5');
    await page.getByText('in 23 hours').waitFor();
    await player.assertAccessible();
    await page.goto(`${relay.url}#/`);
    await ownGames(player).first().waitFor();
    await assertNone(player, ['Later']); // not announced: it was open when it began
    await page.reload();
    await ownGames(player).first().click();
    await player.seen('1… e5');

    const offer = game.receive(stranger, player.pubkey);
    await player.button('Offer draw', { exact: false }).click();
    assert.equal((await offer).termination, 'draw_agreement');
    await game.send(stranger, 'Nf3');
    await page.locator('.situation').getByText('Draw declined.').waitFor();
    await player.turn();
    await game.send(stranger, undefined, { result: '1/2-1/2', termination: 'draw_agreement' });
    await page.locator('.situation').getByText('Draw offered').waitFor();
    await assertNone(player, ['Decline']);
    await player.assertAccessible();
    await player.button('Accept').click();
    assert.equal(await player.result(), 'Draw: The players agreed to a draw.');
    await assertNone(player, ['Rematch']);
    await player.assertAccessible();
    await page.goto(`${relay.url}#/`);
    await player.card('Finished games').locator(`.record-link[href$="${game.id}"]`).waitFor();
    await player.close();
  });
}

test('a challenge to the player is among the received invitations; it is dismissed for good, or accepted and played', async () => {
  const stranger = await Stranger.connect();
  const player = await open();
  const { page } = player;
  await stranger.start({ color: 'black', opponent: player.pubkey });
  const challenge = page.locator('.dock-invite').filter({ hasText: 'correspondence with another Nostr client, you play White' });
  await challenge.waitFor();
  await player.assertAccessible();
  await player.button('Dismiss').click();
  await challenge.waitFor({ state: 'detached' });
  await page.reload();
  const game = await stranger.start({ color: 'black', opponent: player.pubkey });
  await player.button('Accept').click();
  assert.equal(await player.game(), game.id);
  const first = game.receive(stranger, player.pubkey);
  await move(player, 'd2d4');
  assert.equal((await first).move, 'd4');
  await game.send(stranger, 'd5');
  await player.seen('1… d5');
  await player.button('Resign').click();
  await player.button('Resign the game').click();
  assert.equal((await game.receive(stranger, player.pubkey)).result, '0-1');
  assert.equal(await player.result(), 'You lost: You resigned.');
  await page.goto(`${relay.url}#/`);
  await player.card('Finished games').locator('.record').first().waitFor();
  assert.equal(await challenge.count(), 0);
  await player.close();
});

test('a game of another relay is played elsewhere: its players, too, only watch it here', async () => {
  const [white, black] = [await Stranger.connect(), await Stranger.connect()];
  const game = await white.start();
  await game.send(white, 'e4');
  await game.send(black, 'e5');
  const mirror = await Relay.start({ 'sync.peers': JSON.stringify([`${relay.socket} down {"kinds":[30]}`]) });
  after(() => mirror.close());
  const player = await Player.open(browser, mirror, { init: `localStorage.setItem('gambit.key', '${black.nsec}')` });
  const card = player.page.locator(`.game-card[href$="${game.id}"]`);
  await card.getByText('played elsewhere').waitFor();
  assert.equal(await ownGames(player).count(), 0);
  await card.click();
  assert.equal(await player.game(), game.id);
  await player.page.getByText('played elsewhere').waitFor();
  await assertNone(player, ['Resign', 'Offer draw', 'Claim win']);
  await player.assertAccessible();
  await game.send(white, 'Nf3');
  await player.seen('2. Nf3');
  await player.close();
});

test('hostile starts fill neither the list nor the page', async () => {
  const [flooder, other] = [await Stranger.connect(), await Stranger.connect()];
  await flooder.publish(0, JSON.stringify({ name: 'W'.repeat(20_000), about: '\u202e' }), []);
  await other.start();
  for (let i = 0; i < 80; i++) await flooder.start({ nonce: `${i}`.padEnd(20_000, '<b>\u202e') });
  const visitor = await open(PHONE);
  await starts(visitor).nth(3).waitFor();
  assert.equal(await starts(visitor).count(), 4); // three of an author
  assert.equal(await visitor.page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  await visitor.assertAccessible();
  await visitor.close();
});
