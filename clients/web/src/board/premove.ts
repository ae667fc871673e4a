/** Moves that a player enters during the opponent's turn. */
import { isOf, placementOf, squareAt } from './placement.js';
import { type Color, type PieceSymbol, type Square, type Step, needsPromotion, playUci, positionOf, uciOf } from './position.js';

const KNIGHT = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]] as const;
const STRAIGHT = [[1, 0], [0, 1], [-1, 0], [0, -1]] as const;
const DIAGONAL = [[1, 1], [1, -1], [-1, -1], [-1, 1]] as const;

/**
 * The squares that a piece could reach after some move of the opponent: other pieces are ignored,
 * because the opponent may capture, leave or occupy any square.
 */
export function premoveTargets(fen: string, color: Color, from: Square): Square[] {
  const piece = placementOf(fen).get(from);
  if (!piece || !isOf(color, piece)) {
    return [];
  }
  const file = from.charCodeAt(0) - 97;
  const rank = Number(from[1]) - 1;
  const type = piece[1] as PieceSymbol;
  const targets = reach(type, color, file, rank);
  if (type === 'k') {
    targets.push(...castlingTargets(fen, color, from));
  }
  return [...new Set(targets)];
}

function reach(type: PieceSymbol, color: Color, file: number, rank: number): Square[] {
  switch (type) {
    case 'n':
      return leaps(KNIGHT, file, rank);
    case 'k':
      return leaps([...STRAIGHT, ...DIAGONAL], file, rank);
    case 'r':
      return rays(STRAIGHT, file, rank);
    case 'b':
      return rays(DIAGONAL, file, rank);
    case 'q':
      return rays([...STRAIGHT, ...DIAGONAL], file, rank);
    default: {
      const up = color === 'white' ? 1 : -1;
      const isUnmoved = rank === (color === 'white' ? 1 : 6);
      const steps: [number, number][] = [[0, up], [1, up], [-1, up]];
      return leaps(isUnmoved ? [...steps, [0, 2 * up]] : steps, file, rank);
    }
  }
}

function leaps(steps: readonly (readonly [number, number])[], file: number, rank: number): Square[] {
  return steps
    .map(([x, y]) => squareAt(file + x, rank + y))
    .filter((square) => square !== undefined);
}

function rays(steps: readonly (readonly [number, number])[], file: number, rank: number): Square[] {
  return steps.flatMap(([x, y]) =>
    [1, 2, 3, 4, 5, 6, 7]
      .map((n) => squareAt(file + n * x, rank + n * y))
      .filter((square) => square !== undefined),
  );
}

/** Two squares aside, or onto the rook. */
function castlingTargets(fen: string, color: Color, from: Square): Square[] {
  const rank = color === 'white' ? '1' : '8';
  const rights = fen.split(' ')[2] ?? '';
  if (from !== `e${rank}`) {
    return [];
  }
  const [short, long] = color === 'white' ? ['K', 'Q'] : ['k', 'q'];
  return [
    ...(rights.includes(short!) ? [`g${rank}`, `h${rank}`] : []),
    ...(rights.includes(long!) ? [`c${rank}`, `a${rank}`] : []),
  ] as Square[];
}

/** Whether a premove would promote a pawn, so that its piece has to be chosen. */
export function isPromotingPremove(fen: string, step: Step): boolean {
  return placementOf(fen).get(step.from)?.[1] === 'p' && /[18]$/.test(step.to);
}

/**
 * The move to send when the opponent has moved; undefined if the premove is illegal now. A promotion
 * without a piece becomes a queen.
 */
export function resolvePremove(fen: string, premove: Step): string | undefined {
  const position = positionOf(fen);
  if (!position) {
    return undefined;
  }
  const promotes = needsPromotion(position, premove.from, premove.to);
  const { promotion, ...plain } = premove;
  const uci = uciOf(promotes ? { ...plain, promotion: promotion ?? 'q' } : plain);
  return playUci(position, uci) ? uci : undefined;
}
