/**
 * Delays between attempts to connect: each up to twice as long as the one before, with jitter, so that the
 * clients of a restarted relay do not all return at once.
 */
export class Backoff {
  #attempts = 0;

  /** @param first the longest first delay in milliseconds @param max the longest delay of all */
  constructor(
    private readonly first: number,
    private readonly max: number,
  ) {}

  next(): number {
    const longest = Math.min(this.max, this.first * 2 ** this.#attempts);
    this.#attempts = Math.min(this.#attempts + 1, 30);
    return longest / 2 + (Math.random() * longest) / 2;
  }

  reset(): void {
    this.#attempts = 0;
  }
}
