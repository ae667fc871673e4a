// UCI with the worker of an engine in a page, without the page's own code.
import { readdir } from 'node:fs/promises';

const ASSETS = new URL('../web/dist/assets/', import.meta.url);

/** The paths of the relay's engine in the built page: its worker, and the module that it is given first. */
export async function ownEngine() {
  const names = await readdir(ASSETS);
  const path = (form) => `assets/${names.find((name) => form.test(name))}`;
  return { script: path(/^worker-.*\.js$/), module: path(/^engine-.*\.wasm$/) };
}

export class UciWorker {
  #page;
  #worker;

  /** Starts a worker in a page by paths of the relay. */
  static async start(page, { script, module }) {
    const engine = new UciWorker();
    engine.#page = page;
    engine.#worker = await page.evaluateHandle(
      async ([script, module]) => {
        const worker = new Worker(script);
        worker.lines = [];
        worker.onmessage = ({ data }) => {
          if (typeof data === 'string') worker.lines.push(data);
          worker.onLine?.();
        };
        worker.onerror = () => {
          worker.lines.push('failed');
          worker.onLine?.();
        };
        if (module) worker.postMessage(new URL(module, location.href).href);
        return worker;
      },
      [script, module],
    );
    await engine.ask('uciok', 'uci');
    return engine;
  }

  /** Sends commands; returns the lines up to one that begins with a word. */
  ask(word, ...commands) {
    return this.#page.evaluate(
      ([worker, word, commands]) =>
        new Promise((resolve, reject) => {
          worker.lines = [];
          worker.onLine = () => {
            const last = worker.lines.at(-1);
            if (last?.startsWith(word)) resolve(worker.lines);
            if (last === 'failed') reject(new Error('the worker has failed'));
          };
          for (const command of commands) worker.postMessage(command);
        }),
      [this.#worker, word, commands],
    );
  }
}
