/**
 * Strings that outlive the page, in the browser's localStorage. Where that is unavailable (blocked
 * by the user, or full), they live as long as the page.
 */
const PREFIX = 'gambit.';
const fallback = new Map<string, string>();

/** The stored string, or undefined. */
export function load(key: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + key) ?? fallback.get(key);
  } catch {
    return fallback.get(key);
  }
}

/** Stores a string; undefined removes it. Returns false if it will not outlive the page. */
export function save(key: string, value: string | undefined): boolean {
  if (value === undefined) fallback.delete(key);
  else fallback.set(key, value);
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, value);
    return true;
  } catch {
    return false;
  }
}

/** Removes every stored string that contains a text, under whatever key. Returns false if one may be left. */
export function purge(text: string): boolean {
  for (const [key, value] of fallback) if (value.includes(text)) fallback.delete(key);
  try {
    for (let i = localStorage.length - 1; i >= 0; i--) {
      const key = localStorage.key(i)!;
      if (localStorage.getItem(key)?.includes(text)) localStorage.removeItem(key);
    }
    return true;
  } catch {
    return false;
  }
}
