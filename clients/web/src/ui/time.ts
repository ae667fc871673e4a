import { parseTimeControl } from 'gambit-client';

/** Seconds in the largest unit that needs no fraction but a half: `90` is 1½ minutes. */
function amount(seconds: number): [number: string, unit: 'second' | 'minute' | 'hour' | 'day'] {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const;
  for (const [unit, length] of units) {
    if (seconds >= length && (seconds * 2) % length === 0) {
      const whole = Math.floor(seconds / length);
      return [`${whole}${seconds % length === 0 ? '' : '½'}`, unit];
    }
  }
  return [String(seconds), 'second'];
}

function words(seconds: number): string {
  const [number, unit] = amount(seconds);
  return `${number} ${unit}${number === '1' ? '' : 's'}`;
}

/** A short label, such as `5 + 3`, `10 min a move` or `No clock`. No line ends at its plus sign. */
export function timeLabel(time: string): string {
  const control = parseTimeControl(time);
  if (!control) return time;
  if (control.kind === 'untimed') return 'No clock';
  if (control.kind === 'move') return `${words(control.seconds).replace(/minutes?/, 'min')} a move`;
  const { seconds, increment } = control;
  const [number, unit] = amount(seconds);
  if (unit === 'minute') return `${number}\u00a0+\u00a0${increment}`;
  return increment === 0 ? words(seconds) : `${words(seconds)}\u00a0+\u00a0${increment}`;
}

/** The time control in words, such as "5 minutes and 3 seconds a move". */
export function timeInWords(time: string): string {
  const control = parseTimeControl(time);
  if (!control) return time;
  if (control.kind === 'untimed') return 'no clock';
  if (control.kind === 'move') return `${words(control.seconds)} for each move`;
  const { seconds, increment } = control;
  return increment === 0 ? words(seconds) : `${words(seconds)} and ${words(increment)} a move`;
}

/** The time that is left in a slow game, in its largest unit: "2 days", "5 hours", "12 min". Rounded down. */
export function timeLeft(millis: number): string {
  const seconds = Math.floor(Math.max(0, millis) / 1000);
  const unit = seconds >= 2 * 86_400 ? 86_400 : seconds >= 2 * 3_600 ? 3_600 : 60;
  return seconds < 60 ? 'under a minute' : words(seconds - (seconds % unit)).replace(/minutes?/, 'min');
}

/** The kind of game: the time of forty moves decides. */
export function paceOf(time: string): string {
  const control = parseTimeControl(time);
  if (!control || control.kind === 'untimed') return 'Untimed';
  if (control.correspondence) return 'Correspondence';
  if (control.kind === 'move') return 'By the move';
  const expected = control.seconds + 40 * control.increment;
  if (expected < 180) return 'Bullet';
  if (expected < 480) return 'Blitz';
  return expected < 1_500 ? 'Rapid' : 'Classical';
}

/** The time controls of quick pairing, fastest first. */
export const QUICK_TIMES: readonly string[] = [
  '60', '120+1', '180', '180+2', '300', '300+3', '600', '600+5', '900+10', '1800', '1800+20',
];

/** The usual time controls of a challenge; any other can be set as well. */
export const CHALLENGE_TIMES: readonly string[] = [...QUICK_TIMES, '1/600', '1/86400', '-'];
