// The board: how it follows a game, and what pointer and touch do on it. The opponents are clients of the library.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { GambitClient, guestSigner } from 'gambit-client';
import WebSocket from 'ws';
import { Player } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

const PHONE = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true };

const clients = [];
after(() => clients.forEach(client => client.close()));
startRelayAndBrowser();

async function client() {
  const it = new GambitClient(relay.socket, { signer: guestSigner(), webSocket: WebSocket });
  clients.push(it);
  await it.connect();
  return it;
}

/** Waits until a condition of a game holds. */
async function until(game, holds) {
  await new Promise(resolve => {
    const check = () => holds() && resolve();
    game.on('change', check);
    check();
  });
}

/** A game of the page against a client, from a position. */
async function playFrom(fen, color, options = {}) {
  const opponent = await client();
  const invite = await opponent.invite({ time: '600', color: color === 'white' ? 'black' : 'white', fen, expiresIn: 600 });
  const player = await Player.open(browser, relay, { path: `#/challenge/${invite.id}`, ...options });
  await player.button('Accept', { exact: false }).click();
  const game = await invite.game;
  await player.game();
  return { player, game };
}

/** Waits for the page's move. */
async function assertMoves(game, ...moves) {
  await until(game, () => game.moves.length >= moves.length);
  assert.deepEqual(game.moves, moves);
}

/** Stops the clock by which the page tells a fast game, until `resumeClock`; records how long pieces slide. */
function stopClock() {
  const native = performance.now;
  const stopped = performance.now();
  performance.now = () => stopped;
  globalThis.resumeClock = () => (performance.now = native);
  globalThis.durations = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...args) {
    const animation = animate.apply(this, args);
    globalThis.durations.push(animation.effect.getTiming().duration);
    return animation;
  };
}

test('a fast game is drawn without slides; drawings belong to their position', async () => {
  const [white, black] = [await client(), await client()];
  const invite = await white.invite({ opponent: black.pubkey, color: 'white', time: '60' });
  const seats = await Promise.all([invite.game, black.accept(invite.id)]);
  const spectator = await Player.open(browser, relay, {
    path: `#/game/${seats[0].id}`,
    init: stopClock,
    reducedMotion: 'no-preference',
  });
  const { page } = spectator;
  await spectator.game();

  const MOVES = (
    'e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 b2b4 c5b4 c2c3 b4a5 d2d4 e5d4 e1g1 d4d3 d1b3 d8f6 e4e5 f6g6 f1e1 g8e7 c1a3 b7b5 ' +
    'b3b5 a8b8 b5a4 a5b6 b1d2 c8b7 d2e4 g6f5 c4d3 f5h5'
  ).split(' ');
  for (const [ply, move] of MOVES.entries()) {
    const seat = seats[ply % 2];
    await until(seat, () => seat.ply === ply);
    await seat.move(move);
  }
  await spectator.seen('16… Qh5');
  assert.equal(await spectator.piece('h5').getAttribute('data-piece'), 'bq');
  assert.ok((await page.evaluate(() => globalThis.durations.length)) <= 2, 'the third position comes fast');
  await page.evaluate(() => globalThis.resumeClock());

  // A step through the moves draws one piece only.
  await page.evaluate(() => {
    globalThis.changed = new Set();
    new MutationObserver(list => list.forEach(({ target }) => globalThis.changed.add(target))).observe(
      document.querySelector('.board > svg'),
      { subtree: true, attributes: true, childList: true },
    );
  });
  const arrows = page.locator('.drawing-arrow');
  const circles = page.locator('.drawing-circle');
  await spectator.drag('e2e4', { button: 'right' });
  await page.keyboard.down('Shift');
  await page.mouse.click(...(await spectator.middleOf('d5')), { button: 'right' });
  await page.keyboard.up('Shift');
  assert.deepEqual([await arrows.count(), await circles.count()], [1, 1]);
  assert.match(await circles.getAttribute('class'), /drawing-red/);
  await page.mouse.wheel(0, -100);
  await page.getByText('An earlier position is shown.').waitFor();
  assert.equal(await spectator.piece('f5').getAttribute('data-piece'), 'bq');
  assert.deepEqual([await arrows.count(), await circles.count()], [0, 0]);
  await page.mouse.wheel(0, 100);
  await page.getByText(/to move\.$/).waitFor();
  assert.deepEqual([await arrows.count(), await circles.count()], [1, 1]);
  await spectator.drag('e2e4', { button: 'right' });
  assert.deepEqual([await arrows.count(), await circles.count()], [0, 1], 'the same arrow again is removed');
  await page.mouse.click(...(await spectator.middleOf('e4')));
  assert.equal(await circles.count(), 0);
  const changed = await page.evaluate(() => globalThis.changed.size);
  assert.ok(changed < 20, `${changed} elements of the board were changed`);

  // Steps that are not fast are animated.
  await page.evaluate(() => (globalThis.durations = []));
  await page.waitForFunction(
    () => {
      if (globalThis.durations.length > 0) return true;
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
      return false;
    },
    undefined,
    { polling: 400 },
  );
  assert.deepEqual(await page.evaluate(() => globalThis.durations), [120]);
  await spectator.close();
});

test('castling onto the rook, cancelled premoves, drags over the opponent’s move, and a promotion', async () => {
  const { player, game } = await playFrom('r3k2r/1P4pp/8/8/8/8/6PP/R3K2R w KQkq - 0 1', 'white');
  const { page } = player;
  const premove = page.getByText('Premove: g2g3');
  await player.turn();
  await player.drag('e1h1');
  await assertMoves(game, 'e1g1');
  assert.equal(await player.piece('g1').getAttribute('data-piece'), 'wk');
  assert.equal(await player.piece('f1').getAttribute('data-piece'), 'wr');
  const order = await page.locator('.board > svg > g').evaluateAll(it => it.map(g => g.getAttribute('class')));
  assert.deepEqual(order, ['board-squares', null, 'board-coordinates', 'drawings'], 'coordinates are over the pieces');

  const cancels = {
    'a right click': async () => page.mouse.click(...(await player.middleOf('d5')), { button: 'right' }),
    'a click on an empty square': async () => page.mouse.click(...(await player.middleOf('d5'))),
    Escape: () => page.keyboard.press('Escape'),
  };
  for (const [name, cancel] of Object.entries(cancels)) {
    await player.click('g2g3');
    await premove.waitFor();
    assert.equal(await page.locator('[data-mark="premove"]').count(), 2);
    await cancel();
    await premove.waitFor({ state: 'detached' });
    assert.equal(await page.locator('[data-mark="premove"], .drawings > *').count(), 0, name);
  }

  await player.pull('h2h4'); // a premove, which becomes a move
  await game.move('h7h6');
  await player.turn();
  await page.mouse.up();
  await assertMoves(game, 'e1g1', 'h7h6', 'h2h4');

  await player.pull('a1a5');
  await game.move('a8a1'); // captures the piece in hand
  await player.turn();
  assert.equal(await page.locator('[data-mark="selected"]').count(), 0);
  await page.mouse.up();
  await player.click('f1a1');
  await assertMoves(game, 'e1g1', 'h7h6', 'h2h4', 'a8a1', 'f1a1');
  await game.move('h8h7');

  await player.turn();
  for (const choice of ['Escape', 'Enter']) {
    await player.drag('b7b8');
    await player.button('queen').waitFor();
    assert.deepEqual([await player.piece('b7').count(), await player.piece('b8').count()], [0, 1]);
    for (const [name, square] of [['queen', 'b8'], ['knight', 'b7'], ['rook', 'b6'], ['bishop', 'b5']]) {
      const { x, y, width, height } = await player.button(name).boundingBox();
      const [left, top] = await player.middleOf(square);
      assert.ok(Math.hypot(x + width / 2 - left, y + height / 2 - top) < 2, `the ${name} is on ${square}`);
    }
    if (choice === 'Enter') await player.assertAccessible();
    if (choice === 'Escape') await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press(choice); // the queen has the focus otherwise
    await player.button('queen').waitFor({ state: 'detached' });
    assert.equal(await player.piece('b7').count(), choice === 'Escape' ? 1 : 0);
  }
  await until(game, () => game.moves.at(-1) === 'b7b8q');
  await player.close();
});

test('several premoves wait, the king castles onto its rook, and a pawn becomes a queen without a question', async () => {
  const { player, game } = await playFrom('r3k2r/8/8/8/8/8/p5PP/4K2R w Kkq - 0 1', 'black', { colorScheme: 'dark' });
  const { page } = player;
  await player.goTo('me');
  await page.getByRole('switch', { name: 'Always promote to a queen' }).check();
  await page.getByRole('switch', { name: 'Several premoves' }).check();
  await page.getByRole('radio', { name: 'Blue' }).check();
  await page.getByRole('radio', { name: 'Letters' }).check();
  await player.assertAccessible();
  assert.match(await page.locator('.mini-board use').first().getAttribute('href'), /letters.*\.svg#/);
  await page.goBack();
  await player.game();
  const fill = await page.locator('.board .board-dark').evaluate(it => getComputedStyle(it).fill);
  assert.equal(fill, 'rgb(131, 160, 187)');
  assert.match(await player.piece('e8').getAttribute('href'), /letters.*\.svg#bk/);

  await player.click('e8h8');
  await player.click('a2a1');
  await page.getByText('2 premoves').waitFor();
  for (const [square, piece] of [['g8', 'bk'], ['f8', 'br'], ['a1', 'bq']]) {
    assert.equal(await player.piece(square).getAttribute('data-piece'), piece);
  }
  await game.move('h2h3');
  await until(game, () => game.moves.length === 2);
  await game.move('g2g3');
  await assertMoves(game, 'h2h3', 'e8g8', 'g2g3', 'a2a1q');
  await player.close();
});

test('on a phone a piece is dragged without scrolling, and swipes scroll the page or step through the moves', async () => {
  const { player, game } = await playFrom('rnbqkbnr/P1pppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1', 'white', PHONE);
  const { page } = player;
  const touch = await page.context().newCDPSession(page);
  const swipe = async (from, to) => {
    const [[x0, y0], [x1, y1]] = [from, to];
    const point = part => [{ x: x0 + (x1 - x0) * part, y: y0 + (y1 - y0) * part }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: point(0) });
    for (const part of [0.2, 0.4, 0.6, 0.8, 1]) {
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: point(part) });
    }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  const at = square => player.middleOf(square);
  const scrolled = () => page.evaluate(() => scrollY);
  await player.turn();
  const before = await scrolled();
  await swipe(await at('e2'), await at('e4'));
  await assertMoves(game, 'e2e4');
  assert.equal(await scrolled(), before);
  await page.touchscreen.tap(...(await at('g1'))); // a premove
  await page.touchscreen.tap(...(await at('f3')));
  await page.getByText('Premove: g1f3').waitFor();
  await page.touchscreen.tap(...(await at('e5')));
  await page.getByText('Premove: g1f3').waitFor({ state: 'detached' });
  await page.touchscreen.tap(...(await at('g1')));
  await page.touchscreen.tap(...(await at('f3')));
  await game.move('e7e5');
  await assertMoves(game, 'e2e4', 'e7e5', 'g1f3');
  await game.move('d7d6');
  await player.turn();
  await page.touchscreen.tap(...(await at('a7')));
  await page.touchscreen.tap(...(await at('b8'))); // chooses nothing of what appears there
  await player.button('knight').tap();
  await assertMoves(game, 'e2e4', 'e7e5', 'g1f3', 'd7d6', 'a7b8n');

  await swipe(await at('c5'), await at('f5'));
  await page.getByText('An earlier position is shown.').waitFor();
  await swipe(await at('f5'), await at('c5'));
  await page.getByText('An earlier position is shown.').waitFor({ state: 'detached' });
  await swipe(await at('d4'), await at('d7'));
  await page.waitForFunction(y => scrollY > y, before);
  await player.close();
});
