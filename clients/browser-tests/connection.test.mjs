// The relay is killed in the middle of games, and started again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pair, play } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

startRelayAndBrowser();

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
