import { parseTimeControl } from 'gambit-client';
import { useEffect, useReducer } from 'preact/hooks';
import { duration, fraction, leftToRight, number } from '../language/format.js';
import { t } from '../language/t.js';

type Unit = 'second' | 'minute' | 'hour' | 'day';

/** Seconds in the largest unit that needs no fraction but a half: `90` is 1½ minutes. */
function amount(seconds: number): [value: number, unit: Unit] {
  const units = [['day', 86_400], ['hour', 3_600], ['minute', 60]] as const;
  const [unit, length] = units.find(([, length]) => seconds >= length && (seconds * 2) % length === 0) ?? ['second', 1];
  return [seconds / length, unit];
}

const words = (seconds: number): string => duration(...amount(seconds));

/** As short as its unit can be read: only minutes have a short form that everybody knows. */
function brief(seconds: number): string {
  const [value, unit] = amount(seconds);
  return duration(value, unit, unit === 'minute' ? 'short' : 'long');
}

/** A short label, such as `5 + 3`, `10 min a move` or `No clock`. No line ends at its plus sign. */
export function timeLabel(time: string): string {
  const control = parseTimeControl(time);
  if (!control) return time;
  if (control.kind === 'untimed') return t('No clock');
  if (control.kind === 'move') return t('{duration} a move', { duration: brief(control.seconds) });
  const { seconds, increment } = control;
  const [value, unit] = amount(seconds);
  if (unit === 'minute') return leftToRight(`${fraction(value)}\u00a0+\u00a0${number(increment)}`);
  return increment === 0 ? words(seconds) : `${words(seconds)}\u00a0+\u00a0${number(increment)}`;
}

/** The time control in words, such as "5 minutes and 3 seconds a move". */
export function timeInWords(time: string): string {
  const control = parseTimeControl(time);
  if (!control) return time;
  if (control.kind === 'untimed') return t('no clock');
  if (control.kind === 'move') return t('{duration} for each move', { duration: words(control.seconds) });
  const { seconds, increment } = control;
  return increment === 0
    ? words(seconds)
    : t('{duration} and {increment} a move', { duration: words(seconds), increment: words(increment) });
}

/** The time that is left in a slow game, in its largest unit: "2 days", "5 hours", "12 min". Rounded down. */
export function timeLeft(millis: number): string {
  const seconds = Math.floor(Math.max(0, millis) / 1000);
  if (seconds < 60) return t('under a minute');
  if (seconds >= 2 * 86_400) return duration(Math.floor(seconds / 86_400), 'day');
  if (seconds >= 2 * 3_600) return duration(Math.floor(seconds / 3_600), 'hour');
  return duration(Math.floor(seconds / 60), 'minute', 'short');
}

/** Times are written in minutes and longer units. */
const WRITTEN_EVERY_MILLISECONDS = 20_000;

/** Renders the component again while time passes, for {@link timeLeft}. */
export function useMinutes(): void {
  const [, write] = useReducer<number, void>((count) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => write(), WRITTEN_EVERY_MILLISECONDS);
    return () => clearInterval(timer);
  }, []);
}

/** The kind of game: the time of forty moves decides. */
export function paceOf(time: string): string {
  const control = parseTimeControl(time);
  if (!control || control.kind === 'untimed') return t('Untimed');
  if (control.correspondence) return t('Correspondence');
  if (control.kind === 'move') return t('By the move');
  const expected = control.seconds + 40 * control.increment;
  if (expected < 180) return t('Bullet');
  if (expected < 480) return t('Blitz');
  return expected < 1_500 ? t('Rapid') : t('Classical');
}

/** The time controls of quick pairing, fastest first. */
export const QUICK_TIMES: readonly string[] = [
  '60', '120+1', '180', '180+2', '300', '300+3', '600', '600+5', '900+10', '1800', '1800+20',
];

/** The usual time controls of a challenge; any other can be set as well. */
export const CHALLENGE_TIMES: readonly string[] = [...QUICK_TIMES, '1/600', '1/86400', '-'];
