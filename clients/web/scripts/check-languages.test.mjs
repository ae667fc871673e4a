import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { checkLanguages, merge, prune } from './check-languages.mjs';

const SENTENCE = '{count, plural, one {# game} other {# games}} of <a>{name}</a>';
const GERMAN = { Draw: 'Remis', [SENTENCE]: '{count, plural, one {# Partie} other {# Partien}} von <a>{name}</a>' };
let source;

beforeEach(() => {
  source = mkdtempSync(join(tmpdir(), 'languages-'));
  mkdirSync(join(source, 'language/catalogs'), { recursive: true });
  writeFileSync(join(source, 'language/language.ts'), "export const LANGUAGES: Names = {\n  en: 'English',\n  de: 'Deutsch',\n};\n");
  page(`<p title={t('Draw')}>{rich('${SENTENCE}', { count, name, a: (text) => <a>{text}</a> })}</p>`);
});

// Without a directory where a test of another file was running when this one was loaded.
afterEach(() => source && rmSync(source, { recursive: true }));

const page = (markup) => writeFileSync(join(source, 'Page.tsx'), `export const Page = () => <div>${markup}</div>;\n`);
const german = (catalog) => writeFileSync(join(source, 'language/catalogs/de.json'), JSON.stringify(catalog));
const file = (text) => {
  writeFileSync(join(source, 'translated'), text);
  return join(source, 'translated');
};
const stored = () => JSON.parse(readFileSync(join(source, 'language/catalogs/de.json'), 'utf8'));

test('a whole catalog has no fault', () => {
  german(GERMAN);
  assert.deepEqual(checkLanguages(source, true), []);
});

test('a catalog that is missing, or is of no language, is a fault', () => {
  assert.deepEqual(checkLanguages(source, false), []);
  writeFileSync(join(source, 'language/catalogs/xx.json'), '{}');
  assert.deepEqual(checkLanguages(source, true), ['xx.json: no such language', 'de.json: missing']);
});

test('a sentence that is missing, or used no longer, is a fault', () => {
  german({ [SENTENCE]: GERMAN[SENTENCE], 'Old one': 'Alt' });
  assert.deepEqual(checkLanguages(source, true), ['de.json: “Old one” is not used', 'de.json: “Draw” is missing']);
  assert.deepEqual(checkLanguages(source, false), []);
});

test('a translation with other arguments, tags, cases or plural forms is a fault', () => {
  const cases = [
    ['{count, plural, one {# Partie} other {# Partien}} <a>x</a>', 'has other arguments: count'],
    ['{count, plural, one {# Partie} other {# Partien}} von <b>{name}</b>', 'has other tags: b'],
    ['{count, plural, other {# Partien}} von <a>{name}</a>', 'lacks the plural form one'],
    ['{count, plural, one {#} few {#} other {#}} von <a>{name}</a>', 'has the plural form few, which the language has not'],
    ['{count, plural, one {#} other {#}} von <a>{name, select, x {y} other {z}}</a>', 'has other cases of name'],
    ['', 'is empty'],
  ];
  for (const [translation, fault] of cases) {
    german({ ...GERMAN, [SENTENCE]: translation });
    assert.deepEqual(checkLanguages(source, true), [`de.json: “${SENTENCE}” ${fault}`]);
  }
  german({ ...GERMAN, [SENTENCE]: '{count' });
  assert.match(checkLanguages(source, true).join(), /is no ICU message/);
});

test('a sentence that is no literal, no message, or lacks values is a fault', () => {
  const cases = [
    ['{t(`Draw ${x}`)}', 'the sentence is not a literal'],
    ['{t(sentence)}', 'the sentence is not a literal'],
    ["{t('{name')}", '“{name” is no ICU message'],
    ["{t('{name} left')}", '“{name} left” has no values'],
    ["{t('{name} left', { nam: 1 })}", '“{name} left” lacks the value name'],
    ["{t('Draw', { name })}", '“Draw” does not use the value name'],
    ["{t('{n, plural, other {# games}}', { n })}", 'lacks the plural form one'],
  ];
  for (const [markup, fault] of cases) {
    page(markup);
    assert.ok(checkLanguages(source, false).some((line) => line.startsWith('Page.tsx:1: ') && line.includes(fault)), fault);
  }
});

test('text that is not translated is a fault, in elements, attributes, announcements and constants', () => {
  for (const markup of ['Draw', "{won ? t('Draw') : 'lost'}", '<p title="Draw" />', "<p aria-label={`${name} won`} />", "{announce('won')}", "{wordsOf(['The game is over.'])}"]) {
    page(markup);
    assert.match(checkLanguages(source, false).join(), /^Page.tsx:1: not translated: /, markup);
  }
  page("<kbd>Alt</kbd> · {count} <p class=\"some words\">{new Error('Not shown to anybody')}</p> Gambit");
  assert.deepEqual(checkLanguages(source, false), []);
});

test('a side in a style sheet is a fault', () => {
  writeFileSync(join(source, 'page.css'), 'p {\n  margin-inline-start: 1em;\n  left: 0;\n}\n');
  assert.deepEqual(checkLanguages(source, false), ['page.css:3: a side that is not inline-start or inline-end: left: 0;']);
});

test('translations are merged from lines and from JSON, without those that have faults', () => {
  const [id] = merge(source, 'de', file(JSON.stringify({ [SENTENCE]: 'Partien' }))).join().split('\t');
  assert.deepEqual(stored(), {});
  const faults = merge(source, 'de', file(`${id}\t${GERMAN[SENTENCE].replace('von', "d'")}\nfffffff\tx\n`));
  assert.match(faults.join(), /^\w+\t“fffffff” is not used$/);
  assert.equal(stored()[SENTENCE], GERMAN[SENTENCE].replace('von', 'd’'));
  assert.deepEqual(merge(source, 'de', file(JSON.stringify(GERMAN))), []);
  assert.deepEqual(stored(), GERMAN);
});

test('what is used no longer is pruned', () => {
  german({ ...GERMAN, 'Old one': 'Alt' });
  prune(source);
  assert.deepEqual(stored(), GERMAN);
});
