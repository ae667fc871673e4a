/** Long algebraic notation in the variants of the ephemeral dialect. */
import type { Chess } from 'chess.js';
import { parseUci } from '../board/position.js';

const FORM = /^([KQRBN]?)([a-h][1-8])[-x]?([a-h][1-8])(?:=?([qrbnQRBN]))?[+#]?$/;
const CASTLING = /^(O-O(?:-O)?|0-0(?:-0)?)[+#]?$/;

/**
 * The move in UCI that a player of the ephemeral dialect has written: `e2e4`, `e7-e8=Q`, `Ng1-f3`,
 * `O-O`; undefined if it does not have that form or names another piece. Legality is not checked.
 */
export function longAlgebraicToUci(text: string, position: Chess): string | undefined {
  const castling = CASTLING.exec(text)?.[1];
  if (castling) {
    const rank = position.turn() === 'w' ? '1' : '8';
    const isKing = position.get(`e${rank}`)?.type === 'k';
    return isKing ? `e${rank}${castling.length === 3 ? 'g' : 'c'}${rank}` : undefined;
  }
  const match = FORM.exec(text);
  if (!match) {
    return undefined;
  }
  const [, piece = '', from = '', to = '', promotion = ''] = match;
  const step = parseUci(from + to + promotion);
  const isPieceThere = !piece || (step && position.get(step.from)?.type === piece.toLowerCase());
  return step && isPieceThere ? from + to + promotion.toLowerCase() : undefined;
}
