/** Fetches the events of a finished game from a relay. */
import type { Filter } from 'gambit-client';
import {
  JESTER,
  LOTS,
  type NostrEvent,
  RECORD,
  REPOST,
  firstTag,
  isEvent,
  isHex,
  parseEvent,
  tagValues,
} from './events.js';
import { headOf } from './jester.js';
import type { FetchedGame } from './verification.js';
import { t } from '../language/t.js';

/** Returns the stored events of a relay that match a filter. */
export type Query = (filter: Filter) => Promise<readonly unknown[]>;

/** A relay that sends what no game has. */
export class FetchError extends Error {}

/** No game has more moves: the 75-move rule ends it before. */
const MAX_NAMED_EVENTS = 18_000;
const IDS_PER_QUERY = 100;
const MAX_RECORDS = 4;

/**
 * Fetches announcement, records and the events that they name; the result lacks those that the
 * relay does not serve.
 *
 * @param referee the relay's key, whose records are those of a game of kind 30, which a player's event begins
 * @throws FetchError if the relay sends more than was requested, or a record names too many events
 */
export async function fetchGame(game: string, query: Query, referee?: string): Promise<FetchedGame> {
  const ask = async (filter: Filter, max: number): Promise<NostrEvent[]> => {
    const events = await query(filter);
    if (events.length > max) {
      throw new FetchError(t('The relay sent more than was requested.'));
    }
    return events.filter(isEvent);
  };
  const announcement = (await ask({ ids: [game] }, 1)).find((event) => event.id === game);
  if (!announcement) {
    return { game, announcement, records: [], events: new Map() };
  }
  const isJester = announcement.kind === JESTER;
  const author = isJester && referee !== undefined ? referee : announcement.pubkey;
  const filter = { kinds: [RECORD], authors: [author], '#e': [game] };
  const records = (await ask(filter, MAX_RECORDS)).filter((event) => event.kind === RECORD);
  const named = records.flatMap((record) => [
    ...tagValues(record, 'plies'),
    ...tagValues(record, 'ending'),
  ]);
  const ids = [...new Set(named)].filter((id) => isHex(id, 64));
  if (ids.length > MAX_NAMED_EVENTS) {
    throw new FetchError(t('The record names {count, plural, one {# event} other {# events}}; no game is that long.', { count: ids.length }));
  }
  const events = new Map<string, NostrEvent>();
  await fetchNamed(author, ids, events, ask);
  const heads = new Set([...events.values()].flatMap((event) => headOf(event) ?? []));
  await fetchNamed(author, [...heads].filter((id) => isHex(id, 64) && id !== game && !events.has(id)), events, ask);
  const lots = isJester ? undefined : await fetchLots(announcement, ask);
  return { game, announcement, records, events, lots };
}

/** Adds the events of these ids that the relay or its copies have. */
async function fetchNamed(
  referee: string,
  ids: readonly string[],
  events: Map<string, NostrEvent>,
  ask: (filter: Filter, max: number) => Promise<NostrEvent[]>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += IDS_PER_QUERY) {
    const some = ids.slice(at, at + IDS_PER_QUERY);
    await fetchAll(some, events, ask);
    await fetchCopies(referee, some.filter((id) => !events.has(id)), events, ask);
  }
}

/** The chain of the lot that has decided the colours. */
async function fetchLots(
  announcement: NostrEvent,
  ask: (filter: Filter, max: number) => Promise<NostrEvent[]>,
): Promise<NostrEvent | undefined> {
  const chain = firstTag(announcement, 'lot');
  const filter = { kinds: [LOTS], authors: [announcement.pubkey], '#d': [chain ?? ''] };
  return chain === undefined ? undefined : (await ask(filter, 1))[0];
}

/** Adds events that their authors have deleted, from the copies that the referee keeps. */
async function fetchCopies(
  referee: string,
  deleted: readonly string[],
  events: Map<string, NostrEvent>,
  ask: (filter: Filter, max: number) => Promise<NostrEvent[]>,
): Promise<void> {
  if (deleted.length > 0) {
    const filter = { kinds: [REPOST], authors: [referee], '#e': [...deleted] };
    for (const copy of await ask(filter, deleted.length)) {
      const event = parseEvent(copy.content);
      if (event && deleted.includes(event.id) && !events.has(event.id)) {
        events.set(event.id, event);
      }
    }
  }
}

/** Repeats the query while it returns missing events, because relays limit their number. */
async function fetchAll(
  ids: readonly string[],
  events: Map<string, NostrEvent>,
  ask: (filter: Filter, max: number) => Promise<NostrEvent[]>,
): Promise<void> {
  let missing = [...ids];
  let previouslyMissing: number;
  do {
    previouslyMissing = missing.length;
    for (const event of await ask({ ids: missing }, missing.length)) {
      if (missing.includes(event.id) && !events.has(event.id)) {
        events.set(event.id, event);
      }
    }
    missing = ids.filter((id) => !events.has(id));
  } while (missing.length > 0 && missing.length < previouslyMissing);
}
