/** The curve of a player's rating, without the component that draws it. */
import type { GameRecord, RatingChange } from 'gambit-client';

/** One rated game of a player. */
export interface RatedGame extends RatingChange {
  readonly record: GameRecord;
  readonly opponent: string;
}

/** A player's games among records of one category, in their order. */
export function gamesOf(records: readonly GameRecord[], pubkey: string): RatedGame[] {
  return records.flatMap((record) => {
    const color = record.white === pubkey ? 'white' : 'black';
    const change = record.rated?.[color];
    return change ? [{ ...change, record, opponent: color === 'white' ? record.black : record.white }] : [];
  });
}

/** The width and the height of the drawing, and the edges around the curve, in its own units. */
export const WIDTH = 400;
export const HEIGHT = 170;
const LEFT = 42;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 24;

const STEPS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const MAX_LINES = 5;

/** What a graph shows: the points of the curve, and horizontal lines with their ratings. */
export interface Curve {
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly lines: readonly { readonly y: number; readonly rating: number }[];
}

/** The curve through games, the oldest first. It begins with the rating before them. */
export function curveOf(games: readonly RatedGame[]): Curve {
  const ratings = [games[0]?.before ?? 1500, ...games.map(({ after }) => after)];
  const times = [games[0]?.record.at ?? 0, ...games.map(({ record }) => record.at)];
  const [lowest, highest] = [Math.min(...ratings), Math.max(...ratings)];
  const step = STEPS.find((it) => (highest - lowest) / it <= MAX_LINES - 1) ?? 10_000;
  const bottom = Math.floor(lowest / step) * step;
  const top = Math.max(Math.ceil(highest / step) * step, bottom + step);
  const [first, last] = [times[0]!, times.at(-1)!];
  const xOf = (at: number, i: number): number => {
    // Of games within one second, the number decides.
    const part = last > first ? (at - first) / (last - first) : i / (times.length - 1 || 1);
    return round(LEFT + part * (WIDTH - LEFT - RIGHT));
  };
  const yOf = (rating: number): number => round(TOP + ((top - rating) / (top - bottom)) * (HEIGHT - TOP - BOTTOM));
  const lines = Array.from({ length: (top - bottom) / step + 1 }, (_, i) => bottom + i * step);
  return {
    points: ratings.map((rating, i) => [xOf(times[i]!, i), yOf(rating)]),
    lines: lines.map((rating) => ({ rating, y: yOf(rating) })),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
