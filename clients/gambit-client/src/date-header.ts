import type { ClockDifference } from './clock.js';

const REQUESTS = 20;
/** Milliseconds between the bounds of the difference that are near enough. */
const PRECISION = 100;

/** The relay's time in an HTTP answer, in epoch milliseconds of a whole second; `undefined` without one. */
export function dateOf(response: Response): number | undefined {
  const time = Date.parse(response.headers.get('date') ?? '');
  return Number.isSafeInteger(time) ? time : undefined;
}

/** What `refineByDate` needs from its client. */
export interface DateHeaderOptions {
  /** The URL of the WebSocket. */
  readonly url: string;
  readonly difference: ClockDifference;
  readonly now: () => number;
  /** Milliseconds for an answer. */
  readonly timeout: number;
  /** Ends the requests. */
  readonly signal: AbortSignal;
}

/**
 * Finds the beginning of the relay's second: each request is sent when half of the possible differences say
 * that a second is over, so its answer excludes one half. Ends when the difference is known to a tenth of a
 * second, or to the shortest round trip if that is longer, from this or from something else; after twenty
 * requests at most. Never fails.
 */
export async function refineByDate(options: DateHeaderOptions): Promise<void> {
  const { url, difference, now, timeout, signal } = options;
  let nearEnough = PRECISION;
  let shortest = Infinity;
  for (let i = 0; i < REQUESTS; i++) {
    const bounds = difference.secondsOnly;
    if (!bounds || bounds.highest - bounds.lowest <= nearEnough) {
      return;
    }
    const relayTime = now() - (bounds.lowest + bounds.highest) / 2;
    await new Promise(resolve => setTimeout(resolve, 1000 - (relayTime % 1000)));
    if (signal.aborted) {
      return;
    }
    const sentAt = now();
    try {
      const response = await fetch(url.replace(/^ws/, 'http'), {
        method: 'HEAD',
        headers: { accept: 'application/nostr+json' },
        cache: 'no-store',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
      });
      const date = dateOf(response);
      if (date === undefined) {
        return;
      }
      const answeredAt = now();
      shortest = Math.min(shortest, answeredAt - sentAt);
      nearEnough = Math.max(PRECISION, shortest);
      difference.answered(date, sentAt, answeredAt);
    } catch {
      return; // a state of a game has the time, too
    }
  }
}
