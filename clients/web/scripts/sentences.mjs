/** Finds the sentences of the page's sources: those given to `t` and `rich`, and those that were forgotten. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { parseSync } from 'vite';

/** Attributes that a user reads or hears, of elements and of our components. */
const READ = /^(aria-(label|description|valuetext|roledescription)|title|placeholder|alt|label)$/;
/** Functions whose first argument a user reads or hears. */
const SPOKEN = ['announce', 'notify', 'usePageTitle', 'confirm'];
/** Texts that are the same in every language: names, and words of protocols. */
const NAMES = ['Gambit', 'FEN', 'PGN', 'Chess game:', 'Casual game'];
/** The admin page, which is in English, as are the log and the commands. */
const ENGLISH = /^admin[\\/]/;
const SENTENCE = /^\s*\p{Lu}\p{Ll}+,? \p{L}/u;

/** What is in a message: for each argument the cases of its selects and plurals, and the names of its tags. */
export function partsOf(message) {
  const parts = { arguments: new Map(), tags: new Set(), plurals: [] };
  const visit = (elements) => {
    for (const element of elements) {
      const { type, value, options, children, pluralType } = element;
      if (type === 8) parts.tags.add(value);
      else if (type !== 0 && type !== 7) parts.arguments.set(value, [...(parts.arguments.get(value) ?? []), ...(type === 5 ? Object.keys(options) : [])]);
      if (type === 6) parts.plurals.push({ type: pluralType, cases: Object.keys(options) });
      for (const option of Object.values(options ?? {})) visit(option.value);
      visit(children ?? []);
    }
  };
  visit(new IntlMessageFormat(message, 'en').getAst());
  return parts;
}

/** All nodes below one, each with the nodes around it, the nearest first. */
function* nodesOf(node, around = []) {
  if (typeof node?.type === 'string') yield [node, around];
  const within = typeof node?.type === 'string' ? [node, ...around] : around;
  for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) yield* nodesOf(child, within);
}

/** The texts that an expression can become without a call. */
function textsOf(node) {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return [...node.quasis.map(({ value }) => value.cooked), ...node.expressions.flatMap(textsOf)];
    case 'ConditionalExpression':
      return [...textsOf(node.consequent), ...textsOf(node.alternate)];
    case 'LogicalExpression':
      return [...textsOf(node.left), ...textsOf(node.right)];
    case 'BinaryExpression':
      return node.operator === '+' ? [...textsOf(node.left), ...textsOf(node.right)] : [];
    case 'JSXExpressionContainer':
      return textsOf(node.expression);
    case 'JSXText':
      return [node.value];
    default:
      return [];
  }
}

const isKeys = (around) => around.some((node) => node.type === 'JSXElement' && ['kbd', 'code'].includes(node.openingElement.name.name));

/** The texts at a node that a user would read in English, though not given to `t`. */
function forgotten(node, around) {
  const [parent] = around;
  switch (node.type) {
    case 'JSXText':
      return isKeys(around) ? [] : textsOf(node);
    case 'JSXExpressionContainer':
      return parent.type === 'JSXAttribute' || isKeys(around) ? [] : textsOf(node);
    case 'JSXAttribute':
      return READ.test(node.name.name) ? textsOf(node.value) : [];
    case 'CallExpression':
      return SPOKEN.includes(node.callee.name) ? textsOf(node.arguments[0]) : [];
    case 'Literal':
    case 'TemplateLiteral': {
      const isTranslated = parent.type === 'CallExpression' && /^(t|rich)$/.test(parent.callee.name);
      const isError = parent.type === 'NewExpression' && /Error$/.test(parent.callee.name);
      return isTranslated || isError ? [] : textsOf(node).filter((text) => SENTENCE.test(text));
    }
    default:
      return [];
  }
}

/** What is wrong with the arguments of a call, given the parts of its message. */
function argumentFaults(values, { arguments: names, tags }) {
  const wanted = [...names.keys(), ...tags];
  if (!values) return wanted.length > 0 ? ['has no values'] : [];
  if (values.type !== 'ObjectExpression' || values.properties.some(({ type }) => type !== 'Property')) return [];
  const given = values.properties.map(({ key }) => key.name ?? key.value);
  return [
    ...wanted.filter((name) => !given.includes(name)).map((name) => `lacks the value ${name}`),
    ...given.filter((name) => !wanted.includes(name)).map((name) => `does not use the value ${name}`),
  ];
}

/**
 * Reads the sources below a folder.
 *
 * @returns the files of each sentence, and what is wrong, a line each
 */
export function sentencesOf(folder) {
  const sentences = new Map();
  const faults = new Set();
  const files = readdirSync(folder, { recursive: true }).filter((path) => /(?<!\.(test|testkit))\.tsx?$/.test(path) && !ENGLISH.test(path)).sort();
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    const fault = (node, words) => faults.add(`${file}:${text.slice(0, node.start).split('\n').length}: ${words}`);
    for (const [node, around] of nodesOf(parseSync(file, text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).program)) {
      for (const words of forgotten(node, around)) {
        if (/\p{L}{2}/u.test(words) && !NAMES.includes(words.trim())) fault(node, `not translated: ${words.trim()}`);
      }
      if (node.type !== 'CallExpression' || !/^(t|rich)$/.test(node.callee.name) || file === 'language/t.ts') continue;
      const [first, values] = node.arguments;
      const [message, ...more] = first?.type === 'Literal' || first?.type === 'TemplateLiteral' ? textsOf(first) : [];
      if (message === undefined || more.length > 0) {
        fault(node, 'the sentence is not a literal');
        continue;
      }
      sentences.set(message, [...(sentences.get(message) ?? []), file]);
      try {
        const parts = partsOf(message);
        for (const words of argumentFaults(values, parts)) fault(node, `“${message}” ${words}`);
        for (const words of pluralFaults('en', parts)) fault(node, `“${message}” ${words}`);
      } catch (error) {
        fault(node, `“${message}” is no ICU message: ${error.message}`);
      }
    }
  }
  return { sentences, faults: [...faults] };
}

/** The plural forms of a message that a language lacks, or that it does not have. */
export function pluralFaults(language, { plurals }) {
  return plurals.flatMap(({ type, cases }) => {
    const forms = new Intl.PluralRules(language, { type }).resolvedOptions().pluralCategories;
    return [
      ...forms.filter((form) => !cases.includes(form)).map((form) => `lacks the plural form ${form}`),
      ...cases.filter((form) => !form.startsWith('=') && !forms.includes(form)).map((form) => `has the plural form ${form}, which the language has not`),
    ];
  });
}
