/** Asks an engine about one position at a time. */
import { Listeners } from '../app/store.js';
import type { Engine } from '../engine/engine.js';
import type { Score } from './annotation.js';

/** The part of an engine that evaluates. */
export type AnalysisEngine = Pick<Engine, 'name' | 'analyse' | 'stop' | 'close'>;

/** What an engine has found out about a position so far. */
export interface Evaluation {
  readonly fen: string;
  readonly depth: number;
  /** Nodes per second. */
  readonly nps: number;
  /** The best line first, each as moves in UCI. */
  readonly lines: readonly { readonly score: Score; readonly pv: readonly string[] }[];
}

interface Job {
  readonly fen: string;
  readonly lines: number;
  readonly millis: number;
  readonly depth?: number;
  readonly onDone?: (evaluation: Evaluation | undefined) => void;
}

/** How long the engine thinks about the shown position. */
const SHOWN_MILLIS = 30_000;
/** Listeners are notified this often at most. */
const NOTIFIED_EVERY_MILLIS = 150;

/** One engine, started with the first position. A new position replaces the one before, whose search is stopped. */
export class Evaluator {
  readonly #start: () => Promise<AnalysisEngine>;
  readonly #listeners = new Listeners();
  #engine: AnalysisEngine | undefined;
  #job: Job | undefined;
  #isRunning = false;
  #isClosed = false;
  #evaluation: Evaluation | undefined;
  #failure: unknown;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(start: () => Promise<AnalysisEngine>) {
    this.#start = start;
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** The engine's name, once it has started. */
  get name(): string | undefined {
    return this.#engine?.name;
  }

  get evaluation(): Evaluation | undefined {
    return this.#evaluation;
  }

  /** Why there is no engine. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Evaluates a position for a while; without one, the engine rests. */
  show(fen: string | undefined, lines: number): void {
    this.#take(fen === undefined ? undefined : { fen, lines, millis: SHOWN_MILLIS });
  }

  /** Evaluates a position up to a depth or a time; resolves to undefined if another one replaces it or the engine fails. */
  evaluate(fen: string, depth: number, millis: number): Promise<Evaluation | undefined> {
    return new Promise((onDone) => this.#take({ fen, lines: 1, depth, millis, onDone }));
  }

  close(): void {
    this.#isClosed = true;
    this.#take(undefined);
    clearTimeout(this.#timer);
    this.#engine?.close();
  }

  #take(job: Job | undefined): void {
    const before = this.#job;
    this.#job = job;
    this.#evaluation = undefined;
    this.#failure = undefined;
    before?.onDone?.(undefined);
    if (this.#isRunning) {
      this.#engine?.stop();
    } else {
      void this.#run();
    }
    this.#listeners.notify();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      while (this.#job && !this.#isClosed) {
        this.#engine ??= await this.#start();
        const job: Job | undefined = this.#job;
        if (this.#isClosed || !job) break;
        await this.#search(this.#engine, job);
      }
    } catch (error) {
      this.#failure = this.#isClosed ? undefined : error;
      this.#engine?.close();
      this.#engine = undefined; // it is of no use: the next position starts another one
      this.#job?.onDone?.(undefined);
      this.#job = undefined;
      this.#listeners.notify();
    }
    if (this.#isClosed) this.#engine?.close();
    this.#isRunning = false;
  }

  async #search(engine: AnalysisEngine, job: Job): Promise<void> {
    const { fen, ...limits } = job;
    await engine.analyse(fen, [], limits, (info) => {
      if (this.#job === job) {
        this.#evaluation = { fen, ...info };
        this.#notifySoon();
      }
    });
    if (this.#job === job) {
      this.#job = undefined;
      job.onDone?.(this.#evaluation);
      this.#listeners.notify();
    }
  }

  #notifySoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#listeners.notify();
    }, NOTIFIED_EVERY_MILLIS);
  }
}
