/** Which running games are worth watching, and a list of them that does not jump. */
import type { GameSummary } from 'gambit-client';

/** What a game without ratings counts as. */
const UNRATED = 1200;
const RECENT_MILLISECONDS = 60_000;
const LONG_MILLISECONDS = 300_000;
const LITTLE_MILLISECONDS = 30_000;

/**
 * How lively a game is: its players' mean rating, and points for spectators, a move of the last minute and little
 * time. A game without a move for long comes after those, and one without anybody present last.
 */
export function liveliness(game: GameSummary, now: number): number {
  const { rated, presence } = game;
  const clock = game.clock();
  const since = now - game.changedAt;
  const isDeserted = presence !== undefined && presence.white !== 'present' && presence.black !== 'present';
  return (
    (rated ? (rated.white.rating + rated.black.rating) / 2 : UNRATED) +
    150 * Math.log2(1 + game.watching) +
    (since < RECENT_MILLISECONDS ? 200 : since > LONG_MILLISECONDS ? -5_000 : 0) +
    (clock && game.clockRunning && Math.min(clock.white, clock.black) < LITTLE_MILLISECONDS ? 150 : 0) -
    (isDeserted ? 10_000 : 0)
  );
}

/**
 * The games of a list that is being looked at: each keeps its place until it ends, and its place is then taken by
 * the liveliest of the others. In the first place, that may be one of the list.
 *
 * @param previous the ids in the order of the last time; empty at first, when the liveliest come first
 * @param max the most games
 */
export function livelyGames(previous: readonly string[], games: readonly GameSummary[], max: number, now: number): GameSummary[] {
  const points = new Map(games.map((game) => [game.id, liveliness(game, now)]));
  const ranked = [...games].sort((a, b) => points.get(b.id)! - points.get(a.id)! || (a.id < b.id ? -1 : 1));
  const byId = new Map(games.map((game) => [game.id, game]));
  const places = previous.map((id) => byId.get(id));
  if (previous.length > 0 && !places[0]) {
    const [liveliest] = ranked;
    if (liveliest) {
      const former = places.indexOf(liveliest);
      if (former > 0) places[former] = undefined;
      places[0] = liveliest;
    }
  }
  const others = ranked.filter((game) => !places.includes(game));
  const placed = places.map((game) => game ?? others.shift()).filter((game) => game !== undefined);
  return [...placed, ...others].slice(0, max);
}
