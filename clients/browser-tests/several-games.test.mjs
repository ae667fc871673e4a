// A player with slow games beside a live one, with time and first position as the player wants them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { GambitClient, guestSigner } from 'gambit-client';
import WebSocket from 'ws';
import { Player } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

const ROOK_ENDING = '4k3/8/8/8/8/8/4P3/4K2R w K - 0 1';
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

startRelayAndBrowser();

const clients = [];
after(() => clients.forEach(client => client.close()));

/** An opponent without a browser. */
async function opponent() {
  const client = new GambitClient(relay.socket, { signer: guestSigner(), webSocket: WebSocket });
  clients.push(client);
  await client.connect();
  return client;
}

/** The open invites of the lobby, once there is one. */
async function openInvites(client) {
  const lobby = await client.lobby().ready;
  while (lobby.invites.length === 0) {
    await new Promise(resolve => lobby.on('change', resolve));
  }
  lobby.close();
  return lobby.invites;
}

/** Moves a slider to a value, by the keyboard. */
async function slide(card, label, text) {
  const slider = card.getByRole('slider', { name: label });
  await slider.focus();
  await slider.press('Home');
  for (let i = 0; i < 60 && (await slider.getAttribute('aria-valuetext')) !== text; i++) {
    await slider.press('ArrowRight');
  }
  assert.equal(await slider.getAttribute('aria-valuetext'), text);
}

const card = player => player.card('Play a friend');
const ownGames = player => player.card(/^Your games/).getByRole('link');

async function challengeLobby(player, { days, color = 'White' }) {
  await card(player).getByRole('radio', { name: 'The lobby' }).check();
  await card(player).getByRole('radio', { name: color }).check();
  await card(player).getByLabel('Time').selectOption('days');
  await slide(card(player), 'Days for each move', days);
  await player.button('Post the challenge').click();
}

/** Makes a move in a slow game, and confirms it. */
async function slowMove(player, move) {
  await player.turn();
  await player.click(move);
  await player.button('Confirm').click();
}

test('slow games block nothing: they announce themselves, wait in a list and in the header, and lead from one to the next', async () => {
  const player = await Player.open(browser, relay);
  const { page } = player;
  const friend = await opponent();
  await challengeLobby(player, { days: '3' });
  const [invite] = await openInvites(friend);
  assert.equal(invite.time.text, '1/259200');
  const first = await friend.accept(invite.id);

  // It begins without opening.
  await page.getByText('has begun', { exact: false }).first().waitFor();
  assert.equal(new URL(page.url()).hash, '');
  await player.button('Later').click();
  assert.equal(await ownGames(player).count(), 1);
  for (const button of ['Play the computer', 'Create a link']) {
    await card(player).getByRole('radio', { name: 'By link' }).check();
    assert.equal(await player.button(button).isEnabled(), true, button);
  }
  const waiting = page.getByRole('navigation').getByRole('link', { name: /games? waits? for your move$/ });
  assert.equal(await waiting.getAttribute('title'), '1 game waits for your move');

  // An invite accepted here opens, also beside the other game.
  await friend.invite({ opponent: invite.author, time: '-', color: 'black' });
  await player.button('Accept').click();
  const second = await player.game();
  assert.notEqual(second, first.id);
  await waiting.waitFor(); // the other one
  await slowMove(player, 'e2e4');
  await page.getByRole('link', { name: 'Next game (1)' }).click();
  await page.waitForURL(url => url.hash.endsWith(first.id));
  await page.getByLabel('Open the next game by itself').check();
  const games = friend.games;
  await games.find(({ id }) => id === second).until(() => games.every(({ ply, id }) => ply === (id === second ? 1 : 0)));
  await games.find(({ id }) => id === second).move('e7e5');
  await page.getByRole('link', { name: 'Next game (1)' }).waitFor();
  await slowMove(player, 'd2d4');
  await page.waitForURL(url => url.hash.endsWith(second));
  await player.seen('1… e5');

  // A live game goes on beside them, and no slow game that begins takes the player away from it.
  await page.goto(`${relay.url}#/`);
  await challengeLobby(player, { days: '7' });
  const [third] = await openInvites(friend);
  await player.button('Play the computer').click();
  const live = await player.game();
  await player.turn();
  await friend.accept(third.id);
  await page.getByText('A slow game of yours has begun.').waitFor();
  assert.ok(page.url().endsWith(live));
  await player.click('a2a3');
  await player.seen(/^1… /);
  await player.button('Resign').click();
  await player.button('Resign the game').click();
  await player.result();

  // All of them are there after the relay was killed.
  await page.goto(`${relay.url}#/`);
  await ownGames(player).nth(2).waitFor();
  await relay.kill();
  await page.getByText('Reconnecting…').waitFor({ state: 'attached' });
  await relay.restart();
  await page.getByText('Connected', { exact: true }).waitFor({ state: 'attached' });
  assert.equal(await ownGames(player).count(), 3);
  await page.reload();
  await ownGames(player).nth(2).waitFor();
  await first.move('d7d5');
  await page.getByText('3 of 3 wait for you').waitFor();
  await waiting.click();
  await player.turn();

  for (const options of [{}, { colorScheme: 'dark', ...PHONE }]) {
    await page.setViewportSize(options.viewport ?? { width: 1366, height: 768 });
    await page.emulateMedia({ colorScheme: options.colorScheme ?? 'light' });
    for (const hash of ['#/', `#/game/${second}`]) {
      await page.goto(relay.url + hash);
      await waiting.waitFor();
      await player.assertAccessible();
      const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(content <= window, `${hash} is ${content} pixels wide in ${window}`);
    }
  }
  await player.close();
});

test('a game begins with any time and from any position, and a wrong position has a reason', async () => {
  const player = await Player.open(browser, relay);
  const { page } = player;
  const friend = await opponent();
  const time = card(player).getByLabel('Time');
  await time.selectOption('clock');
  await slide(card(player), 'Minutes a side', '7');
  await slide(card(player), 'Seconds a move', '12');
  await card(player).getByText('Rapid: 7 minutes and 12 seconds a move').waitFor();
  await card(player).getByText('Start from a position').click();
  const position = card(player).getByLabel('Position as FEN');
  await position.fill('4k3/8/8/8/8/8/8/4R1K1 w - - 0 1');
  await card(player).getByText('Black is in check, and it is not their turn.').waitFor();
  assert.equal(await card(player).getByRole('button', { name: 'Create a link' }).isDisabled(), true);
  await player.assertAccessible();
  await position.fill(ROOK_ENDING);
  await card(player).getByText('White moves first.').waitFor();
  await card(player).getByRole('radio', { name: 'The lobby' }).check();
  await card(player).getByRole('radio', { name: 'White' }).check();
  await player.button('Post the challenge').click();
  const [invite] = await openInvites(friend);
  assert.deepEqual([invite.time.text, invite.fen], ['420+12', ROOK_ENDING]);
  await friend.accept(invite.id);
  await player.game();
  await player.turn();
  await player.click('e1g1');
  await player.seen('1. O-O');
  await player.button('Resign').click();
  await player.button('Resign the game').click();
  await player.result();

  // From a finished game, its position is the first one of another game.
  await player.button('Share this game').click();
  await page.getByRole('link', { name: 'Play from this position' }).click();
  const computer = player.card('Play the computer');
  const fen = await computer.getByLabel('Position as FEN').inputValue();
  assert.match(fen, /^4k3\/8\/8\/8\/8\/8\/4P3\/5RK1 b - - 1 1$/);
  await computer.getByRole('radio', { name: 'White' }).check();
  await player.button('Play the computer').click();
  await page.waitForURL(/#\/game\//);
  await player.seen(/^1… /);
  await player.close();
});

test('who opens an invitation whose author is gone is told so, until the author is back', async () => {
  const author = await Player.open(browser, relay);
  const link = await author.inviteByLink();
  const friend = await Player.open(browser, relay, { path: link.slice(link.indexOf('#')) });
  const gone = friend.page.getByText('Your friend is not here at the moment,');
  await friend.button('Accept and play').waitFor();
  await author.page.goto('about:blank');
  await gone.waitFor();
  await friend.assertAccessible();
  await author.page.goto(relay.url);
  await gone.waitFor({ state: 'detached' });
  await friend.button('Accept and play').click();
  assert.equal(await friend.game(), await author.game());
  await friend.close();
  await author.close();
});
