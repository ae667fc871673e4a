import { useEffect, useRef } from 'preact/hooks';
import type { Color } from '../board/position.js';
import { colorName } from '../board/words.js';
import { formatClock } from './clock-format.js';
import './game-clock.css';

/**
 * One side's clock. It is asked for the time in every frame while it runs, and written only when its
 * text changes.
 *
 * @param left the milliseconds left now
 * @param low the time below which the clock is red
 */
export function GameClock({ color, left, running, low }: {
  color: Color;
  left: () => number | undefined;
  running: boolean;
  low: number;
}) {
  const element = useRef<HTMLSpanElement>(null);
  const latest = useRef(left);
  latest.current = left;
  useEffect(() => {
    let frame = 0;
    const write = (): void => {
      // The page may have removed the clock before this effect ends.
      const span = element.current;
      if (!span) {
        return;
      }
      const millis = latest.current();
      const text = millis === undefined ? '' : formatClock(millis);
      if (span.textContent !== text) {
        span.textContent = text;
      }
      span.classList.toggle('game-clock-low', millis !== undefined && millis < low);
      if (running) {
        frame = requestAnimationFrame(write);
      }
    };
    write();
    return () => cancelAnimationFrame(frame);
  });
  return (
    <span
      ref={element}
      class={`game-clock ${running ? 'game-clock-running' : ''}`}
      role="timer"
      aria-label={`${colorName(color)}’s clock`}
    />
  );
}
