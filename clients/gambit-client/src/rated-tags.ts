import type { NostrEvent } from 'nostr-tools/pure';
import { isHex64, naturalNumber, tagValue } from './events.js';
import type { Category, Color, RatedRecord, RatedStart, RatingChange, Strength } from './types.js';

/** The categories, fastest first. */
export const CATEGORIES: readonly Category[] = ['bullet', 'blitz', 'rapid', 'classical', 'correspondence'];

const POINTS = /^-?\d{1,7}$/;
const HUNDREDTHS = /^-?\d{1,7}\.\d\d$/;
const MILLIONTHS = /^\d{1,3}\.\d{6}$/;

export function parseCategory(text: string | undefined): Category | undefined {
  return CATEGORIES.find(category => category === text);
}

/** A rating and a deviation in whole points. */
export function parseStrength(rating: string | undefined, deviation: string | undefined): Strength | undefined {
  const points = naturalNumber(deviation);
  return rating !== undefined && POINTS.test(rating) && points !== undefined
    ? { rating: Number(rating), deviation: points }
    : undefined;
}

/** The tags of a rated game in its `gameisfound` and its states; `undefined` in a casual game. */
export function parseRatedStart(event: NostrEvent): RatedStart | undefined {
  const category = parseCategory(tagValue(event, 'rated'));
  const of = (color: Color): Strength | undefined => {
    const [rating, deviation] = ratingOf(event, color);
    return parseStrength(rating, deviation);
  };
  const [white, black] = [of('white'), of('black')];
  return category && white && black && { category, white, black };
}

/** The tags of a rated game in its record; `undefined` if it does not count. */
export function parseRatedRecord(event: NostrEvent): RatedRecord | undefined {
  const category = parseCategory(tagValue(event, 'rated'));
  const seq = naturalNumber(tagValue(event, 'seq'));
  const previous = tagValue(event, 'prev');
  const [white, black] = [parseChange(event, 'white'), parseChange(event, 'black')];
  return category && seq && isHex64(previous) && white && black
    ? { category, seq, previous, white, black }
    : undefined;
}

function parseChange(event: NostrEvent, color: Color): RatingChange | undefined {
  const [before = '', after = '', deviation = '', volatility = ''] = ratingOf(event, color);
  const isRead = [before, after, deviation].every(text => HUNDREDTHS.test(text)) && MILLIONTHS.test(volatility);
  return isRead
    ? { before: Number(before), after: Number(after), deviation: Number(deviation), volatility: Number(volatility) }
    : undefined;
}

/** The values after the colour in a tag `rating`. */
function ratingOf(event: NostrEvent, color: Color): string[] {
  return event.tags.find(([name, side]) => name === 'rating' && side === color)?.slice(2) ?? [];
}
