/** The positions for which a player gets no help: those of the player's own running games. */
import type { Game } from 'gambit-client';
import { Line } from '../board/line.js';
import { INITIAL_FEN } from '../board/position.js';
import type { TreeNode } from './tree.js';

/** The part of a running game that decides. */
export type RunningGame = Pick<Game, 'id' | 'isSlow' | 'startFen' | 'fen' | 'moves' | 'movesKnown'>;

/** The plies that many games share: positions before them bar nothing once the game has come further. */
const SHARED_PLIES = 8;

/** Knows the positions of the player's slow games. */
export class OwnPositions {
  readonly #lines = new Map<string, Line>();

  /**
   * Why the engine is off for the last position of a path: the player has a live game, or a position of the path is of
   * one of the player's slow games. Everything that follows from such a position may occur in that game.
   */
  reasonAgainst(games: readonly RunningGame[], path: readonly TreeNode[]): 'live' | 'slow' | undefined {
    if (games.some((game) => !game.isSlow)) {
      return 'live';
    }
    for (const id of this.#lines.keys()) {
      if (!games.some((game) => game.id === id)) this.#lines.delete(id);
    }
    const barred = new Set(games.flatMap((game) => this.#positionsOf(game)));
    return barred.size > 0 && path.some(({ fen }) => barred.has(keyOf(fen))) ? 'slow' : undefined;
  }

  #positionsOf({ id, startFen, fen, moves, movesKnown }: RunningGame): string[] {
    const line = this.#lines.get(id) ?? Line.from(startFen);
    if (!line || !movesKnown) {
      return [keyOf(fen)];
    }
    this.#lines.set(id, line);
    line.update(moves);
    const first = startFen === INITIAL_FEN ? Math.min(Math.max(1, moves.length), SHARED_PLIES) : 0;
    return Array.from({ length: Math.max(0, line.plies.length + 1 - first) }, (_, i) => keyOf(line.fenAt(first + i)));
  }
}

/** Pieces, side to move, castling rights and en passant square. */
function keyOf(fen: string): string {
  return fen.split(' ').slice(0, 4).join(' ');
}
