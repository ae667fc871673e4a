/** Marks of squares. */
import { type Square, type Step, positionOf } from './position.js';

/** The meaning of a mark below the pieces. */
export type MarkKind = 'last' | 'check' | 'selected' | 'target' | 'capture' | 'hover' | 'premove';

/** A mark of one square. */
export interface Mark {
  readonly kind: MarkKind;
  readonly square: Square;
}

/** The marks of a position: the last move, a king in check, and premoves. */
export function marksOf(fen: string, last: Step | undefined, premoves: readonly Step[]): Mark[] {
  const position = positionOf(fen);
  const [king] = position?.inCheck() ? position.findPiece({ type: 'k', color: position.turn() }) : [];
  return [
    ...bothEnds('last', last ? [last] : []),
    ...(king ? [{ kind: 'check', square: king } as const] : []),
    ...bothEnds('premove', premoves),
  ];
}

function bothEnds(kind: MarkKind, steps: readonly Step[]): Mark[] {
  return [...new Set(steps.flatMap(({ from, to }) => [from, to]))].map((square) => ({ kind, square }));
}
