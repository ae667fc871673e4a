/** Marks of squares. */
import { type Square, type Step, positionOf } from './position.js';

/** The meaning of a mark below the pieces. */
export type MarkKind = 'last' | 'check' | 'selected' | 'target' | 'capture' | 'hover' | 'premove';

/** A mark of one square. */
export interface Mark {
  readonly kind: MarkKind;
  readonly square: Square;
}

/** The marks of a position: the last move, a king in check, and a premove. */
export function marksOf(fen: string, last: Step | undefined, premove: Step | undefined): Mark[] {
  const position = positionOf(fen);
  const [king] = position?.inCheck() ? position.findPiece({ type: 'k', color: position.turn() }) : [];
  return [
    ...bothEnds('last', last),
    ...(king ? [{ kind: 'check', square: king } as const] : []),
    ...bothEnds('premove', premove),
  ];
}

function bothEnds(kind: MarkKind, step: Step | undefined): Mark[] {
  return step ? [{ kind, square: step.from }, { kind, square: step.to }] : [];
}
