// Whole games between two browsers, to every kind of end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pair, play, Player } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

startRelayAndBrowser({ 'chess.default_time': '3' });

async function close({ white, black }) {
  await white.close();
  await black.close();
}

test('a game by click, drag and keyboard ends in mate, and a spectator sees it and its check afterwards', async () => {
  const game = await pair(browser, relay);
  const spectator = await Player.open(browser, relay, { path: `#/game/${game.id}` });
  await play(game, ['e2e4', 'e7e5', 'f1c4', 'b8c6', 'd1h5', 'g8f6']);
  await spectator.seen('3… Nf6');
  await spectator.page.getByText('White to move.').waitFor();
  await play(game, ['h5f7']);
  assert.equal(await game.white.result(), 'You won: By checkmate.');
  assert.equal(await game.black.result(), 'You lost: By checkmate.');
  assert.equal(await spectator.result(), 'White won: By checkmate.');

  await spectator.page.reload(); // the finished game, from its record
  assert.equal(await spectator.result(), 'White won: By checkmate.');
  await spectator.seen('4. Qxf7#');
  await spectator.button('Verify this game').click();
  await spectator.page.getByText('✓ Everything holds.').waitFor();
  await spectator.button('Share this game').click();
  const pgn = await spectator.page.getByLabel('PGN').inputValue();
  assert.match(pgn, /4\. Qxf7#/);
  assert.match(await spectator.page.getByLabel('FEN').inputValue(), /^r1bqkb1r\/pppp1Qpp\//);
  await spectator.close();
  await close(game);
});

test('the turn is over with the first click, before the relay has answered; the early game is aborted', async () => {
  const game = await pair(browser, relay);
  await game.white.turn();
  await game.white.click('e2e4');
  assert.equal(await game.white.page.getByText(/turn/).textContent(), 'Your opponent’s turn.');
  await game.black.seen('1. e4');
  await game.black.button('Abort').click();
  await game.black.button('Abort the game').click();
  assert.match(await game.white.result(), /^Game aborted/);
  assert.match(await game.black.result(), /^Game aborted/);
  await close(game);
});

test('a game is drawn by agreement, after an offer that was declined', async () => {
  const game = await pair(browser, relay);
  await play(game, ['e2e4', 'e7e5']);
  await game.white.seen('1… e5');
  await game.white.button('Offer draw').click();
  await game.black.button('Decline').click();
  await play(game, ['g1f3']);
  await game.black.seen('2. Nf3');
  await game.black.button('Offer draw').click();
  await game.white.button('Accept').click();
  assert.equal(await game.white.result(), 'Draw: The players agreed to a draw.');
  assert.equal(await game.black.result(), 'Draw: The players agreed to a draw.');
  await close(game);
});

test('resigning asks once more, and a rematch is played with the other colours', async () => {
  const game = await pair(browser, relay);
  await play(game, ['d2d4', 'd7d5']);
  await game.black.button('Resign').click();
  await game.black.button('Keep playing').click();
  await game.black.button('Resign').click();
  await game.black.button('Resign the game').click();
  assert.equal(await game.white.result(), 'You won: Your opponent resigned.');
  assert.equal(await game.black.result(), 'You lost: You resigned.');
  await game.white.button('Rematch').click();
  await game.black.button('Accept rematch').click();
  await game.black.page.waitForURL(url => !url.href.endsWith(game.id));
  await game.black.turn();
  await game.black.click('e2e4');
  await game.white.seen('1. e4');
  await game.white.button('Abort').click(); // before the own first move there is nothing to resign
  await game.white.button('Abort the game').click();
  assert.match(await game.black.result(), /^Game aborted/);
  await game.black.goTo('help');
  assert.equal(await game.black.page.getByText('would like a rematch').count(), 0);
  await close(game);
});

test('a move is taken back when the opponent agrees; the end is noticed on another page, also after a reload', async () => {
  const game = await pair(browser, relay);
  await play(game, ['e2e4', 'e7e5', 'f1a6']);
  await game.white.button('Take back').click();
  await game.black.button('Accept').click();
  await game.white.turn();
  await game.white.page.getByRole('button', { name: '2. Ba6' }).waitFor({ state: 'detached' });
  await game.white.click('g1f3');
  await game.black.seen('2. Nf3');
  await game.white.page.reload();
  await game.white.seen('2. Nf3');
  await game.white.goTo('help');
  const back = game.white.page.getByRole('link', { name: 'Return to your game' });
  await back.waitFor();
  await game.black.button('Resign').click();
  await game.black.button('Resign the game').click();
  await back.waitFor({ state: 'detached' });
  await close(game);
});

test('a pawn is promoted to the chosen piece, and a premove is played at once', async () => {
  const game = await pair(browser, relay);
  await play(game, ['a2a4', 'h7h5', 'a4a5', 'h5h4', 'a5a6', 'h4h3', 'a6b7', 'h3g2']);
  await game.white.turn();
  await game.white.click('b7a8');
  await game.white.button('knight').click();
  await game.black.seen('5. bxa8=N');
  await game.white.click('g1h3'); // a premove; it is not White's turn
  await game.white.page.getByText('Premove: g1h3').waitFor();
  await game.black.click('g2h1');
  await game.black.button('queen').click();
  await game.black.seen('6. Nh3');
  await close(game);
});

test('who is paired from the lobby and lets the time run out loses', async () => {
  const [first, second] = [await Player.open(browser, relay), await Player.open(browser, relay)];
  for (const player of [first, second]) {
    await player.card('Quick pairing').getByRole('button', { name: /^3 seconds/ }).click();
  }
  await Promise.all([first.game(), second.game()]);
  const firstIsWhite = await first.page.getByText(/^Your turn/).or(first.page.getByText('Your opponent’s turn.')).textContent();
  const game = firstIsWhite.startsWith('Your turn') ? { white: first, black: second } : { white: second, black: first };
  await play(game, ['e2e4', 'e7e5']);
  assert.equal(await game.white.result(), 'You lost: You ran out of time.');
  assert.equal(await game.black.result(), 'You won: Your opponent ran out of time.');
  await close(game);
});

test('a link survives a reload of its author, and cannot be used without its secret', async () => {
  const author = await Player.open(browser, relay);
  const link = await author.inviteByLink();
  await author.page.reload();
  const again = author.card('Play a friend').getByLabel('Send this link to your friend');
  await again.waitFor();
  assert.equal(await again.inputValue(), link);

  const stranger = await Player.open(browser, relay, { path: link.slice(link.indexOf('#'), link.lastIndexOf('/')) });
  await stranger.page.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
  const friend = await Player.open(browser, relay);
  await friend.accept(link);
  assert.equal(await author.game(), await friend.game());
  for (const visitor of [author, stranger, friend]) await visitor.close();
});
