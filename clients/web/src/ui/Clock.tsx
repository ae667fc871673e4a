import { clockText } from './time.js';
import './clock.css';

/**
 * One player's clock. It shows the given time; the caller renders it again to make it run.
 *
 * @param milliseconds the time left, undefined in an untimed game
 * @param low the time below which the clock turns red, 20 s by default
 */
export function Clock({ milliseconds, running, label, low = 20_000 }: {
  milliseconds: number | undefined;
  running: boolean;
  /** Whose clock it is, for screen readers. */
  label: string;
  low?: number;
}) {
  if (milliseconds === undefined) return null;
  const classes = ['clock', running && 'clock-running', milliseconds < low && 'clock-low'].filter(Boolean).join(' ');
  return (
    <span class={classes} role="timer" aria-label={label}>
      {clockText(milliseconds)}
    </span>
  );
}
