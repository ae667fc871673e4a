import { useLobby } from '../app/lobby.js';
import { hrefOf } from '../app/router.js';
import { usePageTitle } from '../app/usePageTitle.js';
import { rich, t } from '../language/t.js';
import { LiveBoards } from './LiveBoards.js';

const MAX_BOARDS = 12;

/** The liveliest running games, the first one large. When one ends, the liveliest of the others takes its place. */
export function WatchPage() {
  usePageTitle(t('Watch'));
  const { lobby, ready } = useLobby();
  const games = lobby?.games ?? [];
  const others = Math.max(lobby?.playing ?? 0, games.length) - MAX_BOARDS;
  return (
    <div class="lobby-section">
      <h1>{t('Watch')}</h1>
      {ready && games.length === 0 && (
        <p class="muted">
          {rich('No game is running at the moment. <a>Begin one in the lobby.</a>', {
            a: (text) => <a href={hrefOf({ page: 'lobby' })}>{text}</a>,
          })}
        </p>
      )}
      {ready && <LiveBoards games={games} max={MAX_BOARDS} large />}
      {others > 0 && (
        <p class="muted small">{t('{n, plural, one {# more game is running.} other {# more games are running.}}', { n: others })}</p>
      )}
    </div>
  );
}
