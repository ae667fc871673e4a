// Players of the page and users of jesterui and Amethyst (kind 30) play whole games with each other.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Chess } from 'chess.js';
import { guestSigner } from 'gambit-client';
import { Amethyst, Jesterui } from './jester-clients.mjs';
import { Player } from './player.mjs';
import { Relay } from './relay.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

const MATE = 'e4 e5 Nf3 Nc6 Bc4 d6 Nc3 Bg4 h3 Bh5 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#';
/** En passant, castling, a promotion with capture; Black is mated. */
const RARE_MOVES = 'e4 h6 e5 f5 exf6 h5 fxg7 h4 gxh8=Q h3 Nf3 hxg2 Bxg2 Nc6 O-O b6 Qxg8 Bb7 Qg6#';

startRelayAndBrowser();

const strangers = [];
after(() => strangers.forEach(stranger => stranger.close()));

async function open(Client) {
  const stranger = await Client.open(relay.socket);
  strangers.push(stranger);
  return stranger;
}

/** A move as the list of moves names it. */
const nameOf = (ply, san) => `${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? '.' : '…'} ${san}`;

/** Plays moves in turn, a player of the page and a stranger; whoever watches sees each. */
async function play(id, moves, { player, stranger, isPlayerWhite, watcher }) {
  const chess = new Chess();
  for (const [ply, san] of moves.split(' ').entries()) {
    const { lan } = chess.move(san);
    if ((ply % 2 === 0) === isPlayerWhite) {
      await player.turn();
      await (ply % 4 < 2 && lan.length === 4 ? player.click(lan) : player.type(san));
      await player.button('Confirm').click();
    } else {
      await stranger.move(id, san);
    }
    if (ply > 0) { // the second player's first move begins the game
      await watcher.seen(nameOf(ply, san));
    }
  }
}

/** A finished game, from its record: its signatures prove it, and its PGN has the moves. */
async function isProved(watcher, lastMove) {
  await watcher.page.reload();
  await watcher.result();
  await watcher.button('Verify this game').click();
  await watcher.page.getByText('✓ Everything holds.').waitFor();
  await watcher.page.getByText('The moves end the game by checkmate.').waitFor();
  await watcher.button('Share this game').click();
  const pgn = await watcher.page.getByLabel('PGN').inputValue();
  assert.ok(pgn.includes(lastMove) && pgn.includes('[TimeControl "-"]'), pgn);
}

test('a player takes an open start of jesterui, and is mated, while a third watches', async () => {
  const stranger = await open(Jesterui);
  const player = await Player.open(browser, relay);
  const { id } = await stranger.challenge();
  await stranger.follow(id);
  await player.card('Open challenges').getByRole('button', { name: /^Accept the challenge of / }).click();
  assert.equal(await player.game(), id);
  const watcher = await Player.open(browser, relay, { path: `#/game/${id}` });
  await play(id, MATE, { player, stranger, isPlayerWhite: false, watcher });

  // jesterui follows only what its own rules allow: it has the whole game.
  const { history, result } = await stranger.until(() => [stranger.game(id)].find(it => it.result));
  assert.deepEqual([history.join(' '), result], [MATE, '1-0']);
  assert.match(await player.result(), /^You lost: /);
  assert.match(await watcher.result(), /^White won: /);
  assert.deepEqual(stranger.refusals, []);
  await isProved(watcher, 'Nd5# 1-0');
  await Promise.all([player.close(), watcher.close()]);
});

test('Amethyst challenges a player by p, who has White: all the rare moves, seen from a phone', async () => {
  const signer = guestSigner();
  const stranger = await open(Amethyst);
  const player = await Player.open(browser, relay, { init: `localStorage.setItem('gambit.key', '${signer.nsec}')` });
  const { id } = await stranger.challenge({ opponent: signer.pubkey, color: 'black' });
  await stranger.follow(id);
  await player.button('Accept').click();
  assert.equal(await player.game(), id);
  const watcher = await Player.open(browser, relay, { path: `#/game/${id}`, viewport: { width: 360, height: 740 } });
  await play(id, RARE_MOVES, { player, stranger, isPlayerWhite: true, watcher });

  // Amethyst forgets the moves before a position that it does not write in the same way: it has them all.
  const { history, result } = await stranger.until(() => [stranger.game(id)].find(it => it.result));
  assert.deepEqual([history.join(' '), result], [RARE_MOVES, '1-0']);
  assert.match(await player.result(), /^You won: /);
  assert.match(await watcher.result(), /^White won: /);
  assert.deepEqual(stranger.refusals, []);
  await isProved(watcher, 'Qg6#');
  await Promise.all([player.close(), watcher.close()]);
});

test('a mirror records a game that is played at another relay; its page says so', async () => {
  const mirror = await Relay.start({ 'sync.peers': `["""${relay.socket} down {"kinds":[30]}"""]` });
  try {
    const [white, black] = [await open(Amethyst), await open(Jesterui)];
    const { id } = await white.challenge();
    await Promise.all([white.follow(id), black.follow(id)]);
    await white.move(id, 'e4');
    await black.move(id, 'e5');
    const visitor = await Player.open(browser, mirror);
    const card = visitor.page.locator(`.game-card[href$="${id}"]`);
    await card.getByText('played elsewhere').first().waitFor();
    await card.click();
    assert.equal(await visitor.game(), id);
    await visitor.page.getByText('played elsewhere').first().waitFor();
    for (const [ply, san] of MATE.split(' ').entries()) {
      if (ply > 1) {
        await (ply % 2 === 0 ? white : black).move(id, san);
      }
      await visitor.seen(nameOf(ply, san));
    }
    assert.match(await visitor.result(), /^White won: /);
    await isProved(visitor, 'Nd5# 1-0');
    await visitor.page.goto(`${mirror.url}#/`);
    await visitor.card('Finished games').locator(`.record-link[href$="${id}"]`).waitFor();
    await visitor.close();
  } finally {
    await mirror.close();
  }
});
