import type { TimeControl } from './time-control.js';
import type { ClockTimes, Color } from './types.js';

/** The newest measurements of each kind that count, so that an adjusted clock is noticed. */
const MEASUREMENTS = 20;
/** Milliseconds for which a measurement counts while there are newer ones. */
const MEASUREMENT_LASTS = 300_000;
/** Bounds that are further apart than these milliseconds have a middle that says nothing: an event was delayed. */
const MAX_WIDTH = 2_000;

interface Measurement {
  /** A bound of the difference in milliseconds. */
  readonly bound: number;
  /** Epoch milliseconds of this computer. */
  readonly at: number;
}

/** Bounds of the difference, in milliseconds. */
export interface DifferenceBounds {
  readonly lowest: number;
  readonly highest: number;
}

/**
 * The difference between this computer's clock and the relay's, measured from times that the relay states.
 *
 * The difference is below the time of receiving a message minus the time stated in it, and above the time of
 * sending an event minus the time that the relay states for its arrival. The narrowest such interval of the
 * newest measurements counts. Before the first of them, the whole seconds of HTTP answers count.
 */
export class ClockDifference {
  #received: readonly Measurement[] = [];
  #sent: readonly Measurement[] = [];
  #seconds?: DifferenceBounds;

  /** Milliseconds by which this computer's clock is ahead of the relay's; `undefined` before a measurement. */
  get milliseconds(): number | undefined {
    const bounds = this.#seconds;
    if (this.#received.length === 0 && this.#sent.length === 0) {
      return bounds && (bounds.lowest + bounds.highest) / 2;
    }
    const highest = this.#highest;
    const lowest = this.#lowest;
    if (highest === Infinity) {
      return lowest;
    }
    return highest - lowest < MAX_WIDTH ? (lowest + highest) / 2 : highest;
  }

  /** What is known from whole seconds only; `undefined` if nothing is, or something better. */
  get secondsOnly(): DifferenceBounds | undefined {
    return this.#received.length === 0 ? this.#seconds : undefined;
  }

  get #highest(): number {
    return Math.min(...this.#received.map(({ bound }) => bound));
  }

  get #lowest(): number {
    return Math.max(...this.#sent.map(({ bound }) => bound));
  }

  /** A message with this time of the relay was received. */
  received(relayTime: number, now: number): void {
    const bound = now - relayTime;
    this.#received = [...newest(this.#received, now), { bound, at: now }];
    if (this.#lowest > this.#highest) {
      this.#sent = []; // this computer's clock was set back
    }
  }

  /** An event was sent, and arrived at this time of the relay. */
  sent(relayTime: number, sentAt: number): void {
    const bound = sentAt - relayTime;
    this.#sent = [...newest(this.#sent, sentAt), { bound, at: sentAt }];
    if (bound > this.#highest) {
      this.#received = []; // this computer's clock was set forward
    }
  }

  /**
   * An HTTP request was answered.
   *
   * @param second the relay's time in the answer: epoch milliseconds of a whole second
   */
  answered(second: number, sentAt: number, now: number): void {
    const bounds = { lowest: sentAt - second - 1000, highest: now - second };
    const lowest = Math.max(bounds.lowest, this.#seconds?.lowest ?? -Infinity);
    const highest = Math.min(bounds.highest, this.#seconds?.highest ?? Infinity);
    this.#seconds = lowest <= highest ? { lowest, highest } : bounds; // a clock was adjusted
  }
}

/** The measurements that still count beside a new one. */
function newest(measurements: readonly Measurement[], now: number): Measurement[] {
  return measurements
    .filter(({ at }) => Math.abs(now - at) <= MEASUREMENT_LASTS)
    .slice(1 - MEASUREMENTS);
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

/**
 * The side whose clock runs: clocks start with each side's second move, in correspondence at once.
 *
 * @param time `undefined` if it is not known; then it is not one without clocks
 */
export function runningClock(
  time: TimeControl | undefined,
  ply: number,
  turn: Color,
): Color | undefined {
  return time?.kind !== 'untimed' && (ply >= 2 || time?.correspondence) ? turn : undefined;
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

/** Milliseconds that a message of the relay may have been on its way. */
const LONGEST_DELAY = 3_000;

/**
 * The clocks of a game that was resumed. Those that follow from the times in its state are exact, but a state
 * does not tell of every interruption; those of the message that has resumed the game do, and lack the time that
 * it was on its way.
 */
export function betterClocks(
  ofState: ClockTimes | undefined,
  resumed: ClockTimes | undefined,
): ClockTimes | undefined {
  if (!ofState || !resumed) {
    return ofState ?? resumed;
  }
  const isClose = (['white', 'black'] as const).every(
    color => Math.abs(ofState[color] - resumed[color]) <= LONGEST_DELAY,
  );
  return isClose ? ofState : resumed;
}
