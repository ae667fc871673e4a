import type { NostrEvent } from 'nostr-tools/pure';
import { deferred, type Deferred } from './deferred.js';
import { DisconnectedError, GambitError, RefusedError } from './errors.js';

const MAX_UNANSWERED = 1000;
const TOO_OLD = 'the event has become too old to be sent';

export interface UnansweredEventsOptions {
  readonly now: () => number;
  /** Epoch milliseconds of the relay, with which events are signed. */
  readonly relayTime: () => number;
  /** Milliseconds after its `created_at` until which an event of this kind may be sent; `Infinity` for ever. */
  readonly freshness: (kind: number) => number;
  /** Sends an event over the present connection. */
  readonly send: (event: NostrEvent) => void;
}

interface Unanswered {
  readonly event: NostrEvent;
  readonly answer: Deferred<string>;
  /** Epoch milliseconds of the relay. */
  readonly expires: number;
  readonly resend: boolean;
  /** When the event was sent over the present connection; 0 if it was not. */
  sentAt: number;
  /** Whether it was refused over the present connection until the client has logged in. */
  awaitsLogin: boolean;
}

/** The published events that the relay has not answered: at most 1,000. They outlive a connection. */
export class UnansweredEvents {
  readonly #options: UnansweredEventsOptions;
  readonly #byId = new Map<string, Unanswered>();

  constructor(options: UnansweredEventsOptions) {
    this.#options = options;
  }

  /**
   * Adds an event; resolves with the text of the relay's OK.
   *
   * @param resend whether it is sent again over another connection, or fails when this one is lost
   * @param now whether it is sent at once, or by `sendWaiting`
   */
  add(event: NostrEvent, resend: boolean, now: boolean): Promise<string> {
    const before = this.#byId.get(event.id);
    if (before) {
      return before.answer.promise;
    }
    if (this.#byId.size >= MAX_UNANSWERED) {
      return Promise.reject(new GambitError('too many events are unanswered'));
    }
    const unanswered: Unanswered = {
      event,
      answer: deferred<string>(),
      expires: event.created_at * 1000 + this.#options.freshness(event.kind),
      resend,
      sentAt: 0,
      awaitsLogin: false,
    };
    this.#byId.set(event.id, unanswered);
    if (now) {
      this.#send(unanswered);
    }
    return unanswered.answer.promise;
  }

  /** Sends what was not sent over this connection, unchanged. */
  sendWaiting(): void {
    this.failExpired();
    for (const unanswered of [...this.#byId.values()]) {
      if (unanswered.sentAt === 0) {
        this.#send(unanswered);
      }
    }
  }

  /**
   * Takes the relay's OK for an event.
   *
   * @returns `unknown` for an event that is not waiting; `login` if it is refused until a login, for the first
   *     time over this connection: then `repeat` or `refuse` has to follow
   */
  take(id: string, accepted: boolean, text: string): 'settled' | 'unknown' | 'login' {
    const unanswered = this.#byId.get(id);
    if (!unanswered) {
      return 'unknown';
    }
    if (!accepted && text.startsWith('auth-required:') && !unanswered.awaitsLogin) {
      unanswered.awaitsLogin = true;
      unanswered.sentAt = 0;
      return 'login';
    }
    this.#byId.delete(id);
    if (accepted) {
      unanswered.answer.resolve(text);
    } else {
      unanswered.answer.reject(new RefusedError(text));
    }
    return 'settled';
  }

  /** Sends an event again after a login. */
  repeat(id: string): void {
    const unanswered = this.#byId.get(id);
    if (unanswered) {
      this.#send(unanswered);
    }
  }

  /** Fails an event that needs a login, where there is none. */
  refuse(id: string, text: string): void {
    const unanswered = this.#byId.get(id);
    this.#byId.delete(id);
    unanswered?.answer.reject(new RefusedError(text));
  }

  /** The connection was lost: every event waits for the next one, or fails. */
  connectionLost(): void {
    for (const unanswered of [...this.#byId.values()]) {
      unanswered.sentAt = 0;
      unanswered.awaitsLogin = false;
      if (!unanswered.resend) {
        this.#fail(unanswered, 'the connection was lost');
      }
    }
  }

  /** Fails the waiting events that the relay would refuse as stale. */
  failExpired(): void {
    const now = this.#options.relayTime();
    for (const unanswered of [...this.#byId.values()]) {
      if (unanswered.sentAt === 0 && now >= unanswered.expires) {
        this.#fail(unanswered, TOO_OLD);
      }
    }
  }

  /** Whether an event was sent at this time or before. */
  isOverdue(since: number): boolean {
    return [...this.#byId.values()].some(({ sentAt }) => sentAt !== 0 && sentAt <= since);
  }

  close(): void {
    for (const unanswered of [...this.#byId.values()]) {
      this.#fail(unanswered, 'the client was closed');
    }
  }

  #send(unanswered: Unanswered): void {
    unanswered.sentAt = this.#options.now();
    this.#options.send(unanswered.event);
  }

  #fail(unanswered: Unanswered, reason: string): void {
    this.#byId.delete(unanswered.event.id);
    unanswered.answer.reject(new DisconnectedError(reason));
  }
}
