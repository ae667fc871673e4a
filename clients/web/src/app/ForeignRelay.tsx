import { Button } from '../ui/Button.js';
import { allow } from './relay.js';
import { rich, t } from '../language/t.js';
import './header.css';

/** The question before the page connects to a relay that does not serve it. Nothing is signed until it is answered. */
export function ForeignRelayQuestion({ relay, onAllowed }: { relay: string; onAllowed: () => void }) {
  const { host } = new URL(relay);
  const play = () => {
    allow(relay);
    onAllowed();
  };
  return (
    <main class="main">
      <div class="narrow">
        <h1>{t('Play at another relay?')}</h1>
        <p>
          {rich('The address of this page names the relay {host}.', {
            host: <strong class="relay-name" dir="ltr">{host}</strong>,
          })}
        </p>
        <p>
          {rich(
            'That relay, and not {host}, would be the referee of your games: it decides who your opponents are, and who has won. Go on only if you know it, or trust whoever gave you the link.',
            { host: <bdi>{location.host}</bdi> },
          )}
        </p>
        <p class="relay-question">
          <Button variant="primary" onClick={() => location.assign(location.pathname)}>{t('Stay at {host}', { host: location.host })}</Button>
          <Button onClick={play}>{t('Play at {host}', { host })}</Button>
        </p>
      </div>
    </main>
  );
}

/** The name of a foreign relay, on top of every page: its host, because a relay can claim any name in its documents. */
export function ForeignRelayName({ relay }: { relay: string }) {
  return (
    <aside class="header-relay" aria-label={t('Relay')}>
      {rich('You play at {relay}, not at {host}.', {
        relay: <strong class="relay-name" dir="ltr">{new URL(relay).host}</strong>,
        host: <bdi>{location.host}</bdi>,
      })}
    </aside>
  );
}
