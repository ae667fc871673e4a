/** Checks that a game ended as its record says. */
import { type Color, canMate, halfmoveClock, opponentOf, turnOf } from '../board/position.js';
import { type Announcement, sideOf } from './announcement.js';
import type { Authenticity } from './authenticity.js';
import { DRAW, MOVE, type NostrEvent, RESIGN, firstTag, parseEvent, tagValues, tagsNamed } from './events.js';
import type { Findings } from './findings.js';
import type { JesterAct, JesterEvents } from './jester.js';
import { type CheckedMoves, outcomeName } from './move-check.js';
import type { PgnGame } from './pgn-reader.js';
import type { Timeline } from './timeline.js';
import { t } from '../language/t.js';

/** The terminations that follow from the position. */
const BY_POSITION = ['checkmate', 'stalemate', 'deadposition', 'fivefold', 'seventyfivemoves'];

/** A player's act that can end a game; in the ephemeral dialect, `draw` accepts, claims or offers, and in kind 30 the first and last. */
type Act = 'offer' | 'accept' | 'claim' | JesterAct;

/** The arguments of {@link checkEnding}, besides the record. */
export interface EndingContext {
  readonly announcement: Announcement;
  readonly authenticity: Authenticity;
  readonly timeline: Timeline;
  readonly findings: Findings;
  readonly events: ReadonlyMap<string, NostrEvent>;
  readonly played: CheckedMoves;
  readonly pgn: PgnGame | undefined;
  readonly jester: JesterEvents | undefined;
}

/**
 * Checks the end of a game whose moves are valid: by the position, by the players' signed events, or,
 * for time and conduct, as the relay attests.
 */
export function checkEnding(
  record: NostrEvent,
  result: string,
  termination: string,
  context: EndingContext,
): void {
  new EndingCheck(context).check(record, result, termination);
}

class EndingCheck {
  readonly #context: EndingContext;
  readonly #findings: Findings;
  readonly #signedActs = new Set<string>();
  #isActMissing = false; // so that the acts of the others do not suffice

  constructor(context: EndingContext) {
    this.#context = context;
    this.#findings = context.findings;
  }

  check(record: NostrEvent, result: string, termination: string): void {
    tagValues(record, 'ending').forEach((id) => this.#addStored(id, result));
    tagsNamed(record, 'proof').forEach((tag) => this.#addProof(tag[1] ?? ''));
    const { line } = this.#context.played;
    const outcome = line.outcome;
    if (outcome && outcome !== termination) {
      this.#fault(t('The moves end the game by {outcome}, not by {termination}', { outcome: outcomeName(outcome), termination }));
    } else if (!outcome && BY_POSITION.includes(termination)) {
      this.#fault(t('The moves do not end the game by {termination}', { termination }));
    } else if (!this.#isPossible(termination)) {
      this.#fault(
        t('After so few plies, or with this time control, a game cannot end by {termination}', { termination }),
      );
    } else if (!this.#isConsistent(result, termination)) {
      this.#fault(t('The result {result} contradicts the termination {termination}', { result, termination }));
    }
  }

  #fault(line: string): void {
    this.#findings.addFault(line);
  }

  /** A fault unless the event may be the one that is missing. */
  #unsigned(line: string): void {
    if (!this.#isActMissing) {
      this.#fault(line);
    }
  }

  #isConsistent(result: string, termination: string): boolean {
    const { line } = this.#context.played;
    switch (termination) {
      case 'checkmate':
        return this.#endsByPosition(result === winFor(opponentOf(line.turn)));
      case 'stalemate':
      case 'deadposition':
      case 'fivefold':
      case 'seventyfivemoves':
        return this.#endsByPosition(result === '1/2-1/2');
      case 'threefold':
        return this.#endsByClaim(result, line.occurrences >= 3, t('threefold repetition'));
      case 'fiftymoves':
        return this.#endsByClaim(result, halfmoveClock(line.position) >= 100, t('the fifty-move rule'));
      case 'agreement':
        return this.#endsByAgreement(result);
      case 'resignation':
        return this.#endsByResignation(result);
      case 'timeout':
        return this.#endsByTimeout(result);
      case 'illegalmoves':
        return this.#endsByIllegalMoves(result);
      case 'abandoned':
        return this.#endsByAbandonment(result);
      default:
        return false;
    }
  }

  #addStored(id: string, result: string): void {
    const { authenticity, announcement, events, played, jester } = this.#context;
    const what = t('The ending');
    const event = events.get(id);
    if (!event) {
      this.#findings.addMissing(
        t('{what}: the event {id} is missing (deleted by its author, or without a valid signature): nothing proves it', {
          what,
          id,
        }),
      );
      this.#isActMissing = true;
      return;
    }
    const act = jester ? jester.act(what, event, played.line, result) : actOf(event, played.last);
    if (!act) {
      this.#fault(t('{what}: the event {id} does not end a game', { what, id: event.id }));
    } else if (
      authenticity.isByPlayer(playerOf(announcement, event), what, event) &&
      (event.kind === MOVE || (jester && event === played.last) || authenticity.isUnused(what, event))
    ) {
      this.#addAct(what, event, act);
    }
  }

  #addProof(json: string): void {
    const { authenticity, announcement } = this.#context;
    const what = t('The ending');
    const claimed = parseEvent(json);
    const player = claimed ? playerOf(announcement, claimed) : announcement.white;
    const proof = authenticity.checkedProof(player, what, json);
    if (proof && (proof.content === 'resign' || proof.content === 'quit')) {
      this.#addAct(what, proof, 'resign');
    } else if (proof?.content === 'draw') {
      this.#addAct(what, proof, 'draw');
    } else if (proof) {
      this.#fault(t('{what}: the event {id} does not end a game', { what, id: proof.id }));
    }
  }

  /**
   * Adds a player's act if it can have arrived after the last moves. An offer remains valid after a
   * later move of its author, until the opponent moves.
   */
  #addAct(what: string, event: NostrEvent, act: Act): void {
    const { authenticity, announcement } = this.#context;
    const side = sideOf(announcement, event.pubkey);
    const mayPrecedeOwnMove = act === 'offer' || act === 'draw';
    if (
      authenticity.canFollowLastMove(opponentOf(side), what, event) &&
      (mayPrecedeOwnMove || authenticity.canFollowLastMove(side, what, event))
    ) {
      this.#signedActs.add(`${side} ${act}`);
    }
  }

  #hasSigned(side: Color, ...acts: Act[]): boolean {
    return acts.some((act) => this.#signedActs.has(`${side} ${act}`));
  }

  #endsByPosition(isExpectedResult: boolean): boolean {
    const outcome = this.#context.played.line.outcome;
    this.#findings.addProved(
      t('The moves end the game by {outcome}.', { outcome: outcome ? outcomeName(outcome) : t('nothing') }),
    );
    return isExpectedResult;
  }

  #endsByClaim(result: string, isClaimable: boolean, rule: string): boolean {
    const claimant = this.#context.played.line.turn;
    if (!isClaimable) {
      this.#fault(t('The moves do not allow a draw claim by {rule}', { rule }));
    } else if (!this.#hasSigned(claimant, 'claim', 'draw')) {
      this.#unsigned(t('No event signed by {side, select, white {White} other {Black}} claims the draw', { side: claimant }));
    } else {
      this.#findings.addProved(
        t('{side, select, white {White} other {Black}} claimed a draw by {rule}, and the moves allow it.', { side: claimant, rule }),
      );
    }
    return result === '1/2-1/2';
  }

  /** A player who has moved may offer a draw; the opponent may accept it before moving. */
  #endsByAgreement(result: string): boolean {
    const sides: readonly Color[] = ['white', 'black'];
    const isOffered = sides.some(
      (side) => this.#hasMoved(side) && this.#hasSigned(side, 'offer', 'draw'),
    );
    const silent = sides.filter((side) => !this.#hasSigned(side, 'offer', 'accept', 'draw'));
    silent.forEach((side) =>
      this.#unsigned(t('No event signed by {side, select, white {White} other {Black}} agrees to a draw', { side })),
    );
    if (silent.length === 0 && isOffered) {
      this.#findings.addProved(t('Both players agreed to a draw.'));
    } else if (silent.length === 0) {
      this.#unsigned(t('No event signed by a player who had moved offers a draw'));
    }
    return result === '1/2-1/2';
  }

  #hasMoved(side: Color): boolean {
    const { announcement, played } = this.#context;
    return played.line.plies.length > (side === turnOf(announcement.startFen) ? 0 : 1);
  }

  #endsByResignation(result: string): boolean {
    const winner = winnerOf(result);
    if (winner) {
      const loser = opponentOf(winner);
      if (this.#hasSigned(loser, 'resign')) {
        this.#findings.addProved(t('{side, select, white {White} other {Black}} resigned.', { side: loser }));
      } else {
        this.#unsigned(t('No event signed by {side, select, white {White} other {Black}} resigns', { side: loser }));
      }
    }
    return winner !== undefined;
  }

  /** The side in turn loses, unless the opponent cannot mate (FIDE 6.9, 7.5.5). */
  #forfeit(result: string, attested: string): boolean {
    const { line } = this.#context.played;
    const opponent = opponentOf(line.turn);
    this.#findings.addAttested(attested);
    return result === (canMate(line.position, opponent) ? winFor(opponent) : '1/2-1/2');
  }

  /** A timeout requires that the remaining time has passed since the opponent's last move. */
  #endsByTimeout(result: string): boolean {
    const { played, timeline } = this.#context;
    const loser = played.line.turn;
    const passed = timeline.end - timeline.earliestLastMove(opponentOf(loser));
    const left = this.#secondsLeft();
    if (left !== undefined && passed < left) {
      this.#fault(
        t(
          "{side, select, white {White} other {Black}} had {left} s, and the record was signed {passed} s after the opponent's last move",
          { side: loser, left, passed },
        ),
      );
    }
    return this.#forfeit(result, t('That {side, select, white {White} other {Black}} ran out of time.', { side: loser }));
  }

  /** The remaining seconds of the side in turn; undefined if the record does not have its clock. */
  #secondsLeft(): number | undefined {
    const { announcement, played, pgn } = this.#context;
    const ply = played.line.plies.length - 2;
    if (announcement.time.kind === 'move' || ply < 0) {
      return announcement.time.seconds;
    }
    const tenths = pgn?.clocks[ply];
    return tenths === undefined ? undefined : Math.floor(tenths / 10);
  }

  /** Only players of NIP-100 lose by illegal moves. */
  #endsByIllegalMoves(result: string): boolean {
    const { played } = this.#context;
    const loser = played.line.turn;
    if (played.ephemeral.has(loser)) {
      this.#fault(
        t('In the dialect of {side, select, white {White} other {Black}}, illegal moves lose no game (NIP-100)', { side: loser }),
      );
    }
    return this.#forfeit(
      result,
      t('That {side, select, white {White} other {Black}} played two illegal moves.', { side: loser }),
    );
  }

  #endsByAbandonment(result: string): boolean {
    const { position, turn } = this.#context.played.line;
    if (this.#context.jester) {
      if (!this.#hasSigned(opponentOf(turn), 'leave')) {
        this.#unsigned(t('No event signed by {side, select, white {White} other {Black}} claims the game', { side: opponentOf(turn) }));
      }
      return this.#forfeit(result, t('That {side, select, white {White} other {Black}} did not move for 24 hours.', { side: turn }));
    }
    const winner = winnerOf(result);
    this.#findings.addAttested(
      winner
        ? t('That {side, select, white {White} other {Black}} left the game.', { side: opponentOf(winner) })
        : t('That one of the players left the game.'),
    );
    return winner
      ? canMate(position, winner)
      : result === '1/2-1/2' && !(canMate(position, 'white') && canMate(position, 'black'));
  }

  /**
   * Whether a game can end so after that many plies. Clocks start after the first move of each side,
   * in correspondence at once. In correspondence and without clocks no player loses by absence, in
   * other games only after the first move of each side; before that, an absence aborts the game.
   */
  #isPossible(termination: string): boolean {
    const { time, isJester } = this.#context.announcement;
    const plies = this.#context.played.line.plies.length;
    switch (termination) {
      case 'timeout':
        return time.kind !== 'untimed' && (time.correspondence || plies >= 2);
      case 'abandoned':
        return isJester ? plies >= 1 : time.kind !== 'untimed' && !time.correspondence && plies >= 2;
      case 'illegalmoves':
        return !isJester;
      case 'agreement':
        return plies >= 1;
      default:
        return true;
    }
  }
}

/** The player who must have signed an event: its author, or White if neither player is. */
function playerOf(announcement: Announcement, event: NostrEvent): string {
  return event.pubkey === announcement.black ? announcement.black : announcement.white;
}

function actOf(event: NostrEvent, last: NostrEvent | undefined): Act | undefined {
  if (event.kind === RESIGN && event.content === 'resign') {
    return 'resign';
  } else if (event.kind === DRAW) {
    return (['offer', 'accept', 'claim'] as const).find((act) => act === event.content);
  }
  const isOfferWithLastMove = last?.id === event.id && firstTag(event, 'draw') === 'offer';
  return isOfferWithLastMove ? 'offer' : undefined;
}

function winFor(side: Color): string {
  return side === 'white' ? '1-0' : '0-1';
}

function winnerOf(result: string): Color | undefined {
  return result === '1-0' ? 'white' : result === '0-1' ? 'black' : undefined;
}
