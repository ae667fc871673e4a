import type { Color } from 'gambit-client';
import { useId, useState } from 'preact/hooks';
import { Choice } from './Choice.js';
import { DAYS, INCREMENTS, MINUTES, ownTimeOf, stepsOf, textOfOwn, type OwnTime } from './own-time.js';
import { CHALLENGE_TIMES, paceOf, timeInWords, timeLabel } from './time.js';
import { fraction } from '../language/format.js';
import { t } from '../language/t.js';
import './game-fields.css';

/** The colour that one wants to play. */
export function ColorChoice({ value, onChange }: {
  value: Color | 'random';
  onChange: (value: Color | 'random') => void;
}) {
  return (
    <Choice
      label={t('Your colour')}
      value={value}
      options={[
        { value: 'white', label: t('White') },
        { value: 'random', label: t('Random') },
        { value: 'black', label: t('Black') },
      ]}
      onChange={onChange}
    />
  );
}

/** A time control: one of the usual ones, or any base and increment, or any number of days for a move. */
export function TimeSelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId();
  const [own, setOwn] = useState<OwnTime | undefined>(() => (CHALLENGE_TIMES.includes(value) ? undefined : ownTimeOf(value)));
  const times = own || CHALLENGE_TIMES.includes(value) ? CHALLENGE_TIMES : [value, ...CHALLENGE_TIMES];
  const choose = (chosen: string) => {
    const kind = chosen === 'clock' || chosen === 'days' ? chosen : undefined;
    setOwn(kind);
    onChange(kind === undefined ? chosen : textOfOwn(kind, ...stepsOf(kind, value)));
  };
  return (
    <div class="field">
      <label class="field-label" for={id}>{t('Time')}</label>
      <select id={id} class="input" value={own ?? value} onChange={(event) => choose(event.currentTarget.value)}>
        {times.map((time) => (
          <option key={time} value={time}>
            {time === '-' ? timeLabel(time) : `${timeLabel(time)} · ${paceOf(time)}`}
          </option>
        ))}
        <option value="clock">{t('Your own clock…')}</option>
        <option value="days">{t('Days for each move…')}</option>
      </select>
      {own && <OwnTimeSliders kind={own} value={value} onChange={onChange} />}
    </div>
  );
}

function OwnTimeSliders({ kind, value, onChange }: {
  kind: OwnTime;
  value: string;
  onChange: (value: string) => void;
}) {
  const [first, second] = stepsOf(kind, value);
  if (kind === 'days') {
    return <Slider label={t('Days for each move')} steps={DAYS} value={first} onChange={(days) => onChange(textOfOwn(kind, days, 0))} />;
  }
  return (
    <>
      <Slider label={t('Minutes a side')} steps={MINUTES} value={first} onChange={(minutes) => onChange(textOfOwn(kind, minutes, second))} />
      <Slider label={t('Seconds a move')} steps={INCREMENTS} value={second} onChange={(seconds) => onChange(textOfOwn(kind, first, seconds))} />
      <p class="muted small" aria-live="polite">{t('{pace}: {time}', { pace: paceOf(value), time: timeInWords(value) })}</p>
    </>
  );
}

/** One of several numbers, by a slider. */
function Slider({ label, steps, value, onChange }: {
  label: string;
  steps: readonly number[];
  value: number;
  onChange: (value: number) => void;
}) {
  const text = fraction(value);
  return (
    <label class="slider">
      <span class="field-label">{label}</span>
      <output class="slider-value">{text}</output>
      <input
        type="range"
        min={0}
        max={steps.length - 1}
        value={steps.indexOf(value)}
        aria-label={label}
        aria-valuetext={text}
        onInput={(event) => onChange(steps[Number(event.currentTarget.value)] ?? value)}
      />
    </label>
  );
}
