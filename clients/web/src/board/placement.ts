/** Where pieces stand, without the rules: what is drawn, also of positions that no game can have. */
import { piecesOf } from '../ui/fen.js';
import type { Color, Square, Step } from './position.js';

/** The pieces by their squares: `wk` to `bp`. */
export type Placement = ReadonlyMap<Square, string>;

/** A piece that went from one square to another. */
export interface Movement {
  readonly from: Square;
  readonly to: Square;
  readonly piece: string;
}

/** The difference between two placements. */
export interface Change {
  readonly movements: readonly Movement[];
  /** The squares whose piece is gone and has not moved elsewhere. */
  readonly removed: readonly Square[];
  /** The squares with a piece that was on no other square. */
  readonly added: readonly Square[];
}

const FILES = 'abcdefgh';

/** The square of a file and a rank, counted from 0 at a1; undefined beyond the board's edges. */
export function squareAt(file: number, rank: number): Square | undefined {
  const isOnBoard = file >= 0 && file < 8 && rank >= 0 && rank < 8;
  return isOnBoard ? (`${FILES[file]}${rank + 1}` as Square) : undefined;
}

/** The pieces of a FEN. */
export function placementOf(fen: string): Placement {
  return new Map(piecesOf(fen).map(({ piece, file, rank }) => [squareAt(file, rank)!, piece]));
}

/**
 * The target of a king that is moved to a square: two squares aside if it is moved onto the rook with
 * which it castles. Other moves stay as they are.
 */
export function castlingTarget(fen: string, from: Square, to: Square): Square {
  const distance = FILES.indexOf(to[0]!) - FILES.indexOf(from[0]!);
  const isOntoRook = placementOf(fen).get(from)?.[1] === 'k' && from[1] === to[1] && Math.abs(distance) > 2;
  return isOntoRook ? (`${distance > 0 ? 'g' : 'c'}${from[1]}` as Square) : to;
}

/** The FEN after moves that nobody has checked; its other fields stay as they are. */
export function withSteps(fen: string, steps: readonly Step[]): string {
  if (steps.length === 0) {
    return fen;
  }
  const pieces = new Map(placementOf(fen));
  for (const { from, to, promotion } of steps) {
    const piece = pieces.get(from);
    if (piece) {
      pieces.delete(from);
      pieces.set(to, promotion ? `${piece[0]}${promotion}` : piece);
      moveCastlingRook(pieces, piece, from, to);
    }
  }
  return [textOf(pieces), ...fen.split(' ').slice(1)].join(' ');
}

function moveCastlingRook(pieces: Map<Square, string>, piece: string, from: Square, to: Square): void {
  const distance = FILES.indexOf(to[0]!) - FILES.indexOf(from[0]!);
  if (piece[1] === 'k' && from[1] === to[1] && Math.abs(distance) === 2) {
    const corner = `${distance > 0 ? 'h' : 'a'}${from[1]}` as Square;
    if (pieces.get(corner) === `${piece[0]}r`) {
      pieces.delete(corner);
      pieces.set(`${distance > 0 ? 'f' : 'd'}${from[1]}` as Square, `${piece[0]}r`);
    }
  }
}

/** The first field of a FEN. */
export function textOf(pieces: Placement): string {
  const rows = Array.from({ length: 8 }, (_, row) =>
    Array.from({ length: 8 }, (_, file) => {
      const [color, type] = pieces.get(squareAt(file, 7 - row)!) ?? ['', '.'];
      return color === 'w' ? type!.toUpperCase() : type;
    }).join(''),
  );
  return rows.join('/').replace(/\.+/g, (gap) => `${gap.length}`);
}

/** The difference between two placements. A piece that moved is the nearest of its kind that is gone. */
export function changeBetween(before: Placement, after: Placement): Change {
  const removed = new Set([...before].filter(([square, piece]) => after.get(square) !== piece).map(([square]) => square));
  const movements: Movement[] = [];
  const added: Square[] = [];
  for (const [to, piece] of after) {
    if (before.get(to) === piece) {
      continue;
    }
    const [from] = [...removed]
      .filter((square) => before.get(square) === piece)
      .sort((a, b) => distanceBetween(a, to) - distanceBetween(b, to));
    if (from) {
      removed.delete(from);
      movements.push({ from, to, piece });
    } else {
      added.push(to);
    }
  }
  return { movements, removed: [...removed], added };
}

/** Whether a change can be one move, forwards or backwards: of one piece, or of two in castling. */
export function isOneMove({ movements: [first, second, ...others] }: Change): boolean {
  return first !== undefined && others.length === 0 && (!second || first.piece[0] === second.piece[0]);
}

function distanceBetween(a: Square, b: Square): number {
  return Math.hypot(a.charCodeAt(0) - b.charCodeAt(0), Number(a[1]) - Number(b[1]));
}

/** Whether a piece is of a side. */
export function isOf(color: Color | undefined, piece: string | undefined): boolean {
  return piece !== undefined && piece[0] === color?.[0];
}
