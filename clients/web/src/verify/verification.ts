/**
 * Referees a finished game again from the events that a relay has served, as `gambit verify` does.
 * docs/checking-games.md has the rules.
 */
import { type Start, parseStart } from 'gambit-client';
import { npubEncode } from 'nostr-tools/nip19';
import { type Announcement, parseAnnouncement } from './announcement.js';
import { Authenticity } from './authenticity.js';
import { checkEnding } from './ending-check.js';
import { opponentOf } from '../board/position.js';
import { type NostrEvent, firstTag, repeatsTag, tagValues } from './events.js';
import { Findings, type Report } from './findings.js';
import { JesterEvents, termsOf } from './jester.js';
import { checkLot } from './lot-check.js';
import { type CheckedMoves, checkMoves } from './move-check.js';
import { pgnDifferences } from './pgn-check.js';
import { PgnError, type PgnGame, readPgn } from './pgn-reader.js';
import { RelayUrls, isRelayUrl, withLoopbackNames } from './relay-urls.js';
import { type ForgeryCheck, forgeryOf } from './signatures.js';
import { Timeline } from './timeline.js';
import { t } from '../language/t.js';

/** The events that a relay has served for a game, none of them checked. */
export interface FetchedGame {
  readonly game: string;
  /** The event whose id is the game's. */
  readonly announcement: NostrEvent | undefined;
  /** The events that the relay serves as the game's records. */
  readonly records: readonly NostrEvent[];
  /** The events that the records name, by id. */
  readonly events: ReadonlyMap<string, NostrEvent>;
  /** The chain of lots that the announcement names. */
  readonly lots?: NostrEvent | undefined;
}

/** Options of a check. */
export interface VerifyOptions {
  /** The URL by which the user reached the relay. */
  readonly relayUrl: string;
  /** The referee's limit on the distance of `created_at` from the arrival, in seconds. */
  readonly maxClockSkew: number;
  readonly forgeryOf?: ForgeryCheck;
}

/** Tags that a record must not repeat, because a second one could contradict the first. */
const UNIQUE_TAGS = ['result', 'termination', 'alt', 'plies'];

const RESULTS = ['1-0', '0-1', '1/2-1/2', '*'];

const TERMINATIONS = [
  'checkmate',
  'stalemate',
  'deadposition',
  'threefold',
  'fivefold',
  'fiftymoves',
  'seventyfivemoves',
  'agreement',
  'resignation',
  'timeout',
  'illegalmoves',
  'abandoned',
  'aborted',
];

/** Checks a game. A function of its arguments. */
export function verifyGame(fetched: FetchedGame, options: VerifyOptions): Report {
  const findings = new Findings();
  new Verification(fetched, options, findings).check();
  return findings.report();
}

class Verification {
  readonly #fetched: FetchedGame;
  readonly #options: VerifyOptions;
  readonly #findings: Findings;
  readonly #forgeryOf: ForgeryCheck;

  constructor(fetched: FetchedGame, options: VerifyOptions, findings: Findings) {
    this.#fetched = fetched;
    this.#options = options;
    this.#findings = findings;
    this.#forgeryOf = options.forgeryOf ?? forgeryOf;
  }

  check(): void {
    const event = this.#fetched.announcement;
    if (event?.id !== this.#fetched.game) {
      this.#findings.addFault(t('The relay has no event with that id'));
      return;
    }
    const forgery = this.#forgeryOf(event);
    const start = parseStart(event);
    const announcement = parseAnnouncement(event);
    if (forgery !== undefined) {
      this.#findings.addFault(t('{what}: {flaw}', { what: t('The announcement'), flaw: forgery }));
    } else if (start) {
      this.#checkStart(start);
    } else if (!announcement) {
      this.#findings.addFault(t('The event with that id does not announce a game'));
    } else {
      checkLot(event, this.#fetched.lots, this.#forgeryOf, this.#findings);
      const record = this.#onlyRecord();
      if (record) {
        this.#checkRecord(announcement, record);
      }
    }
  }

  /** Checks a game of kind 30, whose players are those of its record. */
  #checkStart(start: Start): void {
    const record = this.#onlyRecord();
    const terms = record && termsOf(start, record);
    if (typeof terms === 'string') {
      this.#findings.addFault(terms);
    } else if (record && terms) {
      if (!start.opponent && !start.hash) {
        this.#findings.addAttested(
          t('That {side, select, white {White} other {Black}} was the first to take the open seat.', { side: opponentOf(start.color) }),
        );
      }
      this.#checkRecord(terms, record);
    }
  }

  #onlyRecord(): NostrEvent | undefined {
    const [record, second] = this.#fetched.records;
    if (record && !second) {
      return record;
    }
    this.#findings.addFault(
      record
        ? t('The relay has more than one record of the game')
        : t('The relay has no record of the game: it is running, was aborted, or is hidden'),
    );
    return undefined;
  }

  #checkRecord(announcement: Announcement, record: NostrEvent): void {
    const findings = this.#findings;
    const pgn = this.#readPgn(record);
    const timeline = new Timeline(
      announcement.startedAt ?? 0,
      record.created_at,
      announcement.isJester ? Infinity : this.#options.maxClockSkew,
    );
    const urls = withLoopbackNames(this.#options.relayUrl);
    const site = pgn?.tags.get('Site') ?? '';
    const authenticity = new Authenticity({
      announcement,
      timeline,
      connected: new RelayUrls(urls),
      claimed: new RelayUrls(isRelayUrl(site) ? [...urls, ...withLoopbackNames(site)] : urls),
      forgeryOf: this.#forgeryOf,
      findings,
    });
    if (!authenticity.isByRelay(t('The record'), record)) {
      return;
    }
    UNIQUE_TAGS.filter((name) => repeatsTag(record, name)).forEach((name) =>
      findings.addFault(t('The record has more than one tag {tag}', { tag: name })),
    );
    const result = RESULTS.find((it) => it === firstTag(record, 'result'));
    const termination = TERMINATIONS.find((it) => it === firstTag(record, 'termination'));
    if (result === undefined || termination === undefined) {
      findings.addFault(t('The record does not say how the game ended'));
      return;
    }
    this.#checkSummary(record, announcement, result, termination);
    const { events } = this.#fetched;
    const plies = tagValues(record, 'plies');
    const ending = tagValues(record, 'ending');
    const common = { announcement, authenticity, findings, events };
    const jester = announcement.isJester ? new JesterEvents({ ...common, plies, ending }) : undefined;
    const played = checkMoves(record, { ...common, timeline, jester });
    if (played) {
      this.#addFacts(announcement, played);
      const context = { ...common, timeline, played, pgn, jester };
      checkEnding(record, result, termination, context);
      this.#addLimits(authenticity, played);
      if (pgn) {
        pgnDifferences(pgn, announcement, played.line, result, termination).forEach((line) =>
          findings.addFault(line),
        );
      }
    }
  }

  #readPgn(record: NostrEvent): PgnGame | undefined {
    try {
      return readPgn(record.content);
    } catch (error) {
      if (!(error instanceof PgnError)) {
        throw error;
      }
      this.#findings.addFault(t("The record's content is not a game in PGN: {reason}", { reason: error.message }));
      return undefined;
    }
  }

  /** The alt tag (NIP-31), the summary for clients without chess, must agree with the record. */
  #checkSummary(
    record: NostrEvent,
    { white, black }: Announcement,
    result: string,
    termination: string,
  ): void {
    const alt = firstTag(record, 'alt');
    const players = `${npubEncode(white)} against ${npubEncode(black)}`;
    if (alt !== undefined && alt !== `Chess game: ${players}, ${result} (${termination})`) {
      this.#findings.addFault(t('The record\'s alt says "{alt}"', { alt }));
    }
  }

  #addFacts({ time, isJester }: Announcement, { line }: CheckedMoves): void {
    this.#findings.addProved(
      t('Each of the {count, plural, one {# plies} other {# plies}} is signed by the side in turn, and legal.', {
        count: line.plies.length,
      }),
    );
    if (!isJester) {
      const hasLot = this.#fetched.announcement?.tags.some((tag) => tag[0] === 'lot');
      this.#findings.addAttested(
        hasLot
          ? t('Who was paired with whom and the time control {time}.', { time: time.text })
          : t('Who was paired with whom, the colours, and the time control {time}.', { time: time.text }),
      );
    }
    this.#findings.addAttested(
      t("When the players' events arrived, and which of them were refused or taken back."),
    );
    if (time.kind !== 'untimed') {
      this.#findings.addAttested(t('The clocks.'));
    }
  }

  /** Adds facts that remain attested because the players' events do not contain them. */
  #addLimits(authenticity: Authenticity, { unnumbered }: CheckedMoves): void {
    const { withoutGame, byClaimedUrl } = authenticity;
    if (withoutGame > 0) {
      this.#findings.addAttested(
        t(
          "That {count, plural, one {# of the players' events were meant for this game: they do not name it} other {# of the players' events were meant for this game: they do not name it}}.",
          { count: withoutGame },
        ),
      );
    }
    authenticity.addNamedRelay();
    if (byClaimedUrl > 0) {
      this.#findings.addAttested(
        t(
          "That the relay is the one of the PGN's Site, for which {count, plural, one {# of the players' events was signed} other {# of the players' events were signed}}.",
          { count: byClaimedUrl },
        ),
      );
    }
    if (unnumbered > 0) {
      this.#findings.addAttested(
        t(
          'The order of the moves, where another one would be legal: {count, plural, one {# of them does not say which ply it is} other {# of them do not say which ply they are}}.',
          { count: unnumbered },
        ),
      );
    }
  }
}
