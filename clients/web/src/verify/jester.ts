/** Reads and checks the events of a game of kind 30, which are of clients that know no referee. */
import { type Start, UNTIMED, isFor, parseContent } from 'gambit-client';
import { Line, type Ply, plyFrom } from '../board/line.js';
import { type Color, INITIAL_FEN, opponentOf, positionOf, uciOf } from '../board/position.js';
import { type Announcement, levelsOf, playersOf, sideOf } from './announcement.js';
import type { Authenticity } from './authenticity.js';
import { JESTER, type NostrEvent, isHex, tagsNamed } from './events.js';
import type { Findings } from './findings.js';
import { isMarkTrue, moveOfSan } from './pgn-reader.js';
import { t } from '../language/t.js';

/** A move, an end, or both. */
interface JesterTurn {
  readonly start: string;
  /** The event before. */
  readonly head: string;
  readonly history: readonly string[];
  readonly fen: string | undefined;
  readonly move: string | undefined;
  readonly claim: { readonly result: string; readonly termination: string | undefined } | undefined;
}

/** A player's act that can end a game: to claim it is to say that the opponent has left. */
export type JesterAct = 'resign' | 'draw' | 'leave';

/** The terms of a game that has a record, or what is wrong with its seats. */
export function termsOf(start: Start, record: NostrEvent): Announcement | string {
  const players = playersOf(record);
  if (!players) {
    return t('The record does not name two players');
  } else if (players[start.color] !== start.author) {
    return t('The author of the start does not play {side, select, white {White} other {Black}}', { side: start.color });
  } else if (!isFor(start, players[opponentOf(start.color)])) {
    return t('The start is a challenge to another player');
  }
  return {
    game: start.id,
    ...players,
    levels: levelsOf(record),
    relay: record.pubkey,
    startFen: INITIAL_FEN,
    time: UNTIMED,
    startedAt: undefined,
    isJester: true,
  };
}

/** The event before the one that a move or an end names; undefined if the event is neither. */
export function headOf(event: NostrEvent): string | undefined {
  const [, head] = event.kind === JESTER ? namedBy(event) : [];
  return head;
}

/** The arguments of {@link JesterEvents}. */
export interface JesterContext {
  readonly announcement: Announcement;
  readonly authenticity: Authenticity;
  readonly findings: Findings;
  /** The events of the game, by id. */
  readonly events: ReadonlyMap<string, NostrEvent>;
  /** The ids of the record's moves. */
  readonly plies: readonly string[];
  /** The ids of the events that the record names as the ending. */
  readonly ending: readonly string[];
}

/** The moves and ends of one game. */
export class JesterEvents {
  readonly #context: JesterContext;
  /** The number of moves after each event of a move, and after the start. */
  readonly #pliesAfter: ReadonlyMap<string, number>;
  /** Whether a spelling stands for the move that was played at a ply. */
  readonly #spellings = new Map<string, boolean>();

  constructor(context: JesterContext) {
    this.#context = context;
    this.#pliesAfter = new Map([context.announcement.game, ...context.plies].map((id, i) => [id, i]));
  }

  /** The next move, in UCI, in an event of the side in turn; undefined with a finding if the event is not valid. */
  move(what: string, event: NostrEvent, line: Line): string | undefined {
    const { id } = event;
    const plies = line.plies.length;
    const turn = this.#turnOf(event);
    const san = turn?.history.at(-1);
    if (!turn || san === undefined || (turn.move ?? san) !== san) {
      return this.#fault(t('{what}: the event {id} is not a move', { what, id }));
    }
    const same = this.#same(turn.history, line);
    if (same < plies || turn.history.length !== plies + 1) {
      return this.#fault(t('{what}: the event {id} has another history at ply {ply}', { what, id, ply: same + 1 }));
    }
    const ply = plyOfSan(san, line.fen);
    if (!ply) {
      return this.#fault(t('{what}: {uci} is not legal', { what, uci: san.slice(0, 12) }));
    } else if (!isAt(turn.fen, ply.fen, ply)) {
      return this.#fault(t('{what}: the event {id} states another position', { what, id }));
    } else if (!this.#mayGoOn(turn, event)) {
      return this.#fault(t('{what}: the event {id} says that the game is over', { what, id }));
    }
    return this.#isPlaced(what, event, turn, line, plies) ? ply.uci : undefined;
  }

  /** What an event says about the end of a game with this result; undefined if it says nothing true. */
  act(what: string, event: NostrEvent, line: Line, result: string): JesterAct | undefined {
    const { announcement, plies } = this.#context;
    const turn = this.#turnOf(event);
    const act = turn && actOf(turn, sideOf(announcement, event.pubkey));
    const isMove = plies.at(-1) === event.id;
    if (!turn || turn.claim?.result !== result) {
      return undefined;
    }
    // Others than a draw may follow an earlier move: the next one may have arrived before.
    const isPossible =
      act === 'draw'
        ? turn.history.length === plies.length &&
          this.#same(turn.history, line) === plies.length &&
          isAt(turn.fen, line.fen, line.plies.at(-1))
        : !(isMove && act === 'leave');
    const isPlaced = () => isMove || this.#isPlaced(what, event, turn, line, act === 'draw' ? plies.length : undefined);
    return act && isPossible && isPlaced() ? act : undefined;
  }

  #fault(line: string): undefined {
    this.#context.findings.addFault(line);
  }

  /** A message about this game; undefined if an event is none. */
  #turnOf(event: NostrEvent): JesterTurn | undefined {
    const turn = readTurn(event);
    return turn?.start === this.#context.announcement.game ? turn : undefined;
  }

  /** Whether a move claims no end before the last one, and no resignation that the record does not name. */
  #mayGoOn(turn: JesterTurn, event: NostrEvent): boolean {
    const { announcement, plies, ending } = this.#context;
    const act = actOf(turn, sideOf(announcement, event.pubkey));
    return !turn.claim || act === 'draw' || (plies.at(-1) === event.id && (!act || ending.includes(event.id)));
  }

  /** The number of first moves of a history that were played. */
  #same(history: readonly string[], line: Line): number {
    const played = line.plies.slice(0, history.length);
    const other = played.findIndex((ply, i) => !this.#isSpelling(history[i]!, ply, line.fenAt(i), i));
    return other < 0 ? played.length : other;
  }

  #isSpelling(san: string, ply: Ply, before: string, at: number): boolean {
    if (san === ply.san) {
      return true;
    }
    const key = `${at} ${san}`;
    const isSame = this.#spellings.get(key) ?? plyOfSan(san, before)?.uci === ply.uci;
    this.#spellings.set(key, isSame);
    return isSame;
  }

  /** Whether an event may follow one of this game: after this number of moves, if it is given. */
  #isPlaced(what: string, { id }: NostrEvent, { head }: JesterTurn, line: Line, plies?: number): boolean {
    const after = this.#pliesAfter.get(head) ?? this.#pliesAfterOther(what, head, line);
    if (after !== 'missing' && (after === undefined || (plies ?? after) !== after)) {
      this.#fault(t('{what}: the event {id} does not follow the one before', { what, id }));
      return false;
    }
    return true;
  }

  /**
   * The number of moves after an event that a player has written with the history of the game: an offer, or a move once
   * more. Undefined if it is not of this game.
   */
  #pliesAfterOther(what: string, id: string, line: Line): number | 'missing' | undefined {
    const { announcement, authenticity, events, findings } = this.#context;
    const event = events.get(id);
    if (!event) {
      findings.addMissing(
        t('{what}: the event {id} is missing (deleted by its author, or without a valid signature): nothing proves it', { what, id }),
      );
      return 'missing';
    }
    const history = this.#turnOf(event)?.history;
    const isOfGame =
      history !== undefined &&
      this.#same(history, line) === history.length &&
      authenticity.isByPlayer(announcement[sideOf(announcement, event.pubkey)], what, event);
    return isOfGame ? history.length : undefined;
  }
}

/** Reads a move or an end; undefined if the event is neither. */
function readTurn(event: NostrEvent): JesterTurn | undefined {
  const content = parseContent(event, 1);
  const [start, head, more] = namedBy(event);
  const { history, fen, move, result, termination } = content ?? {};
  if (
    !isHex(start, 64) ||
    !isHex(head, 64) ||
    more !== undefined ||
    !Array.isArray(history) ||
    !history.every((san) => typeof san === 'string')
  ) {
    return undefined;
  }
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const claimed = text(result);
  const isClaim = claimed !== undefined && claimed !== '' && claimed !== '*';
  return {
    start,
    head,
    history,
    fen: text(fen),
    move: text(move),
    claim: isClaim ? { result: claimed, termination: text(termination) } : undefined,
  };
}

function namedBy(event: NostrEvent): (string | undefined)[] {
  return tagsNamed(event, 'e').map((tag) => tag[1]);
}

/** The act that a message claims; without a termination, a draw or the author's resignation. */
function actOf({ claim }: JesterTurn, side: Color): JesterAct | undefined {
  const isLost = claim?.result === (side === 'white' ? '0-1' : '1-0');
  const isDraw = claim?.result === '1/2-1/2';
  switch (claim?.termination) {
    case undefined:
      return isDraw ? 'draw' : isLost ? 'resign' : undefined;
    case 'draw_agreement':
      return isDraw ? 'draw' : undefined;
    case 'resignation':
      return isLost ? 'resign' : undefined;
    default:
      return claim?.termination === 'abandonment' ? 'leave' : undefined;
  }
}

/** The move that a SAN means in a position; undefined if there is none, or its check mark is not true. */
function plyOfSan(san: string, fen: string): Ply | undefined {
  const position = positionOf(fen);
  const found = position && moveOfSan(san, position);
  const ply = found && plyFrom(fen, uciOf(found.move));
  return ply && isMarkTrue(found?.mark ?? '', ply) ? ply : undefined;
}

/**
 * Whether a FEN is missing, or that of a position by its first four fields; the square behind a pawn's double step may
 * be there without a legal capture.
 */
function isAt(stated: string | undefined, fen: string, last: Ply | undefined): boolean {
  const [pieces, turn, castling, enPassant] = fen.split(' ');
  const fields = stated?.split(' ') ?? [pieces, turn, castling, enPassant];
  const isDoubleStep = last?.piece === 'p' && Math.abs(Number(last.to[1]) - Number(last.from[1])) === 2;
  const behind = isDoubleStep ? `${last.to[0]}${last.color === 'white' ? 3 : 6}` : '-';
  return (
    fields[0] === pieces &&
    fields[1] === turn &&
    fields[2] === castling &&
    (fields[3] === enPassant || (enPassant === '-' && fields[3] === behind))
  );
}
