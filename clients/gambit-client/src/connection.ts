import type { Filter } from 'nostr-tools/filter';
import { makeAuthEvent } from 'nostr-tools/nip42';
import type { EventTemplate, NostrEvent, VerifiedEvent } from 'nostr-tools/pure';
import { Backoff } from './backoff.js';
import { deferred, type Deferred } from './deferred.js';
import { DisconnectedError, GambitError, RefusedError } from './errors.js';
import { verifiedEvent } from './events.js';
import type { WebSocketConstructor, WebSocketLike } from './signer.js';

const MAX_UNANSWERED = 1000;
const MAX_SUBSCRIPTIONS = 250;
const MAX_MESSAGE_CHARACTERS = 4_000_000;
const MAX_CHALLENGE_CHARACTERS = 1000;
/** The longest text of a relay's answer that is kept. */
const MAX_TEXT = 1000;
/** Milliseconds between two looks for answers that are overdue. */
const WATCH_INTERVAL = 1000;
/** How many times as long an answer may take while the relay is sending other messages. */
const PATIENCE = 3;
/** Milliseconds to wait for the challenge that belongs to a refusal. */
const CHALLENGE_TIMEOUT = 3000;
/** Milliseconds of silence after which the relay is asked for a sign of life. */
const SILENCE = 20_000;
/** Milliseconds before a subscription is tried again that the relay had no room for. */
const RETRY_SUBSCRIPTION = 2000;

/** What a connection needs from its client. All functions are called on the only thread. */
export interface ConnectionOptions {
  readonly url: string;
  readonly webSocket: WebSocketConstructor;
  readonly backoff: Backoff;
  readonly answerTimeout: number;
  readonly now: () => number;
  /** Milliseconds after its `created_at` until which an event of this kind may be sent; `Infinity` for ever. */
  readonly freshness: (kind: number) => number;
  /** Signs a login. */
  readonly sign: (template: EventTemplate) => Promise<VerifiedEvent>;
  /** Every subscription was renewed, and the login is over if there was one. Events are sent afterwards. */
  readonly onRenewed: (loggedIn: boolean) => Promise<void>;
  readonly onReady: () => void;
  readonly onLost: () => void;
  readonly onNotice: (text: string) => void;
  /** A further OK for an answered event: NIP-100's colour notification. */
  readonly onFurtherAnswer: (id: string, accepted: boolean, text: string) => void;
}

export interface SubscriptionHandlers {
  /** @param stored whether the event precedes EOSE */
  onevent(event: VerifiedEvent, stored: boolean): void;
  oneose?(): void;
  /** The relay has refused the subscription; it is not tried again. */
  onclose?(reason: string): void;
}

interface Subscription {
  readonly id: string;
  readonly filters: readonly Filter[];
  readonly handlers: SubscriptionHandlers;
  stored: boolean;
  /** When the REQ was sent over the present socket; 0 once it is answered. */
  sentAt: number;
}

interface Unanswered {
  readonly event: NostrEvent;
  readonly answer: Deferred<string>;
  readonly expires: number;
  readonly resend: boolean;
  /** When the event was sent over the present socket; 0 if it was not. */
  sentAt: number;
  /** Whether it was sent again after a login. */
  repeated: boolean;
}

/** One socket, with what is known about its login. */
interface Session {
  readonly socket: WebSocketLike;
  challenge?: string;
  /** Settles when the login is answered: whether it was accepted. */
  login?: Promise<boolean>;
  loginId?: string;
  loginAnswer?: Deferred<boolean>;
  /** Events that were refused before the challenge. */
  readonly awaitingLogin: ((isLoggedIn: boolean) => void)[];
  isLoggedIn: boolean;
  isOpen: boolean;
  isReady: boolean;
  isRenewed: boolean;
  openedAt: number;
  heardAt: number;
}

/**
 * A connection to one relay that is replaced when it is lost. Subscriptions are renewed on the new one, then
 * events without an answer are sent again, unchanged, so that none takes effect twice.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #unanswered = new Map<string, Unanswered>();
  #session?: Session;
  #reconnectTimer?: ReturnType<typeof setTimeout>;
  #watchTimer?: ReturnType<typeof setInterval>;
  #isClosed = false;
  #lastId = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    return this.#session?.isReady ?? false;
  }

  open(): void {
    this.#watchTimer = setInterval(() => this.#watch(), WATCH_INTERVAL);
    globalThis.addEventListener?.('online', this.#reconnectNow);
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#watchTimer);
    clearTimeout(this.#reconnectTimer);
    globalThis.removeEventListener?.('online', this.#reconnectNow);
    const session = this.#session;
    this.#session = undefined;
    session?.loginAnswer?.resolve(false);
    session?.socket.close();
    for (const { answer } of this.#unanswered.values()) {
      answer.reject(new DisconnectedError('the client was closed'));
    }
    this.#unanswered.clear();
    for (const subscription of [...this.#subscriptions.values()]) {
      this.#subscriptions.delete(subscription.id);
      subscription.handlers.onclose?.('the client was closed');
    }
  }

  /**
   * Sends an event until it is answered; resolves with the text of the relay's OK.
   *
   * @param options.resend whether the event is sent again after a reconnection
   * @param options.early whether it is sent before the connection is ready, from `onRenewed`
   */
  publish(event: NostrEvent, { resend = true, early = false } = {}): Promise<string> {
    if (this.#isClosed) {
      return Promise.reject(new DisconnectedError('the client was closed'));
    }
    const before = this.#unanswered.get(event.id);
    if (before) {
      return before.answer.promise;
    }
    if (this.#unanswered.size >= MAX_UNANSWERED) {
      return Promise.reject(new GambitError('too many events are unanswered'));
    }
    const unanswered: Unanswered = {
      event,
      answer: deferred<string>(),
      expires: event.created_at * 1000 + this.#options.freshness(event.kind),
      resend,
      sentAt: 0,
      repeated: false,
    };
    this.#unanswered.set(event.id, unanswered);
    if (this.isReady || (early && this.#session?.isRenewed)) {
      this.#sendEvent(unanswered);
    }
    return unanswered.answer.promise;
  }

  /** Subscribes, now and after every reconnection. */
  subscribe(filters: readonly Filter[], handlers: SubscriptionHandlers): { close(): void } {
    if (this.#isClosed || this.#subscriptions.size >= MAX_SUBSCRIPTIONS) {
      throw new GambitError(this.#isClosed ? 'the client was closed' : 'too many subscriptions');
    }
    const subscription: Subscription = {
      id: `s${++this.#lastId}`,
      filters,
      handlers,
      stored: true,
      sentAt: 0,
    };
    this.#subscriptions.set(subscription.id, subscription);
    if (this.#session?.isOpen) {
      this.#sendRequest(subscription);
    }
    return {
      close: () => {
        if (this.#subscriptions.delete(subscription.id)) {
          this.#send('CLOSE', subscription.id);
          this.#renewed();
        }
      },
    };
  }

  /** Replaces the present socket. */
  drop(): void {
    const session = this.#session;
    if (session) {
      session.socket.close();
      this.#lost(session);
    }
  }

  #connect(): void {
    let socket: WebSocketLike;
    try {
      socket = new this.#options.webSocket(this.#options.url);
    } catch {
      this.#reconnectLater();
      return;
    }
    const session: Session = {
      socket,
      awaitingLogin: [],
      isLoggedIn: false,
      isOpen: false,
      isReady: false,
      isRenewed: false,
      openedAt: this.#options.now(),
      heardAt: this.#options.now(),
    };
    this.#session = session;
    socket.onopen = () => {
      if (session === this.#session) {
        this.#opened(session);
      }
    };
    socket.onmessage = ({ data }: { data: unknown }) => {
      if (session === this.#session) {
        session.heardAt = this.#options.now();
        this.#received(session, data);
      }
    };
    socket.onerror = () => undefined; // onclose follows
    socket.onclose = () => this.#lost(session);
  }

  #opened(session: Session): void {
    session.isOpen = true;
    for (const subscription of this.#subscriptions.values()) {
      this.#sendRequest(subscription);
    }
    this.#renewed();
  }

  #lost(session: Session): void {
    if (session !== this.#session) {
      return;
    }
    this.#session = undefined;
    session.loginAnswer?.resolve(false);
    for (const subscription of this.#subscriptions.values()) {
      subscription.sentAt = 0;
    }
    for (const unanswered of [...this.#unanswered.values()]) {
      unanswered.sentAt = 0;
      unanswered.repeated = false;
      if (!unanswered.resend) {
        this.#fail(unanswered, 'the connection was lost');
      }
    }
    this.#options.onLost();
    this.#reconnectLater();
  }

  #reconnectLater(): void {
    if (!this.#isClosed) {
      clearTimeout(this.#reconnectTimer);
      this.#reconnectTimer = setTimeout(this.#reconnectNow, this.#options.backoff.next());
    }
  }

  readonly #reconnectNow = (): void => {
    if (!this.#isClosed && !this.#session) {
      clearTimeout(this.#reconnectTimer);
      this.#connect();
    }
  };

  #send(...message: unknown[]): void {
    if (this.#session?.isOpen) {
      try {
        this.#session.socket.send(JSON.stringify(message));
      } catch {
        this.drop();
      }
    }
  }

  #sendRequest(subscription: Subscription): void {
    subscription.stored = true;
    subscription.sentAt = this.#options.now();
    this.#send('REQ', subscription.id, ...subscription.filters);
  }

  #sendEvent(unanswered: Unanswered): void {
    unanswered.sentAt = this.#options.now();
    this.#send('EVENT', unanswered.event);
  }

  #fail(unanswered: Unanswered, reason: string): void {
    this.#unanswered.delete(unanswered.event.id);
    unanswered.answer.reject(new DisconnectedError(reason));
  }

  /** Continues once all subscriptions were answered and a login is over. */
  #renewed(): void {
    const session = this.#session;
    if (!session?.isOpen || session.isRenewed) {
      return;
    }
    for (const subscription of this.#subscriptions.values()) {
      if (subscription.sentAt !== 0) {
        return;
      }
    }
    session.isRenewed = true;
    void this.#resume(session);
  }

  async #resume(session: Session): Promise<void> {
    try {
      await session.login;
      if (session === this.#session) {
        await this.#options.onRenewed(session.isLoggedIn);
      }
    } catch {
      // A request of onRenewed failed, because the connection was lost or the relay refused it.
    }
    if (session !== this.#session) {
      return;
    }
    session.isReady = true;
    this.#options.backoff.reset();
    for (const unanswered of [...this.#unanswered.values()]) {
      if (this.#options.now() >= unanswered.expires) {
        this.#fail(unanswered, 'the event has become too old to be sent');
      } else if (unanswered.sentAt === 0) {
        this.#sendEvent(unanswered);
      }
    }
    this.#options.onReady();
  }

  #received(session: Session, data: unknown): void {
    if (typeof data !== 'string' || data.length > MAX_MESSAGE_CHARACTERS) {
      return;
    }
    let message: unknown;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    if (!Array.isArray(message)) {
      return;
    }
    const [verb, id, third, fourth] = message as unknown[];
    if (typeof id !== 'string') {
      return; // a numbered frame of NIP-100: subscriptions deliver the same event
    }
    switch (verb) {
      case 'EVENT':
        this.#event(id, third);
        break;
      case 'EOSE':
        this.#endOfStored(id);
        break;
      case 'OK':
        this.#answer(session, id, third === true, typeof fourth === 'string' ? fourth.slice(0, MAX_TEXT) : '');
        break;
      case 'CLOSED':
        this.#closed(session, id, typeof third === 'string' ? third.slice(0, MAX_TEXT) : '');
        break;
      case 'AUTH':
        this.#challenged(session, id);
        break;
      case 'NOTICE':
        this.#options.onNotice(id.slice(0, MAX_TEXT));
        break;
      default:
    }
  }

  #event(id: string, value: unknown): void {
    const subscription = this.#subscriptions.get(id);
    const event = subscription && verifiedEvent(value);
    if (event) {
      guarded(() => subscription.handlers.onevent(event, subscription.stored));
    }
  }

  #endOfStored(id: string): void {
    const subscription = this.#subscriptions.get(id);
    if (subscription?.stored) {
      subscription.stored = false;
      subscription.sentAt = 0;
      guarded(() => subscription.handlers.oneose?.());
      this.#renewed();
    }
  }

  #closed(session: Session, id: string, reason: string): void {
    const subscription = this.#subscriptions.get(id);
    if (!subscription) {
      return;
    }
    subscription.sentAt = 0;
    const again = (): void => {
      if (session === this.#session && this.#subscriptions.has(id)) {
        this.#sendRequest(subscription);
      }
    };
    if (reason.startsWith('auth-required:') && session.login && !session.isLoggedIn) {
      void session.login.then(isLoggedIn => (isLoggedIn ? again() : this.#end(subscription, reason)));
    } else if (reason.startsWith('rate-limited:') || reason.startsWith('error:')) {
      setTimeout(again, RETRY_SUBSCRIPTION);
    } else {
      this.#end(subscription, reason);
    }
    this.#renewed();
  }

  #end(subscription: Subscription, reason: string): void {
    if (this.#subscriptions.delete(subscription.id)) {
      guarded(() => subscription.handlers.onclose?.(reason));
    }
  }

  #answer(session: Session, id: string, accepted: boolean, text: string): void {
    if (id === session.loginId) {
      session.isLoggedIn = accepted;
      if (!accepted) {
        this.#options.onNotice(`the relay refuses the login: ${text}`);
      }
      session.loginAnswer?.resolve(accepted);
      return;
    }
    const unanswered = this.#unanswered.get(id);
    if (!unanswered) {
      guarded(() => this.#options.onFurtherAnswer(id, accepted, text));
      return;
    }
    if (!accepted && text.startsWith('auth-required:') && !unanswered.repeated) {
      unanswered.repeated = true;
      void this.#afterLogin(session, unanswered, text);
      return;
    }
    this.#unanswered.delete(id);
    if (accepted) {
      unanswered.answer.resolve(text);
    } else {
      unanswered.answer.reject(new RefusedError(text));
    }
  }

  /** Sends an event again once the client has logged in. The challenge follows the refusal, at the latest. */
  async #afterLogin(session: Session, unanswered: Unanswered, text: string): Promise<void> {
    unanswered.sentAt = 0;
    const isLoggedIn = await (session.login ?? this.#nextLogin(session));
    if (session !== this.#session || !this.#unanswered.has(unanswered.event.id)) {
      return;
    }
    if (isLoggedIn) {
      this.#sendEvent(unanswered);
    } else {
      this.#unanswered.delete(unanswered.event.id);
      unanswered.answer.reject(new RefusedError(text));
    }
  }

  #nextLogin(session: Session): Promise<boolean> {
    return new Promise(resolve => {
      session.awaitingLogin.push(resolve);
      setTimeout(() => resolve(false), CHALLENGE_TIMEOUT);
    });
  }

  #challenged(session: Session, challenge: string): void {
    if (session.isLoggedIn || session.challenge === challenge || challenge.length > MAX_CHALLENGE_CHARACTERS) {
      return;
    }
    session.challenge = challenge;
    session.login = this.#logIn(session, challenge);
    for (const resolve of session.awaitingLogin.splice(0)) {
      void session.login.then(resolve);
    }
  }

  async #logIn(session: Session, challenge: string): Promise<boolean> {
    try {
      const event = await this.#options.sign(makeAuthEvent(this.#options.url, challenge));
      if (session !== this.#session) {
        return false;
      }
      session.loginId = event.id;
      session.loginAnswer = deferred<boolean>();
      this.#send('AUTH', event);
      return await session.loginAnswer.promise;
    } catch (error) {
      this.#options.onNotice(`no login: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }

  /** Replaces a connection whose answers are overdue, and ends what has become too old to be sent. */
  #watch(): void {
    const now = this.#options.now();
    for (const unanswered of [...this.#unanswered.values()]) {
      if (unanswered.sentAt === 0 && now >= unanswered.expires) {
        this.#fail(unanswered, 'the event has become too old to be sent');
      }
    }
    const session = this.#session;
    if (!session) {
      return;
    }
    const overdue = now - this.#options.answerTimeout;
    if (session.isOpen) {
      const patience = session.heardAt <= overdue ? 1 : PATIENCE;
      if (this.#isOverdue(now - patience * this.#options.answerTimeout)) {
        this.drop();
      } else if (session.isReady && session.heardAt <= now - SILENCE) {
        this.#askForLife(session);
      }
    } else if (session.openedAt <= overdue) {
      this.drop();
    }
  }

  #isOverdue(overdue: number): boolean {
    for (const { sentAt } of this.#unanswered.values()) {
      if (sentAt !== 0 && sentAt <= overdue) {
        return true;
      }
    }
    for (const { sentAt } of this.#subscriptions.values()) {
      if (sentAt !== 0 && sentAt <= overdue) {
        return true;
      }
    }
    return false;
  }

  /** Browsers cannot send a ping: an empty subscription has an answer, too. */
  #askForLife(session: Session): void {
    session.heardAt = this.#options.now() - SILENCE + this.#options.answerTimeout;
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS) {
      return;
    }
    const probe = this.subscribe([{ ids: [], limit: 0 }], {
      onevent: () => undefined,
      oneose: () => probe.close(),
    });
  }
}

/** A handler that fails must not keep others from their events. */
function guarded(handler: () => void): void {
  try {
    handler();
  } catch (error) {
    console.error(error);
  }
}
