/** The position that is shown while the piece of a promotion is chosen. */
import type { Color, Square } from '../board/position.js';

/** A pawn move for which the player has to choose a piece. */
export interface OpenPromotion {
  readonly from: Square;
  readonly to: Square;
  readonly color: Color;
}

/** A position in which a pawn stands on its last rank until its piece is chosen. */
export function withPawnOn(fen: string, { from, to, color }: OpenPromotion): string {
  const [placement = '', ...rest] = fen.split(' ');
  const rows = placement.split('/').map((row) => row.replace(/\d/g, (digit) => '.'.repeat(Number(digit))));
  const put = (square: Square, char: string): void => {
    const row = 8 - Number(square[1]);
    const file = square.charCodeAt(0) - 97;
    rows[row] = rows[row]!.slice(0, file) + char + rows[row]!.slice(file + 1);
  };
  put(from, '.');
  put(to, color === 'white' ? 'P' : 'p');
  const compact = rows.map((row) => row.replace(/\.+/g, (dots) => `${dots.length}`));
  return [compact.join('/'), ...rest].join(' ');
}
