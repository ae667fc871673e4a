/** A game as far as its place in the list is concerned. */
interface Placed {
  readonly id: string;
  readonly watching: number;
}

/**
 * The games, most watched first. Among games with as many watchers, each keeps the place that it had:
 * otherwise every move would make the boards jump. The place of a game that has ended goes to a new one.
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
  // Sorting is stable: places change only where the numbers of watchers say so.
  return [...placed, ...fresh].sort((one, other) => other.watching - one.watching);
}
