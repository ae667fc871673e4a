import type { Game } from 'gambit-client';
import { useEffect, useId, useRef } from 'preact/hooks';
import { isOwnTurn } from '../app/own-games.js';
import { useMatchmaking } from '../app/matchmaking.js';
import { hrefOf, navigate } from '../app/router.js';
import { useSession } from '../app/session.js';
import { changeSettings, useSettings } from '../app/settings.js';
import { t } from '../language/t.js';
import '../ui/button.css';
import './next-game.css';

/** In a player's slow game: the way to the next one that waits for a move, which may open by itself after a move. */
export function NextGame({ game }: { game: Game }) {
  const { matchmaking } = useSession();
  const { slowGames } = useMatchmaking(matchmaking);
  const { nextGame } = useSettings();
  const id = useId();
  const waiting = slowGames.filter((other) => other.id !== game.id && isOwnTurn(other));
  const next = waiting[0] && { page: 'game', id: waiting[0].id } as const;
  const ply = useRef(game.ply);
  useEffect(() => {
    if (nextGame && game.isSlow && next && game.ply > ply.current && !isOwnTurn(game)) navigate(next);
    ply.current = game.ply;
  }, [game.ply]);
  if (!game.color || !game.isSlow) return null;
  return (
    <div class="next-game">
      {next ? (
        <a class={`button button-small button-${isOwnTurn(game) ? 'secondary' : 'primary'}`} href={hrefOf(next)}>
          {t('Next game ({count})', { count: waiting.length })}
        </a>
      ) : (
        <p class="muted small">{t('No other game waits.')}</p>
      )}
      <span class="next-game-setting small">
        <input
          id={id}
          type="checkbox"
          checked={nextGame}
          aria-label={t('Open the next game by itself after a move')}
          onChange={() => changeSettings({ nextGame: !nextGame })}
        />
        <label for={id} title={t('Open the next game after a move')}>{t('By itself')}</label>
      </span>
    </div>
  );
}
