import type { Game } from 'gambit-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useSession, useSessionHolder } from '../app/session.js';
import { uciOf } from '../board/position.js';
import { colorName } from '../board/words.js';
import { Button } from '../ui/Button.js';
import { notifyFailure } from '../ui/notices.js';
import type { GameState } from './game-state.js';
import type { MoveConfirmation } from './move-confirmation.js';
import type { OwnProposals } from './proposals.js';
import './situation.css';

/**
 * One line about a running game, and what it asks of the player: a lost connection, a move to confirm, a proposal to
 * answer, an earlier position, a premove, or whose turn it is. It has the same height for all of them.
 */
export function Situation({ game, state, proposals, confirmation }: {
  game: Game;
  state: GameState;
  proposals: OwnProposals;
  confirmation: MoveConfirmation;
}) {
  const { client } = useSession();
  const { status } = useSessionHolder();
  const { proposal, color } = game;
  const answer = (command: Promise<void>): void => void command.catch((error) => notifyFailure(error, game.id));

  if (confirmation.move !== undefined) {
    return <Confirmation confirmation={confirmation} move={confirmation.move} />;
  } else if (status !== 'ready') {
    const waiting = state.sentMove && `Your move ${state.sentMove} is sent as soon as the relay is reached.`;
    return <Line kind="waiting" text={`Not connected. ${waiting ?? 'Trying again…'}`} />;
  } else if (color && proposal && proposal.by !== color) {
    return (
      <Line kind="proposal" text={proposal.kind === 'draw' ? 'Draw offered' : 'Takeback asked'}>
        <Button size="small" variant="primary" onClick={() => answer(game.accept())}>Accept</Button>
        <Button size="small" onClick={() => answer(game.decline())}>Decline</Button>
      </Line>
    );
  } else if (!state.isLive) {
    return (
      <Line kind="aside" text="An earlier position is shown.">
        <Button size="small" onClick={() => state.show('last')}>Back to the game</Button>
      </Line>
    );
  } else if (state.premoves.length > 0 && !state.promotion) {
    return (
      <Line kind="aside" text={state.premoves.length === 1 ? `Premove: ${uciOf(state.premoves[0]!)}` : `${state.premoves.length} premoves`}>
        <Button size="small" onClick={() => state.cancelPremoves()}>Cancel premove</Button>
      </Line>
    );
  }
  const { declined } = proposals;
  const said = declined && (declined === 'draw' ? 'Draw declined.' : 'Takeback declined.');
  return <Line kind="turn" said={said} text={turnInWords(game, state, client.info.chess.first_move_limit)} />;
}

/** The line; another text is another element, which takes its place at once. */
function Line({ kind, said, text, children }: {
  kind: string;
  said?: string | undefined;
  text: string;
  children?: ComponentChildren;
}) {
  return (
    <div key={`${said} ${text}`} class={`situation situation-${kind}`}>
      <p>{said && <><strong>{said}</strong>{' '}</>}<span>{text}</span></p>
      {children && <div class="situation-answers">{children}</div>}
    </div>
  );
}

/** Asks whether a move is to be sent; the focus is on the answer. */
function Confirmation({ confirmation, move }: { confirmation: MoveConfirmation; move: string }) {
  const answers = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    answers.current?.querySelector('button')?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [move]);
  return (
    <div key="confirmation" class="situation situation-proposal">
      <p>Play {move}?</p>
      <div
        ref={answers}
        class="situation-answers"
        onKeyDown={(event) => event.key === 'Escape' && confirmation.cancel()}
      >
        <Button size="small" variant="primary" onClick={() => confirmation.confirm()}>Confirm</Button>
        <Button size="small" onClick={() => confirmation.cancel()}>Cancel</Button>
      </div>
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
