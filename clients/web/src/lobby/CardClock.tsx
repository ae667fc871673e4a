import { formatClock } from '../game/clock-format.js';
import './card-clock.css';

/** The time below which the clock is red: a summary of a game has no time control to derive it from. */
const LOW_MILLISECONDS = 20_000;

/** One player's clock on a small board. It shows the given time; the caller renders it again to make it run. */
export function CardClock({ milliseconds, running, label }: {
  /** The time left; absent in an untimed game. */
  milliseconds: number | undefined;
  running: boolean;
  /** The player's side, for screen readers. */
  label: string;
}) {
  if (milliseconds === undefined) return null;
  const classes = ['clock', running && 'clock-running', milliseconds < LOW_MILLISECONDS && 'clock-low'];
  return (
    <span class={classes.filter(Boolean).join(' ')} role="timer" aria-label={label}>
      {formatClock(milliseconds)}
    </span>
  );
}
