import type { Color } from '../board/position.js';
import { t } from '../language/t.js';
import { useRunningClock } from './useRunningClock.js';
import './game-clock.css';

/**
 * One side's clock.
 *
 * @param left the milliseconds left now
 * @param low the time below which the clock is red
 * @param isLong whether hours are shown: another text must not change the width
 */
export function GameClock({ color, left, running, low, isLong }: {
  color: Color;
  left: () => number | undefined;
  running: boolean;
  low: number;
  isLong: boolean;
}) {
  const element = useRunningClock(left, running, low, 'game-clock-low');
  return (
    <span
      ref={element}
      class={`game-clock ${running ? 'game-clock-running' : ''} ${isLong ? 'game-clock-long' : ''}`}
      role="timer"
      aria-label={t('{color, select, white {White’s clock} other {Black’s clock}}', { color })}
    />
  );
}
