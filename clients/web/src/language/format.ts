import { isRightToLeft, locale } from './language.js';

const formatters = new Map<string, unknown>();

/** A formatter of the page's language; making one takes longer than using it. */
function formatter<Options, Formatter>(
  Kind: new (locale: string, options?: Options) => Formatter,
  options?: Options,
): Formatter {
  const key = `${Kind.name} ${locale()} ${JSON.stringify(options)}`;
  const made = (formatters.get(key) as Formatter | undefined) ?? new Kind(locale(), options);
  formatters.set(key, made);
  return made;
}

/** A number as the user writes it. */
export function number(value: number, options?: Intl.NumberFormatOptions): string {
  return formatter(Intl.NumberFormat, options).format(value);
}

/** A number with its sign, which zero has as well: "+8", "−12", "±0". */
export function signed(value: number): string {
  return value === 0 ? `±${number(0)}` : number(value, { signDisplay: 'always' }).replace('-', '−');
}

/** A share from 0 to 1 in percent. */
export function percent(share: number): string {
  return number(share, { style: 'percent' });
}

/** A time in milliseconds as the user writes dates. */
export function date(at: number, options: Intl.DateTimeFormatOptions): string {
  return formatter(Intl.DateTimeFormat, options).format(at);
}

/** A number of units of time: "5 minutes", "10 min". Halves and quarters are written as fractions: "1½ hours". */
export function duration(
  value: number,
  unit: 'second' | 'minute' | 'hour' | 'day',
  unitDisplay: 'long' | 'short' = 'long',
): string {
  const parts = formatter(Intl.NumberFormat, { style: 'unit', unit, unitDisplay }).formatToParts(value);
  const isNumber = ({ type }: Intl.NumberFormatPart) => ['integer', 'group', 'decimal', 'fraction'].includes(type);
  const first = parts.findIndex(isNumber);
  return parts.map((part, index) => (index === first ? fraction(value) : isNumber(part) ? '' : part.value)).join('');
}

/** A number of which quarters are written as fractions: "¼", "1½". */
export function fraction(value: number): string {
  const part = { 0.25: '¼', 0.5: '½', 0.75: '¾' }[value % 1];
  return part === undefined ? number(value) : `${value < 1 ? '' : number(Math.floor(value))}${part}`;
}

/** A text such as "1–0" or "5 + 3", which is read from left to right among words of every language. */
export function leftToRight(text: string): string {
  return isRightToLeft() ? `\u2066${text}\u2069` : text;
}

/** Facts as a list, those that do not apply left out: "Casual blitz, you play White". */
export function list(facts: readonly (string | false | null | undefined)[]): string {
  const options: Intl.ListFormatOptions = { type: 'unit', style: 'short' };
  return formatter(Intl.ListFormat, options).format(facts.filter((fact) => !!fact) as string[]);
}
