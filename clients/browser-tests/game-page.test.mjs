// The page of a game: what it says and offers, its layout, its sounds, and what it costs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pair, play, Player } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const LAPTOP = { viewport: { width: 1024, height: 600 } };

startRelayAndBrowser();

function assertNotLive(button) {
  return button.and(button.page().locator('[aria-disabled="true"]')).waitFor();
}

/** The width of the board. */
async function boardOf({ page }) {
  return (await page.locator('.game-board').boundingBox()).width;
}

/** The highest contrast of a pixel of an element with the page below it. */
async function contrastOf(locator) {
  const image = (await locator.screenshot()).toString('base64');
  return locator.page().evaluate(async base64 => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${base64}`;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d');
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    const luminance = i => {
      const [r, g, b] = [0, 1, 2].map(j => {
        const value = data[i + j] / 255;
        return value <= 0.04 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const below = luminance(data.length - 4);
    let best = 1;
    for (let i = 0; i < data.length; i += 4) {
      const [low, high] = [luminance(i), below].sort((a, b) => a - b);
      best = Math.max(best, (high + 0.05) / (low + 0.05));
    }
    return best;
  }, image);
}

test('a player is told what is not allowed yet, what was declined, what waits, and who wins when', async () => {
  const game = await pair(browser, relay, { white: { colorScheme: 'dark' } });
  const { white, black } = game;
  const offer = white.button(/draw/i);
  await white.turn();
  await assertNotLive(offer);
  assert.equal(await white.button('Resign').count(), 0);
  await white.button('Abort').click();
  await white.button('Keep playing').click();

  await black.goTo('help');
  await play(game, ['d2d4']);
  await black.page.waitForFunction(() => document.title === 'Your turn · Help · Gambit');
  await black.page.goBack();
  await black.turn();
  await play({ white: black, black: white }, ['e7e5', 'd4e5', 'd7d6', 'e5d6', 'f8d6', 'b1c3']);

  await offer.click();
  await black.button('Decline').click();
  await white.page.getByText('Draw declined.', { exact: true }).first().waitFor();
  await assertNotLive(offer);
  assert.equal(await offer.innerText().then(text => text.replace(/\s+/g, ' ')), 'Offer draw again in 10 moves');
  await white.page.reload();
  await white.button(/again in 10 moves/).waitFor();
  await white.button('Take back').click();
  await black.button('Decline').click();
  await white.page.getByText('Takeback declined.', { exact: true }).first().waitFor();
  await assertNotLive(white.button(/^Take back/));
  for (const side of ['White', 'Black']) {
    const captured = white.card(side).locator('.captured-pieces');
    assert.ok((await contrastOf(captured)) > 3, `what ${side} has captured is seen in the dark`);
  }

  await black.click('c8g4'); // the move ends what was said
  await white.turn();
  await white.context.setOffline(true);
  await white.page.getByText('Not connected. Trying again…').waitFor({ timeout: 10_000 });
  await white.click('d1d6');
  await white.page.getByText('Your move d1d6 is sent as soon as the relay is reached.', { exact: false }).waitFor();
  await white.context.setOffline(false);
  await black.seen('5. Qxd6');
  await black.close();
  await white.card('Black').getByText(/^You win in [1-6]?\d s$/).waitFor();
  await white.button('Resign').click();
  await white.button('Resign the game').click();
  await white.result();
  await white.close();
});

test('nothing moves in a game, and the board is as large as the window allows', async () => {
  const game = await pair(browser, relay, { white: LAPTOP, black: PHONE });
  const { white, black } = game;
  const watcher = await Player.open(browser, relay, { viewport: { width: 1366, height: 768 }, path: `#/game/${game.id}` });
  const visitors = { white, black, watcher };
  await watcher.piece('e2').waitFor({ state: 'attached' });
  await watcher.page.getByText('1 spectator').waitFor();
  for (const { page } of Object.values(visitors)) {
    await page.evaluate(() => {
      globalThis.shifts = [];
      // Also those after a press, which browsers do not count.
      new PerformanceObserver(list => {
        for (const { value, sources } of list.getEntries()) {
          const moved = sources.map(({ node, previousRect: from, currentRect: to }) =>
            `${node?.outerHTML?.slice(0, 80) ?? node?.textContent} from ${from.x},${from.y} to ${to.x},${to.y}`);
          // Without a source it was the piece in hand, which is gone.
          if (moved.length > 0) globalThis.shifts.push(`${value}: ${moved.join(', ')}`);
        }
      }).observe({ type: 'layout-shift' });
    });
  }
  assert.ok((await boardOf(white)) >= 480, 'on a small laptop');
  assert.equal(await boardOf(black), 360, 'on a phone');
  assert.ok((await boardOf(watcher)) >= 700, 'on a laptop');
  for (const { page } of Object.values(visitors)) {
    const { width } = await page.locator('.header').boundingBox();
    assert.equal(width, page.viewportSize().width);
  }

  await play(game, ['e2e4', 'd7d5', 'e4d5', 'd8d5', 'b1c3']);
  await black.seen('3. Nc3');
  await black.button(/draw/i).click();
  await white.button('Decline').click();
  await black.page.getByText('Draw declined.', { exact: true }).first().waitFor();
  await watcher.page.getByLabel('Your comment').fill('Well played');
  await watcher.button('Send').click();
  await watcher.comments().getByText('Well played').waitFor();
  await white.context.setOffline(true);
  await white.page.getByText('Not connected.', { exact: false }).waitFor();
  await white.context.setOffline(false);
  await white.page.getByText('Your opponent’s turn.').waitFor();
  await play({ white: black, black: white }, ['d5a5', 'd2d4', 'c7c6', 'g1f3']);
  await black.button('Resign').click();
  await black.button('Resign the game').click();
  for (const visitor of Object.values(visitors)) {
    await visitor.result();
  }
  await white.comments().getByText('Well played').waitFor();
  await white.button('Rematch').click();
  await black.button('Decline rematch').click();
  await white.page.getByText('There will be no rematch.').waitFor();
  for (const [name, { page }] of Object.entries(visitors)) {
    assert.deepEqual(await page.evaluate(() => globalThis.shifts), [], `for ${name}`);
  }
  await white.page.setViewportSize({ width: 700, height: 1000 });
  const isSeen = await white.page.getByRole('list', { name: 'List of moves' }).evaluate(async list => {
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const { top, bottom } = list.querySelector('[aria-current]').getBoundingClientRect();
    const box = list.getBoundingClientRect();
    return top >= box.top && bottom <= box.bottom;
  });
  assert.ok(isSeen, 'the last move is in the list after a change of size');
  await white.goTo('help');
  assert.equal(await white.page.getByText('There will be no rematch.').isVisible(), false, 'it goes with its game');
  for (const visitor of Object.values(visitors)) {
    await visitor.close();
  }
});

test('the size of the board is kept, zen mode and full screen have keys, and sounds are on', async () => {
  const player = await Player.open(browser, relay, { hasSound: true });
  const { page } = player;
  await player.context.addInitScript(() => {
    globalThis.sounds = 0;
    const { start } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (...when) {
      globalThis.sounds++;
      return start.apply(this, when);
    };
  });
  await page.reload();
  await player.playTheComputer(1);
  await player.turn();
  await player.click('e2e4');
  await page.waitForFunction(() => globalThis.sounds > 0);
  const largest = await boardOf(player);

  await player.button('Board and sound').click();
  await page.getByLabel('Board size').fill('0');
  await page.getByLabel('Volume').fill('0');
  await player.assertAccessible();
  await player.button('Done').click();
  const smallest = await boardOf(player);
  assert.ok(smallest < 0.6 * largest, `${smallest} of ${largest}`);
  await page.evaluate(() => (globalThis.sounds = 0));
  await page.reload();
  await player.turn();
  assert.equal(await boardOf(player), smallest);
  await player.click('d2d4');
  await player.seen(/^2… /);
  assert.equal(await page.evaluate(() => globalThis.sounds), 0, 'without volume');
  await player.button('Offer draw').click();
  await page.getByText('Draw declined.', { exact: true }).first().waitFor(); // by the house player

  const corner = await page.locator('.board-size').boundingBox();
  await page.mouse.move(corner.x + 5, corner.y + 5);
  await page.mouse.down();
  await page.mouse.move(corner.x + 1_000, corner.y + 5, { steps: 3 });
  await page.mouse.up();
  assert.equal(await boardOf(player), largest);

  const header = page.locator('.header');
  await page.keyboard.press('z');
  await header.waitFor({ state: 'hidden' });
  assert.ok((await boardOf(player)) > largest, 'the board takes the place of the header');
  await page.keyboard.press('z');
  await header.waitFor();
  for (const isFull of [true, false]) {
    await page.keyboard.press('f');
    await page.waitForFunction(it => (document.fullscreenElement !== null) === it, isFull);
  }
  await player.close();
});

test('a move of a slow game is sent once it was confirmed, and one that was lost is told', async () => {
  const [white, black] = [await Player.open(browser, relay), await Player.open(browser, relay)];
  await black.accept(await white.inviteByLink({ time: '1 day a move' }));
  await white.page.getByRole('link', { name: 'Open', exact: true }).click();
  await Promise.all([white.game(), black.game()]);
  await white.turn();
  await white.click('e2e4');
  await white.page.getByText('Play e2e4?').waitFor();
  await white.assertAccessible();
  await white.page.keyboard.press('Escape');
  await white.turn();
  await white.click('d2d4');
  await white.page.getByText('Play d2d4?').waitFor();
  await white.page.keyboard.press('Enter');
  await black.seen('1. d4');
  await black.button('Board and sound').click();
  await black.page.getByLabel('Confirm moves of slow games').uncheck();
  await black.button('Done').click();
  await black.click('d7d5');
  await white.seen('1… d5');
  await white.context.setOffline(true);
  await white.page.getByText('Not connected.', { exact: false }).waitFor();
  await white.click('c2c4');
  await white.button('Confirm').click();
  await white.page.getByText('is sent as soon as', { exact: false }).waitFor();
  await black.button('Resign').click();
  await black.button('Resign the game').click();
  await black.result();
  await white.context.setOffline(false);
  await white.page.getByText('Your move was not played. The game went on while you were not connected.').waitFor();
  await white.close();
  await black.close();
});

test('the first move on a slow phone needs little data and few round trips', async t => {
  const player = await Player.open(browser, relay, PHONE);
  const { page } = player;
  const session = await page.context().newCDPSession(page);
  const latency = 150;
  const wire = { bytes: 0, trips: 0, tripBegan: -Infinity, isAnswered: true };
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (wire.bytes += encodedDataLength));
  const speed = (1.6 * 1024 * 1024) / 8;
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  if (process.env.GAMBIT_LONG) await session.send('Emulation.setCPUThrottlingRate', { rate: 4 }); // for the seconds
  await session.send('Network.emulateNetworkConditions', {
    offline: false, latency, downloadThroughput: speed, uploadThroughput: speed,
  });
  // Chromium does not slow WebSockets down.
  await page.routeWebSocket(/./, socket => {
    const server = socket.connectToServer();
    socket.onMessage(message => {
      // What is sent before an answer has come, or can have come, is of the same round trip.
      if (wire.isAnswered && performance.now() >= wire.tripBegan + latency) {
        wire.trips++;
        wire.tripBegan = performance.now();
        wire.isAnswered = false;
      }
      wire.bytes += message.length;
      setTimeout(() => server.send(message), latency / 2);
    });
    server.onMessage(message => {
      wire.bytes += message.length;
      setTimeout(() => {
        wire.isAnswered = true;
        socket.send(message);
      }, latency / 2);
    });
  });
  await page.evaluate(() => localStorage.clear());
  await page.goto('about:blank');
  const begun = performance.now();
  await page.goto(relay.url);
  await player.playTheComputer(1);
  await player.turn();
  await player.click('e2e4');
  await player.seen('1. e4');
  const seconds = (performance.now() - begun) / 1000;
  t.diagnostic(`${seconds.toFixed(1)} s, ${(wire.bytes / 1024).toFixed(0)} KB, ${wire.trips} round trips over the WebSocket`);
  assert.ok(wire.bytes < 200 * 1024, `${wire.bytes} bytes`);
  assert.ok(wire.trips <= 12, `${wire.trips} round trips`);
  await player.close();
});

test('the heap does not grow from game to game', async t => {
  const games = process.env.GAMBIT_LONG ? 50 : 10;
  const player = await Player.open(browser, relay);
  const { page } = player;
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const of = name => metrics.find(it => it.name === name).value;
    return { bytes: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') };
  };
  const used = [];
  for (let i = 0; i < games; i++) {
    await player.playTheComputer(1);
    await player.turn();
    await player.click('e2e4');
    await player.button('Resign').click();
    await player.button('Resign the game').click();
    await player.result();
    await page.getByRole('link', { name: 'Lobby' }).first().click();
    await page.locator('.record').first().waitFor();
    // The lobby's list of finished games grows; help does not.
    await player.goTo('help');
    await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
    used.push(await heap());
    await page.getByRole('link', { name: 'Lobby' }).first().click();
  }
  t.diagnostic(used.map(it => `${(it.bytes / 1024).toFixed(0)} KB, ${it.nodes} nodes, ${it.listeners} listeners`).join('; '));
  // At first, code is loaded and compiled; and after the third game, the page begins to advise keeping the key.
  const from = Math.min(10, games - 5);
  const grown = name => {
    const [before, after] = [used.slice(from - 2, from + 1), used.slice(-3)].map(some => Math.min(...some.map(it => it[name])));
    return (after - before) / (games - 1 - from);
  };
  assert.ok(grown('bytes') < (games > 10 ? 20 : 150) * 1024, `${grown('bytes')} bytes a game`);
  assert.ok(grown('nodes') < (games > 10 ? 50 : 200), `${grown('nodes')} nodes a game`);
  // On a busy machine the page before may not be gone yet when it is counted.
  const last = Math.min(...used.slice(-3).map(it => it.listeners));
  assert.ok(last <= used[from].listeners, `${last} listeners, ${used[from].listeners} before: none of a finished game remains`);
  await player.close();
});
