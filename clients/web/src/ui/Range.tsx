import { useId } from 'preact/hooks';
import { percent } from '../language/format.js';
import './range.css';

/** A setting in percent. */
export function Range({ label, value, onChange }: {
  label: string;
  value: number;
  onChange: (value: number) => void;
}) {
  const id = useId();
  return (
    <div class="range">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="range"
        min="0"
        max="100"
        step="5"
        value={value}
        onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      <output for={id} class="muted small">{percent(value / 100)}</output>
    </div>
  );
}
