import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { h, isValidElement } from 'preact';
import { date, duration, fraction, leftToRight, list, number, percent, signed } from './format.js';
import { closest, LANGUAGES, loadLanguage, locale } from './language.js';
import { rich, t } from './t.js';

test('the first language that the page has is chosen, of any region, else English', () => {
  assert.equal(closest(['de-CH', 'fr']), 'de');
  assert.equal(closest(['cy', 'pt-BR', 'en']), 'pt');
  assert.equal(closest(['ZH-Hant-TW']), 'zh');
  assert.equal(closest(['xx', 'constructor']), 'en');
  assert.equal(closest([]), 'en');
});

test('each language is known to Intl, with plural rules of its own', () => {
  const codes = Object.keys(LANGUAGES);
  assert.deepEqual(Intl.PluralRules.supportedLocalesOf(codes), codes);
  const forms = (code: string) => new Intl.PluralRules(code).resolvedOptions().pluralCategories.length;
  assert.deepEqual(['ar', 'pl', 'de', 'ja'].map(forms), [6, 4, 2, 1]);
});

test('a sentence has its values, its plural form and its elements', () => {
  assert.equal(locale(), 'en');
  assert.equal(t('It is over'), 'It is over');
  assert.equal(t("That's {what, select, a {one} other {another}}", { what: 'a' }), "That's one");
  assert.deepEqual([1, 1234].map((n) => t('{n, plural, one {# game} other {# games}}', { n })), ['1 game', '1,234 games']);
  const parts = rich('To the <a>lobby</a> of {name}', { a: (text) => h('a', null, text), name: h('b', null, 'me') }) as unknown[];
  assert.deepEqual(parts.map((part) => (isValidElement(part) ? part.type : part)), ['To the ', 'a', ' of ', 'b']);
});

test('numbers, shares, changes and dates are written as in the language', () => {
  assert.deepEqual([number(1234.5), percent(0.6)], ['1,234.5', '60%']);
  assert.deepEqual([8, -12, 0].map(signed), ['+8', '−12', '±0']);
  assert.equal(date(0, { timeZone: 'UTC', dateStyle: 'medium' }), 'Jan 1, 1970');
  assert.equal(list(['one', false, undefined, '', 'two', 'three']), 'one, two, three');
});

test('parts of a unit are written as fractions', () => {
  assert.deepEqual([0, 0.25, 0.5, 1.5, 20].map(fraction), ['0', '¼', '½', '1½', '20']);
  assert.deepEqual([duration(1, 'day'), duration(1.5, 'hour'), duration(10, 'minute', 'short')], ['1 day', '1½ hours', '10 min']);
});

test('the browser decides on the language and its variant, and values keep their direction in Arabic', async (context) => {
  context.after(async () => {
    await loadAs('en'); // the language of all other tests
    Object.assign(globalThis, { navigator: undefined, document: undefined });
  });
  const element = await loadAs('de-DE', 'en');
  assert.deepEqual({ ...element }, { lang: 'de', dir: 'ltr' });
  assert.deepEqual([locale(), number(12345.6), duration(2, 'day')], ['de-DE', '12.345,6', '2 Tage']);
  assert.equal(leftToRight('1–0'), '1–0');
  assert.deepEqual({ ...(await loadAs('ar-MA')) }, { lang: 'ar', dir: 'rtl' });
  assert.equal(leftToRight('1–0'), '\u20661–0\u2069');
  const sentence = '{n, plural, one {# game of {name}} other {# games of <a>{name}</a>}}';
  assert.equal(t(sentence, { n: 3, name: 'Ann', a: String } as never), '3 games of \u2068Ann\u2069');
});

/** Loads the language as in a browser with these settings; returns what the root element has. */
async function loadAs(...languages: string[]): Promise<{ lang: string; dir: string }> {
  const documentElement = { lang: '', dir: '' };
  Object.assign(globalThis, { navigator: { languages }, document: { documentElement } });
  await loadLanguage();
  return documentElement;
}
