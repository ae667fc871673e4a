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
import { t } from '../language/t.js';
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
      report.faults.push(t('The ratings of the record are not in the form of a rated game'));
    } else {
      report.attested.push(t('That this game does not count for the ratings.'));
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
      const values = { color, said: said.toFixed(2), before: text(rating) };
      report.faults.push(t('The record says {color, select, white {White} other {Black}} had {said}, the record before it {before}', values));
    } else {
      report.missing.push(t('The record of {color, select, white {White’s} other {Black’s}} last rated game before this one', { color }));
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
      const values = { color, said: inFull(said), computed: inFull(computed) };
      report.faults.push(t('The record says {color, select, white {White} other {Black}} has {said} after the game, the arithmetic {computed}', values));
    }
  }
  if (report.faults.length === 0) {
    report.recomputed.push(t('White’s rating: from {before} to {after}.', { before: text(white), after: text(after.white) }));
    report.recomputed.push(t('Black’s rating: from {before} to {after}.', { before: text(black), after: text(after.black) }));
    report.attested.push(t('Which rated games the players had before this one.'));
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
    return record.pgn.includes(`[${color === 'white' ? 'White' : 'Black'}Elo "${rating}"]`);
  };
  const checks: [boolean, string][] = [
    [announced === category, announced
      ? t('The record is rated as {category}, the game was announced as {announced}', { category, announced })
      : t('The record is rated as {category}, the game was announced as casual', { category })],
    [categoryOf(record.time) === category, t('The time control {time} is not {category}', { time: record.time.text, category })],
    [record.startFen === INITIAL_FEN, t('The rated game begins from a set-up position')],
    [record.plies.length >= 2, t('The game counts although only one side has moved')],
    [named('rated') === 1 && named('seq') === 1 && named('prev') === 1 && named('rating') === 2, t('The record repeats tags of its ratings')],
    [tags.some(([name, value]) => name === 't' && value === `rated-${category}`), t('The record cannot be found by its category')],
    [COLORS.every(hasElo), t('The PGN has other ratings than those that were announced')],
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
