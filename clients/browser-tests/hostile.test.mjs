// Names and comments of strangers are text, whatever they contain.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { GambitClient, guestSigner } from 'gambit-client';
import WebSocket from 'ws';
import { pair, play, Player } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

const MARKUP = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
const RIGHT_TO_LEFT = '\u202e\u2067gnp.exe\u2066';
const LONG = 'W'.repeat(20_000);
const STACKED = 'z' + '\u0335\u0360'.repeat(2_000);

const strangers = [];
after(() => strangers.forEach(client => client.close()));
startRelayAndBrowser();

/** A stranger with a name and a picture of a third party. */
async function stranger(name) {
  const client = new GambitClient(relay.socket, { signer: guestSigner(), webSocket: WebSocket });
  strangers.push(client);
  await client.connect();
  await client.publish({
    kind: 0,
    content: JSON.stringify({ name, about: name, picture: 'https://tracker.example/pixel.png' }),
    tags: [],
    created_at: Math.floor(Date.now() / 1000),
  });
  return client;
}

/** Whether the page is wider than its window, as an overlong word would make it. */
async function overflows(page) {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}

test('hostile names and comments change nothing but their own text', async () => {
  const names = [MARKUP, RIGHT_TO_LEFT, LONG, STACKED, '', 'javascript:alert(1)'];
  await Promise.all(names.map(stranger));
  for (const client of strangers) {
    await client.invite({ time: '300+3', expiresIn: 900 });
  }
  const game = await pair(browser, relay, { white: { viewport: { width: 360, height: 740 } } });
  await play(game, ['e2e4', 'e7e5']);
  const spectator = await Player.open(browser, relay, { path: `#/game/${game.id}` });
  for (const [i, client] of strangers.entries()) {
    const followed = client.follow(game.id);
    await followed.ready;
    await followed.comment(names[i] || 'nothing');
    followed.close();
  }
  await spectator.comments().getByText('<img src=x').first().waitFor();
  await spectator.comments().getByText('javascript:alert(1)').last().waitFor();
  assert.equal(await overflows(spectator.page), false);

  const lobby = await Player.open(browser, relay, { viewport: { width: 360, height: 740 } });
  const challenges = lobby.page.getByRole('region', { name: 'Open challenges' });
  await challenges.getByText('<img src=x').first().waitFor();
  assert.equal(await overflows(lobby.page), false);
  for (const { page } of [spectator, lobby]) {
    assert.doesNotMatch(await page.title(), /owned/);
    assert.equal(await page.locator('img[src*="tracker"], img[src="x"]').count(), 0);
  }

  await game.black.button('Resign').click();
  await game.black.button('Resign the game').click();
  await game.white.result();
  await game.white.comments().getByText('<img src=x').first().waitFor();
  assert.equal(await overflows(game.white.page), false);
  for (const visitor of [spectator, lobby, game.white, game.black]) {
    await visitor.close(); // fails if a script ran, the policy was violated, or a picture was fetched
  }
});

test('a player does not see comments while the game runs', async () => {
  const game = await pair(browser, relay);
  await play(game, ['e2e4', 'e7e5']);
  const spectator = await Player.open(browser, relay, { path: `#/game/${game.id}` });
  await spectator.page.getByLabel('Your comment').fill('Play Qh5!');
  await spectator.button('Send').click();
  await spectator.comments().getByText('Play Qh5!').waitFor();
  assert.equal(await game.white.page.getByText('Play Qh5!').count(), 0);
  await game.black.button('Resign').click();
  await game.black.button('Resign the game').click();
  await game.white.comments().getByText('Play Qh5!').waitFor();
  await Promise.all([game.white, game.black, spectator].map(visitor => visitor.close()));
});
