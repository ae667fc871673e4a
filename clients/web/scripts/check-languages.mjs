/**
 * Checks the sentences of the page, its catalogs and the sides in its style sheets, and fails with a line for each fault.
 *
 * --list            prints the English sentences, each with an id and its files, separated by tabs
 * --missing xx      prints those that a language lacks
 * --merge xx file   adds translations: lines of id, tab, translation; or JSON of sentence and translation
 * --prune           removes the translations of sentences that are used no longer
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { partsOf, pluralFaults, sentencesOf } from './sentences.mjs';

const idOf = (sentence) => createHash('sha256').update(sentence).digest('hex').slice(0, 7);
const same = (one, other) => [...one].sort().join() === [...other].sort().join();

/** The codes of `LANGUAGES`, without English. */
export function languagesOf(source) {
  const languages = readFileSync(join(source, 'language/language.ts'), 'utf8');
  const [, names] = /LANGUAGES[^=]*= \{(.*?)\}/s.exec(languages);
  return [...names.matchAll(/(\w+): '/g)].map(([, code]) => code).filter((code) => code !== 'en');
}

/** What is wrong with a translation. */
export function translationFaults(language, sentence, translation) {
  if (typeof translation !== 'string' || translation.trim() === '') return ['is empty'];
  try {
    const [english, other] = [partsOf(sentence), partsOf(translation)];
    const selects = [...english.arguments].filter(([name, cases]) => !same(new Set(cases), new Set(other.arguments.get(name) ?? [])));
    return [
      ...(same(english.arguments.keys(), other.arguments.keys())
        ? selects.map(([name]) => `has other cases of ${name}`)
        : [`has other arguments: ${[...other.arguments.keys()].join(', ') || 'none'}`]),
      ...(same(english.tags, other.tags) ? [] : [`has other tags: ${[...other.tags].join(', ') || 'none'}`]),
      ...pluralFaults(language, other),
    ];
  } catch (error) {
    return [`is no ICU message: ${error.message}`];
  }
}

/** Where style sheets say left or right, which is wrong from right to left; a line each. */
function sideFaults(source) {
  const sides = /(margin|padding|border)-(left|right)|^ *(left|right):|text-align: (left|right)|float: (left|right)/;
  return readdirSync(source, { recursive: true }).filter((path) => path.endsWith('.css')).sort().flatMap((path) =>
    readFileSync(join(source, path), 'utf8').split('\n').flatMap((line, index) =>
      sides.test(line) ? [`${path}:${index + 1}: a side that is not inline-start or inline-end: ${line.trim()}`] : [],
    ),
  );
}

/** What is wrong with the sources and catalogs below a folder, a line each. */
export function checkLanguages(source, isComplete = true) {
  const { sentences, faults } = sentencesOf(source);
  faults.push(...sideFaults(source));
  const ids = [...sentences.keys()].map(idOf);
  if (new Set(ids).size < ids.length) faults.push('two sentences have the same id: change one of them');
  const languages = languagesOf(source);
  const folder = join(source, 'language/catalogs');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  for (const file of files) if (!languages.includes(file.replace(/\.json$/, ''))) faults.push(`${file}: no such language`);
  for (const language of languages) {
    if (!files.includes(`${language}.json`)) {
      if (isComplete) faults.push(`${language}.json: missing`);
      continue;
    }
    const catalog = catalogOf(source, language);
    const say = (sentence, fault) => faults.push(`${language}.json: “${sentence}” ${fault}`);
    for (const [sentence, translation] of Object.entries(catalog)) {
      if (sentences.has(sentence)) for (const fault of translationFaults(language, sentence, translation)) say(sentence, fault);
      else if (isComplete) say(sentence, 'is not used');
    }
    if (isComplete) for (const sentence of sentences.keys()) if (!Object.hasOwn(catalog, sentence)) say(sentence, 'is missing');
  }
  return faults;
}

const pathOf = (source, language) => join(source, 'language/catalogs', `${language}.json`);

function catalogOf(source, language) {
  const path = pathOf(source, language);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

function write(source, language, catalog) {
  const sorted = Object.entries(catalog).sort(([a], [b]) => (a < b ? -1 : 1));
  mkdirSync(join(source, 'language/catalogs'), { recursive: true });
  writeFileSync(pathOf(source, language), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/** Prints the sentences that a catalog lacks. */
function list(source, catalog = {}) {
  for (const [sentence, files] of [...sentencesOf(source).sentences].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!Object.hasOwn(catalog, sentence)) console.log([idOf(sentence), sentence, [...new Set(files)].join(' ')].join('\t'));
  }
}

/** Adds the translations of a file that have no fault; returns a line for each of the others. */
export function merge(source, language, file) {
  const sentences = new Map([...sentencesOf(source).sentences.keys()].map((sentence) => [idOf(sentence), sentence]));
  const text = readFileSync(file, 'utf8').trim();
  const given = text.startsWith('{')
    ? Object.entries(JSON.parse(text))
    : text.split(/\r?\n/).filter(Boolean).map((line) => line.split('\t')).map(([id, translation]) => [sentences.get(id.trim()) ?? id, translation]);
  const catalog = catalogOf(source, language);
  const faults = [];
  const known = new Set(sentences.values());
  for (const [sentence, raw] of given) {
    // A straight apostrophe would quote a brace after it.
    const translation = raw?.trim().replaceAll("'", '’');
    const found = known.has(sentence) ? translationFaults(language, sentence, translation) : ['is not used'];
    if (found.length === 0) catalog[sentence] = translation;
    for (const fault of found) faults.push(`${idOf(sentence)}\t“${sentence}” ${fault}`);
  }
  write(source, language, catalog);
  return faults;
}

/** Removes what is used no longer from all catalogs. */
export function prune(source) {
  const { sentences } = sentencesOf(source);
  for (const language of languagesOf(source).filter((code) => existsSync(pathOf(source, code)))) {
    const used = Object.entries(catalogOf(source, language)).filter(([sentence]) => sentences.has(sentence));
    write(source, language, Object.fromEntries(used));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const source = fileURLToPath(new URL('../src/', import.meta.url));
  const [, , option, language, file] = process.argv;
  let faults = [];
  if (option === '--list') list(source);
  else if (option === '--missing') {
    console.error(`Plural forms: ${new Intl.PluralRules(language).resolvedOptions().pluralCategories.join(', ')}`);
    list(source, catalogOf(source, language));
  }
  else if (option === '--merge') faults = merge(source, language, file);
  else if (option === '--prune') prune(source);
  else faults = checkLanguages(source);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
