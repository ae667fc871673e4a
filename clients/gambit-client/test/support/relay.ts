import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The packaged jar in a process of its own, with a data directory that survives `kill`. */
export class Relay {
  readonly #data = mkdtempSync(join(tmpdir(), 'gambit-client-'));
  readonly #arguments: string[];
  /** What the program has logged as an error. */
  readonly #errors: string[] = [];
  #process?: ChildProcess;
  port = 0;

  /** @param more further arguments of the program */
  constructor(...more: string[]) {
    this.#arguments = more;
  }

  get url(): string {
    return `ws://localhost:${this.port}`;
  }

  /** Starts the program, and resolves when it listens. */
  async start(): Promise<this> {
    for (let attempt = 1; !(await this.#isStarted()); attempt++) {
      // It listens on one port of several addresses, which another process may have taken on one of them.
      if (attempt === 3) {
        throw new Error('the relay has ended before it was listening');
      }
    }
    return this;
  }

  async #isStarted(): Promise<boolean> {
    const gambit = process.env.GAMBIT;
    if (!gambit) {
      throw new Error('GAMBIT has to name the launch script');
    }
    const started = spawn(
      gambit,
      [
        ...['--port', '0', '--metrics-port', '0', '--data', this.#data],
        ...['--set', 'chess.house.enabled=false'],
        ...this.#arguments,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.#process = started;
    createInterface({ input: started.stderr }).on('line', line => {
      console.error(line);
      if (line.includes(' ERROR ')) {
        this.#errors.push(line);
      }
    });
    const exited = once(started, 'exit');
    const listening = new Promise<number>(resolve => {
      createInterface({ input: started.stdout }).on('line', line => {
        const port = /listens on ws:\/\/localhost:(\d+)/.exec(line)?.[1];
        if (port) {
          resolve(Number(port));
        }
      });
    });
    const port = await Promise.race([listening, exited]);
    if (typeof port !== 'number') {
      return false;
    }
    this.port = port;
    return true;
  }

  /** Ends the process without warning, as `kill -9`. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (running && running.exitCode === null && running.signalCode === null) {
      const exited = once(running, 'exit');
      running.kill('SIGKILL');
      await exited;
    }
  }

  /** Ends the process, and deletes its data. Fails if the program has logged an error. */
  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#data, { recursive: true, force: true });
    if (this.#errors.length > 0) {
      throw new Error(`the relay has logged: ${this.#errors.slice(0, 5).join('\n')}`);
    }
  }
}
