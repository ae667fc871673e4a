// Whole games against the computer, from the first press in the lobby.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chess } from 'chess.js';
import { Player } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

startRelayAndBrowser({ 'chess.house.move_time': '200ms' }); // also scales the delay of its answers

/** The moves in the list, in SAN. */
async function moves(player) {
  const labels = await player.page
    .getByRole('list', { name: 'List of moves' })
    .getByRole('button')
    .evaluateAll(buttons => buttons.map(button => button.getAttribute('aria-label')));
  return labels.map(label => label.replace(/^\d+(\.|…) ?/, ''));
}

/** Plays any moves, mates where there is one, until the game is over. */
async function playToTheEnd(player) {
  const over = player.page.getByRole('region', { name: 'Result' });
  for (;;) {
    await over.or(player.page.getByText(/^Your turn/)).first().waitFor();
    if (await over.isVisible()) {
      return;
    }
    const chess = new Chess();
    for (const san of await moves(player)) {
      chess.move(san);
    }
    const legal = chess.moves();
    const move = legal.find(it => it.endsWith('#')) ?? legal[(7 * chess.moveNumber()) % legal.length];
    await player.type(move);
    await player.page.getByLabel('Type a move').and(player.page.locator(':not([value]), [value=""]')).or(over).first().waitFor();
  }
}

/** The names beside a board, or in a list's entry, without marks. */
function names(place) {
  return place.locator('.player-name-whole').allTextContents();
}

/** Fails if the level beside a name is outside of the name's place. */
async function assertNotCut(bar) {
  const isWhole = await bar.locator('.player-name-level').evaluate(level => {
    const { right } = level.getBoundingClientRect();
    return right > 0 && right <= level.closest('.player-name').getBoundingClientRect().right + 0.5;
  });
  assert.ok(isWhole, 'the level is cut off');
}

test('a newcomer plays the strongest level to the end; everybody sees the level, and it is in the checked record', async () => {
  const player = await Player.open(browser, relay);
  await player.card('Play the computer').getByText(/^Level 2: about \d+ Elo/).waitFor();
  await player.playTheComputer(5);
  await player.page.getByRole('heading', { name: / against Computer, level 5$/, includeHidden: true }).waitFor({ state: 'attached' });
  assert.equal((await names(player.page.getByRole('region', { name: 'Black' })))[0], 'Computer, level 5');
  const spectator = await Player.open(browser, relay);
  await spectator.page.locator('.game-card').getByText('Computer, level 5').waitFor();
  await playToTheEnd(player);
  assert.match(await player.result(), /^You lost: By checkmate\.|^Draw|^You won/);
  await spectator.page.locator('.record').getByText('Computer, level 5').first().waitFor();
  await spectator.close();
  await player.button('Share this game').click();
  assert.match(await player.page.getByLabel('PGN', { exact: true }).inputValue(), /\[BlackLevel "5"\]\n\[BlackType "program"\]/);
  await player.page.keyboard.press('Escape');
  await player.button('Verify this game').click();
  await player.page.getByText('✓ Everything holds.').waitFor();
  await player.close();
});

test('the computer plays on a phone, agrees to a takeback, and gives a rematch', async () => {
  const player = await Player.open(browser, relay, PHONE);
  await player.playTheComputer(1);
  await player.turn();
  await player.click('e2e4');
  await player.seen(/^1… /);
  await player.button('Offer draw').click();
  await player.page.getByText('Draw declined.', { exact: true }).filter({ visible: true }).first().waitFor();
  await player.button('Take back').click();
  await player.page.getByRole('button', { name: '1. e4' }).waitFor({ state: 'detached' });
  await player.click('d2d4');
  await player.seen('1. d4');
  await player.button('Resign').click();
  await player.button('Resign the game').click();
  assert.equal(await player.result(), 'You lost: You resigned.');
  const before = player.page.url();
  await player.button('Rematch').click();
  await player.page.waitForURL(url => url.href !== before);
  await player.turn();
  assert.equal((await names(player.page.getByRole('region', { name: 'White' })))[0], 'Computer, level 1');
  await assertNotCut(player.page.getByRole('region', { name: 'White' }));
  await player.close();
});

test('whoever takes the name of the computer in letters that look like it carries a mark', async () => {
  const player = await Player.open(browser, relay, { path: '#/me' });
  await player.page.getByLabel('Name', { exact: true }).fill('Соmputer, level 3');
  await player.button('Save name').click();
  await player.goTo('');
  await player.playTheComputer(3);
  const bar = player.page.getByRole('region', { name: 'White' });
  await bar.getByText('look-alike').waitFor();
  assert.match(await player.page.title(), /Соmputer, level 3 \(look-alike\)/);
  const black = player.page.getByRole('region', { name: 'Black' });
  assert.deepEqual(await names(black), ['Computer, level 3']);
  assert.equal(await black.getByText('look-alike').count(), 0);
  await assertNotCut(black);
  await player.assertAccessible();
  await player.close();
});

test('several visitors play the computer at once', async () => {
  const players = await Promise.all([1, 2, 3].map(() => Player.open(browser, relay)));
  await Promise.all(players.map(player => player.playTheComputer(2)));
  for (const [move, answer] of [['e2e4', /^1… /], ['g1f3', /^2… /]]) {
    await Promise.all(
      players.map(async player => {
        await player.turn();
        await player.click(move);
        await player.seen(answer);
      }),
    );
  }
  await Promise.all(players.map(player => player.close()));
});
