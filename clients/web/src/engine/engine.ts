import { t } from '../language/t.js';

/** The best lines that an engine has found so far. */
export interface Info {
  depth: number;
  nodes: number;
  /** Nodes a second. */
  nps: number;
  /** The best first; at most as many as were asked for. */
  lines: Line[];
}

export interface Line {
  /** For White, in hundredths of a pawn or in moves to the mate; `mate` is 0 on the board of a mate. */
  score: { cp?: number; mate?: number };
  /** Moves in UCI, of which only the form has been checked. */
  pv: string[];
}

export interface Limits {
  lines: number;
  /** Without time and depth, only {@link Engine.stop} ends an analysis. */
  millis?: number;
  depth?: number;
}

/** The module that the build makes of the relay's Java; none where only the page is built. */
const [MODULE] = Object.values(
  import.meta.glob<string>('../../../../relay-chess/target/engine/engine.wasm', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
);

/** How long an engine may take to start: the operator's may be large, and the line slow. */
const START_MILLIS = 60_000;
/** How long our engine may take to stop, which is soon enough for who looks at the next position. */
const OWN_STOP_MILLIS = 60;
/** How long the operator's may, whose start takes longer than ours. */
const STOP_MILLIS = 1000;
const INFO_MILLIS = 50;
const MAX_LINES_PER_SECOND = 2000;
const MAX_LINE_LENGTH = 10_000;
const MAX_PV = 40;
const MAX_NAME = 60;
const MOVE = /^[a-h][1-8][a-h][1-8][qrbn]?$/;

/** A position that is being analysed, or waits for the end of the one before. */
interface Search {
  commands: string[];
  lines: number;
  isWhiteToMove: boolean;
  info: Info;
  onInfo: (info: Info) => void;
  timer?: ReturnType<typeof setTimeout> | undefined;
  isStopped: boolean;
  end: () => void;
}

/** Our compiled module, once a worker has sent it. */
let compiled: WebAssembly.Module | undefined;

function ownWorker(): Worker {
  if (!MODULE) throw new Error(t('This page was built without an engine.'));
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  worker.postMessage(compiled ?? new URL(MODULE, document.baseURI).href);
  return worker;
}

/**
 * A chess engine in a worker, which speaks UCI: the relay's own one, or one that the operator provides. It analyses
 * one position at a time. Whatever the worker sends, memory is bounded, and a worker that fails is ended.
 */
export class Engine {
  /** The engine's own name; the operator's may be any text. */
  name = '';
  #script: string | undefined;
  #worker: Worker | undefined;
  #failure: Error | undefined;
  #search: Search | undefined;
  /** The end of the search before, or of the start. */
  #idle: Promise<void> = Promise.resolve();
  #awaited: { word: string; resolve: () => void; reject: (reason: Error) => void } | undefined;
  #second = 0;
  #linesInSecond = 0;

  private constructor(script: string | undefined) {
    this.#script = script;
  }

  /**
   * Starts an engine.
   *
   * @param script the URL of the operator's engine; otherwise it is the relay's own
   * @throws Error with a sentence for the user
   */
  static async start(script?: string): Promise<Engine> {
    const engine = new Engine(script);
    await engine.#start();
    return engine;
  }

  async #start(): Promise<void> {
    const worker = this.#script === undefined ? ownWorker() : new Worker(this.#script);
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (this.#script === undefined && data instanceof WebAssembly.Module) compiled = data;
      else this.#receive(String(data));
    };
    worker.onmessageerror = () => this.#fail(t('The engine has failed.'));
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(t('The engine has failed.'));
    };
    const timer = setTimeout(() => this.#fail(t('The engine does not answer.')), START_MILLIS);
    const isReady = this.#line('uciok');
    worker.postMessage('uci');
    try {
      await isReady;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits for a line that begins with a word. */
  #line(word: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#awaited = { word, resolve, reject };
    });
  }

  #fail(reason: string): void {
    this.#failure ??= new Error(reason);
    this.#worker?.terminate();
    this.#awaited?.reject(this.#failure);
    this.#awaited = undefined;
  }

  #receive(line: string): void {
    const second = Math.floor(performance.now() / 1000);
    this.#linesInSecond = second === this.#second ? this.#linesInSecond + 1 : 1;
    this.#second = second;
    if (this.#linesInSecond > MAX_LINES_PER_SECOND || line.length > MAX_LINE_LENGTH) {
      this.#fail(t('The engine has failed.'));
      return;
    }
    const words = line.trim().split(/\s+/);
    if (this.#script === undefined && words[0] === 'too-old') {
      this.#fail(t('This browser is too old for the engine.'));
    } else if (this.#script === undefined && words[0] === 'not-loaded') {
      this.#fail(t('The engine cannot be loaded.'));
    } else if (words[0] === 'id' && words[1] === 'name') {
      this.name = words.slice(2).join(' ').slice(0, MAX_NAME);
    } else if (words[0] === 'info' && this.#search && !this.#search.isStopped) {
      take(words, this.#search);
    }
    if (words[0] === this.#awaited?.word) {
      const { resolve } = this.#awaited!;
      this.#awaited = undefined;
      resolve();
    }
  }

  /**
   * Analyses a position, instead of the one before.
   *
   * @param fen where the moves begin
   * @param moves moves in UCI
   * @param onInfo is called with what has been found, at most some 20 times a second, not after {@link stop}
   * @returns when it is done or stopped
   * @throws Error with a sentence for the user, if the engine has failed; it is of no use then
   */
  async analyse(fen: string, moves: string[], limits: Limits, onInfo: (info: Info) => void): Promise<void> {
    this.stop();
    const isWhitesFen = fen.split(' ')[1] !== 'b';
    let end = (): void => undefined;
    const stopped = new Promise<void>((resolve) => {
      end = resolve;
    });
    const search: Search = {
      commands: [
        `setoption name MultiPV value ${limits.lines}`,
        `position fen ${fen}${moves.length > 0 ? ` moves ${moves.join(' ')}` : ''}`,
        `go${limits.depth ? ` depth ${limits.depth}` : ''}${limits.millis ? ` movetime ${limits.millis}` : ''}${
          limits.depth || limits.millis ? '' : ' infinite'
        }`,
      ],
      lines: limits.lines,
      isWhiteToMove: isWhitesFen === (moves.length % 2 === 0),
      info: { depth: 0, nodes: 0, nps: 0, lines: [] },
      onInfo,
      isStopped: false,
      end,
    };
    this.#search = search;
    const run = this.#idle.then(() => this.#run(search));
    this.#idle = run.catch(() => undefined);
    await Promise.race([run, stopped]);
  }

  async #run(search: Search): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (search.isStopped) return;
    const isDone = this.#line('bestmove');
    for (const command of search.commands) this.#worker!.postMessage(command);
    await isDone;
    if (!search.isStopped) deliver(search);
  }

  /** Ends the analysis. A worker that does not end it soon is replaced. */
  stop(): void {
    const search = this.#search;
    if (!search || search.isStopped) return;
    search.isStopped = true;
    clearTimeout(search.timer);
    search.end();
    const awaited = this.#awaited;
    if (awaited?.word !== 'bestmove') return;
    this.#worker!.postMessage('stop');
    setTimeout(
      () => {
        if (this.#awaited !== awaited || this.#failure) return;
        this.#worker!.terminate();
        this.#start().then(awaited.resolve, awaited.reject);
      },
      this.#script === undefined ? OWN_STOP_MILLIS : STOP_MILLIS,
    );
  }

  /** Ends the engine for good. */
  close(): void {
    this.stop();
    this.#fail(t('The engine has been closed.'));
  }
}

/** Takes an `info` line of UCI; what does not fit is left out. */
function take(words: string[], search: Search): void {
  const after = (name: string): string | undefined => {
    const at = words.indexOf(name);
    return at < 0 ? undefined : words[at + 1];
  };
  const number = (name: string): number => Number(after(name)?.match(/^\d{1,15}$/)?.[0] ?? 0);
  const score = /^-?\d{1,9}$/.exec(words[words.indexOf('score') + 2] ?? '');
  const kind = after('score');
  const index = Math.max(1, number('multipv')) - 1;
  const { info, isWhiteToMove, lines } = search;
  const isBound = words.includes('lowerbound') || words.includes('upperbound');
  if (!score || isBound || (kind !== 'cp' && kind !== 'mate') || index > info.lines.length || index >= lines) return;
  const value = Number(score[0]) * (isWhiteToMove ? 1 : -1) + 0;
  const moves = words.includes('pv') ? words.slice(words.indexOf('pv') + 1) : [];
  const wrong = moves.findIndex((move) => !MOVE.test(move));
  info.lines[index] = {
    score: kind === 'cp' ? { cp: value } : { mate: value },
    pv: moves.slice(0, wrong < 0 ? MAX_PV : Math.min(wrong, MAX_PV)),
  };
  info.depth = number('depth');
  info.nodes = number('nodes');
  info.nps = number('nps');
  search.timer ??= setTimeout(() => deliver(search), INFO_MILLIS);
}

function deliver(search: Search): void {
  clearTimeout(search.timer);
  search.timer = undefined;
  if (search.info.lines.length > 0) search.onInfo({ ...search.info, lines: [...search.info.lines] });
}
