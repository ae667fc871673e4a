/** The moves of a game with the positions between them. */
import { Chess, type Move } from 'chess.js';
import {
  type Color,
  INITIAL_FEN,
  type Outcome,
  type PieceSymbol,
  type Square,
  moveNumberOf,
  outcomeOf,
  playUci,
  positionOf,
  repetitionKey,
  turnOf,
  uciOf,
} from './position.js';

/** A move that was played. */
export interface Ply {
  readonly uci: string;
  readonly san: string;
  readonly color: Color;
  /** The number of the full move. */
  readonly number: number;
  readonly from: Square;
  readonly to: Square;
  readonly piece: PieceSymbol;
  readonly captured?: PieceSymbol;
  readonly promotion?: PieceSymbol;
  readonly enPassant: boolean;
  readonly castling?: 'kingside' | 'queenside';
  readonly check: boolean;
  readonly mate: boolean;
  /** The position after the move. */
  readonly fen: string;
}

/**
 * A game as a line of legal moves from its first position. Moves are added and removed at the end,
 * so an update after one move costs one move.
 */
export class Line {
  readonly startFen: string;
  readonly #position: Chess;
  readonly #plies: Ply[] = [];
  readonly #keys: string[];
  readonly #occurrences = new Map<string, number>();

  private constructor(startFen: string, position: Chess) {
    this.startFen = startFen;
    this.#position = position;
    this.#keys = [];
    this.#addKey();
  }

  /** An empty line; undefined if the FEN is not a position. */
  static from(startFen: string): Line | undefined {
    const position = positionOf(startFen);
    return position && new Line(startFen, position);
  }

  /** An empty line from the initial position. */
  static initial(): Line {
    return new Line(INITIAL_FEN, new Chess());
  }

  get plies(): readonly Ply[] {
    return this.#plies;
  }

  /** The position after the last move. Callers must not change it. */
  get position(): Chess {
    return this.#position;
  }

  /** The position after a number of plies, as FEN. */
  fenAt(ply: number): string {
    return ply <= 0 ? this.startFen : (this.#plies[ply - 1]?.fen ?? this.fen);
  }

  /** The position after the last move, as FEN. */
  get fen(): string {
    return this.#plies.at(-1)?.fen ?? this.startFen;
  }

  get turn(): Color {
    return turnOf(this.fen);
  }

  /** How often the last position has occurred, including now. */
  get occurrences(): number {
    return this.#occurrences.get(this.#keys.at(-1)!)!;
  }

  /** The reason for which the last position ends the game; undefined if it does not. */
  get outcome(): Outcome | undefined {
    return outcomeOf(this.#position, this.occurrences);
  }

  /** Adds a move, and returns it; undefined if it is illegal. */
  play(uci: string): Ply | undefined {
    const before = this.fen;
    const move = playUci(this.#position, uci);
    if (!move) {
      return undefined;
    }
    const ply = plyOf(uci, move, before, this.#position);
    this.#plies.push(ply);
    this.#addKey();
    return ply;
  }

  #addKey(): void {
    const key = repetitionKey(this.#position);
    this.#keys.push(key);
    this.#occurrences.set(key, (this.#occurrences.get(key) ?? 0) + 1);
  }

  /** Removes the last moves until this number is left. */
  truncate(plies: number): void {
    while (this.#plies.length > plies) {
      this.#plies.pop();
      const key = this.#keys.pop()!;
      this.#occurrences.set(key, this.#occurrences.get(key)! - 1);
      this.#position.undo();
    }
  }

  /**
   * Makes the line equal to these moves. Returns the number of moves that are now in it, which is
   * less than their number if one of them is illegal.
   */
  update(moves: readonly string[]): number {
    let same = 0;
    while (same < this.#plies.length && this.#plies[same]?.uci === moves[same]) {
      same++;
    }
    this.truncate(same);
    for (const uci of moves.slice(same)) {
      if (!this.play(uci)) {
        break;
      }
    }
    return this.#plies.length;
  }
}

/** A move from a position; undefined if it is illegal there. */
export function plyFrom(fen: string, uci: string): Ply | undefined {
  const position = positionOf(fen);
  const move = position && playUci(position, uci);
  return move && plyOf(uci, move, fen, position);
}

/** The same for the library, which has no rules of chess. */
export function playedFrom(fen: string, uci: string): Ply {
  const ply = plyFrom(fen, uci);
  if (!ply) throw new Error('the move is not legal');
  return ply;
}

function plyOf(uci: string, move: Move, before: string, after: Chess): Ply {
  return {
    uci,
    san: move.san,
    color: turnOf(before),
    number: moveNumberOf(before),
    from: move.from,
    to: move.to,
    piece: move.piece,
    ...(move.captured ? { captured: move.captured } : {}),
    ...(move.promotion ? { promotion: move.promotion } : {}),
    enPassant: move.isEnPassant(),
    ...(move.isKingsideCastle() ? { castling: 'kingside' as const } : {}),
    ...(move.isQueensideCastle() ? { castling: 'queenside' as const } : {}),
    check: after.inCheck(),
    mate: after.isCheckmate(),
    fen: after.fen(),
  };
}

/** Moves in SAN as UCI, up to the first that is not legal. */
export function movesOfSans(startFen: string, sans: readonly string[]): string[] {
  const position = positionOf(startFen);
  const moves: string[] = [];
  try {
    for (const san of sans) {
      const move = position?.move(san);
      if (!move) {
        break;
      }
      moves.push(uciOf(move));
    }
  } catch {
    // chess.js throws on the first illegal move.
  }
  return moves;
}
