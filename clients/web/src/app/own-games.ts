import type { Game } from 'gambit-client';

/** The part of a game that decides on its place among the player's games. */
export type OwnGame = Pick<Game, 'id' | 'turn' | 'color' | 'clock'>;

/** Whether a game waits for the player's move. */
export function isOwnTurn({ turn, color }: Pick<OwnGame, 'turn' | 'color'>): boolean {
  return turn === color;
}

/** The games that wait for the player first, then those in which the side to move has the least time. */
export function byUrgency<Own extends OwnGame>(games: readonly Own[]): Own[] {
  const places = new Map(games.map((game) => [game.id, { isOwn: isOwnTurn(game), left: game.clock()?.[game.turn] ?? Infinity }]));
  return [...games].sort((a, b) => {
    const [one, other] = [places.get(a.id)!, places.get(b.id)!];
    if (one.isOwn !== other.isOwn) return one.isOwn ? -1 : 1;
    return one.left === other.left ? (a.id < b.id ? -1 : 1) : one.left - other.left;
  });
}
