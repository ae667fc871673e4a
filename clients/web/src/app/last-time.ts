import { parseTimeControl } from 'gambit-client';
import { load, save } from './storage.js';

const KEY = 'time';

/** The time control of the last invitation that was sent from this browser. */
export function lastTime(): string {
  const time = load(KEY) ?? '';
  return parseTimeControl(time) ? time : '600+5';
}

export function rememberTime(time: string): void {
  save(KEY, time);
}
