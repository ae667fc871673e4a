import { npubEncode } from 'nostr-tools/nip19';
import type { Filter } from 'nostr-tools/filter';
import type { VerifiedEvent } from 'nostr-tools/pure';
import { isObject, Kind } from './events.js';
import type { Profile } from './types.js';

const MAX_PROFILES = 2000;
const AUTHORS_PER_QUERY = 100;
const MAX_NAME = 64;
const MAX_ABOUT = 500;
const MAX_PICTURE = 2000;
/** Milliseconds for which a profile is not queried again. */
const LASTS = 600_000;
/** Milliseconds within which requests are put into one query. */
const BATCH = 30;

/** Stands for a query that failed. */
const FAILED = Symbol('failed');

type Answer = (event: VerifiedEvent | undefined | typeof FAILED) => void;

interface Cached {
  readonly profile: Promise<Profile>;
  readonly expires: number;
}

/** Profiles (kind 0), queried in batches and cached: at most 2,000, each for ten minutes. */
export class Profiles {
  readonly #query: (...filters: Filter[]) => Promise<VerifiedEvent[]>;
  readonly #now: () => number;
  readonly #cache = new Map<string, Cached>();
  #batch = new Map<string, Answer>();

  constructor(query: (...filters: Filter[]) => Promise<VerifiedEvent[]>, now: () => number) {
    this.#query = query;
    this.#now = now;
  }

  get(pubkey: string): Promise<Profile> {
    const cached = this.#cache.get(pubkey);
    if (cached && cached.expires > this.#now()) {
      return cached.profile;
    }
    this.#cache.delete(pubkey);
    const profile = new Promise<VerifiedEvent | undefined | typeof FAILED>(resolve => {
      if (this.#batch.size === 0) {
        setTimeout(() => this.#queryBatch(), BATCH);
      }
      this.#batch.set(pubkey, resolve);
    }).then(event =>
      event === FAILED
        ? this.#afterFailure(pubkey, cached)
        : parseProfile(pubkey, event?.content),
    );
    this.#cache.set(pubkey, { profile, expires: this.#now() + LASTS });
    if (this.#cache.size > MAX_PROFILES) {
      this.#cache.delete(this.#cache.keys().next().value as string);
    }
    return profile;
  }

  /** Queries a profile when it is asked for again: its player has published another one. */
  forget(pubkey: string): void {
    this.#cache.delete(pubkey);
  }

  /** The profile from before remains, and is queried when it is asked for again. */
  #afterFailure(pubkey: string, before: Cached | undefined): Profile | Promise<Profile> {
    this.#cache.delete(pubkey);
    if (before) {
      this.#cache.set(pubkey, { profile: before.profile, expires: this.#now() });
    }
    return before?.profile ?? parseProfile(pubkey, undefined);
  }

  #queryBatch(): void {
    const all = [...this.#batch];
    this.#batch = new Map();
    for (let from = 0; from < all.length; from += AUTHORS_PER_QUERY) {
      void this.#resolve(all.slice(from, from + AUTHORS_PER_QUERY));
    }
  }

  async #resolve(batch: [string, Answer][]): Promise<void> {
    let events: VerifiedEvent[] = [];
    try {
      const authors = batch.map(([pubkey]) => pubkey);
      events = await this.#query({ kinds: [Kind.profile], authors });
    } catch {
      for (const [, resolve] of batch) {
        resolve(FAILED);
      }
      return;
    }
    for (const [pubkey, resolve] of batch) {
      resolve(events.find(event => event.pubkey === pubkey && event.kind === Kind.profile));
    }
  }
}

/** Reads a profile. Its values are bounded and have no control characters, but are still text of a stranger. */
export function parseProfile(pubkey: string, content: string | undefined): Profile {
  const fields = parseObject(content ?? '');
  const name = text(fields.display_name, MAX_NAME) ?? text(fields.name, MAX_NAME);
  const about = text(fields.about, MAX_ABOUT);
  const picture = url(fields.picture);
  return {
    pubkey,
    npub: npubEncode(pubkey),
    ...(name && { name }),
    ...(picture && { picture }),
    ...(about && { about }),
    bot: fields.bot === true,
  };
}

function parseObject(content: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(content);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Without control characters, and without those that change the direction of the text around them. */
function text(value: unknown, longest: number): string | undefined {
  if (typeof value !== 'string') {
    return undefined;
  }
  const plain = value
    .slice(0, 10 * longest)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...plain].slice(0, longest).join('') || undefined;
}

function url(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_PICTURE || !URL.canParse(value)) {
    return undefined;
  }
  const { protocol, href } = new URL(value);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
