import { deferred, type Deferred } from './deferred.js';
import { DisconnectedError, GambitError } from './errors.js';
import { Kind, nonce } from './events.js';
import type { GameContext } from './game-context.js';
import type { Game } from './game.js';

/** A search for an opponent. It survives a reconnection. */
export interface Search {
  /** The requested time control, or the relay's default. */
  readonly time: string;
  /** The player's next game, even one that begins by an invite. Fails after `cancel()`. */
  readonly game: Promise<Game>;
  /** Leaves the queue; aborts a game that has just been found and has no move of this player. */
  cancel(): Promise<void>;
}

interface Running extends Search {
  readonly tags: string[][];
  readonly found: Deferred<Game>;
}

/** The player's search: the relay has a player in one queue at a time. */
export class Searches {
  readonly #context: GameContext;
  readonly #defaultTime: string;
  #running?: Running;

  constructor(context: GameContext, defaultTime: string) {
    this.#context = context;
    this.#defaultTime = defaultTime;
  }

  get current(): Search | undefined {
    return this.#running;
  }

  async search(time: string | undefined): Promise<Search> {
    if (this.#running) {
      throw new GambitError('a search is running already');
    }
    const found = deferred<Game>();
    const running: Running = {
      time: time ?? this.#defaultTime,
      tags: time === undefined ? [] : [['time', time]],
      game: found.promise,
      found,
      cancel: () => this.#cancel(running),
    };
    this.#running = running;
    try {
      await this.#enqueue(running);
    } catch (error) {
      if (this.#running === running) {
        this.#running = undefined;
      }
      throw error;
    }
    return running;
  }

  /** Requests an opponent. A lost connection ends no search: the client requests again when it is ready. */
  async #enqueue(running: Running): Promise<void> {
    try {
      await this.#context.publishOnce(Kind.request, 'connect', [...running.tags, nonce()]);
    } catch (error) {
      if (!(error instanceof DisconnectedError)) {
        throw error;
      }
    }
  }

  async #cancel(running: Running): Promise<void> {
    if (this.#running === running) {
      this.#running = undefined;
    }
    running.found.reject(new GambitError('the search was cancelled'));
    await this.#context.publish(Kind.request, 'cancelsearch', [nonce()]);
  }

  /** After a reconnection the relay has forgotten the search. */
  renew(): void {
    const running = this.#running;
    if (running) {
      this.#enqueue(running).catch((error: unknown) => {
        if (this.#running === running) {
          this.#running = undefined;
          running.found.reject(error instanceof Error ? error : new GambitError(String(error)));
        }
      });
    }
  }

  begun(game: Game): void {
    const running = this.#running;
    this.#running = undefined;
    running?.found.resolve(game);
    if (running) {
      game.on('ended', () => this.#leaveAfter(game));
    }
  }

  /**
   * An opponent who cancels the search after the pairing aborts the game, and the relay puts this player back
   * into the queue. No game is to begin unasked, so the player leaves it.
   */
  #leaveAfter(game: Game): void {
    if (game.termination === 'aborted' && !this.#running) {
      this.#context.publishOnce(Kind.request, 'cancelsearch', [nonce()]).catch(() => undefined);
    }
  }

  close(): void {
    this.#running?.found.reject(new DisconnectedError('the client was closed'));
    this.#running = undefined;
  }
}
