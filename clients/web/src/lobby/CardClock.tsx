import { useRunningClock } from '../game/useRunningClock.js';
import './card-clock.css';

/** The time below which the clock is red: a summary of a game has no time control to derive it from. */
const LOW_MILLISECONDS = 20_000;

/**
 * One player's clock on a small board.
 *
 * @param left the milliseconds left now; undefined in an untimed game
 * @param label the player's side, for screen readers
 */
export function CardClock({ left, running, label }: {
  left: () => number | undefined;
  running: boolean;
  label: string;
}) {
  const element = useRunningClock(left, running, LOW_MILLISECONDS, 'clock-low');
  if (left() === undefined) return null;
  return (
    <span ref={element} class={`clock ${running ? 'clock-running' : ''}`} role="timer" aria-label={label} />
  );
}
