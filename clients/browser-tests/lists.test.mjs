// Lists of games: finished ones in pages, running ones to watch; and the addresses whose preview others show.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { GambitClient, guestSigner } from 'gambit-client';
import WebSocket from 'ws';
import { Player } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

const PAGE = 12;

startRelayAndBrowser();

const clients = [];
after(() => clients.forEach(client => client.close()));

/** A player without a browser. */
async function client(signer = guestSigner()) {
  const it = new GambitClient(relay.socket, { signer, webSocket: WebSocket });
  clients.push(it);
  await it.connect();
  return it;
}

/** Begins a game; returns the sides of both players. */
async function begin(white, black, moves = []) {
  const invite = await white.invite({ opponent: black.pubkey, time: '300', color: 'white', expiresIn: 600 });
  const other = await black.accept(invite.id);
  const game = await invite.game;
  for (const [ply, move] of moves.entries()) {
    const [mover, waiting] = ply % 2 === 0 ? [game, other] : [other, game];
    await mover.move(move);
    await waiting.until(() => waiting.moves.length > ply);
  }
  return { white: game, black: other };
}

async function end(game, how) {
  if (how === 'draw') {
    await game.white.offerDraw();
    await game.black.until(() => game.black.proposal);
    await game.black.accept();
  } else {
    await game[how].resign();
  }
  await Promise.all([game.white, game.black].map(side => side.until(() => side.result)));
}

const rows = player => player.card('Finished games').getByRole('listitem');
const links = player => rows(player).locator('.record-link');
const idsOf = player => links(player).evaluateAll(all => all.map(link => link.hash.slice(-64)));
const first = async player => (await idsOf(player))[0];

test('finished games are boards in pages, with the own result; a click on a row opens the game, and one returns to it', async () => {
  const signer = guestSigner();
  const [own, other] = [await client(signer), await client()];
  for (let i = 0; i < 2 * PAGE + 3; i++) {
    const [white, black] = i % 2 === 0 ? [own, other] : [other, own];
    await end(await begin(white, black, ['e2e4', 'e7e5']), ['white', 'black', 'draw'][i % 3]);
  }
  const records = await own.records({ limit: 100 });
  // On a quick machine, some of them ended within the same second.
  const ids = records.map(({ gameId }) => gameId);
  own.close();

  const player = await Player.open(browser, relay, { init: `localStorage.setItem('gambit.key', '${signer.nsec}')` });
  const { page } = player;
  await rows(player).first().waitFor();
  assert.deepEqual(await idsOf(player), ids.slice(0, PAGE));
  const colours = new Set();
  for (const [i, { white, result }] of records.slice(0, PAGE).entries()) {
    await rows(player).nth(i).scrollIntoViewIfNeeded();
    const isWhite = white === signer.pubkey;
    const word = result === '1/2-1/2' ? 'Drawn' : (result === '1-0') === isWhite ? 'Won' : 'Lost';
    const badge = rows(player).nth(i).getByText(word, { exact: true });
    colours.add(word + (await badge.evaluate(it => getComputedStyle(it).backgroundColor)));
    const king = rows(player).nth(i).locator('use[href$="#wk"]');
    assert.equal(await king.getAttribute('y'), isWhite ? '280' : '0');
    assert.equal(await rows(player).nth(i).locator('.mark-last').count(), 2);
  }
  assert.equal(colours.size, 3, [...colours].join());
  await player.assertAccessibleInBothSchemes();

  await player.button('Older games').click();
  await page.waitForFunction(id => document.querySelector('.record-link').hash.endsWith(id), ids[PAGE]);
  assert.deepEqual(await idsOf(player), ids.slice(PAGE, 2 * PAGE));
  const row = rows(player).nth(5);
  await row.scrollIntoViewIfNeeded();
  const facts = await row.locator('.record-facts').boundingBox();
  await page.mouse.click(facts.x + facts.width / 2, facts.y + facts.height / 2);
  await page.waitForURL(`**/#/game/${ids[PAGE + 5]}`);
  await page.goBack();
  await page.waitForFunction(id => document.activeElement.hash?.endsWith(id), ids[PAGE + 5]);
  assert.deepEqual(await idsOf(player), ids.slice(PAGE, 2 * PAGE));
  await player.button('Older games').click();
  await page.waitForFunction(id => document.querySelector('.record-link').hash.endsWith(id), ids[2 * PAGE]);
  assert.deepEqual(await idsOf(player), ids.slice(2 * PAGE));
  assert.equal(await player.button('Older games').count(), 0);
  await player.button('Newer games').click();
  await page.waitForFunction(id => document.querySelector('.record-link').hash.endsWith(id), ids[PAGE]);
  await page.goBack();
  await page.waitForFunction(id => document.querySelector('.record-link').hash.endsWith(id), ids[0]);

  await rows(player).first().locator(`a[href^="#/player/"]`).last().click();
  await page.waitForURL('**/#/player/*');
  await rows(player).first().waitFor();
  assert.equal(await first(player), ids[0]);
  await player.assertAccessibleInBothSchemes();
  await player.close();
});

test('the liveliest games come first, move, and keep their places until one ends', async () => {
  const players = await Promise.all(Array.from({ length: 6 }, () => client()));
  const games = [];
  for (let i = 0; i < 6; i += 2) games.push(await begin(players[i], players[i + 1], ['d2d4', 'd7d5']));
  const [quiet, watched, third] = games;
  const [spectator] = [await client()];
  await spectator.follow(watched.white.id).ready;
  const lobby = spectator.lobby();
  while (!lobby.games.some(({ watching }) => watching > 0)) await new Promise(resolve => lobby.on('change', resolve));

  const visitor = await Player.open(browser, relay);
  const { page } = visitor;
  await visitor.card(/^Running games/).getByRole('link', { name: 'Watch the liveliest games' }).click();
  const cards = page.locator('main .game-card');
  await cards.nth(2).waitFor();
  const order = () => cards.evaluateAll(all => all.map(card => card.hash.slice(-64)));
  const before = await order();
  assert.equal(before[0], watched.white.id);
  assert.deepEqual(new Set(before), new Set(games.map(({ white }) => white.id)));
  const sizes = await cards.evaluateAll(all => all.map(card => card.getBoundingClientRect().width));
  assert.ok(sizes[0] > 1.5 * sizes[1], 'the first board is not large');
  await visitor.assertAccessibleInBothSchemes();

  const board = page.locator(`.game-card[href$="${quiet.white.id}"]`);
  await quiet.white.move('c2c4');
  await board.getByText('Move 2, c4').waitFor();
  await board.locator('use[href$="#wp"][x="80"][y="160"]').waitFor({ state: 'attached' });
  for (const one of [await client(), await client()]) await one.follow(quiet.white.id).ready;
  await board.getByText('2 watching').waitFor();
  assert.deepEqual(await order(), before);

  await watched.black.resign();
  await page.waitForFunction(id => !document.querySelector(`.game-card[href$="${id}"]`), watched.white.id);
  assert.deepEqual(await order(), [quiet.white.id, third.white.id]);
  await cards.first().click();
  await page.waitForURL(`**/#/game/${quiet.white.id}`);
  await visitor.close();
  await end(quiet, 'white');
  await end(third, 'white');
});

test('the address with a preview leads to the game, and the preview has its picture', async () => {
  const game = await begin(await client(), await client(), ['e2e4', 'e7e5']);
  const address = `${relay.url}game/${game.white.id}`;
  const preview = await (await fetch(address)).text();
  assert.match(preview, /<meta property="og:title" content="[^"]+ – [^"]+, in progress">/);
  assert.match(preview, new RegExp(`<meta property="og:image" content="[^"]+/game/${game.white.id}.png\\?2">`));
  const picture = await fetch(`${address}.png`);
  assert.equal(picture.headers.get('content-type'), 'image/png');
  await end(game, 'black');
  assert.match(await (await fetch(address)).text(), /, 1-0, resignation">/);

  const visitor = await Player.open(browser, relay, { path: `game/${game.white.id}` });
  assert.equal(await visitor.game(), game.white.id);
  await visitor.page.getByText('White won').first().waitFor();
  await visitor.close();
});
