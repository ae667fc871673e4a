import type { GameRecord } from 'gambit-client';
import { positionOf } from '../board/position.js';

/** The position in which a game ended, and the move that led to it in UCI; up to the first move that is not legal. */
export function lastPosition({ startFen, sans }: Pick<GameRecord, 'startFen' | 'sans'>): { fen: string; lastMove?: string } {
  const position = positionOf(startFen);
  if (!position) return { fen: startFen };
  let last: string | undefined;
  try {
    for (const san of sans) last = position.move(san).lan;
  } catch {
    // Such a record is no proof of anything; its check says so.
  }
  return { fen: position.fen(), ...(last !== undefined && { lastMove: last }) };
}
