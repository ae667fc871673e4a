import type { GameSummary } from 'gambit-client';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../ui/Button.js';
import { GameCard } from './GameCard.js';
import { inStableOrder } from './order.js';

/** The boards that are drawn before the user asks for more, and at most. */
const DRAWN = 12;
const MAX_DRAWN = 60;

/** The running games as small boards, most watched first. */
export function RunningGames({ games, playing }: {
  games: readonly GameSummary[];
  playing: number;
}) {
  const [limit, setLimit] = useState(DRAWN);
  const order = useRef<readonly string[]>([]);
  const ordered = inStableOrder(order.current, games);
  order.current = ordered.map((game) => game.id);
  const drawn = ordered.slice(0, limit);
  const total = Math.max(playing, games.length);
  return (
    <section aria-labelledby="running-heading" class="lobby-section">
      <h2 id="running-heading">
        Running games {total > 0 && <span class="count">{total}</span>}
      </h2>
      {games.length === 0 && <p class="muted">No game is running at the moment.</p>}
      <ul class="boards">
        {drawn.map((game) => <li key={game.id}><GameCard game={game} /></li>)}
      </ul>
      {drawn.length < games.length && limit < MAX_DRAWN && (
        <Button onClick={() => setLimit(MAX_DRAWN)}>Show more games</Button>
      )}
      {drawn.length < total && limit >= MAX_DRAWN && (
        <p class="muted small">{total - drawn.length} more games are running.</p>
      )}
    </section>
  );
}
