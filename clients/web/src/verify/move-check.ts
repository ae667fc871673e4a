/** Replays the signed moves of a game. */
import { Line } from '../board/line.js';
import { type Color, type Outcome, moveNumberOf, opponentOf, parseUci, uciOf } from '../board/position.js';
import type { Announcement } from './announcement.js';
import type { Authenticity } from './authenticity.js';
import { longAlgebraicToUci } from './long-algebraic.js';
import { MOVE, type NostrEvent, firstTag, tagValues } from './events.js';
import type { Findings } from './findings.js';
import type { JesterEvents } from './jester.js';
import type { Timeline } from './timeline.js';
import { t } from '../language/t.js';

/** The valid moves of a game. */
export interface CheckedMoves {
  readonly line: Line;
  /** The event of the last move, if there is one. */
  readonly last: NostrEvent | undefined;
  /** The number of moves whose players did not sign the number of the ply. */
  readonly unnumbered: number;
  /** The sides that have moved, and only in the ephemeral dialect. */
  readonly ephemeral: ReadonlySet<Color>;
}

/** The arguments of {@link checkMoves}, besides the record. */
export interface MoveCheckContext {
  readonly announcement: Announcement;
  readonly authenticity: Authenticity;
  readonly timeline: Timeline;
  readonly findings: Findings;
  /** The events that the record names, by id. */
  readonly events: ReadonlyMap<string, NostrEvent>;
  /** Reads the moves of a game of kind 30. */
  readonly jester: JesterEvents | undefined;
}

/** Names of outcomes in the report. */
export function outcomeName(outcome: Outcome): string {
  return t(
    '{outcome, select, checkmate {checkmate} stalemate {stalemate} deadposition {dead position} fivefold {fivefold} other {seventy five moves}}',
    { outcome },
  );
}

/**
 * Checks authenticity, order and legality of all moves of a record; undefined if one is invalid,
 * because the later ones cannot be checked then.
 */
export function checkMoves(record: NostrEvent, context: MoveCheckContext): CheckedMoves | undefined {
  const ids = tagValues(record, 'plies');
  const events = fetchedEvents(ids, context);
  const line = Line.from(context.announcement.startFen);
  if (!line) {
    return undefined;
  }
  const relayed = new Set<Color>();
  const direct = new Set<Color>();
  let unnumbered = 0;
  for (const event of events) {
    const side = line.turn;
    if (!checkMove(event, line, context)) {
      return undefined;
    }
    const isRelayed = isByRelay(event, context);
    (isRelayed ? relayed : direct).add(side);
    unnumbered += isRelayed || (!context.jester && firstTag(event, 'ply') === undefined) ? 1 : 0;
  }
  if (events.length !== ids.length) {
    return undefined;
  }
  direct.forEach((side) => relayed.delete(side));
  return { line, last: events.at(-1), unnumbered, ephemeral: relayed };
}

/** Plays one move on the line if it is valid. */
function checkMove(event: NostrEvent, line: Line, context: MoveCheckContext): boolean {
  const { authenticity, findings, timeline } = context;
  const side = line.turn;
  const number = moveNumberOf(line.fen);
  const what = t('{side, select, white {Move {number}. (White)} other {Move {number}... (Black)}}', { side, number });
  const outcome = line.outcome;
  if (outcome) {
    findings.addFault(t('{what}: the game was already over, by {outcome}', { what, outcome: outcomeName(outcome) }));
    return false;
  }
  const signed = signedMove(what, event, line, context);
  if (
    !signed ||
    !authenticity.canFollowLastMove(opponentOf(side), what, signed.proof) ||
    !authenticity.canFollowLastMove(side, what, signed.proof)
  ) {
    return false;
  }
  if (!line.play(signed.uci)) {
    findings.addFault(t('{what}: {uci} is not legal', { what, uci: signed.uci }));
    return false;
  }
  timeline.addMove(side, signed.proof);
  return true;
}

/** The fetched events before the first missing or repeated one; reports all of these. */
function fetchedEvents(ids: readonly string[], { events, findings }: MoveCheckContext): NostrEvent[] {
  const seen = new Set<string>();
  let isComplete = true;
  return ids.flatMap((id, i) => {
    const event = events.get(id);
    if (seen.has(id)) {
      findings.addFault(t('Ply {ply}: the event {id} is used twice', { ply: i + 1, id }));
      isComplete = false;
      return [];
    }
    seen.add(id);
    if (!event) {
      findings.addMissing(
        t('Ply {ply}: the event {id} is missing (deleted by its author, or without a valid signature): nothing proves it', {
          ply: i + 1,
          id,
        }),
      );
      isComplete = false;
      return [];
    }
    return isComplete ? [event] : [];
  });
}

/** A move, and the player's event that proves it; undefined if the event is not a valid one. */
function signedMove(
  what: string,
  event: NostrEvent,
  line: Line,
  context: MoveCheckContext,
): { uci: string; proof: NostrEvent } | undefined {
  const { announcement, authenticity, findings, jester } = context;
  const player = announcement[line.turn];
  const ply = line.plies.length + 1;
  const isRelayed = isByRelay(event, context);
  const isAuthentic = isRelayed
    ? authenticity.isByRelay(what, event)
    : authenticity.isByPlayer(player, what, event);
  if (!isAuthentic || !authenticity.isUnused(what, event)) {
    return undefined;
  } else if (jester) {
    const uci = jester.move(what, event, line);
    return uci === undefined ? undefined : { uci, proof: event };
  }
  const step = event.kind === MOVE ? parseUci(event.content) : undefined;
  const number = firstTag(event, 'ply');
  if (!step) {
    findings.addFault(t('{what}: the event {id} is not a move', { what, id: event.id }));
    return undefined;
  } else if (isRelayed ? number !== `${ply}` : number !== undefined && number !== `${ply}`) {
    findings.addFault(t('{what}: the event {id} is not signed as ply {ply}', { what, id: event.id, ply }));
    return undefined;
  }
  const uci = uciOf(step);
  if (!isRelayed) {
    return { uci, proof: event };
  }
  const proof = authenticity.checkedProof(player, what, firstTag(event, 'proof') ?? '');
  if (proof && longAlgebraicToUci(proof.content, line.position) !== uci) {
    findings.addFault(t('{what}: the relay says {uci}, the player {said}', { what, uci, said: proof.content }));
    return undefined;
  }
  return proof && { uci, proof };
}

/** Whether the relay has signed a move for its player, as it does in the ephemeral dialect. */
function isByRelay(event: NostrEvent, { announcement }: MoveCheckContext): boolean {
  return !announcement.isJester && event.pubkey === announcement.relay;
}
