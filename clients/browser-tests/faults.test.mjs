// What a player sees of a game whose connection loses, repeats and interrupts messages, and whose relay is killed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pair, play, Player } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

startRelayAndBrowser();

const MOVES = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6'.split(' ');
const SEEN = ['1. e4', '1… e5', '2. Nf3', '2… Nc6', '3. Bb5', '3… a6', '4. Ba4', '4… Nf6', '5. O-O', '5… Be7', '6. Re1', '6… b5', '7. Bb3', '7… d6'];

/** Stands between a page and its relay, and does to the messages of moves what `fault` says. */
async function interrupt(page, fault) {
  await page.routeWebSocket(/^ws:/, socket => {
    const server = socket.connectToServer();
    const cut = () => Promise.all([socket.close({ code: 1011 }), server.close()]);
    socket.onMessage(message => {
      const isMove = String(message).startsWith('["EVENT",{') && /"kind":5001/.test(message);
      const what = isMove ? fault() : undefined;
      if (what === 'lost') {
        void cut();
        return;
      }
      server.send(message);
      if (what === 'repeated') {
        server.send(message);
      } else if (what === 'unanswered') {
        server.onMessage(() => void cut()); // instead of the answer
      }
    });
    server.onMessage(message => {
      socket.send(message);
      if (/^\["EVENT",/.test(message)) {
        socket.send(message); // each event comes twice
      }
    });
  });
}

test('moves are played once and seen in order, although messages are lost, doubled and cut off', async () => {
  const faults = ['lost', 'unanswered', 'repeated', undefined, 'lost', 'repeated', 'unanswered'];
  const black = await Player.open(browser, relay);
  const white = await Player.open(browser, relay);
  await interrupt(white.page, () => faults.shift());
  await white.page.reload();
  await black.accept(await white.inviteByLink());
  await Promise.all([white.game(), black.game()]);
  for (const [ply, move] of MOVES.entries()) {
    const player = ply % 2 === 0 ? white : black;
    await player.turn();
    await player.click(move);
    for (const each of [white, black]) {
      await each.seen(SEEN[ply]);
    }
    if (ply === 5) {
      await relay.kill();
      await relay.restart();
    }
  }
  assert.deepEqual(faults, [], 'every fault has happened');
  for (const { page } of [white, black]) {
    const list = page.getByRole('list', { name: 'List of moves' }).getByRole('button');
    assert.equal(await list.count(), MOVES.length);
  }
  await black.button('Resign').click();
  await black.button('Resign the game').click();
  assert.equal(await white.result(), 'You won: Your opponent resigned.');
  await white.close();
  await black.close();
});

test('a game goes on after kill -9, and a move made meanwhile is played once', async () => {
  const game = await pair(browser, relay);
  await play(game, ['e2e4', 'e7e5']);
  await game.white.turn();
  await relay.kill();
  for (const player of [game.white, game.black]) {
    await player.page.getByText('Reconnecting…').waitFor({ state: 'attached' });
  }
  await game.white.click('g1f3');
  await game.white.page.getByText(/is sent as soon as the relay is reached/).waitFor();
  await relay.restart();
  await game.black.seen('2. Nf3');
  await play({ white: game.black, black: game.white }, ['b8c6']);
  await play(game, ['f1b5']);
  await game.black.seen('3. Bb5');
  await game.black.button('Resign').click();
  await game.black.button('Resign the game').click();
  assert.equal(await game.white.result(), 'You won: Your opponent resigned.');
  await game.white.close();
  await game.black.close();
});
