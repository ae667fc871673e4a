// The page as a whole: accessibility, small screens, colours, keys, and what a browser can install.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finalizeEvent, generateSecretKey, getPublicKey, nip19 } from 'nostr-tools';
import { pair, play, Player } from './player.mjs';
import { Relay } from './relay.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';
import { visit } from './views.mjs';
import { Visitor } from './visitor.mjs';

const PHONE = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true };

startRelayAndBrowser();

/** Counts how far things have moved on the page without a press, as browsers score it. */
async function watchLayout(context) {
  await context.addInitScript(() => {
    globalThis.layoutShift = 0;
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) {
        globalThis.layoutShift += entry.hadRecentInput ? 0 : entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

test('no page has a serious fault for axe-core or is too wide on a phone', async () => {
  const game = await pair(browser, relay, { white: PHONE });
  const { page } = game.white;
  const check = async (hasColours = true) => {
    await (hasColours ? game.white.assertAccessible() : game.white.assertAccessibleButColours());
    const [content, window] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    assert.ok(content <= window, `${page.url()} is ${content} pixels wide in ${window}`);
  };
  await play(game, ['e2e4', 'e7e5']);
  await check();
  await game.white.button('Resign').click();
  await check();
  await game.white.button('Resign the game').click();
  await game.white.result();
  await game.white.button('Verify this game').click();
  await page.getByText('✓ Everything holds.').waitFor();
  await check();
  const inviter = await Player.open(browser, relay);
  const { hash: challenge } = new URL(await inviter.inviteByLink());
  const over = `#/challenge/${'0'.repeat(64)}`;
  for (const hash of [challenge, over, '#/', '#/watch', '#/me', '#/help', `#/player/${nip19.npubEncode(getPublicKey(generateSecretKey()))}`]) {
    await visit(game.white, hash);
    await check(false); // the colours of all views are checked with the languages
  }
  await inviter.close();
  await game.white.close();
  await game.black.close();
});

test('nothing moves while the page loads, nor while a game is played', async () => {
  for (const options of [{}, PHONE]) {
    const player = await Player.open(browser, relay, { ...options, reducedMotion: 'no-preference' });
    const { page } = player;
    const assertStill = async when => {
      const shift = await page.evaluate(() => globalThis.layoutShift);
      assert.ok(shift < 0.1, `the layout has shifted by ${shift} ${when}`); // "good" for browsers
    };
    await watchLayout(player.context);
    await page.reload();
    await page.getByText('Connected', { exact: true }).waitFor({ state: 'attached' });
    await page.getByRole('region', { name: 'Finished games' }).waitFor();
    await assertStill('while the page loaded');
    await player.button('Play the computer').click();
    await player.game();
    for (const [move, answer] of [['a2a3', /^1… /], ['h2h3', /^2… /], ['c2c3', /^3… /]]) {
      await player.turn();
      await player.click(move);
      await player.seen(answer);
    }
    await assertStill('while a game was played');
    await player.close();
  }
});

test('a game is played with the keyboard alone', async () => {
  const player = await Player.open(browser, relay);
  const start = player.button('Play the computer');
  await start.focus();
  await player.page.keyboard.press('Enter');
  await player.game();
  await player.turn();
  await player.page.getByLabel('Type a move').focus();
  await player.page.keyboard.type('Nf3\n');
  await player.page.getByRole('log').or(player.page.locator('[aria-live]')).getByText(/^Black/).waitFor({ state: 'attached' });
  await player.turn();
  await player.page.getByLabel('Type a move').focus();
  await player.page.keyboard.type('Ke5\n');
  await player.page.getByText(/not possible|not legal|illegal|no legal/i).first().waitFor();
  await player.close();
});

test('the key stays in the browser, can be shown, and another one taken in its place', async () => {
  const player = await Player.open(browser, relay, { path: '#/me' });
  const { page } = player;
  await player.button('Show secret key').click();
  const nsec = await page.getByLabel('Secret key (nsec)').inputValue();
  const own = nip19.npubEncode(getPublicKey(nip19.decode(nsec).data));
  await page.reload();
  await page.getByText(own).first().waitFor();

  const other = generateSecretKey();
  await page.getByLabel('Play with a key that you have already').fill(nip19.nsecEncode(other));
  await player.button('Use this key').click();
  await player.button('Replace it').click();
  await page.getByText(nip19.npubEncode(getPublicKey(other))).first().waitFor();
  await page.reload();
  await page.getByText(nip19.npubEncode(getPublicKey(other))).first().waitFor();
  await player.close();
});

test('a browser extension signs (NIP-07)', async () => {
  const secret = generateSecretKey();
  const context = await browser.newContext();
  await context.exposeFunction('signWithExtension', template => finalizeEvent(template, secret));
  await context.addInitScript(pubkey => {
    globalThis.nostr = {
      getPublicKey: async () => pubkey,
      signEvent: template => globalThis.signWithExtension(template),
    };
  }, getPublicKey(secret));
  const page = await context.newPage();
  await page.goto(`${relay.url}#/me`);
  await page.getByRole('button', { name: /extension/i }).click();
  await page.getByText(nip19.npubEncode(getPublicKey(secret))).first().waitFor();
  await page.goto(`${relay.url}#/`);
  await page.getByRole('button', { name: 'Play the computer', exact: true }).click();
  await page.waitForURL(/#\/game\//);
  await page.getByText(/^Your turn/).waitFor();
  await context.close();
});

test('an extension that does not answer is named, and the visitor plays as a guest instead', async () => {
  const { page, ...visitor } = await Visitor.open(browser, relay);
  await page.evaluate(() => localStorage.setItem('gambit.method', 'extension'));
  await visitor.context.addInitScript(() => {
    globalThis.nostr = { getPublicKey: () => new Promise(() => undefined) };
  });
  await page.reload();
  await page.getByRole('heading', { name: 'Your signer does not answer yet' }).waitFor();
  await page.getByRole('button', { name: 'Play as a guest instead' }).click();
  await page.getByText('Connected', { exact: true }).waitFor({ state: 'attached' });
  await visitor.context.close();
});

test('a chosen name is shown to others', async () => {
  const player = await Player.open(browser, relay, { path: '#/me' });
  await player.page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await player.button('Save name').click();
  await player.page.goto(`${relay.url}#/`);
  const card = player.card('Play a friend');
  await card.getByRole('radio', { name: 'The lobby' }).check();
  await card.getByRole('button', { name: 'Post the challenge' }).click();
  const other = await Player.open(browser, relay);
  await other.page.getByRole('region', { name: 'Open challenges' }).getByText('Ada Lovelace').waitFor();
  await player.close();
  await other.close();
});

test('the page can be installed, and a page of another host plays on this relay', async () => {
  const { page, ...player } = await Player.open(browser, relay);
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Chromium installs nothing from a window of the kind that tests use.
  assert.deepEqual(
    installabilityErrors.map(it => it.errorId).filter(it => it !== 'in-incognito'),
    [],
  );
  const other = await Relay.start();
  const sockets = [];
  page.on('websocket', socket => sockets.push(socket.url()));
  await page.goto(`${other.url}?relay=${encodeURIComponent(relay.socket)}#/`);
  const host = new URL(relay.url).host;
  await page.getByRole('heading', { name: 'Play at another relay?' }).waitFor();
  await Visitor.prototype.assertAccessible.call({ page });
  await page.getByRole('button', { name: 'Stay at' }).click();
  await page.getByText('Connected', { exact: true }).waitFor({ state: 'attached' });
  assert.equal(sockets.some(url => url.includes(host)), false, 'nothing is sent before the user agrees');
  assert.equal(await page.getByText('You play at').count(), 0);
  await page.goBack();
  await page.getByRole('button', { name: `Play at ${host}` }).click();
  const name = page.getByText(`You play at ${host}, not at ${new URL(other.url).host}.`);
  await name.waitFor();
  await page.getByText('Connected', { exact: true }).waitFor({ state: 'attached' });
  await page.reload();
  await page.getByRole('button', { name: 'Play the computer', exact: true }).click();
  await page.waitForURL(/#\/game\//);
  await page.getByText(/^Your turn/).waitFor();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const { y } = await name.boundingBox();
  assert.ok(y >= 0, 'the name is shown wherever the page is scrolled to');
  await player.context.close();
  await other.close();
});
