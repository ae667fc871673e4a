import type { TimeControl } from './time-control.js';
import type { ClockTimes, Color } from './types.js';

/**
 * The difference between this computer's clock and the relay's, measured from times that the relay states.
 *
 * The difference is below the time of receiving a message minus the time stated in it, and above the time of
 * sending an event minus the time that the relay states for its arrival. The narrowest such interval is kept.
 */
export class ClockDifference {
  #lowest = -Infinity;
  #highest = Infinity;

  /** Milliseconds by which this computer's clock is ahead of the relay's; `undefined` before a measurement. */
  get milliseconds(): number | undefined {
    if (this.#lowest === -Infinity) {
      return this.#highest === Infinity ? undefined : this.#highest;
    }
    return this.#highest === Infinity ? this.#lowest : (this.#lowest + this.#highest) / 2;
  }

  /** A message with this time of the relay was received. */
  received(relayTime: number, now: number): void {
    this.#highest = Math.min(this.#highest, now - relayTime);
    if (this.#lowest > this.#highest) {
      this.#lowest = -Infinity; // a clock was adjusted
    }
  }

  /** An event was sent, and arrived at this time of the relay. */
  sent(relayTime: number, sentAt: number): void {
    this.#lowest = Math.max(this.#lowest, sentAt - relayTime);
    if (this.#lowest > this.#highest) {
      this.#highest = Infinity;
    }
  }
}

/** Milliseconds that both sides get when a game is resumed after a restart of the relay. */
const RESTART_BONUS = 15_000;

/** Both clocks at a moment. */
export interface ClockReading {
  readonly times: ClockTimes;
  /** The moment in epoch milliseconds of this computer. */
  readonly localTime: number;
  /** The moment in epoch milliseconds of the relay, where it is stated; it takes precedence. */
  readonly relayTime?: number | undefined;
}

/**
 * The reading that holds since a restart of the relay: clocks stand still meanwhile, and the relay does not
 * publish the state again.
 *
 * @param resumedAt when the game was resumed, in epoch milliseconds of the relay
 */
export function afterRestart(reading: ClockReading, resumedAt: number | undefined): ClockReading {
  const { times, relayTime } = reading;
  if (relayTime === undefined || resumedAt === undefined || resumedAt <= relayTime) {
    return reading;
  }
  return {
    times: { white: times.white + RESTART_BONUS, black: times.black + RESTART_BONUS },
    localTime: reading.localTime + resumedAt - relayTime,
    relayTime: resumedAt,
  };
}

/** The side whose clock runs: clocks start with each side's second move, in correspondence at once. */
export function runningClock(time: TimeControl, ply: number, turn: Color): Color | undefined {
  return time.kind !== 'untimed' && (ply >= 2 || time.correspondence) ? turn : undefined;
}

/**
 * Both clocks now.
 *
 * @param difference milliseconds by which this computer's clock is ahead of the relay's, if it is known
 */
export function clocksAt(
  reading: ClockReading,
  running: Color | undefined,
  now: number,
  difference: number | undefined,
): ClockTimes {
  const { relayTime, localTime } = reading;
  const began =
    relayTime !== undefined && difference !== undefined ? relayTime + difference : localTime;
  const elapsed = Math.max(0, now - began);
  const left = (color: Color): number =>
    Math.max(0, reading.times[color] - (color === running ? elapsed : 0));
  return { white: left('white'), black: left('black') };
}
