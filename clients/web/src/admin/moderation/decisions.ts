/** Decisions on authors, events, kinds and addresses: made, and lifted again. */
import { nip19 } from 'nostr-tools';
import type { NostrEvent } from 'nostr-tools/pure';
import { pubkeyFrom } from '../../ui/names.js';
import { reasonOf } from '../../ui/notices.js';
import { call } from '../calls.js';
import { publish } from '../socket.js';

/** What a decision is about; keys and ids in hexadecimal. */
export type Subject =
  | { readonly type: 'author' | 'event' | 'address'; readonly value: string }
  | { readonly type: 'kind'; readonly value: number };

/** The methods that ban and allow each type of subject. */
export const METHODS = {
  author: { ban: 'banpubkey', allow: 'allowpubkey' },
  event: { ban: 'banevent', allow: 'allowevent' },
  kind: { ban: 'disallowkind', allow: 'allowkind' },
  address: { ban: 'blockip', allow: undefined },
} as const;

/** The most deleted events of which the page keeps a copy, the newest. */
const MAX_COPIES = 100;
const HIGHEST_KIND = 65_535;

/** The events that were deleted here, for publishing them again. */
const copies = new Map<string, NostrEvent>();
/** The authors that were banned here; their events may stay in the list of reports. */
const banned = new Set<string>();

export const isBannedHere = (author: string): boolean => banned.has(author);

/**
 * Bans or allows.
 *
 * @param copy the event that a ban deletes
 */
export async function decide(verdict: 'ban' | 'allow', subject: Subject, reason: string, copy?: NostrEvent): Promise<void> {
  const method = METHODS[subject.type][verdict];
  if (method === undefined) throw new Error('Addresses cannot be allowed: lift the ban instead.');
  await call(method, subject.value, reason.trim());
  if (subject.type === 'author' && verdict === 'ban') banned.add(subject.value);
  if (verdict === 'ban' && copy) {
    if (copies.size >= MAX_COPIES) copies.delete(copies.keys().next().value!);
    copies.set(copy.id, copy);
  }
}

/**
 * Lifts the decision on a subject. An event that was deleted here is published again.
 *
 * @returns a sentence that says what holds now
 */
export async function lift(subject: Subject, wasBanned = true): Promise<string> {
  await call('lift', METHODS[subject.type].ban, subject.value);
  if (subject.type === 'author') banned.delete(subject.value);
  if (subject.type !== 'event' || !wasBanned) return 'The decision is lifted.';
  const copy = copies.get(subject.value);
  if (!copy) return 'The ban is lifted. This page has no copy of the event: its author can publish it again.';
  try {
    await publish(copy);
  } catch (error) {
    return `The ban is lifted, but the relay did not take the event back: ${reasonOf(error)}`;
  }
  copies.delete(copy.id);
  return 'The ban is lifted, and the event is here again.';
}

/** The subject that a text names; 64 hex digits can be a key or an id, which the caller has to say. */
export function subjectFrom(text: string, hexIs: 'author' | 'event' = 'author'): Subject | undefined {
  const trimmed = text.trim().replace(/^nostr:/i, '');
  if (isHex(trimmed)) return { type: hexIs, value: trimmed.toLowerCase() };
  if (/^\d{1,5}$/.test(trimmed)) return Number(trimmed) <= HIGHEST_KIND ? { type: 'kind', value: Number(trimmed) } : undefined;
  if (isAddress(trimmed)) return { type: 'address', value: trimmed };
  const author = pubkeyFrom(trimmed);
  if (author !== undefined) return { type: 'author', value: author };
  try {
    const decoded = nip19.decode(trimmed);
    if (decoded.type === 'note') return { type: 'event', value: decoded.data };
    if (decoded.type === 'nevent') return { type: 'event', value: decoded.data.id };
  } catch {
    // Not one of NIP-19's forms.
  }
  return undefined;
}

export function isHex(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text.trim());
}

/** Whether a text looks like an IP address; the relay has the last word. */
function isAddress(text: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(text) || (/^[0-9a-f:.]{2,45}$/i.test(text) && text.split(':').length > 2);
}

/** The subject of a listed decision, from the text by which the relay names it: `npub1…`, `event <id>`, `kind 1`, `address 192.0.2.1`. */
export function subjectOfText(text: string): Subject | undefined {
  const [, type, value] = /^(event|kind|address) (\S+)$/.exec(text) ?? [];
  if (type === 'event' && isHex(value!)) return { type, value: value! };
  if (type === 'address') return { type, value: value! };
  return type === 'event' ? undefined : subjectFrom(type === 'kind' ? value! : text);
}
