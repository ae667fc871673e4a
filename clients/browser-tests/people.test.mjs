// Players as people: names of guests, keys that are kept, encrypted and brought to another device, search, friends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import jsQR from 'jsqr';
import { finalizeEvent, generateSecretKey, getPublicKey, nip19 } from 'nostr-tools';
import * as nip49 from 'nostr-tools/nip49';
import { pair, play, Player } from './player.mjs';
import { Relay } from './relay.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';
import { Visitor } from './visitor.mjs';

const GUEST_NAME = /^[A-Z][a-z]+ [A-Z][a-z]+ [1-9]\d\d$/;
const PASSPHRASE = 'correct horse battery';
/** The cost of a key that opens quickly, as the base-2 logarithm; the page's own keys take the better part of a second. */
const LEAST_WORK = 1;

startRelayAndBrowser({}, { optimizes: true }); // otherwise, keys are encrypted for minutes

/** The name in the header. */
const ownName = ({ page }) => page.locator('.header-me-name').textContent();

/** The npub of the user's settings. */
const ownNpub = ({ page }) => page.locator('.me-npub').textContent();

/** What the browser stores for the page, as one text. */
const stored = ({ page }) => page.evaluate(() => JSON.stringify(localStorage));

/** Enters a passphrase where the page asks for it. */
async function open({ page }, passphrase) {
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await page.getByRole('button', { name: 'Open the key' }).click();
}

/** The text of a QR code as a scanner reads it from the screen. */
async function scan({ page }, code) {
  const png = (await code.screenshot()).toString('base64');
  const { width, height, pixels } = await page.evaluate(async data => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    return { width: image.width, height: image.height, pixels: [...canvas.getImageData(0, 0, image.width, image.height).data] };
  }, png);
  return jsQR(Uint8ClampedArray.from(pixels), width, height)?.data;
}

async function lobby(player) {
  await player.page.goto(`${relay.url}#/`);
  await player.card('Open challenges').waitFor();
}

/** Opens the page of players and types into its search. */
async function search(player, text) {
  await player.page.getByRole('link', { name: 'Players', exact: true }).click();
  await player.page.getByLabel('Name or npub').fill(text);
}

const found = player => player.page.getByRole('region', { name: 'Players that were found' });
const friends = player => player.page.getByRole('region', { name: 'Friends' });

test('a guest has a readable name, which the opponent sees in italics with the npub, and nobody can choose unmarked', async () => {
  const game = await pair(browser, relay);
  const name = await ownName(game.white);
  assert.match(name, GUEST_NAME);
  const seen = game.black.page.getByRole('region', { name: 'White', exact: true }).locator('.player-name-guest');
  assert.equal(await seen.textContent(), name);
  assert.match(await seen.getAttribute('title'), /^npub1.{58}$/);
  assert.equal(await seen.evaluate(it => getComputedStyle(it).fontStyle), 'italic');
  await game.black.goTo('me');
  await game.black.page.getByLabel('Name', { exact: true }).fill(name);
  await game.black.button('Save name').click();
  await game.black.page.getByText(`You are now called ${name}.`).waitFor();
  const other = await Player.open(browser, relay, { path: `#/player/${await ownNpub(game.black)}` });
  await other.page.getByRole('heading', { name: `${name} (look-alike)` }).waitFor();
  for (const player of [game.white, game.black, other]) await player.close();
});

test('a guest is reminded to keep the key after the third game, and can put that off', async () => {
  const player = await Player.open(browser, relay);
  const reminder = player.page.getByText('Keep your key', { exact: true });
  for (const games of [1, 2, 3]) {
    await lobby(player);
    await player.playTheComputer(1);
    await player.turn();
    await player.type('e4');
    await player.seen(/^1… /);
    await player.button('Resign').click();
    await player.button('Resign the game').click();
    await player.result();
    assert.equal(await reminder.count(), games === 3 ? 1 : 0);
  }
  await player.assertAccessibleInBothSchemes();
  await player.page.reload();
  await reminder.waitFor();
  await player.button('Not now').click();
  await reminder.waitFor({ state: 'detached' });
  await lobby(player);
  assert.equal(await reminder.count(), 0);
  await player.close();
});

test('with a passphrase the key is stored encrypted, and asked for at the start; a new guest leaves it where it is', async () => {
  const player = await Player.open(browser, relay, { path: '#/me' });
  const { page } = player;
  const npub = await ownNpub(player);
  await player.button('Show secret key').click();
  const nsec = await page.getByLabel('Secret key (nsec)').inputValue();
  assert.ok((await stored(player)).includes(nsec));
  await page.getByLabel('New passphrase').first().fill('short');
  await player.button('Encrypt the key').click();
  await page.getByText(/at least 8 characters/).waitFor();
  await page.getByLabel('New passphrase').first().fill(PASSPHRASE);
  await player.button('Encrypt the key').click();
  await page.getByText('The two passphrases differ.').waitFor();
  await player.assertAccessibleInBothSchemes();
  await page.getByLabel('The same once more').first().fill(PASSPHRASE);
  await player.button('Encrypt the key').click();
  await page.getByText('Your key is encrypted now.').waitFor();
  assert.ok(!(await stored(player)).includes(nsec));
  const { data: secret } = nip19.decode(nsec);
  await page.evaluate(it => localStorage.setItem('gambit.locked', it), nip49.encrypt(secret, PASSPHRASE, LEAST_WORK));

  await page.reload();
  await page.getByRole('heading', { name: 'Your key is encrypted' }).waitFor();
  await player.assertAccessibleInBothSchemes();
  await open(player, 'wrong horse');
  await page.getByText('The passphrase is wrong.').waitFor();
  await open(player, PASSPHRASE);
  await page.locator('.me-npub').getByText(npub).waitFor();

  await page.reload();
  await player.button('Play as a new guest').click();
  await page.locator('.me-npub').waitFor();
  assert.notEqual(await ownNpub(player), npub);
  await page.reload();
  await page.getByRole('link', { name: 'Play with that key' }).click();
  await page.getByRole('heading', { name: 'A key for this browser' }).waitFor();
  await open(player, PASSPHRASE);
  await player.button('Replace it').click();
  await page.locator('.me-npub').getByText(npub).waitFor();
  await player.button('Remove the passphrase').click();
  await page.getByText('Your key is no longer encrypted.').waitFor();
  await page.reload();
  await page.locator('.me-npub').getByText(npub).waitFor();
  assert.ok((await stored(player)).includes(nsec));

  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new Error('full');
    };
  });
  await page.getByLabel('New passphrase').first().fill(PASSPHRASE);
  await page.getByLabel('The same once more').first().fill(PASSPHRASE);
  await player.button('Encrypt the key').click();
  await page.getByText(/so the key cannot be kept encrypted\./).waitFor();
  await player.close();
});

test('the QR code’s link brings the key to another device, which asks before it gives up a key of its own', async () => {
  const player = await Player.open(browser, relay, { path: '#/me' });
  const npub = await ownNpub(player);
  await player.page.getByLabel('New passphrase').last().fill(PASSPHRASE);
  await player.page.getByLabel('The same once more').last().fill(PASSPHRASE);
  await player.button('Show the QR code').click();
  const code = player.page.getByRole('img', { name: 'QR code of a link with your encrypted key' });
  await code.waitFor();
  await player.assertAccessibleInBothSchemes(); // leaves it in the dark, where the code is as bright
  const link = await player.page.getByLabel('The same as a link').inputValue();
  assert.equal(await scan(player, code), link);
  assert.match(link, /#\/key\/ncryptsec1.{152}$/);
  assert.ok(!(await stored(player)).includes('ncryptsec'));

  const fresh = await Visitor.open(browser, relay, { path: new URL(link).hash });
  await fresh.page.getByRole('heading', { name: 'A key for this browser' }).waitFor();
  assert.equal(new URL(fresh.page.url()).hash, '#/key');
  assert.equal(await fresh.page.evaluate(() => history.length), 2); // with the browser's first, empty page
  await fresh.assertAccessibleInBothSchemes();
  await open(fresh, PASSPHRASE);
  await fresh.page.locator('.me-npub').getByText(npub).waitFor();
  await fresh.page.reload();
  await open(fresh, PASSPHRASE);
  await fresh.page.locator('.me-npub').getByText(npub).waitFor();

  const other = await Player.open(browser, relay);
  await other.page.goto(link.replace(/.$/, last => (last === 'q' ? 'p' : 'q')));
  await open(other, PASSPHRASE);
  await other.page.getByText(/^The encrypted key is damaged/).waitFor();
  await other.page.reload();
  await other.page.getByText(/^The address has no key any more/).waitFor();
  const secret = generateSecretKey();
  const received = nip19.npubEncode(getPublicKey(secret));
  const another = `${relay.url}#/key/${nip49.encrypt(secret, PASSPHRASE, LEAST_WORK)}`;
  await other.page.goto(another);
  await open(other, PASSPHRASE);
  await other.button('Keep my key').click();
  await other.page.goto(`${relay.url}#/me`);
  assert.notEqual(await ownNpub(other), received);
  await other.page.goto(another);
  await open(other, PASSPHRASE);
  await other.button('Replace it').click();
  await other.page.locator('.me-npub').getByText(received).waitFor();
  for (const visitor of [player, fresh, other]) await visitor.close();
});

test('players are found by npub, and by name among those who are known here', async () => {
  const author = await Player.open(browser, relay, { path: '#/me' });
  await author.page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await author.button('Save name').click();
  await author.page.getByText('You are now called Ada Lovelace.').waitFor();
  const npub = await ownNpub(author);
  const seeker = await Player.open(browser, relay);
  await search(seeker, npub);
  await found(seeker).getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  await seeker.assertAccessibleInBothSchemes();
  await search(seeker, 'lovel');
  await found(seeker).getByText(/^Nobody with this name/).waitFor();
  await lobby(author);
  const card = author.card('Play a friend');
  await card.getByRole('radio', { name: 'The lobby' }).check();
  await card.getByRole('button', { name: 'Post the challenge' }).click();
  await found(seeker).getByRole('link', { name: 'Ada Lovelace' }).click();
  await seeker.page.waitForURL(`**/#/player/${npub}`);
  for (const player of [author, seeker]) await player.close();
});

test('where the relay searches (NIP-50), every name that was published is found, and look-alikes are marked', async () => {
  const searching = await Relay.start({ 'nips.50': true });
  try {
    const author = await Player.open(browser, searching, { path: '#/me' });
    for (const name of ['Grace Hopper', 'Computer']) {
      await author.page.getByLabel('Name', { exact: true }).fill(name);
      await author.button('Save name').click();
      await author.page.getByText(`You are now called ${name}.`).waitFor();
      const seeker = await Player.open(browser, searching);
      await search(seeker, name.split(' ').at(-1));
      await found(seeker).getByRole('link', { name }).first().waitFor();
      if (name === 'Computer') await found(seeker).getByText('look-alike').waitFor();
      await search(seeker, 'xyzzy');
      await found(seeker).getByText(/^Nobody with this name was found/).waitFor();
      await seeker.close();
    }
    await author.close();
  } finally {
    await searching.close();
  }
});

test('a friend is seen online, challenged with one click, and watched by others', async () => {
  const [friend, player, watcher] = [await Player.open(browser, relay, { path: '#/me' }), await Player.open(browser, relay), await Player.open(browser, relay)];
  const npub = await ownNpub(friend);
  const name = await ownName(friend);
  await lobby(friend);
  assert.equal(await friends(player).count(), 0);
  for (const one of [player, watcher]) {
    await search(one, npub);
    await found(one).getByRole('link').click();
    await one.button('Add to friends').click();
    await one.page.getByText(`${name} is among your friends now.`).waitFor();
    await one.button('Remove from friends').waitFor();
    await one.assertAccessibleInBothSchemes();
  }
  await lobby(player);
  await friends(player).getByText('online').waitFor();
  await player.assertAccessibleInBothSchemes();
  await friends(player).getByRole('button', { name: /^Challenge/ }).click();
  await friends(player).getByRole('button', { name: /^Withdraw/ }).waitFor();
  await friend.page.getByRole('complementary', { name: 'Messages' }).getByRole('button', { name: 'Accept' }).click();
  const id = await player.game();
  assert.equal(await friend.game(), id);
  await watcher.page.goto(`${relay.url}#/players`);
  await friends(watcher).getByText('playing').waitFor();
  await watcher.assertAccessibleInBothSchemes();
  await friends(watcher).getByRole('link', { name: `Watch ${name}` }).click();
  assert.equal(await watcher.game(), id);
  const isWhite = await player.page.locator('.board[data-orientation="white"]').count();
  await play(isWhite ? { white: player, black: friend } : { white: friend, black: player }, ['e2e4', 'e7e5']);
  await friend.close();
  await watcher.page.goto(`${relay.url}#/players`);
  await watcher.page.getByRole('link', { name, exact: true }).click(); // not the one to watch
  await watcher.button('Remove from friends').click();
  await watcher.button('Add to friends').waitFor();
  await lobby(watcher);
  assert.equal(await friends(watcher).count(), 0);
  for (const one of [player, watcher]) await one.close();
});

test('who signs elsewhere and has no list here is asked before one is begun; a list keeps what others wrote into it', async () => {
  const secret = generateSecretKey();
  const sign = template => finalizeEvent(template, secret);
  const context = await browser.newContext();
  await context.exposeFunction('signWithExtension', sign);
  await context.addInitScript(pubkey => {
    globalThis.nostr = { getPublicKey: async () => pubkey, signEvent: template => globalThis.signWithExtension(template) };
  }, getPublicKey(secret));
  const page = await context.newPage();
  await page.goto(`${relay.url}#/me`);
  await page.getByRole('button', { name: 'Sign in with the browser’s extension' }).click();
  await page.getByText('You are signed in.').waitFor();
  const [one, other] = [generateSecretKey(), generateSecretKey()].map(getPublicKey);
  const button = name => page.getByRole('button', { name, exact: true });
  await page.goto(`${relay.url}#/player/${nip19.npubEncode(one)}`);
  await button('Add to friends').click();
  await page.getByRole('heading', { name: 'Begin a new list of friends?' }).waitFor();
  await button('Change nothing').click();

  const list = { kind: 3, created_at: Math.floor(Date.now() / 1000), content: '{"a":1}', tags: [['p', other, 'wss://a.example', 'Ada'], ['x', 'y']] };
  const published = await page.evaluate(event => new Promise(resolve => {
    const socket = new WebSocket(location.origin.replace(/^http/, 'ws'));
    socket.onopen = () => socket.send(JSON.stringify(['EVENT', event]));
    socket.onmessage = ({ data }) => JSON.parse(data)[0] === 'OK' && resolve(JSON.parse(data)[2]);
  }), sign(list));
  assert.equal(published, true);
  await button('Add to friends').click();
  await button('Remove from friends').waitFor();
  const newest = await page.evaluate(author => new Promise(resolve => {
    const socket = new WebSocket(location.origin.replace(/^http/, 'ws'));
    socket.onopen = () => socket.send(JSON.stringify(['REQ', 'list', { kinds: [3], authors: [author] }]));
    socket.onmessage = ({ data }) => JSON.parse(data)[0] === 'EVENT' && resolve(JSON.parse(data)[2]);
  }), getPublicKey(secret));
  assert.equal(newest.content, list.content);
  assert.deepEqual(newest.tags, [...list.tags, ['p', one]]);
  await context.close();
});
