/** Ratings of players, from the relay's records and leaderboards. */
import type { GambitClient } from './client.js';
import { isHex64, Kind, naturalNumber, tagValue } from './events.js';
import { CATEGORIES, parseCategory, parseStrength } from './rated-tags.js';
import { deviationAt, type Rating } from './ratings.js';
import { parseRecord } from './records.js';
import type { Category, Color, GameRecord, Strength } from './types.js';

/** The part of a client that reads ratings. */
type Reader = Pick<GambitClient, 'info' | 'query' | 'records' | 'relayTime'>;

const RECORDS_OF_QUERY = 100;
const MAX_HISTORY = 1000;
const MAX_LEADERS = 100;

/** A player's rating in one category now. */
export interface PlayerRating extends Strength {
  readonly category: Category;
  /** The record of the last rated game. */
  readonly record: GameRecord;
}

/** A place on a leaderboard. */
export interface Leader extends Strength {
  readonly pubkey: string;
  /** The number of rated games. */
  readonly games: number;
}

/** A player's ratings, those categories only in which the player has a rated game. */
export async function playerRatings(client: Reader, pubkey: string): Promise<PlayerRating[]> {
  const filters = CATEGORIES.map(category => ({
    kinds: [Kind.record],
    authors: [client.info.referee],
    '#p': [pubkey],
    '#t': [`rated-${category}`],
    limit: 2, // of one second, the later in the chain counts
  }));
  const records = (await client.query(...filters)).flatMap(event => parseRecord(event) ?? []);
  return CATEGORIES.flatMap(category => {
    const [record] = inChainOrder(records, category);
    const rating = record && ratingIn(record, record.white === pubkey ? 'white' : 'black');
    if (!rating) {
      return [];
    }
    const deviation = deviationAt(rating, client.relayTime / 1000);
    return [{ category, rating: points(rating.rating), deviation: points(deviation), record }];
  });
}

/**
 * A side's rating after the game of a record, in the units of the arithmetic; `undefined` if the game does not count.
 * A record does not tell how many games the player had: `games` is 1.
 */
export function ratingIn({ rated, at }: GameRecord, color: Color): Rating | undefined {
  const change = rated?.[color];
  return (
    change && {
      rating: Math.round(change.after * 100),
      deviation: Math.round(change.deviation * 100),
      volatility: Math.round(change.volatility * 1_000_000),
      games: 1,
      lastAt: at / 1000,
    }
  );
}

/** The records of a player's last rated games of a category, newest first: at most `games`, and at most 1,000. */
export async function ratingHistory(
  client: Reader,
  pubkey: string,
  category: Category,
  games = RECORDS_OF_QUERY,
): Promise<GameRecord[]> {
  const found = new Map<string, GameRecord>();
  const wanted = Math.min(games, MAX_HISTORY);
  let until: number | undefined;
  while (found.size < wanted) {
    const before = found.size;
    const limit = Math.min(RECORDS_OF_QUERY, wanted - before + 1); // that of the last second comes again
    const page = await client.records({ player: pubkey, category, limit, ...(until !== undefined && { until }) });
    page.forEach(record => found.set(record.id, record));
    if (page.length < limit || found.size === before) {
      break;
    }
    until = Math.floor(Math.min(...page.map(({ at }) => at)) / 1000);
  }
  return inChainOrder([...found.values()], category).slice(0, wanted);
}

/** The best players of each category, at most 100, best first. */
export async function leaderboards(client: Reader): Promise<ReadonlyMap<Category, readonly Leader[]>> {
  const found = new Map<Category, readonly Leader[]>();
  for (const event of await client.query({ kinds: [Kind.leaderboard], authors: [client.info.referee] })) {
    const category = parseCategory(tagValue(event, 'd'));
    if (category && !found.has(category)) {
      found.set(category, event.tags.flatMap(parseLeader).slice(0, MAX_LEADERS));
    }
  }
  return found;
}

function parseLeader([name, pubkey, rating, deviation, played]: string[]): Leader[] {
  const strength = parseStrength(rating, deviation);
  const games = naturalNumber(played);
  return name === 'rating' && isHex64(pubkey) && strength && games !== undefined ? [{ pubkey, ...strength, games }] : [];
}

/** The last one first. */
function inChainOrder(records: readonly GameRecord[], category: Category): GameRecord[] {
  return records
    .filter(({ rated }) => rated?.category === category)
    .sort((a, b) => (b.rated?.seq ?? 0) - (a.rated?.seq ?? 0));
}

function points(hundredths: number): number {
  return Math.floor(hundredths / 100 + 0.5);
}
