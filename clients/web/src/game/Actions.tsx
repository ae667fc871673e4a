import type { Game } from 'gambit-client';
import { useState } from 'preact/hooks';
import { useSession } from '../app/session.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { Dialog, DialogActions } from '../ui/Dialog.js';
import { notifyFailure } from '../ui/notices.js';
import { timeLeft, useMinutes } from '../ui/time.js';
import type { GameState } from './game-state.js';
import type { OwnProposals } from './proposals.js';
import './actions.css';

const DAY_MILLISECONDS = 86_400_000;

/**
 * The buttons of a player in a running game: draw, takeback except in rated games, resign. They keep their places. What is not allowed yet
 * says when it will be. Before the player's first move, the game is aborted instead of resigned. In games of other
 * clients (kind 30), nothing is aborted or taken back, but who waits for a day can claim the win.
 */
export function Actions({ game, state, proposals }: { game: Game; state: GameState; proposals: OwnProposals }) {
  const [isLeaving, setLeaving] = useState(false);
  const isForeign = game.dialect === 'jester';
  const canAbort = state.canAbort && !isForeign;
  const run = (command: Promise<void>): void => void command.catch((error) => notifyFailure(error, game.id));
  const leave = (command: () => Promise<void>): void => {
    setLeaving(false);
    run(command());
  };
  const abort = (
    <Button variant="danger" onClick={() => leave(() => game.abort())}>{t('Abort the game')}</Button>
  );
  return (
    <div class={`actions ${game.rated ? 'actions-rated' : ''}`} role="group" aria-label={t('Actions')}>
      {state.canClaimDraw && !isForeign ? (
        <Button variant="primary" onClick={() => run(game.claimDraw())}>{t('Claim draw')}</Button>
      ) : (
        <Action
          label={isOwn(game, 'draw') ? t('Draw offered') : t('Offer draw')}
          obstacle={game.proposal ? '' : drawObstacle(state, proposals)}
          note={isForeign && !game.proposal ? t('Amethyst takes it for the end') : undefined}
          onClick={() => run(game.offerDraw())}
        />
      )}
      {isForeign ? (
        <ClaimWin game={game} onClick={() => run(game.claimAbandoned())} />
      ) : !game.rated && (
        <Action
          label={isOwn(game, 'takeback') ? t('Takeback asked') : t('Take back')}
          obstacle={game.proposal || !state.hasMoved ? '' : proposals.hasAskedTakeback ? t('after a move') : undefined}
          onClick={() => run(game.requestTakeback())}
        />
      )}
      {isForeign && !state.hasMoved ? (
        <Action label={t('Resign')} obstacle={t('after your move')} onClick={() => undefined} />
      ) : (
        <Button variant="danger" onClick={() => setLeaving(true)}>{state.hasMoved ? t('Resign') : t('Abort')}</Button>
      )}
      {isLeaving && (
        <Dialog
          title={state.hasMoved ? t('Resign this game?') : t('Abort this game?')}
          onClose={() => setLeaving(false)}
        >
          <p>
            {!state.hasMoved
              ? t('The game ends without a result for either player.')
              : canAbort
                ? t('Your opponent wins at once. Until your second move you can abort the game instead, without a result.')
                : t('Your opponent wins at once. This cannot be undone.')}
          </p>
          <DialogActions>
            <Button onClick={() => setLeaving(false)}>{t('Keep playing')}</Button>
            {canAbort && abort}
            {state.hasMoved && (
              <Button variant="danger" onClick={() => leave(() => game.resign())}>{t('Resign the game')}</Button>
            )}
          </DialogActions>
        </Dialog>
      )}
    </div>
  );
}

/** Claims the win over an opponent who has not moved for a day. */
function ClaimWin({ game, onClick }: { game: Game; onClick: () => void }) {
  const { client } = useSession();
  useMinutes();
  const left = game.changedAt + DAY_MILLISECONDS - client.relayTime;
  const obstacle = game.turn === game.color || game.changedAt === 0 ? '' : left > 0 ? t('in {time}', { time: timeLeft(left) }) : undefined;
  return <Action label={t('Claim win')} obstacle={obstacle} onClick={onClick} />;
}

function isOwn(game: Game, kind: 'draw' | 'takeback'): boolean {
  return game.proposal?.kind === kind && game.proposal.by === game.color;
}

function drawObstacle(state: GameState, { movesUntilOffer }: OwnProposals): string | undefined {
  if (!state.hasMoved) {
    return t('after your move');
  } else if (movesUntilOffer === 0) {
    return undefined;
  }
  return t('again in {count, plural, one {# move} other {# moves}}', { count: movesUntilOffer });
}

/**
 * A button that keeps the focus when it is not allowed.
 *
 * @param obstacle undefined if it is allowed; otherwise when it will be, or an empty text
 * @param note what to know before it is used
 */
function Action({ label, obstacle, note, onClick }: {
  label: string;
  obstacle: string | undefined;
  note?: string | undefined;
  onClick: () => void;
}) {
  const more = obstacle ?? note;
  return (
    <Button aria-disabled={obstacle !== undefined} onClick={() => obstacle === undefined && onClick()}>
      {/* Another text is another element, which takes its place at once. */}
      <span key={`${label} ${more}`}>{label}{more && <small class="action-obstacle">{more}</small>}</span>
    </Button>
  );
}
