/** Times of clocks as text. */
import type { TimeControl } from 'gambit-client';
import { t } from '../language/t.js';

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
    return t('{days} d {time}', { days, time: `${two(hours)}:${two(minutes)}` });
  }
  const seconds = Math.floor(left / SECOND);
  const tail = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  if (left >= HOUR) {
    return `${Math.floor(left / HOUR)}:${tail}`;
  }
  const text = tail.replace(/^0/, '');
  return left < TENTHS_BELOW ? `${text}.${Math.floor((left % SECOND) / 100)}` : text;
}

/** The milliseconds until a clock that runs has another text, or is low; at its end, until it may have been set. */
export function untilChange(left: number, low: number): number {
  const step = left < TENTHS_BELOW ? 100 : SECOND;
  const untilText = left > 0 ? left % step : step;
  return 1 + (left >= low ? Math.min(untilText, left - low) : untilText);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** A clock in words: "4 minutes 59 seconds". */
export function clockInWords(millis: number): string {
  const seconds = Math.floor(Math.max(0, millis) / SECOND);
  const [days, hours, minutes] = [86_400, 3600, 60].map((unit) => Math.floor(seconds / unit)) as [number, number, number];
  const parts: [number, string][] = days > 0
    ? [[days, inDays(days)], [hours % 24, inHours(hours % 24)]]
    : hours > 0
      ? [[hours, inHours(hours)], [minutes % 60, inMinutes(minutes % 60)]]
      : [[minutes, inMinutes(minutes)], [seconds % 60, inSeconds(seconds % 60)]];
  return parts.filter(([count]) => count > 0).map(([, words]) => words).join(' ') || inSeconds(0);
}

function inDays(count: number): string {
  return t('{count, plural, one {# day} other {# days}}', { count });
}

function inHours(count: number): string {
  return t('{count, plural, one {# hour} other {# hours}}', { count });
}

function inMinutes(count: number): string {
  return t('{count, plural, one {# minute} other {# minutes}}', { count });
}

function inSeconds(count: number): string {
  return t('{count, plural, one {# second} other {# seconds}}', { count });
}

/** The time since which somebody is away: "12 s", "3 min", "2 h". */
export function durationInWords(millis: number): string {
  const left = Math.max(0, millis);
  if (left < MINUTE) {
    return t('{count} s', { count: Math.floor(left / SECOND) });
  }
  return left < HOUR ? t('{count} min', { count: Math.floor(left / MINUTE) }) : t('{count} h', { count: Math.floor(left / HOUR) });
}
