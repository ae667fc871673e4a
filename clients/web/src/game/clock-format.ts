/** Times of clocks as text. */
import type { TimeControl } from 'gambit-client';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Below this, in milliseconds, a clock shows tenths of a second. */
export const TENTHS_BELOW = 10 * SECOND;

/** The time below which a clock is shown in red: a tenth of the base, from 10 s to a minute. */
export function lowTime(time: TimeControl): number {
  const tenth = (time.seconds * SECOND) / 10;
  return time.correspondence ? HOUR : Math.max(TENTHS_BELOW, Math.min(MINUTE, tenth));
}

/** A clock as text: `4:59`, `0:09.8`, `1:02:03`, `2 d 03:10`. Rounded down. */
export function formatClock(millis: number): string {
  const left = Math.max(0, millis);
  if (left >= DAY) {
    const days = Math.floor(left / DAY);
    const hours = Math.floor((left % DAY) / HOUR);
    const minutes = Math.floor((left % HOUR) / MINUTE);
    return `${days} d ${two(hours)}:${two(minutes)}`;
  }
  const seconds = Math.floor(left / SECOND);
  const tail = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  if (left >= HOUR) {
    return `${Math.floor(left / HOUR)}:${tail}`;
  }
  const text = tail.replace(/^0/, '');
  return left < TENTHS_BELOW ? `${text}.${Math.floor((left % SECOND) / 100)}` : text;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** A clock in words: "4 minutes 59 seconds". */
export function clockInWords(millis: number): string {
  const seconds = Math.floor(Math.max(0, millis) / SECOND);
  const parts: [number, string][] =
    seconds >= 86_400
      ? [[Math.floor(seconds / 86_400), 'day'], [Math.floor(seconds / 3600) % 24, 'hour']]
      : seconds >= 3600
        ? [[Math.floor(seconds / 3600), 'hour'], [Math.floor(seconds / 60) % 60, 'minute']]
        : [[Math.floor(seconds / 60), 'minute'], [seconds % 60, 'second']];
  const words = parts.filter(([n]) => n > 0).map(([n, unit]) => `${n} ${unit}${n === 1 ? '' : 's'}`);
  return words.join(' ') || '0 seconds';
}

/** The time since which somebody is away: "12 s", "3 min", "2 h". */
export function durationInWords(millis: number): string {
  const left = Math.max(0, millis);
  if (left < MINUTE) {
    return `${Math.floor(left / SECOND)} s`;
  }
  return left < HOUR ? `${Math.floor(left / MINUTE)} min` : `${Math.floor(left / HOUR)} h`;
}
