// The analysis page: of a finished game, of what is pasted and of positions, with the engine that the page brings.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Player, pair, play } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

startRelayAndBrowser();

/** A game whose third move is the worst one. Each position costs the engine its time, so there are few. */
const MATED = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];

const analyst = (path, options) => Player.open(browser, relay, { path, ...options });

/** Pastes a text and takes it. */
async function paste(player, text) {
  await player.button('Paste PGN or FEN').click();
  await player.page.getByLabel('A game in PGN, or a position as FEN').fill(text);
  await player.button('Analyse').click();
}

/** The text of the file that a button saves. */
async function saved(player, name) {
  const [download] = await Promise.all([player.page.waitForEvent('download'), player.button(name).click()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

const current = player => player.page.locator('.tree [aria-current]').getAttribute('aria-label');

test('pieces of both sides move, other moves become variations, and keys step through all of them', async () => {
  const player = await analyst('#/');
  await player.page.getByRole('link', { name: 'Analysis', exact: true }).click();
  await player.page.getByRole('heading', { name: 'Analysis', level: 1 }).waitFor();
  await player.page.getByText('Move a piece to begin.').waitFor();
  await player.click('e2e4');
  await player.drag('e7e5');
  await player.click('g1f3');
  await player.seen('2. Nf3');
  await player.page.getByText('C40 King’s Knight Opening').waitFor();
  await player.page.keyboard.press('ArrowLeft');
  await player.page.keyboard.press('ArrowLeft');
  await player.click('c7c5');
  await player.click('b1c3');
  await player.seen('2. Nc3');
  await player.page.getByText('B23 Sicilian Defence, Closed').waitFor();
  assert.equal(await player.page.locator('.tree-variations').count(), 1);
  await player.page.keyboard.press('ArrowLeft');
  await player.page.keyboard.press('ArrowUp');
  assert.equal(await current(player), '1… e5');
  await player.page.keyboard.press('ArrowDown');
  assert.equal(await current(player), '1… c5');
  await player.button('Promote variation').click();
  assert.equal(await player.page.locator('.tree-variations').getByRole('button', { name: '1… e5' }).count(), 1);
  await player.assertAccessibleInBothSchemes();

  const { name, text } = await saved(player, 'Download PGN');
  assert.equal(name, 'analysis.pgn');
  assert.match(text, /\n\n1\. e4 c5 \(1\.\.\. e5 2\. Nf3\) 2\. Nc3 \*\n$/);
  await player.button('Delete from here').click();
  assert.equal(await current(player), '1. e4');
  assert.equal(await player.button('2. Nc3').count(), 0);
  await player.button('Flip board').click();
  await player.page.locator('.board[data-orientation="black"]').waitFor();
  await player.page.keyboard.press('Home');
  await player.piece('e2').waitFor({ state: 'attached' });
  await player.close();
});

test('a position is set up, with castling and a promotion; one that cannot be says why', async () => {
  const player = await analyst('#/analysis');
  await player.button('Set up a position').click();
  const square = name => player.page.getByRole('button', { name: new RegExp(`^${name}, `) });
  await player.button('Clear').click();
  const dialog = player.page.getByRole('dialog');
  for (const [piece, at] of [['white king', 'e1'], ['white rook', 'h1'], ['white pawn', 'a7'], ['black king', 'g7']]) {
    await dialog.getByRole('button', { name: piece, exact: true }).click();
    await square(at).click();
  }
  await square('g7').focus();
  await player.page.keyboard.press('ArrowLeft');
  assert.equal(await player.page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'f7, empty');
  await dialog.getByLabel('White queenside').check();
  await player.assertAccessibleInBothSchemes();
  await dialog.getByRole('button', { name: 'Analyse' }).click();
  await player.page.getByText('White cannot castle: the king or the rook is not on its square.').waitFor();
  await dialog.getByLabel('White queenside').uncheck();
  await dialog.getByLabel('White kingside').check();
  await dialog.getByRole('button', { name: 'Analyse' }).click();
  await player.page.waitForURL(/#\/analysis\?fen=/);
  await player.page.locator('.board use[data-piece="wp"][data-square="a7"]').waitFor({ state: 'attached' });
  await player.click('e1g1');
  await player.seen('1. O-O');
  await player.page.keyboard.press('ArrowLeft');
  await player.click('a7a8');
  await player.button('knight').click();
  await player.seen('1. a8=N');

  // The address of a position that is none.
  await player.page.goto(`${relay.url}#/analysis?fen=8/8/8/8/8/8/8/8`);
  await player.page.getByRole('heading', { name: 'This cannot be analysed' }).waitFor();
  await player.page.goto(`${relay.url}#/analysis/${'0'.repeat(64)}`);
  await player.page.getByRole('heading', { name: 'This cannot be analysed' }).waitFor();
  await player.close();
});

test('pasted PGN keeps its variations, comments and marks; hostile text is refused with a sentence and runs nothing', async () => {
  const player = await analyst('#/analysis');
  await paste(player, '1. e4 Ke4');
  await player.page.getByText('Move 1: “Ke4” is not a legal move.').waitFor();
  const pgn = '[White "<img src=x onerror=alert(1)>"]\n[Black "B"]\n\n1. e4! {<script>alert(1)</script> [%clk 0:01:00]} e5 (1... c5 {sharp} 2. Nf3) 2. f4?! *';
  await player.page.getByLabel('A game in PGN, or a position as FEN').fill(pgn);
  await player.button('Analyse').click();
  await player.seen('1. e4!');
  await player.seen('2. f4?!');
  await player.page.getByText('<script>alert(1)</script>').waitFor();
  await player.page.getByText('sharp').waitFor();
  assert.equal(await player.page.locator('main img, main script').count(), 0);
  await player.button('2. Nf3').click();
  await player.page.getByText('B27 Sicilian Defence, with Nf3').waitFor();
  const { text } = await saved(player, 'Download PGN');
  assert.match(text.replace(/\s+/g, ' '), /1\. e4 \$1 \{<script>alert\(1\)<\/script> \[%clk 0:01:00\]\} 1\.\.\. e5 \(1\.\.\. c5 \{sharp\} 2\. Nf3\) 2\. f4 \$6 \*/);
  await paste(player, '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
  await player.page.waitForURL(/#\/analysis\?fen=/);
  await player.piece('e2').waitFor({ state: 'attached' });
  await player.close();
});

test('the engine shows lines that can be played, and the bar says who is ahead', async () => {
  const player = await analyst('#/analysis?fen=4k3/8/8/8/8/8/8/QR2K3 w - - 0 1');
  const bar = player.page.locator('.evaluation-bar');
  assert.equal(await bar.getAttribute('aria-label'), 'There is no evaluation yet.');
  await player.page.getByLabel('Lines').selectOption('2');
  await player.page.getByRole('switch', { name: 'Engine' }).check();
  const lines = player.page.getByRole('list', { name: 'Best lines' }).getByRole('listitem');
  await lines.nth(1).getByRole('button').first().waitFor();
  assert.equal(await lines.count(), 2);
  await player.page.getByText(/^Depth \d+, .+ nodes\/s$/).waitFor();
  await bar.and(player.page.getByLabel(/^White (mates in \d+|is ahead by .* pawns)\.$/)).waitFor();
  await player.assertAccessibleInBothSchemes();
  await lines.first().getByRole('button').first().click();
  assert.match(await current(player), /^1\. /);
  await lines.first().getByRole('button').first().waitFor();
  await paste(player, 'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3');
  await player.page.getByText('Checkmate.', { exact: true }).waitFor();
  assert.equal(await player.page.getByRole('switch', { name: 'Engine' }).isChecked(), true);
  await player.page.getByRole('switch', { name: 'Engine' }).uncheck();
  assert.equal(await player.page.getByRole('list', { name: 'Best lines' }).count(), 0);
  await player.close();
});

test('a finished game is evaluated as a whole; not while its player plays another one', async () => {
  const { white, black, id } = await pair(browser, relay);
  await play({ white, black }, MATED);
  await white.result();
  await white.page.getByRole('region', { name: 'Result' }).getByRole('link', { name: 'Analysis' }).click();
  await white.page.waitForURL(new RegExp(`#/analysis/${id}$`));
  await white.seen('1. f3');
  await white.button('Evaluate the whole game').click();
  await white.page.getByText(/^Evaluating the game: \d+/).waitFor();
  const graph = white.page.getByRole('img', { name: /^The winning chances of White through the game, with .* blunders?\.$/ });
  await graph.waitFor();
  await white.seen('2. g4??');
  await white.page.getByText(/^Blunder\. \S+ was best\.$/).first().waitFor();
  await white.page.getByText(/^Accuracy: \d+\s?%$/).first().waitFor();
  await graph.locator('.graph-blunder [data-ply="3"]').waitFor({ state: 'attached' });
  const { width, height } = await graph.boundingBox();
  await graph.click({ position: { x: (width * 3) / 4, y: height / 2 } });
  assert.equal(await current(white), '2. g4??');
  await white.page.getByText('The graph as a table').click();
  await white.page.getByRole('row', { name: /^2\. g4 .* Blunder$/ }).waitFor();
  await white.assertAccessibleInBothSchemes();
  const { text } = await saved(white, 'Download PGN');
  assert.match(text, /\[Result "0-1"\]/);
  assert.match(text, /g4 \$4/);

  // Another game of the same player begins.
  const other = await Player.open(browser, relay);
  const link = await other.inviteByLink({ color: 'White' });
  await white.accept(link);
  await white.game();
  await white.page.goto(`${relay.url}#/analysis/${id}`);
  await white.page.getByText('The engine is off while you play a live game.').waitFor();
  await white.page.getByRole('switch', { name: 'Engine' }).check();
  assert.equal(await white.page.getByRole('list', { name: 'Best lines' }).count(), 0);
  assert.equal(await white.button('Evaluate the whole game').isDisabled(), true);
  await other.button('Abort').click();
  await other.button('Abort the game').click();
  await white.page.getByRole('list', { name: 'Best lines' }).getByRole('button').first().waitFor();

  await black.page.locator('.player-bar').first().getByRole('link').click();
  const games = await saved(black, 'Download all games as PGN');
  assert.match(games.name, /^npub1\w+-\w{4}\.pgn$/);
  assert.equal(games.text.match(/^\[White /gm).length >= 1, true);
  assert.match(games.text, /Qh4#/);
  for (const player of [white, black, other]) await player.close();
});

test('the page fits a phone, and a language that is written from right to left', async () => {
  const player = await analyst('#/analysis', { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  await player.page.getByText('Move a piece to begin.').waitFor();
  assert.equal(await player.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await player.click('e2e4');
  await player.seen('1. e4');
  await player.assertAccessibleInBothSchemes();
  await player.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
  assert.equal(await player.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await player.assertAccessible();
  await player.close();
});
