import { useEffect, useRef } from 'preact/hooks';
import { t } from '../language/t.js';
import { placeOf } from '../ui/fen.js';
import { usePieceSprite } from '../ui/pieces.js';
import { UNIT } from './geometry.js';
import type { Color, PieceSymbol, Square } from './position.js';
import { pieceName } from './words.js';
import './promotion.css';

const CHOICES: readonly PieceSymbol[] = ['q', 'n', 'r', 'b'];

/**
 * Asks what a pawn becomes: the pieces stand on its file, from its target on. Escape and a press beside
 * them take the move back.
 */
export function PromotionChoice({ color, square, orientation, onChoose }: {
  color: Color;
  square: Square;
  orientation: Color;
  onChoose: (piece: PieceSymbol | undefined) => void;
}) {
  const sprite = usePieceSprite();
  const first = useRef<HTMLButtonElement>(null);
  const latest = useRef(onChoose);
  latest.current = onChoose;
  useEffect(() => {
    const before = document.activeElement;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') {
        latest.current(undefined);
      }
    };
    first.current!.focus({ preventScroll: true });
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      if (before instanceof HTMLElement && before.isConnected) {
        before.focus({ preventScroll: true });
      }
    };
  }, []);
  const { x, y } = placeOf(square, orientation)!;
  return (
    <dialog
      open
      class="promotion"
      aria-label={t('Promote the pawn to')}
      onClick={(event) => {
        if (event.target === event.currentTarget) {
          onChoose(undefined);
        }
      }}
    >
      {CHOICES.map((type, i) => (
        <button
          key={type}
          ref={i === 0 ? first : null}
          type="button"
          class="promotion-choice"
          style={{ gridColumn: x + 1, gridRow: y === 0 ? i + 1 : 8 - i }}
          aria-label={pieceName(type)}
          title={pieceName(type)}
          onClick={() => onChoose(type)}
        >
          <svg viewBox={`0 0 ${UNIT} ${UNIT}`} aria-hidden="true">
            <use href={`${sprite}#${color[0]}${type}`} />
          </svg>
        </button>
      ))}
    </dialog>
  );
}
