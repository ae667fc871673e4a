import { Button } from '../ui/Button.js';
import { allow } from './relay.js';
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
        <h1>Play at another relay?</h1>
        <p>The address of this page names the relay <strong class="relay-name">{host}</strong>.</p>
        <p>
          That relay, and not {location.host}, would be the referee of your games: it decides who your opponents are,
          and who has won. Go on only if you know it, or trust whoever gave you the link.
        </p>
        <p class="relay-question">
          <Button variant="primary" onClick={() => location.assign(location.pathname)}>Stay at {location.host}</Button>
          <Button onClick={play}>Play at {host}</Button>
        </p>
      </div>
    </main>
  );
}

/** The name of a foreign relay, on top of every page: its host, because a relay can claim any name in its documents. */
export function ForeignRelayName({ relay }: { relay: string }) {
  return (
    <aside class="header-relay" aria-label="Relay">
      You play at <strong class="relay-name">{new URL(relay).host}</strong>, not at {location.host}.
    </aside>
  );
}
