import { type Color as ChessColor, type Square, validateFen } from 'chess.js';
import { type Color, outcomeOf, positionOf, turnOf } from '../board/position.js';
import { t } from '../language/t.js';

/** The first position of a game, or the reason why no game can begin with it. */
export type Start = { readonly fen: string; readonly turn: Color } | { readonly problem: string };

const MAX_LENGTH = 128;
const DEFAULTS = ['', 'w', '-', '-', '0', '1'];
const SIDES = [['w', 'white', 'K', 'Q', '1'], ['b', 'black', 'k', 'q', '8']] as const;

/**
 * Reads a position, by the rules of the relay: it refuses a game that begins with another one. Of the fields after
 * the pieces, the last ones may be missing.
 *
 * @param mayBeOver whether a position without a further move will do
 */
export function readStart(text: string, mayBeOver = false): Start {
  const given = text.trim().split(/\s+/);
  const fields = [...given, ...DEFAULTS.slice(given.length)];
  const fen = fields.join(' ');
  const { ok, error = '' } = validateFen(fen);
  if (!ok || fen.length > MAX_LENGTH || !/^[KQkq]{1,4}$|^-$/.test(fields[2]!) || !fields.slice(4).every((it) => /^\d{1,5}$/.test(it))) {
    return { problem: t('This is not a position: {reason}.', { reason: reasonOf(error) }) };
  }
  const problem = problemOfPieces(fields[0]!);
  const position = positionOf(fen);
  if (problem || !position) return { problem: problem ?? t('This is not a position.') };
  for (const [color, name, king, queen, rank] of SIDES) {
    const stands = (square: string, type: string): boolean => {
      const piece = position.get(square as Square);
      return piece?.type === type && piece.color === color;
    };
    const rights = [...fields[2]!].filter((right) => right === king || right === queen);
    const fits = rights.every((right) => stands(`e${rank}`, 'k') && stands(`${right === king ? 'h' : 'a'}${rank}`, 'r'));
    if (!fits) return { problem: t('{color, select, white {White} other {Black}} cannot castle: the king or the rook is not on its square.', { color: name }) };
  }
  const other: ChessColor = position.turn() === 'w' ? 'b' : 'w';
  const [king] = position.findPiece({ type: 'k', color: other });
  if (king && position.isAttacked(king, position.turn())) {
    return { problem: t('{color, select, white {White} other {Black}} is in check, and it is not their turn.', { color: other === 'w' ? 'white' : 'black' }) };
  }
  if (!mayBeOver && outcomeOf(position, 1)) return { problem: t('This game is over already.') };
  // Written anew: without an en passant square that no pawn can reach.
  return { fen: position.fen(), turn: turnOf(fen) };
}

/** What chess.js finds wrong with a FEN, in the user's language. */
function reasonOf(error: string): string {
  const color = error.includes('black') ? 'black' : 'white';
  if (error.includes('missing')) return t('{color, select, white {missing white king} other {missing black king}}', { color });
  if (error.includes('too many')) return t('{color, select, white {too many white kings} other {too many black kings}}', { color });
  if (error.includes('pawns')) return t('some pawns are on the edge rows');
  if (error.includes('piece data')) return t('the field of the pieces is wrong');
  if (error.includes('castling')) return t('the field for castling is wrong');
  if (error.includes('passant')) return t('the en passant square is wrong');
  return error.includes('number') ? t('a move number is wrong') : t('a field is wrong');
}

function problemOfPieces(pieces: string): string | undefined {
  for (const [color, ofSide] of [['white', /[KQRBNP]/g], ['black', /[kqrbnp]/g]] as const) {
    const own = pieces.match(ofSide) ?? [];
    if (own.length > 16) return t('{color, select, white {White} other {Black}} has more than 16 pieces.', { color });
    if (own.filter((piece) => piece.toLowerCase() === 'p').length > 8) return t('{color, select, white {White} other {Black}} has more than 8 pawns.', { color });
  }
  return undefined;
}
