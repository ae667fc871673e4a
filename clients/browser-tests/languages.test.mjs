// Languages: how one is chosen, both directions, long words, and that nothing is left in English.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { Player } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';
import { fill, visit } from './views.mjs';
import { Visitor } from './visitor.mjs';

startRelayAndBrowser();
after(async () => (await filled)?.close());

const folder = new URL('../web/src/language/catalogs/', import.meta.url);
const catalogs = Object.fromEntries(
  (existsSync(folder) ? readdirSync(folder) : []).map(name => [
    name.replace('.json', ''),
    JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
  ]),
);

/** A sentence without values as the page says it in a language. */
const say = (language, sentence) => catalogs[language]?.[sentence] ?? sentence;

let filled;
/** The addresses of all views. */
const views = async () => Object.entries((await (filled ??= fill(browser, relay))).views);

const CONNECTED = '.connection:not(.connection-waiting)';

/** Opens the page with a browser of this language. */
async function open(locale, options, Kind = Visitor) {
  const visitor = await Visitor.open.call(Kind, browser, relay, { locale, ...options });
  await visitor.page.locator(CONNECTED).waitFor({ state: 'attached' });
  return visitor;
}

const root = ({ page }) => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);

test('the language is the browser’s, until another one is chosen on any page or in the settings', async () => {
  const visitor = await open('de-AT', { path: '#/help' });
  const { page } = visitor;
  await page.getByRole('heading', { level: 1, name: say('de', 'Help') }).waitFor();
  assert.deepEqual(await root(visitor), ['de', 'ltr']);
  await page.locator('footer select').selectOption({ label: 'العربية' });
  await page.locator('html[lang="ar"][dir="rtl"]').waitFor();
  await page.getByRole('heading', { level: 1, name: say('ar', 'Help') }).waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: say('ar', 'Help') }).waitFor();
  assert.deepEqual(await root(visitor), ['ar', 'rtl']);
  await visit(visitor, '#/me');
  await page.locator('.language-select select').selectOption({ label: 'English' });
  await page.locator('html[lang="en"]').waitFor();
  await page.getByRole('heading', { level: 1, name: 'You and your settings' }).waitFor();
  await visitor.close();

  const other = await open('cy-GB');
  assert.deepEqual(await root(other), ['en', 'ltr']);
  await other.close();
});

test('a game is played to its end from right to left; the board, the moves and the keys keep their sides', async () => {
  const friend = await Player.open(browser, relay);
  const link = await friend.inviteByLink();
  const player = await open('ar-EG', {}, Player);
  const { page } = player;
  await page.goto(link);
  await page.getByRole('button', { name: say('ar', 'Accept and play'), exact: true }).click();
  await player.game();
  assert.deepEqual(await root(player), ['ar', 'rtl']);

  // The player has Black: h8 is below on the left, and a1 above on the right.
  const [board, corner, opposite] = await Promise.all([page.locator('.board > svg'), player.piece('h8'), player.piece('a1')].map(it => it.boundingBox()));
  const isNear = (one, other) => Math.abs(one - other) < board.width / 16;
  assert.ok(isNear(corner.x, board.x) && isNear(corner.y + corner.height, board.y + board.height), 'h8 is below on the left');
  assert.ok(isNear(opposite.x + opposite.width, board.x + board.width) && isNear(opposite.y, board.y), 'a1 is above on the right');
  const panel = await page.locator('.game-panel').boundingBox();
  assert.ok(panel.x < board.x, 'the panel is on the left of the board');

  await friend.turn();
  await friend.type('f2f3');
  await player.seen('1. f3');
  await player.drag('e7e5');
  await friend.turn();
  await friend.type('g2g4');
  await player.seen('2. g4');
  await player.click('d8h4');
  await page.getByText('0–1').first().waitFor();
  assert.match(await friend.result(), /checkmate/i);

  const [white, black] = await Promise.all(['2. g4', '2… Qh4#'].map(name => page.getByRole('button', { name, exact: true }).boundingBox()));
  assert.ok(white.x < black.x, 'White’s move is on the left');
  await page.locator('body').press('ArrowLeft');
  await page.locator('.move[aria-current]').filter({ hasText: 'g4' }).waitFor();
  await page.locator('body').press('ArrowRight');
  await page.locator('.move[aria-current]').filter({ hasText: 'Qh4#' }).waitFor();
  const [back, forward] = await Promise.all(['Previous move', 'Next move'].map(name => page.getByRole('button', { name: say('ar', name), exact: true }).boundingBox()));
  assert.ok(back.x < forward.x, 'the previous move is on the left');
  await player.close();
  await friend.close();
});

/** What of a page is wider than its place: the page itself, or words in a button. */
const tooWide = page => page.evaluate(() => {
  const isWide = it => it.scrollWidth > it.clientWidth + 1;
  const isSeen = it => it.clientWidth > 1 && getComputedStyle(it).overflowX === 'visible' && !it.closest('.visually-hidden, svg, .board, .player-bar-picture');
  return [document.documentElement, ...document.body.querySelectorAll('*')]
    .filter(it => isWide(it) && (it === document.documentElement || isSeen(it)))
    .map(it => `${it.scrollWidth} pixels in ${it.clientWidth}: ${it.outerHTML.slice(0, 200)}`);
});

for (const [direction, locale, assertGood] of [
  ['left to right, in both colour schemes', 'en', visitor => visitor.assertAccessibleInBothSchemes()],
  ['right to left, which changes no colours', 'ar', visitor => visitor.assertAccessibleButColours()],
]) {
  test(`no view has a serious fault for axe-core or is too wide, ${direction}`, async () => {
    const visitor = await open(locale);
    const { page } = visitor;
    const press = name => page.getByRole('button', { name: say(locale, name), exact: true }).click();
    for (const [name, hash] of await views()) {
      await visit(visitor, hash);
      assert.deepEqual(await tooWide(page), [], name);
      await assertGood(visitor);
      if (name !== 'a finished game') continue;
      for (const dialog of ['Share this game', 'Board and sound']) {
        await press(dialog);
        await assertGood(visitor);
        await page.keyboard.press('Escape');
      }
      await press('Verify this game');
      await page.locator('.verify-holds').waitFor();
      await assertGood(visitor);
    }
    await visitor.close();
  });
}

/** The sentences on a page that are as in English, though the language has them. */
const untranslated = (page, sentences) => page.evaluate(english => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode.data.trim());
  for (const name of ['aria-label', 'title', 'placeholder']) {
    for (const element of document.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name));
  }
  return texts.filter(text => english.includes(text));
}, sentences);

/** Those with the longest words and sentences, and of each script; all if there is time. */
const NARROW = process.env.GAMBIT_LONG ? Object.keys(catalogs) : ['de', 'fr', 'ru', 'ar', 'hi', 'ja'];

test('on a narrow phone, every view has room for its words, and none is left in English', async t => {
  const visitor = await open('en', { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  const { page } = visitor;
  for (const language of NARROW) {
    await t.test(language, async () => {
      await page.locator('footer select').selectOption(language);
      await page.locator(`html[lang="${language}"]`).waitFor();
      await page.locator(CONNECTED).waitFor({ state: 'attached' });
      const catalog = catalogs[language] ?? {};
      // “Analyse” is a button in English, and a page in German.
      const own = new Set(Object.values(catalog));
      const translated = Object.keys(catalog).filter(sentence => !own.has(sentence));
      for (const [name, hash] of await views()) {
        await visit(visitor, hash);
        assert.deepEqual(await tooWide(page), [], name);
        assert.deepEqual(await untranslated(page, translated), [], name);
      }
    });
  }
  await visitor.close();
});
