/** Computes the ratings of a rated game again, from the last records of both players before it. */
import {
  INITIAL_RATING,
  categoryOf,
  ratingAfter,
  ratingIn,
  type Category,
  type Color,
  type GambitClient,
  type GameRecord,
  type Rating,
} from 'gambit-client';
import { INITIAL_FEN } from '../board/position.js';
import { colorName } from '../board/words.js';
import { type NostrEvent, firstTag } from '../verify/events.js';
import type { Report } from '../verify/findings.js';

const COLORS: readonly Color[] = ['white', 'black'];
const HALF_POINTS: Readonly<Record<string, readonly [white: number, black: number]>> = {
  '1-0': [2, 0],
  '0-1': [0, 2],
  '1/2-1/2': [1, 1],
};
/** The records that are asked for at first, and where the relay's clock was set back. */
const FEW = 3;
const MANY = 200;
const DAY = 86_400;

/** The records of the last games of both sides in the category before a game. */
export type FormerRecords = Readonly<Record<Color, GameRecord | undefined>>;

/** What the check of the ratings adds to a report. */
export type RatingReport = Required<Pick<Report, 'recomputed' | 'attested' | 'missing' | 'faults'>>;

/** Checks the ratings of a game that was announced as rated, or has such a record. */
export async function checkRatingsOf(client: GambitClient, announcement: NostrEvent): Promise<RatingReport> {
  const record = await client.record(announcement.id);
  const category = record?.rated?.category;
  const former = category && {
    white: await lastBefore(client, record, 'white', category),
    black: await lastBefore(client, record, 'black', category),
  };
  return checkRatings(record, announcement, former);
}

/** The record of a side's last game in the category before that of a record. */
async function lastBefore(
  client: Pick<GambitClient, 'records'>,
  record: GameRecord,
  color: Color,
  category: Category,
): Promise<GameRecord | undefined> {
  const until = Math.floor(record.at / 1000);
  const before = record.rated?.[color].before;
  let found: GameRecord | undefined;
  for (const range of [{ until, limit: FEW }, { until: until + DAY, limit: MANY }]) {
    const records = await client.records({ player: record[color], category, ...range });
    [found] = records.filter(({ rated }) => rated && rated.seq < record.rated!.seq).sort((a, b) => b.rated!.seq - a.rated!.seq);
    if (before === (found ? afterOf(found, record[color]) : INITIAL_RATING.rating / 100)) break;
  }
  return found;
}

/** Checks the ratings. A function of its arguments. */
export function checkRatings(
  record: GameRecord | undefined,
  announcement: NostrEvent,
  former: FormerRecords | undefined,
): RatingReport {
  const report = { recomputed: [] as string[], attested: [] as string[], missing: [] as string[], faults: [] as string[] };
  if (!record) return report;
  const { rated } = record;
  if (!rated || !former) {
    if (record.event.tags.some(([name]) => name === 'seq')) {
      report.faults.push('The ratings of the record are not in the form of a rated game');
    } else {
      report.attested.push('That this game does not count for the ratings.');
    }
    return report;
  }
  report.faults.push(...formFaults(record, announcement));
  const before = COLORS.map((color) => {
    const last = former[color];
    const rating = last ? ratingIn(last, last.white === record[color] ? 'white' : 'black')! : INITIAL_RATING;
    const said = rated[color].before;
    if (rating.rating / 100 === said) return rating;
    if (last) {
      report.faults.push(`The record says ${colorName(color)} had ${said.toFixed(2)}, the record before it ${text(rating)}`);
    } else {
      report.missing.push(`The record of ${colorName(color)}’s last rated game before this one`);
    }
    return undefined;
  });
  const [white, black] = before;
  const points = HALF_POINTS[record.result];
  if (!white || !black || !points) return report;
  const at = Math.max(record.at / 1000, white.lastAt, black.lastAt);
  const after = { white: ratingAfter(white, black, points[0], at), black: ratingAfter(black, white, points[1], at) };
  for (const color of COLORS) {
    const [said, computed] = [ratingIn(record, color)!, after[color]];
    if (text(said) !== text(computed) || said.deviation !== computed.deviation || said.volatility !== computed.volatility) {
      report.faults.push(`The record says ${colorName(color)} has ${inFull(said)} after the game, the arithmetic ${inFull(computed)}`);
    }
  }
  if (report.faults.length === 0) {
    report.recomputed.push(`White’s rating: from ${text(white)} to ${text(after.white)}.`);
    report.recomputed.push(`Black’s rating: from ${text(black)} to ${text(after.black)}.`);
    report.attested.push('Which rated games the players had before this one.');
  }
  return report;
}

/** The report on a game with that on its ratings. */
export function withRatings(report: Report, ratings: RatingReport): Report {
  const missing = [...report.missing, ...ratings.missing];
  const faults = [...report.faults, ...ratings.faults];
  return {
    ...report,
    recomputed: ratings.recomputed,
    attested: [...report.attested, ...ratings.attested],
    missing,
    faults,
    holds: faults.length === 0 && missing.length === 0,
  };
}

/** What a record of a rated game must not be. */
function formFaults(record: GameRecord, announcement: NostrEvent): string[] {
  const { category } = record.rated!;
  const announced = firstTag(announcement, 'rated');
  const { tags } = record.event;
  const named = (name: string): number => tags.filter((tag) => tag[0] === name).length;
  // The ratings at the start: those before the end differ if the player's other games have ended meanwhile.
  const hasElo = (color: Color): boolean => {
    const rating = announcement.tags.find(([name, side]) => name === 'rating' && side === color)?.[2] ?? '';
    return record.pgn.includes(`[${colorName(color)}Elo "${rating}"]`);
  };
  const checks: [boolean, string][] = [
    [announced === category, `The record is rated as ${category}, the game was announced as ${announced ?? 'casual'}`],
    [categoryOf(record.time) === category, `The time control ${record.time.text} is not ${category}`],
    [record.startFen === INITIAL_FEN, 'The rated game begins from a set-up position'],
    [record.plies.length >= 2, 'The game counts although only one side has moved'],
    [named('rated') === 1 && named('seq') === 1 && named('prev') === 1 && named('rating') === 2, 'The record repeats tags of its ratings'],
    [tags.some(([name, value]) => name === 't' && value === `rated-${category}`), 'The record cannot be found by its category'],
    [COLORS.every(hasElo), 'The PGN has other ratings than those that were announced'],
  ];
  return checks.flatMap(([holds, fault]) => (holds ? [] : [fault]));
}

function afterOf({ rated, white }: GameRecord, pubkey: string): number | undefined {
  return rated?.[white === pubkey ? 'white' : 'black'].after;
}

function text({ rating }: Rating): string {
  return (rating / 100).toFixed(2);
}

function inFull(rating: Rating): string {
  return `${text(rating)} (${(rating.deviation / 100).toFixed(2)}, ${(rating.volatility / 1_000_000).toFixed(6)})`;
}
