/** Arrows and circles that a user draws on the positions of a game. */
import type { Square } from './position.js';

export type DrawingColor = 'green' | 'red' | 'blue' | 'yellow';

/** An arrow; a circle if both squares are the same. */
export interface Drawing {
  readonly from: Square;
  readonly to: Square;
  readonly color: DrawingColor;
}

/** Positions with drawings that are remembered; beyond that, the oldest is forgotten. */
const MAX_POSITIONS = 500;
const MAX_DRAWINGS = 32;

/** The colour of a drawing by the keys that are held. */
export function drawingColor({ shiftKey, ctrlKey, altKey, metaKey }: {
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}): DrawingColor {
  const isFirst = shiftKey || ctrlKey;
  const isSecond = altKey || metaKey;
  return isFirst ? (isSecond ? 'yellow' : 'red') : isSecond ? 'blue' : 'green';
}

/** The drawings of each position, by its FEN. */
export class Drawings {
  readonly #byFen = new Map<string, readonly Drawing[]>();

  of(fen: string): readonly Drawing[] {
    return this.#byFen.get(fen) ?? [];
  }

  /** Adds a drawing, gives it another colour, or removes it if it is there already. */
  toggle(fen: string, drawing: Drawing): void {
    const before = this.of(fen);
    const same = before.find(({ from, to }) => from === drawing.from && to === drawing.to);
    const others = before.filter((it) => it !== same);
    this.#byFen.delete(fen);
    this.#byFen.set(fen, same?.color === drawing.color ? others : [...others, drawing].slice(-MAX_DRAWINGS));
    if (this.#byFen.size > MAX_POSITIONS) {
      this.#byFen.delete(this.#byFen.keys().next().value!);
    }
  }

  /** Removes the drawings of a position. Returns whether there were any. */
  clear(fen: string): boolean {
    const hadAny = this.of(fen).length > 0;
    this.#byFen.delete(fen);
    return hadAny;
  }
}
