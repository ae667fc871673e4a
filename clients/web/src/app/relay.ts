import { load, save } from './storage.js';

/** The most foreign relays that this browser remembers; beyond that, the oldest is asked about again. */
const MAX_ALLOWED = 50;

/**
 * The address of the relay's WebSocket: that of `?relay=`, so that any static host can serve the
 * page, otherwise the host of the page itself. Undefined if `?relay=` is no such address.
 */
export function relayUrl(page: URL): string | undefined {
  const named = page.searchParams.get('relay');
  if (named === null) {
    return `${page.protocol === 'https:' ? 'wss:' : 'ws:'}//${page.host}${page.pathname.replace(/[^/]*$/, '')}`;
  }
  try {
    const url = new URL(named.includes('://') ? named : `wss://${named}`);
    if (url.protocol === 'http:') url.protocol = 'ws:';
    if (url.protocol === 'https:') url.protocol = 'wss:';
    return url.protocol === 'ws:' || url.protocol === 'wss:' ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a relay is not the one that serves the page: it is asked about, and its name is always shown. */
export function isForeign(relay: string, page: URL): boolean {
  return new URL(relay).origin !== page.origin.replace(/^http/, 'ws');
}

/** Whether the user has agreed to play at this foreign relay. */
export function isAllowed(relay: string): boolean {
  return allowed().includes(new URL(relay).origin);
}

/** Remembers that the user plays at this foreign relay. */
export function allow(relay: string): void {
  const { origin } = new URL(relay);
  save('relays', [...allowed().filter((other) => other !== origin), origin].slice(-MAX_ALLOWED).join(' '));
}

function allowed(): string[] {
  return (load('relays') ?? '').split(' ').filter(Boolean);
}
