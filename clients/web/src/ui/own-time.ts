import { parseTimeControl } from 'gambit-client';

/** What a player sets: a clock with an increment, or days for each move. */
export type OwnTime = 'clock' | 'days';

const DAY_SECONDS = 86_400;
const from = (first: number, last: number, step: number): number[] =>
  Array.from({ length: (last - first) / step + 1 }, (_, index) => first + index * step);

/** The minutes of a side, finer where they matter more. */
export const MINUTES: readonly number[] = [0, 0.25, 0.5, 0.75, 1, 1.5, ...from(2, 20, 1), ...from(25, 45, 5), ...from(60, 180, 15)];
/** The seconds that each move adds. */
export const INCREMENTS: readonly number[] = [...from(0, 20, 1), ...from(25, 45, 5), 60, 90, 120, 150, 180];
/** The days for each move. */
export const DAYS: readonly number[] = [1, 2, 3, 5, 7, 10, 14];

/** How a time control that is none of the usual ones is set; undefined if no slider sets it. */
export function ownTimeOf(time: string): OwnTime | undefined {
  const kinds = ['clock', 'days'] as const;
  return kinds.find((kind) => textOfOwn(kind, ...stepsOf(kind, time)) === time);
}

/** The sliders' values that are nearest to a time control: minutes and seconds, or days. */
export function stepsOf(kind: OwnTime, time: string): [first: number, second: number] {
  const control = parseTimeControl(time);
  const { seconds, increment } = control?.kind === (kind === 'clock' ? 'game' : 'move') ? control : { seconds: 0, increment: 0 };
  if (kind === 'days') return [nearest(DAYS, seconds / DAY_SECONDS || 2), 0];
  if (seconds === 0) return [10, 5];
  // Without minutes, a side begins with the seconds of its first move.
  return seconds === increment && !MINUTES.includes(seconds / 60) ? [0, increment] : [nearest(MINUTES, seconds / 60), nearest(INCREMENTS, increment)];
}

/** The time control of the sliders' values. */
export function textOfOwn(kind: OwnTime, first: number, second: number): string {
  if (kind === 'days') return `1/${first * DAY_SECONDS}`;
  const increment = first === 0 ? Math.max(1, second) : second;
  const seconds = first === 0 ? increment : first * 60;
  return increment === 0 ? `${seconds}` : `${seconds}+${increment}`;
}

function nearest(steps: readonly number[], value: number): number {
  return steps.reduce((best, step) => (Math.abs(step - value) < Math.abs(best - value) ? step : best));
}
