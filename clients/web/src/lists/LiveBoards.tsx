import type { GameSummary } from 'gambit-client';
import { useRef } from 'preact/hooks';
import { GameCard } from '../lobby/GameCard.js';
import { livelyGames } from './liveliness.js';
import './lists.css';

/**
 * The liveliest games as boards that move. They keep their places; see {@link livelyGames}.
 *
 * @param max the most boards
 * @param large whether the first one is larger than the others
 */
export function LiveBoards({ games, max, large = false }: { games: readonly GameSummary[]; max: number; large?: boolean }) {
  const order = useRef<readonly string[]>([]);
  const drawn = livelyGames(order.current, games, max, Date.now());
  order.current = drawn.map(({ id }) => id);
  return (
    <ul class={`boards ${large ? 'boards-with-large' : ''}`}>
      {drawn.map((game) => <li key={game.id}><GameCard game={game} /></li>)}
    </ul>
  );
}
