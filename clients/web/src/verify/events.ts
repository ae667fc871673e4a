/** Nostr events as a relay sends them, and the kinds and tags of a finished game's events. */

/** A Nostr event (NIP-01) that nobody has checked. */
export interface NostrEvent {
  readonly id: string;
  readonly pubkey: string;
  readonly created_at: number;
  readonly kind: number;
  readonly tags: readonly (readonly string[])[];
  readonly content: string;
  readonly sig: string;
}

/** A message of clients that play without a referee. */
export const JESTER = 30;

/** A copy of an event (NIP-18). */
export const REPOST = 16;
export const RECORD = 64;
export const LOBBY = 5000;
export const MOVE = 5001;
export const DRAW = 5002;
export const RESIGN = 5003;

/** A move, offer, claim or resignation in the ephemeral dialect. */
export const EPHEMERAL = 20303;

/** A chain of lots for colours. */
export const LOTS = 30065;

/** Tags of jobs (NIP-90), which use the kinds of NIP-100: an event with one is not chess. */
const JOB_TAGS = new Set(['i', 'param', 'output', 'bid', 'relays', 'encrypted', 'j']);

/** Whether a value is a text of this number of lower-case hexadecimal digits. */
export function isHex(text: unknown, digits: number): text is string {
  return typeof text === 'string' && text.length === digits && /^[0-9a-f]*$/.test(text);
}

/** The last second that JavaScript has a date for, about the year 275,000. */
const MAX_SECONDS = 8_640_000_000_000;

/** Whether a value has the form of an event; id and signature are not checked. */
export function isEvent(value: unknown): value is NostrEvent {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const event = value as Record<string, unknown>;
  return (
    isHex(event.id, 64) &&
    isHex(event.pubkey, 64) &&
    isHex(event.sig, 128) &&
    isWholeNumber(event.created_at, MAX_SECONDS) &&
    isWholeNumber(event.kind, 65_535) &&
    typeof event.content === 'string' &&
    Array.isArray(event.tags) &&
    event.tags.every(
      (tag: unknown) =>
        Array.isArray(tag) && tag.length > 0 && tag.every((text) => typeof text === 'string'),
    )
  );
}

function isWholeNumber(value: unknown, max: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max;
}

/** Reads an event from JSON; undefined if it does not have the form of one. */
export function parseEvent(json: string): NostrEvent | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const complete = typeof value === 'object' && value !== null ? { tags: [], ...value } : value;
    return isEvent(complete) ? complete : undefined;
  } catch {
    return undefined;
  }
}

/** All tags of a name, in order. */
export function tagsNamed(event: NostrEvent, name: string): readonly (readonly string[])[] {
  return event.tags.filter((tag) => tag[0] === name);
}

/** The value of the first tag of a name; undefined without such a tag or value. */
export function firstTag(event: NostrEvent, name: string): string | undefined {
  return event.tags.find((tag) => tag[0] === name && tag.length > 1)?.[1];
}

/** The values of all tags of a name, in order. */
export function tagValues(event: NostrEvent, name: string): string[] {
  return tagsNamed(event, name).flatMap((tag) => tag.slice(1));
}

/** Whether an event has more than one tag of a name. */
export function repeatsTag(event: NostrEvent, name: string): boolean {
  return tagsNamed(event, name).length > 1;
}

/** The event at the root of a thread: the first e tag marked root, else without a mark (NIP-10). */
export function rootOf(event: NostrEvent): string | undefined {
  const marked = (mark: string): string | undefined =>
    tagsNamed(event, 'e').find((tag) => tag.length > 1 && (tag[3] ?? '') === mark)?.[1];
  return marked('root') ?? marked('');
}

/** Whether an event of a kind of NIP-100 is a job (NIP-90). */
export function isJob(event: NostrEvent): boolean {
  return (
    event.kind >= LOBBY &&
    event.kind <= RESIGN &&
    event.tags.some((tag) => JOB_TAGS.has(tag[0] ?? ''))
  );
}
