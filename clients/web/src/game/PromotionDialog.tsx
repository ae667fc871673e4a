import { Button } from '../ui/Button.js';
import { Dialog, DialogActions } from '../ui/Dialog.js';
import { pieceSpriteUrl } from '../ui/pieces.js';
import type { Color, PieceSymbol } from '../board/position.js';
import { pieceName } from '../board/words.js';
import './promotion.css';

const CHOICES: readonly PieceSymbol[] = ['q', 'r', 'b', 'n'];

/** Asks what a pawn becomes. */
export function PromotionDialog({ color, onChoose }: {
  color: Color;
  onChoose: (piece: PieceSymbol | undefined) => void;
}) {
  return (
    <Dialog title="Promote the pawn to" onClose={() => onChoose(undefined)}>
      <div class="promotion">
        {CHOICES.map((type) => (
          <button
            key={type}
            type="button"
            class="promotion-choice"
            aria-label={pieceName(type)}
            title={pieceName(type)}
            onClick={() => onChoose(type)}
          >
            <svg viewBox="0 0 40 40" aria-hidden="true">
              <use href={`${pieceSpriteUrl}#${color[0]}${type}`} />
            </svg>
          </button>
        ))}
      </div>
      <DialogActions>
        <Button onClick={() => onChoose(undefined)}>Cancel</Button>
      </DialogActions>
    </Dialog>
  );
}
