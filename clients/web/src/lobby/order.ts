/** A game as far as its place in the list is concerned. */
interface Placed {
  readonly id: string;
  readonly watching: number;
}

/**
 * The games, most watched first. Games with equally many watchers keep their places, because a change with
 * every move would make the boards jump. A new game takes the place of one that has ended.
 *
 * @param previous the ids in the order of the last time
 */
export function inStableOrder<Game extends Placed>(previous: readonly string[], games: readonly Game[]): Game[] {
  const byId = new Map(games.map((game) => [game.id, game]));
  const known = new Set(previous);
  const fresh = games.filter((game) => !known.has(game.id));
  const placed: Game[] = [];
  for (const id of previous) {
    const game = byId.get(id) ?? fresh.shift();
    if (game) placed.push(game);
  }
  // Sorting is stable: only different numbers of watchers change places.
  return [...placed, ...fresh].sort((one, other) => other.watching - one.watching);
}
