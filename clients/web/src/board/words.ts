/** Moves and positions in words, for announcements and screen readers. */
import type { Ply } from './line.js';
import { type Color, type PieceSymbol, type Square, positionOf, turnOf } from './position.js';

const NAMES: Record<PieceSymbol, string> = {
  k: 'king',
  q: 'queen',
  r: 'rook',
  b: 'bishop',
  n: 'knight',
  p: 'pawn',
};

const ORDER: readonly PieceSymbol[] = ['k', 'q', 'r', 'b', 'n', 'p'];

/** The name of a kind of piece, in lower case. */
export function pieceName(type: PieceSymbol): string {
  return NAMES[type];
}

/** The name of a side, with a capital. */
export function colorName(color: Color): string {
  return color === 'white' ? 'White' : 'Black';
}

/** A move in words with its side: "White: knight to f3, check". */
export function moveInWords(ply: Ply): string {
  return `${colorName(ply.color)}: ${actionOf(ply)}${ending(ply)}`;
}

function ending(ply: Ply): string {
  return ply.mate ? ', checkmate' : ply.check ? ', check' : '';
}

function actionOf(ply: Ply): string {
  if (ply.castling) {
    return `castles ${ply.castling}`;
  }
  const origin = isAmbiguous(ply) ? ` from ${ply.from}` : '';
  const captured = ply.captured ? ` takes ${NAMES[ply.captured]} on ${ply.to}` : ` to ${ply.to}`;
  const enPassant = ply.enPassant ? ' en passant' : '';
  const promotion = ply.promotion ? `, promotes to ${NAMES[ply.promotion]}` : '';
  return `${NAMES[ply.piece]}${origin}${captured}${enPassant}${promotion}`;
}

/** Whether another piece of the kind could have moved there, as SAN shows by the origin. */
function isAmbiguous(ply: Ply): boolean {
  return ply.piece !== 'p' && /^[KQRBN][a-h]?[1-8]?x?[a-h][1-8]/.test(ply.san)
    ? ply.san.replace(/[+#x]/g, '').length > 3
    : false;
}

/** The pieces of both sides in words, then the side to move. */
export function positionInWords(fen: string): string {
  const position = positionOf(fen);
  if (!position) {
    return 'The position is unknown.';
  }
  const pieces = position.board().flatMap((rank) => rank.filter((piece) => piece !== null));
  const side = (color: Color): string => {
    const groups = ORDER.flatMap((type) => {
      const squares = pieces
        .filter((piece) => piece.color === color[0] && piece.type === type)
        .map((piece) => piece.square)
        .sort();
      return squares.length ? [`${NAMES[type]}${squares.length > 1 ? 's' : ''} ${squares.join(' ')}`] : [];
    });
    return `${colorName(color)}: ${groups.join(', ')}.`;
  };
  const check = position.isCheckmate() ? ' It is checkmate.' : position.inCheck() ? ' It is check.' : '';
  return `${side('white')} ${side('black')} ${colorName(turnOf(fen))} to move.${check}`;
}

/** A square and its piece in words: "e4, white pawn" or "e4, empty". */
export function squareInWords(fen: string, square: Square): string {
  const piece = positionOf(fen)?.get(square);
  const content = piece ? `${piece.color === 'w' ? 'white' : 'black'} ${NAMES[piece.type]}` : 'empty';
  return `${square}, ${content}`;
}
