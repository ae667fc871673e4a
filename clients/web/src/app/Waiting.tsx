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
  const wait = count === 1 ? 'game waits' : 'games wait';
  const before = useRef(count);
  useEffect(() => {
    if (count > before.current) announce(`${count} ${wait} for your move.`);
    before.current = count;
  }, [count]);
  const [first] = waiting;
  return first ? (
    <a class="waiting" href={hrefOf({ page: 'game', id: first.id })} title={`${count} ${wait} for your move`}>
      <span class="waiting-text">Your move</span>{' '}
      <span class="waiting-count">{count}</span>
      <span class="visually-hidden"> {wait}</span>
    </a>
  ) : null;
}
