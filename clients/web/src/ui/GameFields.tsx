import type { Color } from 'gambit-client';
import { useId } from 'preact/hooks';
import { Choice } from './Choice.js';
import { CHALLENGE_TIMES, paceOf, timeLabel } from './time.js';

/** The colour that one wants to play. */
export function ColorChoice({ value, onChange }: {
  value: Color | 'random';
  onChange: (value: Color | 'random') => void;
}) {
  return (
    <Choice
      label="Your colour"
      value={value}
      options={[
        { value: 'white', label: 'White' },
        { value: 'random', label: 'Random' },
        { value: 'black', label: 'Black' },
      ]}
      onChange={onChange}
    />
  );
}

/** A time control out of the usual ones. */
export function TimeSelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId();
  const times = CHALLENGE_TIMES.includes(value) ? CHALLENGE_TIMES : [value, ...CHALLENGE_TIMES];
  return (
    <div class="field">
      <label class="field-label" for={id}>Time</label>
      <select id={id} class="input" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {times.map((time) => (
          <option key={time} value={time}>
            {time === '-' ? timeLabel(time) : `${timeLabel(time)} · ${paceOf(time)}`}
          </option>
        ))}
      </select>
    </div>
  );
}
