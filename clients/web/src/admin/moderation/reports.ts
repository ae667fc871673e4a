/** Reports as the method `reports` gives them, and what the page makes of the reported events. */
import type { NostrEvent } from 'nostr-tools/pure';
import { manyLines, oneLine } from '../../ui/names.js';

/** An event or an author that others have reported. */
export interface Report {
  readonly type: 'event' | 'author';
  /** The id of the event, or the author's public key. */
  readonly id: string;
  /** Missing if the event has just been deleted. */
  readonly author?: string;
  /** The time of the newest report, in seconds. */
  readonly newest: number;
  /** Such as `3 reporters: spam 2, illegal 1`. */
  readonly summary: string;
  /** Some of them, each as an npub. */
  readonly reporters: readonly string[];
  readonly reasons: readonly string[];
  /** The reported event, or the profile of the author; missing if it is not stored, too long, or for its recipients only. */
  readonly event?: NostrEvent;
}

const MAX_TEXT_LENGTH = 2_000;
const MAX_LINES = 40;
const MAX_IMAGES = 12;
const MAX_ADDRESS_LENGTH = 1_000;

const KINDS: Readonly<Record<number, string>> = {
  0: 'Profile', 1: 'Note', 6: 'Repost', 7: 'Reaction', 14: 'Message', 20: 'Picture', 21: 'Video', 22: 'Short video', 42: 'Chat message',
  1063: 'File', 1111: 'Comment', 1311: 'Live chat', 30023: 'Article', 30311: 'Live event', 31923: 'Calendar event',
};

/** The kind of an event in words: "Note", "Kind 30000". */
export function kindName(kind: number): string {
  return KINDS[kind] ?? `Kind ${kind}`;
}

/** The text of an event for reading, of bounded length: the fields of a profile, otherwise title and content. */
export function textOf(event: NostrEvent): string | undefined {
  const parts =
    event.kind === 0
      ? Object.entries(profileOf(event)).map(([name, value]) => `${name}: ${value}`)
      : [...tagValues(event, 'title'), ...tagValues(event, 'summary'), event.content];
  return manyLines(parts.join('\n'), MAX_TEXT_LENGTH, MAX_LINES);
}

/** The addresses of images in an event; only those by https, which the page may load when it is asked to. */
export function imagesOf(event: NostrEvent): string[] {
  const profile = event.kind === 0 ? profileOf(event) : {};
  const inText = event.content.slice(0, 20 * MAX_TEXT_LENGTH).match(/https:\/\/[^\s"'<>\\]+\.(?:jpe?g|png|gif|webp|avif)(?:\?[^\s"'<>\\]*)?/gi) ?? [];
  const inTags = event.tags.flatMap(([name, ...values]) => (name === 'imeta' ? values.filter((it) => it.startsWith('url ')).map((it) => it.slice(4)) : []));
  const all = [profile['picture'], profile['banner'], ...inTags, ...(event.kind === 1063 ? tagValues(event, 'url') : []), ...inText];
  return [...new Set(all)].filter((url) => url !== undefined).filter(isLoadable).slice(0, MAX_IMAGES);
}

function isLoadable(url: string): boolean {
  return url.length <= MAX_ADDRESS_LENGTH && URL.canParse(url) && new URL(url).protocol === 'https:';
}

/** The texts of a profile. */
function profileOf({ content }: NostrEvent): Record<string, string> {
  try {
    const fields: unknown = JSON.parse(content);
    if (typeof fields !== 'object' || fields === null) return {};
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string' && value !== ''));
  } catch {
    return {};
  }
}

function tagValues(event: NostrEvent, name: string): string[] {
  return event.tags.filter((tag) => tag[0] === name && tag[1]).map((tag) => tag[1]!);
}

/** The type that most reporters have given, as a first reason; empty if none says anything. */
export function suggestedReason({ summary }: Report): string {
  const [, type = ''] = /: ([a-z]{1,20}) \d/.exec(summary) ?? [];
  return type === 'other' ? '' : type;
}

/** The reporters' reasons, each in one line. */
export function reasonsOf({ reasons }: Report): string[] {
  return reasons.map((reason) => oneLine(reason, 300)).filter((reason) => reason !== undefined);
}
