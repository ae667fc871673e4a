import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatClock, untilChange } from './clock-format.js';

/**
 * Writes the time left into an element. While the clock runs, it is asked in the frames in which its text changes: in
 * every frame, the page of a game would never let the processor rest.
 *
 * @param left the milliseconds left now
 * @param low the milliseconds below which the element has the class `lowClass`
 * @returns the reference for the element, which must have no children
 */
export function useRunningClock(
  left: () => number | undefined,
  running: boolean,
  low: number,
  lowClass: string,
): RefObject<HTMLSpanElement | null> {
  const element = useRef<HTMLSpanElement>(null);
  const latest = useRef(left);
  latest.current = left;
  useEffect(() => {
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
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
      span.classList.toggle(lowClass, millis !== undefined && millis < low);
      if (running) {
        timer = setTimeout(() => (frame = requestAnimationFrame(write)), untilChange(millis ?? 0, low));
      }
    };
    write();
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  });
  return element;
}
