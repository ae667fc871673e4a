import type { Game } from 'gambit-client';
import { useState } from 'preact/hooks';
import { Button } from '../ui/Button.js';
import { Dialog, DialogActions } from '../ui/Dialog.js';
import { notifyFailure } from '../ui/notices.js';
import type { GameState } from './game-state.js';
import './actions.css';

/** The buttons of a player in a running game: draw, takeback, abort, resign. */
export function Actions({ game, state }: { game: Game; state: GameState }) {
  const [isResigning, setResigning] = useState(false);
  const [isAborting, setAborting] = useState(false);
  const own = game.proposal?.by === game.color ? game.proposal : undefined;
  const run = (command: Promise<void>): void => void command.catch(notifyFailure);
  return (
    <div class="actions" role="group" aria-label="Actions">
      {state.canClaimDraw ? (
        <Button variant="primary" onClick={() => run(game.claimDraw())}>Claim draw</Button>
      ) : (
        <Button
          disabled={!state.hasMoved || game.proposal !== undefined}
          onClick={() => run(game.offerDraw())}
        >
          {own?.kind === 'draw' ? 'Draw offered' : 'Offer draw'}
        </Button>
      )}
      <Button
        disabled={!state.hasMoved || game.proposal !== undefined}
        onClick={() => run(game.requestTakeback())}
      >
        {own?.kind === 'takeback' ? 'Takeback asked' : 'Take back'}
      </Button>
      {state.canAbort && <Button onClick={() => setAborting(true)}>Abort</Button>}
      <Button variant="danger" onClick={() => setResigning(true)}>Resign</Button>
      {isResigning && (
        <Dialog title="Resign this game?" onClose={() => setResigning(false)}>
          <p>Your opponent wins at once. This cannot be undone.</p>
          <DialogActions>
            <Button onClick={() => setResigning(false)}>Keep playing</Button>
            <Button
              variant="danger"
              onClick={() => {
                setResigning(false);
                run(game.resign());
              }}
            >
              Resign the game
            </Button>
          </DialogActions>
        </Dialog>
      )}
      {isAborting && (
        <Dialog title="Abort this game?" onClose={() => setAborting(false)}>
          <p>The game ends without a result for either player.</p>
          <DialogActions>
            <Button onClick={() => setAborting(false)}>Keep playing</Button>
            <Button
              variant="danger"
              onClick={() => {
                setAborting(false);
                run(game.abort());
              }}
            >
              Abort the game
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </div>
  );
}
