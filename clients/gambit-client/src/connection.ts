import type { Filter } from 'nostr-tools/filter';
import type { EventTemplate, NostrEvent, VerifiedEvent } from 'nostr-tools/pure';
import { Backoff } from './backoff.js';
import { DisconnectedError, GambitError } from './errors.js';
import { verifiedEvent } from './events.js';
import { Login } from './login.js';
import { UnansweredEvents } from './unanswered-events.js';
import type { WebSocketConstructor, WebSocketLike } from './signer.js';

const MAX_MESSAGE_CHARACTERS = 4_000_000;
/** The longest text of a relay's answer that is kept. */
const MAX_TEXT = 1000;
/** Milliseconds between two looks for answers that are overdue. */
const WATCH_INTERVAL = 1000;
/** How many times as long an answer may take while the relay is sending other messages. */
const PATIENCE = 3;
/** Milliseconds of silence after which the relay is asked for a sign of life. */
const SILENCE = 20_000;
/** Milliseconds before a subscription is tried again that the relay had no room for. */
const RETRY_SUBSCRIPTION = 2000;

/** What a connection needs from its client. All functions are called on the only thread. */
export interface ConnectionOptions {
  readonly url: string;
  /** The relay's name in a login. */
  readonly name: string;
  readonly webSocket: WebSocketConstructor;
  readonly backoff: Backoff;
  readonly answerTimeout: number;
  readonly now: () => number;
  /** The most subscriptions that the relay allows at once. */
  readonly maxSubscriptions: number;
  /** Epoch milliseconds of the relay. */
  readonly relayTime: () => number;
  /** Milliseconds after its `created_at` until which an event of this kind may be sent; `Infinity` for ever. */
  readonly freshness: (kind: number) => number;
  /** Signs a login. */
  readonly sign: (template: EventTemplate) => Promise<VerifiedEvent>;
  /** Every subscription was renewed, and the login is over if there was one. Events are sent afterwards. */
  readonly onRenewed: (loggedIn: boolean) => Promise<void>;
  readonly onReady: () => void;
  readonly onLost: () => void;
  /** A subscription was renewed over a ready connection: the relay had closed it, and events may be missing. */
  readonly onRetried: () => void;
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
  /** Whether the relay has closed it, and it is requested again. */
  isClosed: boolean;
}

/** One socket, and how far its connection has come. */
interface Session {
  readonly socket: WebSocketLike;
  readonly login: Login;
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
  readonly #unanswered: UnansweredEvents;
  #session?: Session;
  #reconnectTimer?: ReturnType<typeof setTimeout>;
  #watchTimer?: ReturnType<typeof setInterval>;
  #isClosed = false;
  #lastId = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#unanswered = new UnansweredEvents({
      now: options.now,
      relayTime: options.relayTime,
      freshness: options.freshness,
      send: event => this.#send('EVENT', event),
    });
  }

  get isReady(): boolean {
    return this.#session?.isReady ?? false;
  }

  open(): void {
    this.#watchTimer = setInterval(() => this.#watch(), WATCH_INTERVAL);
    globalThis.addEventListener?.('online', this.#reconnectNow);
    globalThis.addEventListener?.('offline', this.#offline);
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#watchTimer);
    clearTimeout(this.#reconnectTimer);
    globalThis.removeEventListener?.('online', this.#reconnectNow);
    globalThis.removeEventListener?.('offline', this.#offline);
    const session = this.#session;
    this.#session = undefined;
    session?.login.close();
    session?.socket.close();
    this.#unanswered.close();
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
    return this.#unanswered.add(event, resend, this.isReady || (early && this.#session?.isRenewed === true));
  }

  /** Subscribes, now and after every reconnection. */
  subscribe(filters: readonly Filter[], handlers: SubscriptionHandlers): { close(): void } {
    if (this.#isClosed || this.#subscriptions.size >= this.#options.maxSubscriptions) {
      throw new GambitError(this.#isClosed ? 'the client was closed' : 'too many subscriptions');
    }
    const subscription: Subscription = {
      id: `s${++this.#lastId}`,
      filters,
      handlers,
      stored: true,
      sentAt: 0,
      isClosed: false,
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

  /** The browser has lost its network, which the socket itself would notice only after a timeout. */
  readonly #offline = (): void => this.drop();

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
      login: new Login({
        name: this.#options.name,
        sign: this.#options.sign,
        send: event => this.#send('AUTH', event),
        onNotice: this.#options.onNotice,
      }),
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
    session.login.close();
    for (const subscription of this.#subscriptions.values()) {
      subscription.sentAt = 0;
    }
    this.#unanswered.connectionLost();
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
      await session.login.result;
      if (session === this.#session) {
        await this.#options.onRenewed(session.login.isAccepted);
      }
    } catch {
      // A request of onRenewed failed, because the connection was lost or the relay refused it.
    }
    if (session !== this.#session) {
      return;
    }
    session.isReady = true;
    this.#options.backoff.reset();
    this.#unanswered.sendWaiting();
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
        session.login.challenged(id);
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
      if (subscription.isClosed && this.isReady) {
        this.#options.onRetried();
      }
      subscription.isClosed = false;
      this.#renewed();
    }
  }

  #closed(session: Session, id: string, reason: string): void {
    const subscription = this.#subscriptions.get(id);
    if (!subscription) {
      return;
    }
    subscription.sentAt = 0;
    subscription.isClosed = true;
    const again = (): void => {
      if (session === this.#session && this.#subscriptions.has(id)) {
        this.#sendRequest(subscription);
      }
    };
    const login = session.login.isAccepted ? undefined : session.login.result;
    if (reason.startsWith('auth-required:') && login) {
      void login.then(isAccepted => {
        if (isAccepted) {
          again();
        } else if (session === this.#session && session.isReady) {
          this.#end(subscription, reason);
        } else if (session === this.#session) {
          this.drop(); // the next connection logs in anew, and renews it
        }
      });
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
    if (session.login.take(id, accepted, text)) {
      return;
    }
    const outcome = this.#unanswered.take(id, accepted, text);
    if (outcome === 'unknown') {
      guarded(() => this.#options.onFurtherAnswer(id, accepted, text));
    } else if (outcome === 'login') {
      void this.#afterLogin(session, id, text);
    }
  }

  /** Sends an event again once the client has logged in. */
  async #afterLogin(session: Session, id: string, text: string): Promise<void> {
    const isLoggedIn = await session.login.afterRefusal();
    if (session !== this.#session) {
      return;
    }
    if (isLoggedIn) {
      this.#unanswered.repeat(id);
    } else {
      this.#unanswered.refuse(id, text);
    }
  }

  /** Replaces a connection whose answers are overdue, and ends what has become too old to be sent. */
  #watch(): void {
    const now = this.#options.now();
    this.#unanswered.failExpired();
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
    if (this.#unanswered.isOverdue(overdue)) {
      return true;
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
    if (this.#subscriptions.size >= this.#options.maxSubscriptions) {
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
