import { Emitter } from './emitter.js';
import { GambitError } from './errors.js';
import type { Game } from './game.js';
import type { Lobby } from './lobby.js';
import type { Signer, WebSocketConstructor } from './signer.js';
import type {
  EventTemplate,
  Filter,
  GameRecord,
  InviteOptions,
  Profile,
  ReceivedInvite,
  RelayInfo,
  Status,
  VerifiedEvent,
} from './types.js';

export interface ClientOptions {
  signer: Signer;
  /** The implementation of WebSockets where there is no global one: in Node before 22, `ws`. */
  webSocket?: WebSocketConstructor;
  /** Milliseconds before the first attempt to reconnect, and at most; 500 and 15,000 by default. */
  backoff?: { first?: number; max?: number };
  /** Milliseconds until `connect()` fails; 30,000 by default, `Infinity` to try for ever. */
  connectTimeout?: number;
  /** Milliseconds without an answer after which the connection is replaced; 10,000 by default. */
  answerTimeout?: number;
  /** Epoch milliseconds; `Date.now` by default. */
  now?: () => number;
}

export interface ClientEvents {
  status: [Status];
  /** A game of this player began, or was found running after a connection. */
  game: [Game];
  /** A direct invite to this player, also those pending at the start. */
  invite: [ReceivedInvite];
  /** The invited player has rejected this player's invite. */
  rejected: [{ inviteId: string; by: string }];
  /** Nobody accepted this player's open invite in time. */
  inviteexpired: [{ inviteId: string }];
  /** The last opponent requests a rematch: `accept(id)` or `reject(id)`. */
  rematch: [ReceivedInvite];
  /** A message of the relay for people, or a login that it refused. */
  notice: [string];
}

/** A search for an opponent. It survives a reconnection. */
export interface Search {
  /** The requested time control, or the relay's default. */
  readonly time: string;
  /** The player's next game, even one that begins by an invite. Fails after `cancel()`. */
  readonly game: Promise<Game>;
  /** Leaves the queue; aborts a game that has just been found and has no move of this player. */
  cancel(): Promise<void>;
}

/** A pending invite or rematch of this player. */
export interface SentInvite {
  readonly id: string;
  /** The game that it leads to. Fails with an `InviteEndedError` if it ends without one. */
  readonly game: Promise<Game>;
  withdraw(): Promise<void>;
}

export interface Subscription {
  close(): void;
}

/**
 * A connection to a Gambit relay for one key. It logs in (NIP-42) by itself, and reconnects with back-off
 * until it is closed; then subscriptions are renewed, the running game is resumed, and unanswered events
 * are sent again unchanged. Events with a wrong signature or from another author than expected are ignored.
 */
export class GambitClient extends Emitter<ClientEvents> {
  readonly url: string;

  constructor(url: string, _options: ClientOptions) {
    super();
    this.url = url;
  }

  get status(): Status {
    throw new GambitError('not implemented');
  }

  /** The signer's public key, once connected. */
  get pubkey(): string {
    throw new GambitError('not implemented');
  }

  /** The relay's information, once connected. */
  get info(): RelayInfo {
    throw new GambitError('not implemented');
  }

  /** The running game of this player. */
  get currentGame(): Game | undefined {
    throw new GambitError('not implemented');
  }

  /** The running search of this player. */
  get currentSearch(): Search | undefined {
    throw new GambitError('not implemented');
  }

  /** The measured difference between this computer's clock and the relay's in milliseconds, once known. */
  get clockDifference(): number | undefined {
    throw new GambitError('not implemented');
  }

  /**
   * Reads the relay's information, connects, logs in and subscribes. Resolves when the client is ready and
   * a running game was resumed.
   */
  connect(): Promise<void> {
    throw new GambitError('not implemented');
  }

  /** Closes the connection for good. Unanswered requests fail with a `DisconnectedError`. */
  close(): void {
    throw new GambitError('not implemented');
  }

  /** Searches for an opponent with the same time control, such as `300+3`; the relay's default without one. */
  search(_time?: string): Promise<Search> {
    throw new GambitError('not implemented');
  }

  invite(_options: InviteOptions = {}): Promise<SentInvite> {
    throw new GambitError('not implemented');
  }

  /** Accepts an invite or a rematch; resolves with the game. */
  accept(_inviteId: string): Promise<Game> {
    throw new GambitError('not implemented');
  }

  reject(_inviteId: string): Promise<void> {
    throw new GambitError('not implemented');
  }

  /** A pending invite by its id; `undefined` if there is none, or it is over. */
  findInvite(_id: string): Promise<ReceivedInvite | undefined> {
    throw new GambitError('not implemented');
  }

  /** Follows a running or finished game. The same object is returned while it is open. */
  follow(_gameId: string): Game {
    throw new GambitError('not implemented');
  }

  lobby(): Lobby {
    throw new GambitError('not implemented');
  }

  /** Records of finished games, newest first; `until` is in seconds. At most 500. */
  records(_options: { player?: string; limit?: number; until?: number } = {}): Promise<GameRecord[]> {
    throw new GambitError('not implemented');
  }

  record(_gameId: string): Promise<GameRecord | undefined> {
    throw new GambitError('not implemented');
  }

  /** A player's profile, from a cache where possible. Never fails: without one, only the keys are set. */
  profile(_pubkey: string): Promise<Profile> {
    throw new GambitError('not implemented');
  }

  /** Signs and publishes an event; resolves with the text of the relay's answer. */
  publish(_template: Omit<EventTemplate, 'created_at'> & { created_at?: number }): Promise<string> {
    throw new GambitError('not implemented');
  }

  /** The stored events and current states that match, with valid signatures, newest first. */
  query(..._filters: Filter[]): Promise<VerifiedEvent[]> {
    throw new GambitError('not implemented');
  }

  /** Subscribes until closed, across reconnections; an event is then delivered once more if it matches again. */
  subscribe(
    _filters: Filter[],
    _handlers: { onevent(event: VerifiedEvent): void; oneose?(): void; onclose?(reason: string): void },
  ): Subscription {
    throw new GambitError('not implemented');
  }
}
