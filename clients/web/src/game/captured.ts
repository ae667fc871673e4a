/** Captured material, from two positions. */
import type { Color, PieceSymbol } from '../board/position.js';

const VALUES: Record<PieceSymbol, number> = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };
const ORDER: readonly PieceSymbol[] = ['q', 'r', 'b', 'n', 'p'];

/** The pieces that one side has captured, and its lead. */
export interface Captured {
  /** The captured pieces, the most valuable first. */
  readonly pieces: readonly PieceSymbol[];
  /** By how many pawns this side's material exceeds the opponent's; 0 if it does not. */
  readonly lead: number;
}

type Counts = Record<Color, Record<PieceSymbol, number>>;

function countsOf(fen: string): Counts {
  const counts: Counts = {
    white: { p: 0, n: 0, b: 0, r: 0, q: 0, k: 0 },
    black: { p: 0, n: 0, b: 0, r: 0, q: 0, k: 0 },
  };
  for (const char of fen.split(' ')[0] ?? '') {
    const type = char.toLowerCase();
    if (/[pnbrqk]/.test(type)) {
      counts[char === type ? 'black' : 'white'][type as PieceSymbol]++;
    }
  }
  return counts;
}

/**
 * The pieces that each side has captured between two positions of a game. A pawn that was promoted is not
 * missing; a captured promoted piece counts as the pawn that it was.
 */
export function capturedBetween(startFen: string, fen: string): Record<Color, Captured> {
  const before = countsOf(startFen);
  const now = countsOf(fen);
  const material = (color: Color): number => ORDER.reduce((sum, type) => sum + now[color][type] * VALUES[type], 0);
  const difference = material('white') - material('black');
  const side = (loser: Color, lead: number): Captured => {
    const promoted = ORDER.filter((type) => type !== 'p').reduce(
      (sum, type) => sum + Math.max(0, now[loser][type] - before[loser][type]),
      0,
    );
    return {
      pieces: ORDER.flatMap((type) => {
        const missing = before[loser][type] - now[loser][type] - (type === 'p' ? promoted : 0);
        return Array<PieceSymbol>(Math.max(0, missing)).fill(type);
      }),
      lead: Math.max(0, lead),
    };
  };
  return { white: side('black', difference), black: side('white', -difference) };
}
