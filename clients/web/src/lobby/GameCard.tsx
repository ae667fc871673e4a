import type { Color, GameSummary } from 'gambit-client';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { t } from '../language/t.js';
import { MiniBoard } from '../ui/MiniBoard.js';
import { PlayerName } from '../ui/PlayerName.js';
import { modeText, Rating } from '../ui/ratings.js';
import { CardClock } from './CardClock.js';

/** A running game: its board, players and clocks, and a link to it. */
export function GameCard({ game }: { game: GameSummary }) {
  const { pubkey } = useSession();
  const side: Color = game.black === pubkey ? 'black' : 'white';
  const other: Color = side === 'white' ? 'black' : 'white';
  const facts = [
    game.ply === 0 ? t('No move yet') : moveText(Math.ceil(game.ply / 2), game.lastSan),
    game.rated && modeText(game.rated.category),
    game.elsewhere && t('played elsewhere'),
    game.watching > 0 && t('{n, plural, one {# watching} other {# watching}}', { n: game.watching }),
  ];
  return (
    <a class={`game-card ${game.rated ? 'game-card-rated' : ''}`} href={hrefOf({ page: 'game', id: game.id })}>
      <span class="visually-hidden">{t('Game:')} </span>
      <PlayerLine game={game} color={other} />
      <span class="visually-hidden"> {t('against')} </span>
      <MiniBoard fen={game.fen} lastMove={game.lastMove} side={side} />
      <PlayerLine game={game} color={side} />
      <span class="muted small">{facts.filter(Boolean).join(' · ')}</span>
    </a>
  );
}

function moveText(n: number, san: string | undefined): string {
  return san ? t('Move {n}, {san}', { n, san }) : t('Move {n}', { n });
}

function PlayerLine({ game, color }: { game: GameSummary; color: Color }) {
  return (
    <span class="game-card-player">
      <PlayerName pubkey={game[color]} level={game.levels[color]} link={false} size={20} />
      <Rating strength={game.rated?.[color]} />
      <CardClock
        left={() => game.clock()?.[color]}
        running={game.clockRunning === color}
        label={color === 'white' ? t('White’s clock') : t('Black’s clock')}
      />
    </span>
  );
}
