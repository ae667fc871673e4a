import type { Game, Presence } from 'gambit-client';
import { useEffect, useState } from 'preact/hooks';
import { useSession, useSessionHolder } from '../app/session.js';
import type { Color } from '../board/position.js';
import { colorName, pieceName } from '../board/words.js';
import { t } from '../language/t.js';
import { usePieceSprite } from '../ui/pieces.js';
import { PlayerName, PlayerPicture } from '../ui/PlayerName.js';
import { Rating } from '../ui/ratings.js';
import { absenceInWords } from './absence.js';
import type { Captured } from './captured.js';
import { lowTime } from './clock-format.js';
import { GameClock } from './GameClock.js';
import './player-bar.css';

/**
 * A player beside the board: name, presence, captured pieces and clock.
 *
 * @param left the milliseconds left; undefined without clocks
 * @param running whether the clock runs
 */
export function PlayerBar({ game, color, place, captured, left, running }: {
  game: Game;
  color: Color;
  place: 'top' | 'bottom';
  captured: Captured;
  left: (() => number | undefined) | undefined;
  running: boolean;
}) {
  const { status } = useSessionHolder();
  const isOver = game.result !== undefined;
  const isToMove = !isOver && game.turn === color;
  return (
    <section class={`player-bar game-${place} ${isToMove ? 'player-bar-to-move' : ''}`} aria-label={colorName(color)}>
      <span class="player-bar-picture">
        <PlayerPicture pubkey={game[color]} size={40} />
        <span class={`player-bar-color player-bar-${color}`} aria-hidden="true" />
      </span>
      <div class="player-bar-who">
        <div class="player-bar-name">
          <PlayerName pubkey={game[color]} level={game.levels[color]} picture={false} />
          <Rating strength={game.rated?.[color]} change={game.record?.rated?.[color]} />
          {!isOver && status === 'ready' && game.color !== color && <PresenceMark game={game} color={color} />}
        </div>
        <CapturedPieces captured={captured} of={color} />
      </div>
      {left && <GameClock color={color} left={left} running={running} low={lowTime(game.time)} isLong={isLong(game)} />}
    </section>
  );
}

/** Whether a player is connected; if not, what the player's absence leads to, and when. */
function PresenceMark({ game, color }: { game: Game; color: Color }) {
  const presence: Presence | undefined = game.presence?.[color];
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
    <span class="presence presence-present" role="img" aria-label={t('connected')} title={t('connected')} />
  ) : (
    <span class="presence presence-away">{absenceInWords(game, color, since + 1000 * client.info.chess.abandon_grace - now)}</span>
  );
}

/** Whether a clock of the game may show hours. */
function isLong({ time }: Game): boolean {
  return time.seconds + 60 * time.increment >= 3600;
}

/** Width and overlap of the captured pieces, in the units of the sprite. */
const PIECE = 32;
const OVERLAP = 16;

/** The pieces that a player has captured, and the lead in material: one picture, so that more of them move nothing. */
function CapturedPieces({ captured, of }: { captured: Captured; of: Color }) {
  const sprite = usePieceSprite();
  const theirs = of === 'white' ? 'b' : 'w';
  const names = captured.pieces.map(pieceName).join(', ');
  const lead = captured.lead > 0 ? `+${captured.lead}` : '';
  const label = [names && t('captured: {pieces}', { pieces: names }), lead && t('material {lead}', { lead })].filter(Boolean).join('; ');
  const widths = captured.pieces.map((type, i, all) => (all[i + 1] === type ? OVERLAP : PIECE));
  const width = widths.reduce((sum, one) => sum + one, 0);
  return (
    <div class="captured">
      <span class="visually-hidden">{label}</span>
      <svg class={`captured-pieces captured-${theirs}`} viewBox={`0 0 ${15 * PIECE} ${PIECE}`} aria-hidden="true">
        {captured.pieces.map((type, i) => (
          <use
            key={i}
            href={`${sprite}#${theirs}${type}`}
            x={widths.slice(0, i).reduce((sum, one) => sum + one, -4)}
            y={-4}
          />
        ))}
        <text class="captured-lead" x={width + 8} y={25}>{lead}</text>
      </svg>
    </div>
  );
}
