import type { Color } from 'gambit-client';

/** A piece of a position: `wk` to `bp`, with file and rank counted from 0 at a1. */
export interface PlacedPiece {
  piece: string;
  file: number;
  rank: number;
}

/** The pieces of a FEN's first field; those beyond the board's edges are omitted. */
export function piecesOf(fen: string): PlacedPiece[] {
  const pieces: PlacedPiece[] = [];
  const ranks = (fen.split(' ', 1)[0] ?? '').split('/').slice(0, 8);
  ranks.forEach((text, row) => {
    let file = 0;
    for (const character of text) {
      if (file > 7) break;
      if (/[1-8]/.test(character)) {
        file += Number(character);
      } else if (/[kqrbnp]/i.test(character)) {
        const lower = character.toLowerCase();
        pieces.push({ piece: `${character === lower ? 'b' : 'w'}${lower}`, file, rank: 7 - row });
        file++;
      }
    }
  });
  return pieces;
}

/** Where a square such as `e4` lies on a board of eight units, seen from one side; undefined if it is none. */
export function placeOf(square: string, side: Color): { x: number; y: number } | undefined {
  const match = /^([a-h])([1-8])$/.exec(square);
  if (!match) return undefined;
  return place(match[1]!.charCodeAt(0) - 97, Number(match[2]) - 1, side);
}

/** Where a file and a rank lie on a board of eight units, seen from one side. */
export function place(file: number, rank: number, side: Color): { x: number; y: number } {
  return side === 'white' ? { x: file, y: 7 - rank } : { x: 7 - file, y: rank };
}
