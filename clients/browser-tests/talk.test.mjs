// Opponents talk beside the board; spectators see it when the game is over.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pair, play, Player } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

startRelayAndBrowser();

/** Guests do not talk until they have switched it on. */
const talks = () => localStorage.setItem('gambit.settings', JSON.stringify({ talk: true }));

const field = ({ page }) => page.getByLabel('Your words to your opponent');

async function say(player, text) {
  await field(player).fill(text);
  await player.button('Send').click();
}

async function end(game, ...others) {
  await game.black.button('Resign').click();
  await game.black.button('Resign the game').click();
  for (const visitor of [game.white, game.black, ...others]) await visitor.result();
}

test('opponents talk while a spectator sees only spectators, and afterwards all is together in order', async () => {
  const game = await pair(browser, relay, { white: { init: talks }, black: { init: talks } });
  const { white, black } = game;
  await play(game, ['e2e4', 'e7e5']);
  const spectator = await Player.open(browser, relay, { path: `#/game/${game.id}` });
  await say(white, 'Good luck');
  await black.comments().getByText('Good luck').waitFor();
  await black.page.getByText(/ says: Good luck$/).waitFor({ state: 'attached' });
  await spectator.page.getByLabel('Your comment').fill('Black is slow');
  await spectator.button('Send').click();
  await spectator.comments().getByText('Black is slow').waitFor();
  await say(black, 'Thank you');
  await white.comments().getByText('Thank you').waitFor();
  await white.assertAccessible();
  assert.deepEqual(await spectator.page.locator('.chat-text').allTextContents(), ['Black is slow']);
  assert.deepEqual(await white.page.locator('.chat-text').allTextContents(), ['Good luck', 'Thank you']);
  await end(game, spectator);
  for (const visitor of [white, black, spectator]) {
    await visitor.comments().getByText('Thank you').waitFor();
    await visitor.comments().getByText('Black is slow').waitFor();
    const all = await visitor.page.locator('.chat-text').allTextContents();
    assert.deepEqual(all.toSorted(), ['Black is slow', 'Good luck', 'Thank you']);
    assert.ok(all.indexOf('Good luck') < all.indexOf('Thank you'));
    await visitor.close();
  }
});

test('a guest switches talk on, and mutes the opponent of one game in one click', async () => {
  const game = await pair(browser, relay, { white: { init: talks } });
  const { white, black } = game;
  await play(game, ['e2e4', 'e7e5']);
  await say(white, 'Hello');
  await black.page.getByText('You see what spectators write when the game is over.').waitFor();
  assert.equal(await black.page.getByText('Hello').count(), 0);
  await black.button('Talk with opponents').click();
  await black.comments().getByText('Hello').waitFor();
  await black.button('Mute').click();
  await black.comments().getByText('Hello').waitFor({ state: 'detached' });
  await say(white, 'Are you there?');
  await white.comments().getByText('Are you there?').waitFor();
  await say(black, 'I do not listen');
  await white.comments().getByText('I do not listen').waitFor();
  await black.page.reload();
  await black.comments().getByText('I do not listen').waitFor();
  assert.equal(await black.page.getByText('Are you there?').count(), 0);
  await black.button('Mute').click();
  await black.comments().getByText('Are you there?').waitFor();
  await black.goTo('me');
  assert.equal(await black.page.getByRole('switch', { name: 'Talk with opponents' }).isChecked(), true);
  await black.assertAccessible();
  await white.close();
  await black.close();
});

test('words out of sight are marked at the button that leads to them, and nothing moves', async () => {
  const phone = { viewport: { width: 360, height: 740 }, init: talks };
  const game = await pair(browser, relay, { white: { init: talks }, black: phone });
  const { white, black } = game;
  await play(game, ['e2e4', 'e7e5']);
  const chat = black.page.getByRole('button', { name: /^Chat/ });
  const before = await chat.boundingBox();
  await say(white, 'Good luck');
  await black.button('Chat, 1 new comment').waitFor();
  await black.assertAccessible();
  assert.deepEqual(await chat.boundingBox(), before);
  await chat.click();
  await black.button('Chat').waitFor();
  assert.equal(await field(black).evaluate(it => it === document.activeElement), true);
  await end(game);
  await white.close();
  await black.close();
});
