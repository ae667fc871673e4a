import type { Game } from './game.js';
import type { Signer, WebSocketConstructor } from './signer.js';
import type { ReceivedInvite, ReceivedStart, Status } from './types.js';

export interface ClientOptions {
  signer: Signer;
  /** The implementation of WebSockets where there is no global one: in Node before 22, `ws`. */
  webSocket?: WebSocketConstructor;
  /** Needed for moves in games by kind 30 only. */
  rules?: Rules;
  /** Milliseconds before the first attempt to reconnect, and at most; 500 and 15,000 by default. */
  backoff?: { first?: number; max?: number };
  /** Milliseconds until `connect()` fails; 30,000 by default, `Infinity` to try for ever. */
  connectTimeout?: number;
  /** Milliseconds without an answer after which the connection is replaced; 10,000 by default. */
  answerTimeout?: number;
  /** Epoch milliseconds; `Date.now` by default. */
  now?: () => number;
}

/** What the library needs of the rules of chess. */
export interface Rules {
  /** A move such as `e2e4` or `e7e8q`, in SAN, and the position after it; throws if it is not legal. */
  play(fen: string, uci: string): { san: string; fen: string };
}

export interface ClientEvents {
  status: [Status];
  /** A game of this player began, or was found running after a connection. */
  game: [Game];
  /** A running game of this player has begun, changed or ended. */
  games: [];
  /** A direct invite to this player. Those that are pending at the start follow once `connect()` has resolved. */
  invite: [ReceivedInvite];
  /** The invited player has rejected this player's invite. */
  rejected: [{ inviteId: string; by: string }];
  /** Nobody accepted this player's invite in time. */
  inviteexpired: [{ inviteId: string }];
  /** `challengesByKind30` has changed. */
  challengesbykind30: [readonly ReceivedStart[]];
  /** The last opponent requests a rematch: `accept(id)` or `reject(id)`. */
  rematch: [ReceivedInvite];
  /** `isMember` has changed. */
  membership: [boolean];
  /** A message of the relay for people, or a login that it refused. */
  notice: [string];
}

export interface Subscription {
  close(): void;
}
