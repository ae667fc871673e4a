import { load, save } from '../app/storage.js';

type Catalog = Record<string, string>;

/** One file for each language but English: its sentences by the English ones. */
const CATALOGS = import.meta.glob<Catalog>('./catalogs/*.json', { import: 'default' });

/** The languages of the page by their codes, each with its own name. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  it: 'Italiano',
  pl: 'Polski',
  ru: 'Русский',
  tr: 'Türkçe',
  ar: 'العربية',
  hi: 'हिन्दी',
  ja: '日本語',
  zh: '中文',
};

let current = 'en';
let variant = 'en';
let catalog: Catalog = {};

/** The first language of a list that the page has, else English. */
export function closest(wanted: readonly string[]): string {
  return wanted.map((tag) => tag.toLowerCase().split('-')[0]!).find((code) => Object.hasOwn(LANGUAGES, code)) ?? 'en';
}

/** Loads the language of the switch, or the browser's. Nothing is shown before. */
export async function loadLanguage(): Promise<void> {
  const wanted = load('language');
  const code = closest(wanted ? [wanted] : navigator.languages);
  try {
    catalog = (await CATALOGS[`./catalogs/${code}.json`]?.()) ?? {};
    current = code;
  } catch {
    // English is better than nothing; the next visit tries again.
  }
  variant = navigator.languages.find((tag) => closest([tag]) === current && tag.toLowerCase().startsWith(current)) ?? current;
  document.documentElement.lang = current;
  document.documentElement.dir = isRightToLeft() ? 'rtl' : 'ltr';
}

/** Changes the language for this and later visits. */
export function chooseLanguage(code: string): void {
  save('language', code);
  location.reload();
}

/** The code of the page's language. */
export function language(): string {
  return current;
}

/** Whether the page's language is written from right to left. */
export function isRightToLeft(): boolean {
  return current === 'ar';
}

/** For numbers, dates and plurals: the browser's variant of the language, such as `de-CH`. */
export function locale(): string {
  return variant;
}

/** The sentence for an English one; the English one where there is no other. */
export function translationOf(message: string): string {
  return catalog[message] ?? message;
}
