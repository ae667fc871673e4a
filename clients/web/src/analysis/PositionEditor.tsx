import { useRef, useState } from 'preact/hooks';
import { navigate } from '../app/router.js';
import { UNIT } from '../board/geometry.js';
import { placementOf, squareAt, textOf } from '../board/placement.js';
import { type Color, INITIAL_FEN, type PieceSymbol, type Square } from '../board/position.js';
import { squareInWords } from '../board/words.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { Choice } from '../ui/Choice.js';
import { Dialog, DialogActions } from '../ui/Dialog.js';
import { MiniBoard } from '../ui/MiniBoard.js';
import { usePieceSprite } from '../ui/pieces.js';
import { readStart } from '../ui/start-position.js';

const PIECES = ['wk', 'wq', 'wr', 'wb', 'wn', 'wp', 'bk', 'bq', 'br', 'bb', 'bn', 'bp', ''] as const;
const RIGHTS = ['K', 'Q', 'k', 'q'] as const;
const EMPTY = '8/8/8/8/8/8/8/8';

/** Sets up a position: a piece is chosen, then the squares on which it is to stand. */
export function PositionEditor({ fen, onClose }: { fen: string; onClose: () => void }) {
  const [fields, setFields] = useState(fen.split(' '));
  const [piece, setPiece] = useState<(typeof PIECES)[number]>('wp');
  const [problem, setProblem] = useState<string>();
  const set = (field: number, value: string): void => {
    setFields(fields.map((it, i) => (i === field ? value : it)));
    setProblem(undefined);
  };
  const [placed = EMPTY, turn = 'w', rights = '-'] = fields;
  const put = (square: Square): void => {
    const placement = new Map(placementOf(placed));
    // The same piece again removes it.
    if (piece === '' || placement.get(square) === piece) placement.delete(square);
    else placement.set(square, piece);
    set(0, textOf(placement));
  };
  const done = (): void => {
    const start = readStart([placed, turn, rights || '-', '-', '0', '1'].join(' '), true);
    if ('problem' in start) {
      setProblem(start.problem);
    } else {
      onClose();
      navigate({ page: 'analysis', fen: start.fen });
    }
  };
  return (
    <Dialog title={t('Set up a position')} class="editor" onClose={onClose}>
      <div class="editor-board">
        <MiniBoard fen={placed} />
        <Squares fen={placed} onPut={put} />
      </div>
      <Palette piece={piece} onChoose={setPiece} />
      <Choice<Color>
        label={t('To move')}
        value={turn === 'w' ? 'white' : 'black'}
        options={[
          { value: 'white', label: t('{color, select, white {White} other {Black}}', { color: 'white' }) },
          { value: 'black', label: t('{color, select, white {White} other {Black}}', { color: 'black' }) },
        ]}
        onChange={(color) => set(1, color[0]!)}
      />
      <fieldset class="editor-castling small">
        <legend class="field-label">{t('Castling')}</legend>
        {RIGHTS.map((right) => (
          <label key={right}>
            <input
              type="checkbox"
              checked={rights.includes(right)}
              onChange={(event) => {
                const isOn = event.currentTarget.checked;
                set(2, RIGHTS.filter((it) => (it === right ? isOn : rights.includes(it))).join('') || '-');
              }}
            />
            {right === 'K' || right === 'k'
              ? t('{color, select, white {White kingside} other {Black kingside}}', { color: right === 'K' ? 'white' : 'black' })
              : t('{color, select, white {White queenside} other {Black queenside}}', { color: right === 'Q' ? 'white' : 'black' })}
          </label>
        ))}
      </fieldset>
      <p class="problem small" aria-live="polite">{problem}</p>
      <DialogActions>
        <Button size="small" onClick={() => setFields(EMPTY.split(' ').concat('w', '-'))}>{t('Clear')}</Button>
        <Button size="small" onClick={() => setFields(INITIAL_FEN.split(' '))}>{t('Initial position')}</Button>
        <Button size="small" variant="primary" onClick={done}>{t('Analyse')}</Button>
      </DialogActions>
    </Dialog>
  );
}

/** The squares as buttons over the board; arrows go from one to the next. */
function Squares({ fen, onPut }: { fen: string; onPut: (square: Square) => void }) {
  const grid = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState(0);
  const go = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 }[event.key];
    const to = focused + (step ?? 0);
    if (step && to >= 0 && to < 64) {
      event.preventDefault();
      setFocused(to);
      (grid.current!.children[to] as HTMLElement).focus();
    }
  };
  return (
    <div ref={grid} class="editor-squares" role="group" aria-label={t('Squares')} onKeyDown={go}>
      {Array.from({ length: 64 }, (_, i) => {
        const square = squareAt(i % 8, 7 - Math.floor(i / 8))!;
        return (
          <button
            key={square}
            type="button"
            tabIndex={i === focused ? 0 : -1}
            aria-label={squareInWords(fen, square)}
            onFocus={() => setFocused(i)}
            onClick={() => onPut(square)}
          />
        );
      })}
    </div>
  );
}

function Palette({ piece, onChoose }: { piece: string; onChoose: (piece: (typeof PIECES)[number]) => void }) {
  const sprite = usePieceSprite();
  return (
    <div class="editor-pieces" role="group" aria-label={t('Piece to place')}>
      {PIECES.map((it) => (
        <button key={it} type="button" aria-pressed={it === piece} aria-label={nameOf(it)} title={nameOf(it)} onClick={() => onChoose(it)}>
          <svg viewBox={`0 0 ${UNIT} ${UNIT}`} aria-hidden="true">
            {it === '' ? <path class="editor-eraser" d="M10 10L30 30M30 10L10 30" /> : <use href={`${sprite}#${it}`} />}
          </svg>
        </button>
      ))}
    </div>
  );
}

function nameOf(piece: (typeof PIECES)[number]): string {
  return piece === ''
    ? t('Remove pieces')
    : t(
        '{color, select, w {white} other {black}} {piece, select, k {king} q {queen} r {rook} b {bishop} n {knight} other {pawn}}',
        { color: piece[0], piece: piece[1] as PieceSymbol },
      );
}
