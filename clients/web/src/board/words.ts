/** Moves and positions in words, for announcements and screen readers. */
import { list } from '../language/format.js';
import { t } from '../language/t.js';
import type { Ply } from './line.js';
import { placementOf } from './placement.js';
import { type Color, type PieceSymbol, type Square, positionOf, turnOf } from './position.js';

const ORDER: readonly PieceSymbol[] = ['k', 'q', 'r', 'b', 'n', 'p'];

/** The name of a kind of piece, in lower case. */
export function pieceName(piece: PieceSymbol): string {
  return t('{piece, select, k {king} q {queen} r {rook} b {bishop} n {knight} other {pawn}}', { piece });
}

/** The name of a side, with a capital. */
export function colorName(color: Color): string {
  return t('{color, select, white {White} other {Black}}', { color });
}

/** A move in words with its side: "White: knight to f3, check". */
export function moveInWords(ply: Ply): string {
  const action = actionOf(ply);
  const move = ply.enPassant
    ? t('{action} en passant', { action })
    : ply.promotion
      ? t('{action}, promotes to {piece, select, q {queen} r {rook} b {bishop} other {knight}}', { action, piece: ply.promotion })
      : action;
  return ply.mate ? t('{move}, checkmate', { move }) : ply.check ? t('{move}, check', { move }) : move;
}

function actionOf({ castling, captured, color, piece, from, to, ...ply }: Ply): string {
  const values = { color, piece, captured, from, to };
  if (castling) {
    return castling === 'kingside'
      ? t('{color, select, white {White} other {Black}}: castles kingside', values)
      : t('{color, select, white {White} other {Black}}: castles queenside', values);
  } else if (isAmbiguous({ piece, ...ply })) {
    return captured
      ? t(
          '{color, select, white {White} other {Black}}: {piece, select, k {king} q {queen} r {rook} b {bishop} n {knight} other {pawn}} from {from} takes {captured, select, q {queen} r {rook} b {bishop} n {knight} other {pawn}} on {to}',
          values,
        )
      : t(
          '{color, select, white {White} other {Black}}: {piece, select, k {king} q {queen} r {rook} b {bishop} n {knight} other {pawn}} from {from} to {to}',
          values,
        );
  }
  return captured
    ? t(
        '{color, select, white {White} other {Black}}: {piece, select, k {king} q {queen} r {rook} b {bishop} n {knight} other {pawn}} takes {captured, select, q {queen} r {rook} b {bishop} n {knight} other {pawn}} on {to}',
        values,
      )
    : t(
        '{color, select, white {White} other {Black}}: {piece, select, k {king} q {queen} r {rook} b {bishop} n {knight} other {pawn}} to {to}',
        values,
      );
}

/** Whether another piece of the kind could have moved there, as SAN shows by the origin. */
function isAmbiguous(ply: Pick<Ply, 'piece' | 'san'>): boolean {
  return ply.piece !== 'p' && /^[KQRBN][a-h]?[1-8]?x?[a-h][1-8]/.test(ply.san)
    ? ply.san.replace(/[+#x]/g, '').length > 3
    : false;
}

/** The pieces of both sides in words, then the side to move. */
export function positionInWords(fen: string): string {
  const position = positionOf(fen);
  if (!position) {
    return t('The position is unknown.');
  }
  const pieces = position.board().flatMap((rank) => rank.filter((piece) => piece !== null));
  const side = (color: Color): string => {
    const groups = ORDER.flatMap((piece) => {
      const squares = pieces
        .filter((it) => it.color === color[0] && it.type === piece)
        .map((it) => it.square)
        .sort();
      return squares.length ? [groupInWords(piece, squares)] : [];
    });
    return t('{color, select, white {White} other {Black}}: {pieces}.', { color, pieces: list(groups) });
  };
  const sentences = [
    side('white'),
    side('black'),
    t('{color, select, white {White} other {Black}} to move.', { color: turnOf(fen) }),
    ...(position.isCheckmate() ? [t('It is checkmate.')] : position.inCheck() ? [t('It is check.')] : []),
  ];
  return sentences.join(' ');
}

function groupInWords(piece: PieceSymbol, squares: readonly Square[]): string {
  return t(
    '{piece, select, k {{count, plural, one {king} other {kings}}} q {{count, plural, one {queen} other {queens}}} r {{count, plural, one {rook} other {rooks}}} b {{count, plural, one {bishop} other {bishops}}} n {{count, plural, one {knight} other {knights}}} other {{count, plural, one {pawn} other {pawns}}}} {squares}',
    { piece, count: squares.length, squares: squares.join(' ') },
  );
}

/** A square and its piece in words: "e4, white pawn" or "e4, empty". */
export function squareInWords(fen: string, square: Square): string {
  const piece = placementOf(fen).get(square);
  return piece
    ? t(
        '{square}, {color, select, w {white} other {black}} {piece, select, k {king} q {queen} r {rook} b {bishop} n {knight} other {pawn}}',
        { square, color: piece[0], piece: piece[1] },
      )
    : t('{square}, empty', { square });
}
