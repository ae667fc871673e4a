/**
 * Chess rules for the page, by chess.js. The referee of the game is the relay; the page needs the
 * rules to show legal targets, to name moves, and to check a finished game.
 */
import { Chess, type Move, type PieceSymbol, type Square } from 'chess.js';

export type { PieceSymbol, Square };

/** A side of the game. */
export type Color = 'white' | 'black';

/** The position in which a game starts unless it has another first position. */
export const INITIAL_FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** The reason for which a position ends a game without anybody's request. */
export type Outcome =
  | 'checkmate'
  | 'stalemate'
  | 'deadposition'
  | 'fivefold'
  | 'seventyfivemoves';

/** Origin, target and promotion of a move in UCI. */
export interface Step {
  readonly from: Square;
  readonly to: Square;
  readonly promotion?: PieceSymbol;
}

/** The other side. */
export function opponentOf(color: Color): Color {
  return color === 'white' ? 'black' : 'white';
}

/** The side to move in a FEN. */
export function turnOf(fen: string): Color {
  return fen.split(' ')[1] === 'b' ? 'black' : 'white';
}

/** The number of the full move that the side to move of a FEN is about to make. */
export function moveNumberOf(fen: string): number {
  return Number(fen.split(' ')[5]) || 1;
}

/** Reads a move in UCI; undefined if the text does not have that form. */
export function parseUci(text: string): Step | undefined {
  const match = /^([a-h][1-8])([a-h][1-8])([qrbnQRBN]?)$/.exec(text);
  if (!match) {
    return undefined;
  }
  const [, from, to, promotion] = match;
  return {
    from: from as Square,
    to: to as Square,
    ...(promotion ? { promotion: promotion.toLowerCase() as PieceSymbol } : {}),
  };
}

/** Writes a move in UCI. */
export function uciOf(step: Step): string {
  return step.from + step.to + (step.promotion ?? '');
}

/** A position from a FEN; undefined if chess.js does not accept it. */
export function positionOf(fen: string): Chess | undefined {
  try {
    return new Chess(fen);
  } catch {
    return undefined;
  }
}

/**
 * Plays a move, and returns it; undefined if it is illegal. As for the relay, a promotion must name
 * its piece, and no other move may name one.
 */
export function playUci(position: Chess, uci: string): Move | undefined {
  const step = parseUci(uci);
  const fits =
    step &&
    position
      .moves({ square: step.from, verbose: true })
      .some((move) => move.to === step.to && move.promotion === step.promotion);
  return step && fits ? position.move({ ...step }) : undefined;
}

/** Whether a move from one square to another is legal if it names a piece to promote to. */
export function needsPromotion(position: Chess, from: Square, to: Square): boolean {
  return position
    .moves({ square: from, verbose: true })
    .some((move) => move.to === to && move.promotion !== undefined);
}

/** The squares to which a piece can be moved; a king that can castle, also onto its rook. */
export function legalTargets(fen: string, from: Square): Square[] {
  const moves = positionOf(fen)?.moves({ square: from, verbose: true }) ?? [];
  const targets = moves.flatMap((move) => {
    const rook = move.isKingsideCastle() ? 'h' : move.isQueensideCastle() ? 'a' : undefined;
    return rook ? [move.to, `${rook}${from[1]}` as Square] : [move.to];
  });
  return [...new Set(targets)];
}

/**
 * The key of a position in a repetition (FIDE 9.2), equal for equal positions: pieces, side to move, castling
 * rights, and the square of an en passant capture that is legal, which is the only one that chess.js
 * writes.
 */
export function repetitionKey(position: Chess): string {
  return position.fen().split(' ').slice(0, 4).join(' ');
}

/** Half moves since the last capture or pawn move. */
export function halfmoveClock(position: Chess): number {
  return Number(position.fen().split(' ')[4]);
}

/**
 * Whether a side has the material to mate (FIDE 5.2.2 and 6.9), by the relay's rule: not with a bare
 * king; nor with a king and one knight if the opponent has nothing but a king and queens; nor with a
 * king and bishops if all bishops stand on one colour and there is no pawn and no knight.
 */
export function canMate(position: Chess, color: Color): boolean {
  const pieces = position.board().flatMap((rank) => rank.filter((piece) => piece !== null));
  const side = color === 'white' ? 'w' : 'b';
  const own = pieces.filter((piece) => piece.color === side && piece.type !== 'k');
  const others = pieces.filter((piece) => piece.color !== side && piece.type !== 'k');
  if (own.length === 0) {
    return false;
  }
  if (own.length === 1 && own[0]?.type === 'n') {
    return others.some((piece) => piece.type !== 'q');
  }
  const bishopColors = pieces
    .filter((piece) => piece.type === 'b')
    .map((piece) => position.squareColor(piece.square));
  return !(
    own.every((piece) => piece.type === 'b') &&
    new Set(bishopColors).size <= 1 &&
    !pieces.some((piece) => piece.type === 'n' || piece.type === 'p')
  );
}

/**
 * The reason for which a position ends the game; undefined if it does not.
 *
 * @param occurrences how often the position has occurred in the game, including now
 */
export function outcomeOf(position: Chess, occurrences: number): Outcome | undefined {
  if (position.isCheckmate()) {
    return 'checkmate';
  } else if (position.isStalemate()) {
    return 'stalemate';
  } else if (!canMate(position, 'white') && !canMate(position, 'black')) {
    return 'deadposition';
  } else if (occurrences >= 5) {
    return 'fivefold';
  }
  return halfmoveClock(position) >= 150 ? 'seventyfivemoves' : undefined;
}
