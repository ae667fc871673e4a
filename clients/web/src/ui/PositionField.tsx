import { useId, useState } from 'preact/hooks';
import { MiniBoard } from './MiniBoard.js';
import { readStart } from './start-position.js';
import { t } from '../language/t.js';

/** The FEN of a typed position; undefined for the usual one, null if no game can begin with it. */
export function fenOf(text: string): string | undefined | null {
  if (text.trim() === '') return undefined;
  const start = readStart(text);
  return 'fen' in start ? start.fen : null;
}

/**
 * The first position of a game as FEN, with the board that it describes, or the reason why no game can begin there.
 *
 * @param value the text as it was typed; empty for the usual position
 */
export function PositionField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId();
  const [isOpen, setOpen] = useState(value !== '');
  const start = value.trim() === '' ? undefined : readStart(value);
  const text = !start
    ? t('Empty: the usual position.')
    : 'problem' in start
      ? start.problem
      : t('{color, select, white {White moves first.} other {Black moves first.}}', { color: start.turn });
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="position-summary">{t('Start from a position')}</summary>
      <div class="position-content">
        <label class="field">
          <span class="field-label">{t('Position as FEN')}</span>
          <input
            class="input"
            dir="ltr"
            value={value}
            autocomplete="off"
            spellcheck={false}
            aria-invalid={start !== undefined && 'problem' in start}
            aria-describedby={id}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        </label>
        {start && 'fen' in start && <MiniBoard fen={start.fen} side={start.turn} />}
        <p id={id} class={`small ${start && 'problem' in start ? 'problem' : 'muted'}`} aria-live="polite">{text}</p>
      </div>
    </details>
  );
}
