/** The report on a checked game. */

/** The largest number of faults that are listed; further ones are counted. */
const MAX_LISTED_FAULTS = 20;

/** The result of a check. */
export interface Report {
  /** Facts that hold if nobody else has the players' keys. */
  readonly proved: readonly string[];
  /** Ratings that follow from the records before. */
  readonly recomputed?: readonly string[];
  /** Facts that hold if the relay is honest. */
  readonly attested: readonly string[];
  /** Events that the relay does not have any more, so that they prove nothing, at most twenty. */
  readonly missing: readonly string[];
  /** Contradictions, at most twenty. */
  readonly faults: readonly string[];
  /** The number of faults that are not listed: a hostile record could have thousands. */
  readonly furtherFaults: number;
  /** Whether everything holds. */
  readonly holds: boolean;
}

/** Collects facts and faults during a check. */
export class Findings {
  readonly #proved: string[] = [];
  readonly #attested: string[] = [];
  readonly #missing: string[] = [];
  readonly #faults: string[] = [];
  #furtherFaults = 0;

  addProved(line: string): void {
    this.#proved.push(line);
  }

  addAttested(line: string): void {
    this.#attested.push(line);
  }

  addMissing(line: string): void {
    this.#missing.push(line);
  }

  addFault(line: string): void {
    if (this.#faults.length < MAX_LISTED_FAULTS) {
      this.#faults.push(line);
    } else {
      this.#furtherFaults++;
    }
  }

  report(): Report {
    return {
      proved: this.#proved,
      attested: this.#attested,
      missing: this.#missing.slice(0, MAX_LISTED_FAULTS),
      faults: this.#faults,
      furtherFaults: this.#furtherFaults,
      holds: this.#faults.length === 0 && this.#missing.length === 0,
    };
  }
}
