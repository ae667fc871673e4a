import type { Filter } from 'nostr-tools/filter';
import type { VerifiedEvent } from 'nostr-tools/pure';
import type { Acquaintances } from './acquaintances.js';
import type { Rules } from './client-options.js';
import type { ClockDifference } from './clock.js';
import type { SubscriptionHandlers } from './connection.js';
import type { Game } from './game.js';
import type { SentInvite } from './invites.js';

/** What games and lobbies need from their client. */
export interface GameContext {
  readonly referee: string;
  readonly pubkey: string;
  readonly acquaintances: Acquaintances;
  /** The time control of an invite that names none. */
  readonly defaultTime: string;
  /** The slow games that a player may have beside a live one. */
  readonly slowGames: number;
  /** Seconds by which a player's clock may differ from the relay's. */
  readonly maxClockSkew: number;
  /** The rules of chess, if the application has given them. */
  readonly rules: Rules | undefined;
  readonly difference: ClockDifference;
  /** The tag that asks for a rated game, if one is wanted. Fails where the relay has none. */
  ratedTag(rated: boolean | undefined): string[][];
  /** Epoch milliseconds of this computer. */
  now(): number;
  /** Epoch milliseconds of the relay, as far as the difference is known. */
  relayTime(): number;
  /** Measures the difference to a tenth of a second, if it is known less exactly and may be needed. */
  measureDifference(): void;
  /**
   * Signs and publishes an event; resolves with the text of the relay's OK.
   *
   * @param options.onSigned gets the id of the event before it is sent
   * @param options.createdAt the event's time in seconds, if it is not the present one
   */
  publish(
    kind: number,
    content: string,
    tags: string[][],
    options?: { onSigned?: (id: string) => void; createdAt?: number },
  ): Promise<string>;
  /**
   * The same for an event that is not sent again after a reconnection: it fails with a `DisconnectedError`.
   *
   * @param onSigned gets the id of the event before it is sent; what it throws keeps the event from being sent
   */
  publishOnce(
    kind: number,
    content: string,
    tags: string[][],
    onSigned?: (id: string) => void,
  ): Promise<string>;
  /** Resolves when the connection is ready; fails with a `DisconnectedError` when the client is closed. */
  whenReady(): Promise<void>;
  subscribe(filters: Filter[], handlers: SubscriptionHandlers): { close(): void };
  query(...filters: Filter[]): Promise<VerifiedEvent[]>;
  rematch(game: Game): Promise<SentInvite>;
  closeGame(game: Game): void;
}
