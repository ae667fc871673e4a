import type { Game } from 'gambit-client';
import { useSession, useSessionHolder } from '../app/session.js';
import { uciOf } from '../board/position.js';
import { colorName } from '../board/words.js';
import { Button } from '../ui/Button.js';
import { notifyFailure } from '../ui/notices.js';
import type { GameState } from './game-state.js';
import './situation.css';

/**
 * One line about a running game, and what it asks of the player: a proposal to answer, a move that
 * waits for the connection, an earlier position, a premove, or whose turn it is. It has the same height for all of them.
 */
export function Situation({ game, state }: { game: Game; state: GameState }) {
  const { client } = useSession();
  const { status } = useSessionHolder();
  const { proposal, color } = game;
  const answer = (command: Promise<void>): void => void command.catch(notifyFailure);

  if (color && proposal && proposal.by !== color) {
    const isDraw = proposal.kind === 'draw';
    return (
      <div class="situation situation-proposal">
        <p>{isDraw ? 'Draw offered' : 'Takeback asked'}</p>
        <div class="situation-answers">
          <Button size="small" variant="primary" onClick={() => answer(game.accept())}>Accept</Button>
          <Button size="small" onClick={() => answer(game.decline())}>Decline</Button>
        </div>
      </div>
    );
  } else if (state.sentMove && status !== 'ready') {
    return (
      <div class="situation situation-waiting">
        <p>Not connected. Your move {state.sentMove} is sent as soon as the relay is reached.</p>
      </div>
    );
  } else if (!state.isLive) {
    return (
      <div class="situation situation-aside">
        <p>An earlier position is shown.</p>
        <div class="situation-answers">
          <Button size="small" onClick={() => state.show('last')}>Back to the game</Button>
        </div>
      </div>
    );
  } else if (state.premoves.length > 0 && !state.promotion) {
    return (
      <div class="situation situation-aside">
        <p>{state.premoves.length === 1 ? `Premove: ${uciOf(state.premoves[0]!)}` : `${state.premoves.length} premoves`}</p>
        <div class="situation-answers">
          <Button size="small" onClick={() => state.cancelPremoves()}>Cancel premove</Button>
        </div>
      </div>
    );
  }
  return (
    <div class="situation">
      <p>{turnInWords(game, state, client.info.chess.first_move_limit)}</p>
    </div>
  );
}

function turnInWords(game: Game, state: GameState, firstMoveLimit: number): string {
  const { color, proposal, time } = game;
  if (proposal) {
    const who = proposal.by === color ? 'You' : colorName(proposal.by);
    const asked = proposal.kind === 'draw' ? 'offered a draw' : 'asked to take back a move';
    return `${who} ${who === 'You' ? 'have' : 'has'} ${asked}.`;
  } else if (!color) {
    return `${colorName(game.turn)} to move.`;
  } else if (!state.isOwnTurn) {
    return 'Your opponent’s turn.';
  }
  const isFirst = time.kind !== 'untimed' && !time.correspondence && !state.hasMoved;
  return isFirst ? `Your turn: make your first move within ${firstMoveLimit}\u00a0s.` : 'Your turn.';
}
