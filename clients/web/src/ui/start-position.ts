import { type Color as ChessColor, type Square, validateFen } from 'chess.js';
import { type Color, outcomeOf, positionOf, turnOf } from '../board/position.js';

/** The first position of a game, or the reason why no game can begin with it. */
export type Start = { readonly fen: string; readonly turn: Color } | { readonly problem: string };

const MAX_LENGTH = 128;
const DEFAULTS = ['', 'w', '-', '-', '0', '1'];
const SIDES = [['w', 'White', 'K', 'Q', '1'], ['b', 'Black', 'k', 'q', '8']] as const;

/**
 * Reads a position, by the rules of the relay: it refuses a game that begins with another one. Of the fields after
 * the pieces, the last ones may be missing.
 */
export function readStart(text: string): Start {
  const given = text.trim().split(/\s+/);
  const fields = [...given, ...DEFAULTS.slice(given.length)];
  const fen = fields.join(' ');
  const { ok, error = '' } = validateFen(fen);
  if (!ok || fen.length > MAX_LENGTH || !/^[KQkq]{1,4}$|^-$/.test(fields[2]!) || !fields.slice(4).every((it) => /^\d{1,5}$/.test(it))) {
    return { problem: `This is not a position: ${error.replace('Invalid FEN: ', '') || 'a field is wrong'}.` };
  }
  const problem = problemOfPieces(fields[0]!);
  const position = positionOf(fen);
  if (problem || !position) return { problem: problem ?? 'This is not a position.' };
  for (const [color, name, king, queen, rank] of SIDES) {
    const stands = (square: string, type: string): boolean => {
      const piece = position.get(square as Square);
      return piece?.type === type && piece.color === color;
    };
    const rights = [...fields[2]!].filter((right) => right === king || right === queen);
    const fits = rights.every((right) => stands(`e${rank}`, 'k') && stands(`${right === king ? 'h' : 'a'}${rank}`, 'r'));
    if (!fits) return { problem: `${name} cannot castle: the king or the rook is not on its square.` };
  }
  const other: ChessColor = position.turn() === 'w' ? 'b' : 'w';
  const [king] = position.findPiece({ type: 'k', color: other });
  if (king && position.isAttacked(king, position.turn())) {
    return { problem: `${other === 'w' ? 'White' : 'Black'} is in check, and it is not their turn.` };
  }
  if (outcomeOf(position, 1)) return { problem: 'This game is over already.' };
  // Written anew: without an en passant square that no pawn can reach.
  return { fen: position.fen(), turn: turnOf(fen) };
}

function problemOfPieces(pieces: string): string | undefined {
  for (const [name, ofSide] of [['White', /[KQRBNP]/g], ['Black', /[kqrbnp]/g]] as const) {
    const own = pieces.match(ofSide) ?? [];
    if (own.length > 16) return `${name} has more than 16 pieces.`;
    if (own.filter((piece) => piece.toLowerCase() === 'p').length > 8) return `${name} has more than 8 pawns.`;
  }
  return undefined;
}
