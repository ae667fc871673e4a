// Rated games of players who keep their keys, from the pairing to graph and leaderboards; guests beside them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { play, Player } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

startRelayAndBrowser();

/** A player who has seen the secret key, and so can keep it. */
async function keeper() {
  const player = await Player.open(browser, relay, { path: '#/me' });
  await player.button('Show secret key').click();
  await lobby(player);
  return player;
}

async function lobby(player) {
  await player.page.goto(`${relay.url}#/`);
  await player.card('Open challenges').waitFor();
}

const pairing = player => player.card('Quick pairing');
const search = player => pairing(player).getByRole('button', { name: /^5 \+ 3/ }).click();

/** The bar of a side, as text. */
const bar = (player, side) => player.page.getByRole('region', { name: side, exact: true });

/** The same two players with their sides in the game that both have begun. */
async function sides(first, second) {
  assert.equal(await first.game(), await second.game());
  const isWhite = await first.page.locator('.board[data-orientation="white"]').count();
  return isWhite ? { white: first, black: second } : { white: second, black: first };
}

test('players who keep their keys play rated, see what has changed, its graph and the leaderboards; guests play casual', async () => {
  const guest = await Player.open(browser, relay);
  await pairing(guest).getByRole('link', { name: 'Save your key' }).waitFor();
  assert.equal(await guest.page.getByRole('switch', { name: 'Rated' }).count(), 0);
  await search(guest);
  await pairing(guest).getByText('Looking for an opponent').waitFor();

  const [first, second] = [await keeper(), await keeper()];
  assert.equal(await pairing(first).getByRole('switch', { name: 'Rated' }).isChecked(), true);
  await search(first);
  await pairing(first).getByText(/Looking for an opponent at 5.*, rated…/).waitFor();
  await pairing(first).getByText('The game begins as soon as somebody else chooses this time.').waitFor();
  await search(second);
  const game = await sides(first, second);
  await game.white.turn();
  assert.match(await bar(game.white, 'Black').innerText(), /1500\?/);
  await game.white.page.getByText(/· Rated blitz/).waitFor();
  assert.equal(await game.white.button('Take back', { exact: false }).count(), 0);
  await pairing(guest).getByText('Looking for an opponent').waitFor();
  await guest.close();

  await play(game, ['f2f3', 'e7e5', 'g2g4', 'd8h4']);
  assert.equal(await game.black.result(), 'You won: By checkmate.');
  for (const player of [game.white, game.black]) {
    await bar(player, 'White').getByText(/1500\?\s−\d+/).waitFor();
    await bar(player, 'Black').getByText(/1500\?\s\+\d+/).waitFor();
  }
  await game.white.button('Rematch').click();
  await game.black.button('Accept rematch').click();
  await game.white.page.getByText('No moves yet.').waitFor();
  const rematch = await sides(game.black, game.white);
  await play(rematch, ['e2e4', 'e7e5']);
  await rematch.black.button('Resign').click();
  await rematch.black.button('Resign the game').click();
  await bar(rematch.white, 'White').getByText(/17\d\d\?\s\+\d+/).waitFor();

  const { page } = rematch.white;
  await rematch.white.button('Verify this game').click();
  await page.getByText('✓ Everything holds.').waitFor();
  await page.getByText(/^White’s rating: from 17\d\d\.\d\d to 1[89]\d\d\.\d\d\.$/).waitFor();
  await rematch.white.assertAccessibleInBothSchemes();

  await bar(rematch.white, 'White').getByRole('link').click();
  await page.getByRole('button', { name: /^Blitz 1[89]\d\d\?/, pressed: true }).waitFor();
  await page.getByRole('img', { name: /^Blitz rating from 1500 to 1[89]\d\d/ }).waitFor();
  await page.getByText('The 2 games of this graph').click();
  await page.getByRole('row').nth(2).waitFor();
  assert.equal(await page.getByRole('row').count(), 3); // with that of the headings
  await rematch.white.assertAccessibleInBothSchemes();

  await page.getByRole('link', { name: 'Leaderboards' }).click();
  await page.getByRole('heading', { name: 'Leaderboards', level: 1 }).waitFor();
  for (const category of ['Bullet', 'Blitz', 'Rapid', 'Classical', 'Correspondence']) {
    await rematch.white.card(category).getByText('Nobody yet.').waitFor();
  }
  await rematch.white.assertAccessibleInBothSchemes();

  await lobby(rematch.white);
  await rematch.white.card('Finished games').getByText(/17\d\d\?\s\+\d+/).waitFor();
  for (const player of [first, second]) await player.close();
});

test('a rated challenge shows its author’s rating, guests cannot accept it, and a search changes to casual with the switch', async () => {
  const author = await keeper();
  const card = author.card('Play a friend');
  await card.getByRole('radio', { name: 'The lobby' }).check();
  await card.getByRole('switch', { name: 'Rated' }).check();
  await card.getByRole('button', { name: 'Post the challenge' }).click();
  const [guest, other] = [await Player.open(browser, relay), await keeper()];
  const challenge = player => player.card('Open challenges').getByRole('listitem');
  for (const player of [guest, other]) {
    await challenge(player).getByText(/1500\?/).waitFor();
    await challenge(player).getByText('Rated rapid').waitFor();
  }
  assert.equal(await challenge(guest).getByRole('button').isDisabled(), true);
  await guest.assertAccessibleInBothSchemes();
  await search(guest);
  await search(other);
  await pairing(other).getByText(/, rated…/).waitFor();
  await pairing(other).getByRole('switch', { name: 'Rated' }).click(); // `uncheck` would look at it again, when it may be gone
  await guest.game();
  await other.game();
  await other.page.getByText(/· Casual/).waitFor();
  await other.button('Take back').waitFor();
  await other.button('Abort').click();
  await other.button('Abort the game').click();
  await other.result();
  await lobby(other);
  await challenge(other).getByRole('button').click();
  assert.equal(await other.game(), await author.game());
  await other.page.getByText(/· Rated rapid/).waitFor();
  for (const player of [author, guest, other]) await player.close();
});
