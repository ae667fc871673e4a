const macrotask = globalThis.setImmediate;

interface Timer {
  at: number;
  readonly every: number | undefined;
  readonly run: () => void;
}

/** A clock that a test moves. While it is installed, timers run by it, and random numbers come from the seed. */
export class HandClock {
  now = 1_800_000_000_000;
  readonly #timers = new Map<number, Timer>();
  readonly #before = { ...pick(globalThis), random: Math.random };
  #lastId = 0;
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    const add = (run: () => void, delay = 0, repeats = false): never => {
      this.#timers.set(++this.#lastId, { at: this.now + delay, every: repeats ? delay : undefined, run });
      return this.#lastId as never;
    };
    const remove = (id: unknown): void => void this.#timers.delete(id as number);
    Object.assign(globalThis, {
      setTimeout: (run: () => void, delay?: number) => add(run, delay),
      setInterval: (run: () => void, delay?: number) => add(run, delay, true),
      clearTimeout: remove,
      clearInterval: remove,
    });
    Math.random = () => this.random();
  }

  uninstall(): void {
    const { random, ...timers } = this.#before;
    Object.assign(globalThis, timers);
    Math.random = random;
  }

  /** The next random number from 0 to 1 (Mulberry32). */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Moves the clock, and runs what is due in order. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    for (;;) {
      const [id, timer] = [...this.#timers].sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
      if (id === undefined || !timer || timer.at > end) {
        break;
      }
      this.now = Math.max(this.now, timer.at);
      if (timer.every === undefined) {
        this.#timers.delete(id);
      } else {
        timer.at += timer.every;
      }
      timer.run();
      await settled();
    }
    this.now = end;
  }
}

/** Resolves when all promises that can go on have done so. */
export function settled(): Promise<void> {
  return new Promise(resolve => macrotask(resolve));
}

function pick({ setTimeout, setInterval, clearTimeout, clearInterval }: typeof globalThis) {
  return { setTimeout, setInterval, clearTimeout, clearInterval };
}
