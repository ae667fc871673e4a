import type { Game } from 'gambit-client';
import { useState } from 'preact/hooks';
import { isOwnTurn } from '../app/own-games.js';
import { hrefOf } from '../app/router.js';
import { opponentOf } from '../board/position.js';
import { number } from '../language/format.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { MiniBoard } from '../ui/MiniBoard.js';
import { PlayerName } from '../ui/PlayerName.js';
import { Rating } from '../ui/ratings.js';
import { timeLeft, useMinutes } from '../ui/time.js';
import './your-games.css';

/** The boards that are drawn before the user asks for all. */
const DRAWN = 8;

/** The player's slow games as small boards, those that wait for the player first. */
export function YourGames({ games }: { games: readonly Game[] }) {
  const [all, setAll] = useState(false);
  useMinutes();
  const waiting = games.filter(isOwnTurn).length;
  const drawn = games.slice(0, all ? games.length : Math.max(DRAWN, waiting));
  return (
    <section aria-labelledby="your-games-heading" class="lobby-section">
      <h2 id="your-games-heading">
        {t('Your games')}{' '}
        <span class="count">
          {waiting === 0
            ? number(games.length)
            : t('{waiting, plural, one {# of {all, number} wait for you} other {# of {all, number} wait for you}}', { waiting, all: games.length })}
        </span>
      </h2>
      <ul class="boards">
        {drawn.map((game) => <li key={game.id}><OwnGame game={game} /></li>)}
      </ul>
      {drawn.length < games.length && <Button variant="quiet" onClick={() => setAll(true)}>{t('Show all {n, number}', { n: games.length })}</Button>}
    </section>
  );
}

function OwnGame({ game }: { game: Game }) {
  const isOwn = isOwnTurn(game);
  const left = game.clock()?.[game.turn];
  return (
    <a class={`game-card your-game ${isOwn ? 'your-game-waiting' : ''}`} href={hrefOf({ page: 'game', id: game.id })}>
      <MiniBoard fen={game.fen} lastMove={game.lastMove} side={game.color} />
      <span class="player-rated">
        <PlayerName pubkey={game.opponent!} level={game.levels.white ?? game.levels.black} link={false} size={20} />
        <Rating strength={game.color && game.rated?.[opponentOf(game.color)]} />
      </span>
      <span class="your-game-state small">
        <span class="your-game-turn">{isOwn ? t('Your turn') : t('Waiting')}</span>{' '}
        <span class="muted">{left === undefined ? t('no clock') : timeLeft(left)}</span>
      </span>
    </a>
  );
}
