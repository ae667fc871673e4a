import type { NostrEvent, VerifiedEvent } from 'nostr-tools/pure';
import { getEventHash, verifyEvent } from 'nostr-tools/pure';
import type { PlayerLevels } from './types.js';

/** The kinds of NIP-100, of the relay's current states, of what belongs to a game, and of memberships (NIP-43). */
export const Kind = {
  profile: 0,
  follows: 3,
  jester: 30,
  record: 64,
  comment: 1111,
  request: 5000,
  move: 5001,
  proposal: 5002,
  resignation: 5003,
  memberAdded: 8000,
  memberRemoved: 8001,
  members: 13534,
  login: 22242,
  state: 20302,
  lobby: 20305,
  presence: 20306,
  leaderboard: 20307,
  player: 20308,
  join: 28934,
  leave: 28936,
} as const;

/** Whether an event of this kind may be a player's request, in one of the relay's two dialects. */
export function isChess(kind: number): boolean {
  return (kind >= Kind.request && kind <= Kind.resignation) || (kind >= 20300 && kind <= 20304);
}

const HEX64 = /^[0-9a-f]{64}$/;
const HEX128 = /^[0-9a-f]{128}$/;
const MAX_TAGS = 20_000;
const MAX_VERIFIED = 10_000;

/** The ids whose signatures were verified, oldest first: an event often comes under several subscriptions. */
const verified = new Set<string>();

/** The event in a message of the relay, if it is one and its signature is valid. */
export function verifiedEvent(value: unknown): VerifiedEvent | undefined {
  if (!isEvent(value)) {
    return undefined;
  }
  if (verified.has(value.id)) {
    // The id is a hash of everything but the signature, and one signature of it was valid.
    return getEventHash(value) === value.id ? (value as VerifiedEvent) : undefined;
  }
  if (!isValid(value)) {
    return undefined;
  }
  verified.add(value.id);
  if (verified.size > MAX_VERIFIED) {
    verified.delete(verified.values().next().value as string);
  }
  return value;
}

function isValid(event: NostrEvent): event is VerifiedEvent {
  try {
    return verifyEvent(event);
  } catch {
    return false;
  }
}

function isEvent(value: unknown): value is NostrEvent {
  if (!isObject(value)) {
    return false;
  }
  const { id, pubkey, created_at, kind, tags, content, sig } = value;
  return (
    isHex64(id) &&
    isHex64(pubkey) &&
    typeof sig === 'string' &&
    HEX128.test(sig) &&
    isNaturalNumber(created_at) &&
    isNaturalNumber(kind) &&
    typeof content === 'string' &&
    Array.isArray(tags) &&
    tags.length <= MAX_TAGS &&
    tags.every(tag => Array.isArray(tag) && tag.every(item => typeof item === 'string'))
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isHex64(value: unknown): value is string {
  return typeof value === 'string' && HEX64.test(value);
}

export function isNaturalNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** A decimal number without sign; `undefined` for any other text. */
export function naturalNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The first tag of this name. */
export function tag(event: NostrEvent, name: string): string[] | undefined {
  return event.tags.find(([first]) => first === name);
}

/** The value of the first tag of this name. */
export function tagValue(event: NostrEvent, name: string): string | undefined {
  return tag(event, name)?.[1];
}

/** The values of all tags of this name. */
/** What is read of an event that nobody changes. */
export type ReadonlyEvent = Pick<NostrEvent, 'id' | 'pubkey' | 'kind' | 'content'> & {
  readonly tags: readonly (readonly string[])[];
};

export function tagValues(event: Pick<ReadonlyEvent, 'tags'> | undefined, name: string): string[] {
  return (event?.tags ?? []).filter(([first]) => first === name).map(([, value]) => value ?? '');
}

/** The game that an event is for: the `e` tag marked `root`, else the first unmarked one. */
export function rootGame(event: NostrEvent): string | undefined {
  const tags = event.tags.filter(([name]) => name === 'e');
  return (tags.find(it => it[3] === 'root') ?? tags.find(it => !it[3]))?.[1];
}

/** The two players' keys of an event of the relay, White's first. */
export function players(event: NostrEvent): [white: string, black: string] | undefined {
  const [white, black] = tagValues(event, 'p');
  return isHex64(white) && isHex64(black) ? [white, black] : undefined;
}

/** The levels in an event of the relay about a game: the fifth elements of its `p` tags. */
export function levels(event: NostrEvent): PlayerLevels {
  const [white, black] = event.tags.filter(([name]) => name === 'p').map(it => naturalNumber(it[4]));
  return { ...(white && { white }), ...(black && { black }) };
}

/** Seconds by which an event's time may be ahead so that it is ordered after another one. */
const MAX_AHEAD = 20;

/**
 * The present second, or a later one that follows another event, so that others can order the two.
 *
 * @param last the second of the other event
 * @param relayTime the present in epoch milliseconds of the relay
 */
export function secondAfter(last: number, relayTime: number): number {
  const now = Math.floor(relayTime / 1000);
  return Math.max(now, Math.min(last + 1, now + MAX_AHEAD));
}

/** A random value for the tag `nonce`, which distinguishes events of one second. */
export function nonce(): string[] {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return ['nonce', [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')];
}
