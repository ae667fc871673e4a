/** Moves that a player types. */
import { Chess } from 'chess.js';
import { type Square, parseUci, positionOf, uciOf } from '../board/position.js';
import { locale } from '../language/language.js';
import { t } from '../language/t.js';

/** The meaning of a typed text in a position. */
export type TypedMove =
  | { readonly kind: 'move'; readonly uci: string }
  /** A pawn reaches the last rank, and the text does not say what it becomes. */
  | { readonly kind: 'promotion'; readonly from: Square; readonly to: Square }
  | { readonly kind: 'unknown'; readonly message: string };

/**
 * Reads a move in SAN or UCI, as people type it: `e4`, `Nf3`, `nf3`, `e2e4`, `e2-e4`, `O-O`, `0-0`,
 * `o-o`, `e8=Q`, `e8q`, with or without check marks.
 */
export function parseTypedMove(fen: string, typed: string): TypedMove {
  const position = positionOf(fen);
  const text = typed.trim().replace(/[+#!?]+$/, '');
  if (!position || text === '') {
    return { kind: 'unknown', message: t('Type a move like e4, Nf3 or e2e4.') };
  }
  const legal = position.moves({ verbose: true });
  const found = legal.filter((move) => spellings(move).includes(normalized(text)));
  // A lower-case b is a pawn of the b file if such a move is legal, otherwise a bishop.
  const exact = found.length > 0 ? found : legal.filter((move) => spellings(move).some((it) => it.toLowerCase() === normalized(text).toLowerCase()));
  const targets = new Set(exact.map((move) => move.from + move.to));
  const [first] = exact;
  if (!first) {
    return { kind: 'unknown', message: reasonFor(position, text) };
  } else if (targets.size > 1) {
    const choices = new Intl.ListFormat(locale(), { type: 'disjunction' }).format(new Set(exact.map((move) => move.san)));
    return { kind: 'unknown', message: t('{text} could be {choices}.', { text, choices }) };
  }
  return exact.length > 1
    ? { kind: 'promotion', from: first.from, to: first.to }
    : { kind: 'move', uci: uciOf(first) };
}

function normalized(text: string): string {
  return /^[oO0](-?[oO0]){1,2}$/.test(text)
    ? text.replace(/-/g, '').length === 2
      ? 'O-O'
      : 'O-O-O'
    : text.replace(/[-=x:]/g, '');
}

/** The ways to write a legal move, without check marks, captures and equals signs. */
function spellings(move: { san: string; from: string; to: string; piece: string; promotion?: string }): string[] {
  if (move.san.startsWith('O-O')) {
    return [move.san.replace(/[+#]/, ''), move.from + move.to];
  }
  const promotion = move.promotion ?? '';
  const piece = move.piece === 'p' ? '' : move.piece.toUpperCase();
  const san = move.san.replace(/[+#x=]/g, '');
  const long = move.from + move.to;
  const forms = [san, long + promotion, piece + long + promotion.toUpperCase()];
  if (piece) {
    // With less of the origin than SAN requires: such a text fits several moves, and is reported.
    forms.push(piece + move.to, piece + move.from[0] + move.to, piece + move.from[1] + move.to);
  }
  if (promotion) {
    forms.push(san.slice(0, -1), san.slice(0, -1) + promotion, long, long + promotion.toUpperCase());
  }
  return forms;
}

function reasonFor(position: Chess, text: string): string {
  const looksLikeMove = parseUci(text) ?? /^[KQRBNkqrbn]?[a-h]?[1-8]?[x:]?[a-h][1-8](=?[QRBNqrbn])?$/.test(text);
  if (!looksLikeMove && !/^[oO0-]+$/.test(text)) {
    return t('“{text}” is not a move. Type a move like e4, Nf3 or e2e4.', { text });
  }
  return position.inCheck()
    ? t('{text} is not possible: the king is in check.', { text })
    : t('{text} is not possible here.', { text });
}
