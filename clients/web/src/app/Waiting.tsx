import { useEffect, useRef } from 'preact/hooks';
import { announce } from './announce.js';
import { useMatchmaking } from './matchmaking.js';
import { hrefOf, type Route } from './router.js';
import { useSession } from './session.js';
import { number } from '../language/format.js';
import { t } from '../language/t.js';
import './waiting.css';

/** The number of other games that wait for the player's move, as a link to the first of them. */
export function Waiting({ route }: { route: Route }) {
  const { matchmaking } = useSession();
  const waiting = useMatchmaking(matchmaking).waiting.filter(({ id }) => !(route.page === 'game' && route.id === id));
  const count = waiting.length;
  const text = t('{count, plural, one {# game waits for your move} other {# games wait for your move}}', { count });
  const before = useRef(count);
  useEffect(() => {
    if (count > before.current) announce(text);
    before.current = count;
  }, [count]);
  const [first] = waiting;
  return first ? (
    <a class="waiting" href={hrefOf({ page: 'game', id: first.id })} title={text}>
      {/* As one text, the parts could be spoken in a wrong order. */}
      <span class="waiting-text" aria-hidden="true">{t('Your move')}</span>{' '}
      <span class="waiting-count" aria-hidden="true">{number(count)}</span>{' '}
      <span class="visually-hidden">{text}</span>
    </a>
  ) : null;
}
