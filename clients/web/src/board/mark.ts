import type { Square } from './position.js';

/** What a mark below the pieces stands for. */
export type MarkKind = 'last' | 'check' | 'selected' | 'target' | 'capture' | 'hover' | 'premove';

/** A mark of one square. */
export interface Mark {
  readonly kind: MarkKind;
  readonly square: Square;
}
