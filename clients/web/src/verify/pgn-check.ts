/** Compares the PGN of a record with the signed events of the game. */
import { type TimeControl, parseTimeControl } from 'gambit-client';
import { npubEncode } from 'nostr-tools/nip19';
import type { Line } from '../board/line.js';
import type { Announcement } from './announcement.js';
import type { PgnGame } from './pgn-reader.js';
import { t } from '../language/t.js';

const REQUIRED = ['White', 'Black', 'Result'];

/** The time that both sides get after a restart of the relay, in tenths of a second. */
const RESTART_CREDIT = 150;

/**
 * The number of restarts of the relay that is plausible within one ply. Increments are plausible for
 * the plies of both sides, because moves that were taken back are not in the record but have earned
 * their increment.
 */
const MAX_RESTARTS_PER_PLY = 2;

/** Values of PGN's Termination tag that are not `normal`. */
const PGN_TERMINATIONS: Readonly<Record<string, string>> = {
  timeout: 'time forfeit',
  illegalmoves: 'rules infraction',
  abandoned: 'abandoned',
  aborted: 'abandoned',
};

/** Describes each difference; the Event and Site tags have nothing to be compared with. */
export function pgnDifferences(
  pgn: PgnGame,
  announcement: Announcement,
  signed: Line,
  result: string,
  termination: string,
): string[] {
  const differences: string[] = [];
  for (const [name, expected] of expectedTags(announcement, result, termination)) {
    const actual = pgn.tags.get(name) ?? '';
    if (!isConsistent(name, actual, expected)) {
      differences.push(t('The PGN says {tag} "{actual}", not "{expected}"', { tag: name, actual, expected }));
    }
  }
  if (pgn.line.startFen !== announcement.startFen) {
    return [...differences, t('The PGN begins with another position: {fen}', { fen: pgn.line.startFen })];
  }
  return [...differences, ...moveDifference(pgn.line, signed), ...clockDifference(pgn, announcement.time)];
}

function expectedTags(
  announcement: Announcement,
  result: string,
  termination: string,
): [string, string][] {
  return [
    ['Round', '-'],
    ['White', npubEncode(announcement.white)],
    ['Black', npubEncode(announcement.black)],
    ['Result', result],
    ['Termination', PGN_TERMINATIONS[termination] ?? 'normal'],
    ['TimeControl', announcement.time.text],
    ...datesOf(announcement.startedAt),
    ...levelTags('White', announcement.levels.white),
    ...levelTags('Black', announcement.levels.black),
  ];
}

function datesOf(seconds: number | undefined): [string, string][] {
  if (seconds === undefined) return [];
  const start = new Date(seconds * 1000).toISOString();
  const date = start.slice(0, 10).replace(/-/g, '.');
  return [['Date', date], ['UTCDate', date], ['UTCTime', start.slice(11, 19)]];
}

function levelTags(side: string, level: string | undefined): [string, string][] {
  return level === undefined ? [] : [[`${side}Level`, level], [`${side}Type`, 'program']];
}

/** Players and result are required; other tags may be missing or unknown. */
function isConsistent(name: string, actual: string, expected: string): boolean {
  const isUnknown = /^[?.:]*$/.test(actual) && !REQUIRED.includes(name);
  return (
    isUnknown ||
    actual.toLowerCase() === expected.toLowerCase() ||
    (name === 'TimeControl' && isSameTime(actual, expected))
  );
}

function isSameTime(actual: string, expected: string): boolean {
  return parseTimeControl(actual)?.text === expected;
}

/** Describes the first move of the PGN that differs from the signed one. */
function moveDifference(written: Line, signed: Line): string[] {
  for (let i = 0; i < Math.max(written.plies.length, signed.plies.length); i++) {
    const actual = written.plies[i];
    const expected = signed.plies[i];
    if (actual?.uci !== expected?.uci) {
      const { number, color } = (expected ?? actual)!;
      const place = `${number}${color === 'white' ? '.' : '...'}`;
      return [
        t('The PGN has {actual} where {place} {expected} was signed', {
          actual: actual?.san ?? t('nothing'),
          place,
          expected: expected?.san ?? t('nothing'),
        }),
      ];
    }
  }
  return [];
}

/** Describes the first clock that shows an impossible time. */
function clockDifference({ clocks }: PgnGame, time: TimeControl): string[] {
  const gain = time.increment * 10 + MAX_RESTARTS_PER_PLY * RESTART_CREDIT;
  const ply = clocks.findIndex(
    (clock, i) =>
      clock !== undefined && (time.kind === 'untimed' || clock > time.seconds * 10 + (i + 1) * gain),
  );
  return ply < 0
    ? []
    : [
        t("The PGN's clock shows {seconds} s after ply {ply}, which the time control {time} does not give", {
          seconds: Math.floor((clocks[ply] ?? 0) / 10),
          ply: ply + 1,
          time: time.text,
        }),
      ];
}
