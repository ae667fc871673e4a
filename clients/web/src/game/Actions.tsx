import type { Game } from 'gambit-client';
import { useState } from 'preact/hooks';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { Dialog, DialogActions } from '../ui/Dialog.js';
import { notifyFailure } from '../ui/notices.js';
import type { GameState } from './game-state.js';
import type { OwnProposals } from './proposals.js';
import './actions.css';

/**
 * The buttons of a player in a running game: draw, takeback except in rated games, resign. They keep their places. What is not allowed yet
 * says when it will be. Before the player's first move, the game is aborted instead of resigned.
 */
export function Actions({ game, state, proposals }: { game: Game; state: GameState; proposals: OwnProposals }) {
  const [isLeaving, setLeaving] = useState(false);
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
      {state.canClaimDraw ? (
        <Button variant="primary" onClick={() => run(game.claimDraw())}>{t('Claim draw')}</Button>
      ) : (
        <Action
          label={isOwn(game, 'draw') ? t('Draw offered') : t('Offer draw')}
          obstacle={game.proposal ? '' : drawObstacle(state, proposals)}
          onClick={() => run(game.offerDraw())}
        />
      )}
      {!game.rated && (
        <Action
          label={isOwn(game, 'takeback') ? t('Takeback asked') : t('Take back')}
          obstacle={game.proposal || !state.hasMoved ? '' : proposals.hasAskedTakeback ? t('after a move') : undefined}
          onClick={() => run(game.requestTakeback())}
        />
      )}
      <Button variant="danger" onClick={() => setLeaving(true)}>{state.hasMoved ? t('Resign') : t('Abort')}</Button>
      {isLeaving && (
        <Dialog
          title={state.hasMoved ? t('Resign this game?') : t('Abort this game?')}
          onClose={() => setLeaving(false)}
        >
          <p>
            {!state.hasMoved
              ? t('The game ends without a result for either player.')
              : state.canAbort
                ? t('Your opponent wins at once. Until your second move you can abort the game instead, without a result.')
                : t('Your opponent wins at once. This cannot be undone.')}
          </p>
          <DialogActions>
            <Button onClick={() => setLeaving(false)}>{t('Keep playing')}</Button>
            {state.canAbort && abort}
            {state.hasMoved && (
              <Button variant="danger" onClick={() => leave(() => game.resign())}>{t('Resign the game')}</Button>
            )}
          </DialogActions>
        </Dialog>
      )}
    </div>
  );
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
 */
function Action({ label, obstacle, onClick }: { label: string; obstacle: string | undefined; onClick: () => void }) {
  return (
    <Button aria-disabled={obstacle !== undefined} onClick={() => obstacle === undefined && onClick()}>
      {/* Another text is another element, which takes its place at once. */}
      <span key={`${label} ${obstacle}`}>{label}{obstacle && <small class="action-obstacle">{obstacle}</small>}</span>
    </Button>
  );
}
