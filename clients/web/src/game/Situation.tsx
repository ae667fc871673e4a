import type { Game } from 'gambit-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useSession, useSessionHolder } from '../app/session.js';
import { uciOf } from '../board/position.js';
import { t } from '../language/t.js';
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
    const move = state.sentMove;
    const text = move
      ? t('Not connected. Your move {move} is sent as soon as the relay is reached.', { move })
      : t('Not connected. Trying again…');
    return <Line kind="waiting" text={text} />;
  } else if (color && proposal && proposal.by !== color) {
    return (
      <Line kind="proposal" text={proposal.kind === 'draw' ? t('Draw offered') : t('Takeback asked')}>
        <Button size="small" variant="primary" onClick={() => answer(game.accept())}>{t('Accept')}</Button>
        {game.dialect === 'nip100' && <Button size="small" onClick={() => answer(game.decline())}>{t('Decline')}</Button>}
      </Line>
    );
  } else if (!state.isLive) {
    return (
      <Line kind="aside" text={t('An earlier position is shown.')}>
        <Button size="small" onClick={() => state.show('last')}>{t('Back to the game')}</Button>
      </Line>
    );
  } else if (state.premoves.length > 0 && !state.promotion) {
    const count = state.premoves.length;
    const text = count === 1
      ? t('Premove: {move}', { move: uciOf(state.premoves[0]!) })
      : t('{count, plural, one {# premove} other {# premoves}}', { count });
    return (
      <Line kind="aside" text={text}>
        <Button size="small" onClick={() => state.cancelPremoves()}>{t('Cancel premove')}</Button>
      </Line>
    );
  }
  const { declined } = proposals;
  const said = declined && (declined === 'draw' ? t('Draw declined.') : t('Takeback declined.'));
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
      <p>{t('Play {move}?', { move })}</p>
      <div
        ref={answers}
        class="situation-answers"
        onKeyDown={(event) => event.key === 'Escape' && confirmation.cancel()}
      >
        <Button size="small" variant="primary" onClick={() => confirmation.confirm()}>{t('Confirm')}</Button>
        <Button size="small" onClick={() => confirmation.cancel()}>{t('Cancel')}</Button>
      </div>
    </div>
  );
}

function turnInWords(game: Game, state: GameState, firstMoveLimit: number): string {
  const { color, proposal, time } = game;
  if (proposal) {
    const who = proposal.by === color ? 'you' : proposal.by;
    return proposal.kind === 'draw'
      ? t('{who, select, you {You have} white {White has} other {Black has}} offered a draw.', { who })
      : t('{who, select, you {You have} white {White has} other {Black has}} asked to take back a move.', { who });
  } else if (!color) {
    return t('{color, select, white {White} other {Black}} to move.', { color: game.turn });
  } else if (!state.isOwnTurn) {
    return t('Your opponent’s turn.');
  }
  if (game.isOpen) return t('Your turn. The game begins with your first move.');
  const isFirst = time.kind !== 'untimed' && !time.correspondence && !state.hasMoved;
  return isFirst
    ? t('Your turn: make your first move within {seconds}\u00a0s.', { seconds: firstMoveLimit })
    : t('Your turn.');
}
