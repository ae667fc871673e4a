import { makeAuthEvent } from 'nostr-tools/nip42';
import type { EventTemplate, VerifiedEvent } from 'nostr-tools/pure';
import { deferred, type Deferred } from './deferred.js';

const MAX_CHALLENGE_CHARACTERS = 1000;
/** Milliseconds to wait for the challenge that belongs to a refusal. */
const CHALLENGE_TIMEOUT = 3000;

export interface LoginOptions {
  /** The relay's name. */
  readonly name: string;
  readonly sign: (template: EventTemplate) => Promise<VerifiedEvent>;
  readonly send: (event: VerifiedEvent) => void;
  readonly onNotice: (text: string) => void;
}

/** The login (NIP-42) of one connection: at the challenge, without a request. */
export class Login {
  readonly #options: LoginOptions;
  readonly #waiting: ((isAccepted: boolean) => void)[] = [];
  #challenge?: string;
  #result?: Promise<boolean>;
  #id?: string;
  #answer?: Deferred<boolean>;
  #isAccepted = false;
  #isClosed = false;

  constructor(options: LoginOptions) {
    this.#options = options;
  }

  get isAccepted(): boolean {
    return this.#isAccepted;
  }

  /** Whether the login is accepted, once it is over; `undefined` if the relay has sent no challenge. */
  get result(): Promise<boolean> | undefined {
    return this.#result;
  }

  /** The same, but waits for a challenge: it follows the refusal that asks for a login. */
  afterRefusal(): Promise<boolean> {
    return (
      this.#result ??
      new Promise(resolve => {
        this.#waiting.push(resolve);
        setTimeout(() => resolve(false), CHALLENGE_TIMEOUT);
      })
    );
  }

  /** The relay has sent a challenge. A repeated one is answered once. */
  challenged(challenge: string): void {
    if (
      this.#isAccepted ||
      challenge === this.#challenge ||
      challenge.length > MAX_CHALLENGE_CHARACTERS
    ) {
      return;
    }
    this.#challenge = challenge;
    const result = this.#logIn(challenge);
    this.#result = result;
    for (const resolve of this.#waiting.splice(0)) {
      void result.then(resolve);
    }
  }

  async #logIn(challenge: string): Promise<boolean> {
    const { name, sign, send, onNotice } = this.#options;
    try {
      const event = await sign(makeAuthEvent(name, challenge));
      if (this.#isClosed) {
        return false;
      }
      this.#id = event.id;
      this.#answer = deferred<boolean>();
      send(event);
      return await this.#answer.promise;
    } catch (error) {
      onNotice(`no login: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }

  /** Takes the relay's OK for the login; `false` if it is for another event. */
  take(id: string, accepted: boolean, text: string): boolean {
    if (id !== this.#id) {
      return false;
    }
    this.#isAccepted = accepted;
    if (!accepted) {
      this.#options.onNotice(`the relay refuses the login: ${text}`);
    }
    this.#answer?.resolve(accepted);
    return true;
  }

  /** The connection is over. */
  close(): void {
    this.#isClosed = true;
    this.#answer?.resolve(false);
  }
}
