import type { Color, GameSummary } from 'gambit-client';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { MiniBoard } from '../ui/MiniBoard.js';
import { PlayerName } from '../ui/PlayerName.js';
import { CardClock } from './CardClock.js';

/**
 * A running game: its board, players and clocks, and a link to it.
 *
 * @param now the relay's time in epoch milliseconds, for the running clock
 */
export function GameCard({ game, now }: { game: GameSummary; now: number }) {
  const { pubkey } = useSession();
  const side: Color = game.black === pubkey ? 'black' : 'white';
  const other: Color = side === 'white' ? 'black' : 'white';
  const facts = [
    game.ply === 0 ? 'No move yet' : `Move ${Math.ceil(game.ply / 2)}${game.lastSan ? `, ${game.lastSan}` : ''}`,
    game.watching > 0 && `${game.watching} watching`,
  ];
  return (
    <a class="game-card" href={hrefOf({ page: 'game', id: game.id })}>
      <span class="visually-hidden">Game: </span>
      <PlayerLine game={game} color={other} now={now} />
      <span class="visually-hidden"> against </span>
      <MiniBoard fen={game.fen} lastMove={game.lastMove} side={side} />
      <PlayerLine game={game} color={side} now={now} />
      <span class="muted small">{facts.filter(Boolean).join(' · ')}</span>
    </a>
  );
}

function PlayerLine({ game, color, now }: { game: GameSummary; color: Color; now: number }) {
  // Neither clock runs before both sides have moved once.
  const running = game.turn === color && game.ply >= 2;
  const passed = running ? Math.max(0, now - game.changedAt) : 0;
  return (
    <span class="game-card-player">
      <PlayerName pubkey={game[color]} link={false} size={20} />
      <CardClock
        milliseconds={game.clock && game.clock[color] - passed}
        running={running}
        label={color === 'white' ? 'White’s clock' : 'Black’s clock'}
      />
    </span>
  );
}
