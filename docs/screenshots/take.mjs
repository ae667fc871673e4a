// Takes the screenshots in this folder, of a relay with some players and games:
//
//   mvn -ntp -DskipTests package && npm ci --prefix clients/browser-tests && node docs/screenshots/take.mjs
//
// It needs Chromium, as the browser tests do (clients/browser-tests/run).
import { fileURLToPath } from 'node:url';
import { GambitClient, guestSigner } from '../../clients/gambit-client/dist/index.js';
import { pair, play, Player } from '../../clients/browser-tests/player.mjs';
import { Relay } from '../../clients/browser-tests/relay.mjs';
import { launch } from '../../clients/browser-tests/visitor.mjs';
import WebSocket from '../../clients/node_modules/ws/wrapper.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const WIDE = { viewport: { width: 1200, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

// Games of the nineteenth century, up to a point.
const IMMORTAL = 'e2e4 e7e5 f2f4 e5f4 f1c4 d8h4 e1f1 b7b5 c4b5 g8f6 g1f3 h4h6 d2d3 f6h5 f3h4 h6g5'.split(' ');
const EVERGREEN = 'e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 b2b4 c5b4 c2c3 b4a5 d2d4 e5d4 e1g1 d4d3 d1b3'.split(' ');
const OPERA = 'e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6'.split(' ');
const MATE = 'e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7'.split(' ');

const relay = await Relay.start();
const browser = await launch();
const clients = [];

/** A player with a name, on the client library. */
async function named(name) {
  const client = new GambitClient(relay.socket, { signer: guestSigner(), webSocket: WebSocket });
  clients.push(client);
  await client.connect();
  await client.publish({
    kind: 0,
    content: JSON.stringify({ name }),
    tags: [],
    created_at: Math.floor(Date.now() / 1000),
  });
  return client;
}

/** Lets two players play these moves. */
async function game(white, black, moves, time) {
  const invite = await white.invite({ opponent: black.pubkey, color: 'white', time });
  const seats = await Promise.all([invite.game, black.accept(invite.id)]);
  for (const [ply, move] of moves.entries()) {
    const seat = seats[ply % 2];
    if (seat.ply < ply) {
      await new Promise(seen => seat.on('change', () => seat.ply >= ply && seen()));
    }
    await seat.move(move);
  }
}

/** Waits until nothing moves any more, and takes a picture. */
async function take(player, file) {
  await player.page.evaluate(() => document.activeElement?.blur());
  await player.page.mouse.move(0, 0);
  await player.page.waitForTimeout(1500);
  await player.page.screenshot({ path: `${here}${file}.png` });
}

const names = ['Adolf', 'Lionel', 'Jean', 'Paul', 'Carl', 'Vera', 'Nona', 'Judit'];
const [adolf, lionel, jean, paul, carl, vera, nona, judit] = await Promise.all(names.map(named));
await Promise.all([
  game(adolf, lionel, IMMORTAL, '1800+20'),
  game(jean, carl, EVERGREEN, '900+10'),
  game(paul, vera, OPERA, '600+5'),
]);
await game(nona, judit, MATE, '300+3');
await judit.invite({ time: '600+5', expiresIn: 3600 });
await nona.search('180+2');

for (const [suffix, options] of [['', {}], ['-dark', { colorScheme: 'dark' }]]) {
  const lobby = await Player.open(browser, relay, { viewport: { width: 1200, height: 1150 }, ...options });
  await lobby.page.getByText('Adolf').first().waitFor();
  await take(lobby, `lobby${suffix}`);
  await lobby.close();
}

const players = await pair(browser, relay, { time: '10 + 5', white: WIDE, black: { ...PHONE, colorScheme: 'dark' } });
await play(players, EVERGREEN);
await take(players.white, 'game');
await take(players.black, 'phone-dark');
await play({ white: players.black, black: players.white }, ['d8f6']);
await players.white.turn();
await players.black.button('Resign').click();
await players.black.button('Resign the game').click();
await players.white.result();
await players.white.button('Verify this game').click();
await players.white.page.getByText('✓ Everything holds.').waitFor();
await players.white.page.setViewportSize({ width: 1200, height: 1640 });
await players.white.page.evaluate(() => scrollTo(0, 0));
await take(players.white, 'finished');

clients.forEach(client => client.close());
await browser.close();
await relay.close();
