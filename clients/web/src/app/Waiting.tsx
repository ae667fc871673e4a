import { useEffect, useRef } from 'preact/hooks';
import { announce } from './announce.js';
import { useMatchmaking } from './matchmaking.js';
import { hrefOf, type Route } from './router.js';
import { useSession } from './session.js';
import './waiting.css';

/** The number of other games that wait for the player's move, as a link to the first of them. */
export function Waiting({ route }: { route: Route }) {
  const { matchmaking } = useSession();
  const waiting = useMatchmaking(matchmaking).waiting.filter(({ id }) => !(route.page === 'game' && route.id === id));
  const count = waiting.length;
  const text = count === 1 ? '1 game waits for your move' : `${count} games wait for your move`;
  const before = useRef(count);
  useEffect(() => {
    if (count > before.current) announce(`${text}.`);
    before.current = count;
  }, [count]);
  const [first] = waiting;
  return first ? (
    <a class="waiting" href={hrefOf({ page: 'game', id: first.id })} aria-label={text} title={text}>
      <span class="waiting-text">Your move</span>
      <span class="waiting-count">{count}</span>
    </a>
  ) : null;
}
