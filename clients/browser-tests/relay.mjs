// The built relay, for the tests: started on free ports, killed, and started again.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const GAMBIT = fileURLToPath(new URL('../../relay-app/target/gambit/gambit', import.meta.url));

// The relay takes variables of this prefix for its settings.
const ENVIRONMENT = { ...process.env, GAMBIT_LONG: undefined, JAVA_OPTS: '-XX:TieredStopAtLevel=1' };

export class Relay {
  #process;
  #port = 0;
  #data;
  #settings;

  /** Starts a relay with settings as for `--set`. */
  static async start(settings = {}) {
    const relay = new Relay();
    relay.#settings = settings;
    relay.#data = await mkdtemp(join(tmpdir(), 'gambit-page-'));
    await relay.#run();
    return relay;
  }

  /** Resolves with the link for the first admin, which a relay without one prints when it starts. */
  firstLink;

  /** The URL of its page. */
  get url() {
    return `http://localhost:${this.#port}/`;
  }

  /** The URL for clients of the protocol. */
  get socket() {
    return `ws://localhost:${this.#port}`;
  }

  /** A new link by which somebody becomes an admin, asked for as `gambit admin link` does, without a Java of its own. */
  async adminLink() {
    const [operators, token] = (await readFile(join(this.#data, 'control'), 'utf8')).split(' ');
    const answer = await fetch(`${operators}/control/admin-link`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
    });
    return (await answer.text()).trim();
  }

  async #run() {
    const overrides = Object.entries(this.#settings).flatMap(([key, value]) => [
      '--set',
      `${key}=${value}`,
    ]);
    this.#process = spawn(
      GAMBIT,
      ['--port', `${this.#port}`, '--metrics-port', '0', '--data', this.#data].concat(overrides),
      {
        env: ENVIRONMENT,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const lines = createInterface(this.#process.stdout);
    this.firstLink = new Promise(found => {
      lines.on('line', line => /^ +first admin (http\S+)$/.test(line) && found(line.trim().split(' ').at(-1)));
    });
    await new Promise(ready => {
      lines.on('close', ready);
      lines.on('line', line => {
        const listening = /listens on ws:\/\/localhost:(\d+)/.exec(line);
        if (listening) {
          this.#port = Number(listening[1]);
        }
        if (line.trimStart().startsWith('store ')) {
          ready(); // the last line of the banner
        }
      });
    });
  }

  /** Ends the process at once, as `kill -9` does. */
  async kill() {
    const child = this.#process;
    if (child.exitCode === null && child.signalCode === null) {
      const exited = new Promise(exit => child.once('exit', exit));
      child.kill('SIGKILL');
      await exited;
    }
  }

  /** Starts it again, with its data, at the same port. */
  async restart() {
    await this.#run();
  }

  async close() {
    await this.kill();
    await rm(this.#data, { recursive: true, force: true });
  }
}
