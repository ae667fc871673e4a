// Plays the test vectors of this folder against a relay, see README.md:
//
//   npm ci && node run.mjs [ws://localhost:7447] [OPTION …] [NAME …]      (Node 18 or newer)
//
// --wait SECONDS: vectors that wait longer are skipped (0). --with SETTING=VALUE: a setting that the relay has, may
// be repeated; only vectors that need these settings are played. --idle: nobody else uses the relay.
// NAME: a part of a vector's name. The exit status is 1 if a vector failed.
import { webcrypto } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fetchRelayInformation } from 'nostr-tools/nip11';
import { npubEncode } from 'nostr-tools/nip19';
import { finalizeEvent, generateSecretKey, getPublicKey, verifyEvent } from 'nostr-tools/pure';
import WebSocket from 'ws';

globalThis.crypto ??= webcrypto; // built in from version 20 on
const TIMEOUT_MS = 10_000;
const ATTEMPTS = 50; // with two drawn games, one attempt in four has the vector's colours
const PUBLICATION_MS = 2000; // the relay publishes its lobby once a second
const ABORT = ['EVENT', { kind: 5000, content: 'abort', tags: [] }];
const SETTINGS = { default_time: '1/600', first_move_limit: 30, abandon_grace: 60, max_clock_skew: 60 };

const pause = ms => new Promise(over => setTimeout(over, ms));

class OtherColours extends Error {}

/** A connection; challenges (NIP-42) are queued apart from other frames. */
class Client {
  frames = [];
  challenges = [];
  challenge; // the last one that was read
  #arrived = () => {};

  constructor(url) {
    this.socket = new WebSocket(url);
    this.opened = new Promise((opened, failed) => this.socket.on('open', opened).on('error', failed));
    this.socket.on('message', data => {
      const frame = JSON.parse(data);
      (frame[0] === 'AUTH' ? this.challenges : this.frames).push(frame);
      this.#arrived();
    });
  }

  async next(queue) {
    const late = Date.now() + TIMEOUT_MS;
    while (queue.length === 0) {
      const left = late - Date.now();
      if (left <= 0) throw new Error('no frame came');
      await new Promise(arrived => setTimeout((this.#arrived = arrived), left).unref());
    }
    return queue.shift();
  }

  close() {
    const closed = new Promise(resolve => this.socket.on('close', resolve));
    this.socket.close();
    return closed;
  }
}

class Play {
  #clients = new Map();
  #secrets = new Map();
  #names = new Map();
  #events = new Map();
  #now = Math.floor(Date.now() / 1000); // stands still while no step waits

  constructor(url, referee, vector) {
    this.url = url;
    this.#names.set('relay', referee).set('url', url).set('URL', url.replace(/\/\/[^/]+/, host => host.toUpperCase()));
    this.vector = vector;
    vector.players.forEach(name => this.#key(name));
  }

  async run() {
    try {
      for (const step of this.vector.steps) {
        await this.#play(step).catch(error => {
          error.message += `\n  in step ${JSON.stringify(step)}`;
          throw error;
        });
      }
      for (const [name, client] of this.#clients) await this.#expectNothingMore(name, client);
    } finally {
      await Promise.all([...this.#clients.values()].map(client => client.close()));
    }
  }

  async #play(step) {
    if (step.wait) {
      this.#now += step.wait;
      await pause(step.wait * 1000 + (step.publication ? PUBLICATION_MS / 4 : 0));
    }
    if (!step.client) return;
    const client = await this.#client(step.client);
    if (step.send ?? step.sign) {
      const frame = await this.#completed(step, client);
      if (step.as) this.#events.set(step.as, frame) && this.#names.set(step.as, frame[1].id);
      if (step.send) client.socket.send(JSON.stringify(frame));
    } else if (step.resend) {
      client.socket.send(JSON.stringify(this.#events.get(step.resend)));
    } else if (step.expect) {
      await this.#expect(step, client);
    } else if (step.disconnect) {
      this.#clients.delete(step.client);
      await client.close();
    }
  }

  async #client(name) {
    if (!this.#clients.has(name)) this.#clients.set(name, new Client(this.url));
    await this.#clients.get(name).opened;
    return this.#clients.get(name);
  }

  #key(name) {
    if (!this.#secrets.has(name)) this.#secrets.set(name, generateSecretKey());
    const key = getPublicKey(this.#secrets.get(name));
    this.#names.set(name, key).set(`npub:${name}`, npubEncode(key));
    return key;
  }

  async #completed(step, client) {
    if (JSON.stringify(step.send ?? '').includes('${challenge}')) {
      client.challenge ??= (await client.next(client.challenges))[1];
      this.#names.set('challenge', client.challenge);
    }
    const [verb, template, ...more] = this.#filled(step.send ?? step.sign);
    if (verb !== 'EVENT' && verb !== 'AUTH') return [verb, template, ...more];
    const signer = this.#secrets.get(step.by ?? step.client.split('/')[0]);
    const event = finalizeEvent({ ...template, created_at: this.#now + (step.age ?? 0) }, signer);
    step.remove?.forEach(field => delete event[field]);
    return [verb, { ...event, ...this.#filled(step.set ?? {}) }];
  }

  /** The time by which this play has taken longer than the vector's waits: seconds for `now`, else milliseconds. */
  #delay(about) {
    return Math.max(0, Date.now() - this.#now * 1000) / (/^\$\{now[+-}]/.test(about) ? 1000 : 1);
  }

  /** The value of a variable; `now+5` is a time. */
  #value(name) {
    const time = /^now(ms)?([+-]\d+)?$/.exec(name);
    if (time) return `${this.#now * (time[1] ? 1000 : 1) + Number(time[2] ?? 0)}`;
    return this.#names.get(name);
  }

  /** A value to send: all variables are replaced. */
  #filled(value) {
    if (typeof value === 'string') return value.replace(/\$\{(.+?)\}/g, (_, name) => this.#value(name) ?? this.#key(name));
    if (value?.$number) return Number(this.#filled(value.$number));
    if (Array.isArray(value)) return value.map(element => this.#filled(element));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, this.#filled(field)]));
  }

  async #expect(step, client) {
    if (step.expect[0] === 'AUTH') {
      client.challenge = (await client.next(client.challenges))[1];
      return;
    }
    let frame = await client.next(client.frames);
    while (!this.#concerns(frame)) frame = await client.next(client.frames);
    if (step.draws && otherColour(step.draws) === colourIn(frame, this.#names.get(step.client.split('/')[0]))) {
      client.socket.send(JSON.stringify(await this.#completed({ client: step.client, send: ABORT }, client)));
      throw new OtherColours('the colours were never drawn as in the vector');
    }
    if (!this.#matches(step.expect, frame)) throw new Error(`received ${JSON.stringify(frame)}`);
    if (frame[0] === 'EVENT' && !verifyEvent(frame[2])) throw new Error(`invalid event ${JSON.stringify(frame[2])}`);
  }

  /** False for the events of others who use the same relay. */
  #concerns([verb, , event]) {
    if (verb !== 'EVENT') return true;
    const ours = new Set(this.#names.values());
    const persons = event.tags.filter(tag => tag[0] === 'p').map(tag => tag[1]);
    return ours.has(event.pubkey) && (event.pubkey !== this.#names.get('relay') || persons.length === 0 || persons.some(key => ours.has(key)));
  }

  #matches(pattern, actual) {
    if (typeof pattern === 'string') return typeof actual === 'string' && this.#matchesText(pattern, actual);
    if (pattern?.$about) return Math.abs(Number(this.#filled(pattern.$about)) - Number(actual)) <= pattern.by + this.#delay(pattern.$about);
    if (Array.isArray(pattern)) {
      return Array.isArray(actual) && pattern.length === actual.length && pattern.every((it, i) => this.#matches(it, actual[i]));
    }
    if (pattern === null || typeof pattern !== 'object') return pattern === actual;
    return Object.entries(pattern).every(([name, it]) => (it === null ? !(name in actual) : this.#matches(it, actual[name])));
  }

  /** Of a text, `${*}` is any part; a name without a value gets the value of its part. */
  #matchesText(pattern, actual) {
    const unknown = [];
    const parts = pattern.split(/\$\{(.+?)\}/).map((part, i) => {
      const value = i % 2 === 0 ? part : this.#value(part);
      if (value !== undefined) return value.replace(/[^\w]/g, '\\$&');
      if (part !== '*') unknown.push(part);
      return part === '*' ? '[^]*' : '([^]+)';
    });
    const found = new RegExp(`^${parts.join('')}$`).exec(actual);
    unknown.forEach((name, i) => found && this.#names.set(name, found[i + 1]));
    return found !== null;
  }

  async #expectNothingMore(name, client) {
    client.socket.send('["REQ","the end",{"limit":0}]');
    await this.#expect({ client: name, expect: ['EOSE', 'the end'] }, client);
  }
}

const otherColour = colour => (colour === 'white' ? 'black' : 'white');

/** The colour of the receiver of a frame that reports a new game. */
function colourIn([verb, , event, text], key) {
  if (verb === 'OK') return text;
  if (event.kind === 20301) return event.tags.find(([name]) => name === 'color')?.[1];
  return event.tags.find(([name, player]) => name === 'p' && player === key)?.[3];
}

/** Why a vector is not played; undefined if it is. */
function skipped(vector, { wait, with: settings, idle }) {
  const needed = Object.entries(vector.settings).map(([name, value]) => `${name}=${value}`);
  const lacking = needed.filter(setting => !settings.includes(setting));
  if (lacking.length > 0) return `needs ${lacking.join(', ')}`;
  if (needed.length < settings.length) return `is for a relay without ${settings.join(', ')}`;
  if (vector.idle && !idle) return 'needs a relay that nobody else uses (--idle)';
  return vector.seconds > Number(wait) ? `waits ${vector.seconds} s` : undefined;
}

function readVectors() {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const isFolder = entry => entry.isDirectory() && entry.name !== 'node_modules';
  const names = readdirSync(folder, { withFileTypes: true }).filter(isFolder).map(entry => join(folder, entry.name));
  const files = names.flatMap(name => readdirSync(name).map(file => join(name, file))).sort();
  const vectors = files.map(file => JSON.parse(readFileSync(file)));
  return [...vectors.filter(({ idle }) => idle), ...vectors.filter(({ idle }) => !idle)]; // others leave games behind
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    wait: { type: 'string', default: '0' },
    with: { type: 'string', multiple: true, default: [] },
    idle: { type: 'boolean', default: false },
  },
});
const url = positionals.find(it => /^wss?:/.test(it)) ?? 'ws://localhost:7447';
const parts = positionals.filter(it => it !== url);
const { self: referee, chess } = await fetchRelayInformation(url);
for (const [name, value] of Object.entries(SETTINGS)) {
  if (chess?.[name] !== value) throw new Error(`${url} has ${name} ${chess?.[name]}, the vectors assume ${value}`);
}
const counts = { passed: 0, failed: 0, skipped: 0 };
for (const vector of readVectors()) {
  if (parts.length > 0 && !parts.some(part => vector.name.includes(part))) continue;
  const reason = skipped(vector, values);
  let outcome = reason ? 'skipped' : 'repeat';
  let text = reason ?? '';
  for (let attempt = 1; outcome === 'repeat'; attempt++) {
    if (vector.idle) await pause(PUBLICATION_MS); // players of an earlier play have left
    if (vector.seconds > 0) await pause(1000 - (Date.now() % 1000)); // times are in whole seconds
    try {
      await new Play(url, referee, vector).run();
      outcome = 'passed';
    } catch (error) {
      outcome = error instanceof OtherColours && attempt < ATTEMPTS ? 'repeat' : 'failed';
      text = error.message;
    }
  }
  counts[outcome]++;
  console.log(`${outcome} ${vector.name}${outcome === 'passed' ? '' : `: ${text}`}`);
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 ? 1 : 0;
