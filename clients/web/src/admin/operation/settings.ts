/** The settings as the relay lists them, and changes of them before they are made. */

export interface Setting {
  readonly key: string;
  /** As text; a secret has none. */
  readonly value?: string;
  readonly default: string;
  /** `default`, a file with a line, a variable or a flag. */
  readonly source: string;
  /** Whether a change is in force without a restart. */
  readonly reloads: boolean;
  readonly secret: boolean;
  /** Whether it can be changed here. */
  readonly changeable: boolean;
  readonly about?: string;
}

/** New values by keys; null takes back what was changed here. */
export type Changes = Readonly<Record<string, string | null>>;

/** What a change does, or why it cannot be made. */
export interface Outcome {
  readonly changes: readonly { readonly key: string; readonly before: string; readonly after: string }[];
  readonly needs_restart: readonly string[];
  readonly fault: string | null;
}

/** The settings by the first part of their keys, in their order; those that have all the words of a search. */
export function sectionsOf(settings: readonly Setting[], search: string): Map<string, Setting[]> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const sections = new Map<string, Setting[]>();
  for (const setting of settings) {
    const text = `${setting.key} ${setting.value ?? ''} ${setting.about ?? ''}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const name = setting.key.split('.', 1)[0]!;
    sections.set(name, [...(sections.get(name) ?? []), setting]);
  }
  return sections;
}

/** Whether a setting was changed on this page, so that it can be taken back. */
export function isChangedHere({ source }: Setting): boolean {
  return /\badmin\.conf\b/.test(source);
}

/** The setting that a fault is about, if it names one that is changed. */
export function keyOfFault(fault: string, changes: Changes): string | undefined {
  return Object.keys(changes)
    .filter((key) => fault.includes(key))
    .sort((a, b) => b.length - a.length)[0];
}

/** The changes that restore the values before. */
export function inverse(changes: Changes, settings: readonly Setting[]): Changes {
  return Object.fromEntries(
    Object.keys(changes).map((key) => {
      const before = settings.find((setting) => setting.key === key);
      return [key, before && isChangedHere(before) ? (before.value ?? null) : null];
    }),
  );
}
