import type { Game, Presence } from 'gambit-client';
import { useEffect, useState } from 'preact/hooks';
import { useSession, useSessionHolder } from '../app/session.js';
import type { Color } from '../board/position.js';
import { colorName, pieceName } from '../board/words.js';
import { usePieceSprite } from '../ui/pieces.js';
import { PlayerName, PlayerPicture } from '../ui/PlayerName.js';
import type { Captured } from './captured.js';
import { durationInWords, lowTime } from './clock-format.js';
import { GameClock } from './GameClock.js';
import './player-bar.css';

/**
 * A player beside the board: name, presence, captured pieces and clock.
 *
 * @param left the milliseconds left; undefined without clocks
 * @param running whether the clock runs
 */
export function PlayerBar({ game, color, captured, left, running }: {
  game: Game;
  color: Color;
  captured: Captured;
  left: (() => number | undefined) | undefined;
  running: boolean;
}) {
  const { status } = useSessionHolder();
  const isOver = game.result !== undefined;
  const isToMove = !isOver && game.turn === color;
  return (
    <section class={`player-bar ${isToMove ? 'player-bar-to-move' : ''}`} aria-label={colorName(color)}>
      <span class="player-bar-picture">
        <PlayerPicture pubkey={game[color]} size={40} />
        <span class={`player-bar-color player-bar-${color}`} aria-hidden="true" />
      </span>
      <div class="player-bar-who">
        <div class="player-bar-name">
          <PlayerName pubkey={game[color]} picture={false} />
          {!isOver && status === 'ready' && <PresenceMark presence={game.presence?.[color]} />}
        </div>
        <CapturedPieces captured={captured} of={color} />
      </div>
      {left && <GameClock color={color} left={left} running={running} low={lowTime(game.time)} />}
    </section>
  );
}

/** Whether a player is connected, and if not since when. */
function PresenceMark({ presence }: { presence: Presence | undefined }) {
  const since = typeof presence === 'object' ? presence.awaySince : undefined;
  const { client } = useSession();
  const [now, setNow] = useState(client.relayTime);
  useEffect(() => {
    if (since === undefined) {
      return;
    }
    const update = (): void => setNow(client.relayTime);
    update();
    const timer = setInterval(update, 1000);
    return () => clearInterval(timer);
  }, [client, since]);
  if (presence === undefined) {
    return null;
  }
  return since === undefined ? (
    <span class="presence presence-present" role="img" aria-label="connected" title="connected" />
  ) : (
    <span class="presence presence-away">away for {durationInWords(now - since)}</span>
  );
}

/** Pieces that a player has captured, and the lead in material. */
function CapturedPieces({ captured, of }: { captured: Captured; of: Color }) {
  const sprite = usePieceSprite();
  const theirs = of === 'white' ? 'b' : 'w';
  const names = captured.pieces.map(pieceName).join(', ');
  const lead = captured.lead > 0 ? `+${captured.lead}` : '';
  const label = [names && `captured: ${names}`, lead && `material ${lead}`].filter(Boolean).join('; ');
  return (
    <div class="captured">
      <span class="visually-hidden">{label}</span>
      {captured.pieces.map((type, i) => (
        <svg
          key={i}
          class={`captured-piece ${i > 0 && captured.pieces[i - 1] === type ? 'captured-same' : ''}`}
          viewBox="4 4 32 32"
          aria-hidden="true"
        >
          <use href={`${sprite}#${theirs}${type}`} />
        </svg>
      ))}
      {lead && <span class="captured-lead" aria-hidden="true">{lead}</span>}
    </div>
  );
}
