import { deferred, type Deferred } from './deferred.js';
import { DisconnectedError, GambitError, RefusedError } from './errors.js';
import { Kind, nonce } from './events.js';
import type { GameContext } from './game-context.js';
import type { Game } from './game.js';

/** A search for an opponent. It survives a reconnection. */
export interface Search {
  /** The requested time control, or the relay's default. */
  readonly time: string;
  readonly rated: boolean;
  /** The player's next live game, even one that begins by an invite. Fails after `cancel()`. */
  readonly game: Promise<Game>;
  /** Leaves the queue; aborts a game that has just been found and has no move of this player. */
  cancel(): Promise<void>;
}

/** The relay's answer to a `connect` of a player who is searching. */
const ALREADY_SEARCHING = 'duplicate: already searching';

interface Running extends Search {
  readonly tags: string[][];
  /** The id of the newest `connect`. */
  connectId?: string;
  readonly found: Deferred<Game>;
  /** Whether a request has no answer yet. */
  isRequesting?: boolean;
}

/** The player's search: the relay has a player in one queue at a time. */
export class Searches {
  readonly #context: GameContext;
  readonly #defaultTime: string;
  #running?: Running;
  /** The last cancellation: sent again after a login, it would end a search that was requested meanwhile. */
  #cancellation?: Promise<unknown>;
  /** The game that the last search has led to. */
  #lastGame?: Game | undefined;

  constructor(context: GameContext, defaultTime: string) {
    this.#context = context;
    this.#defaultTime = defaultTime;
  }

  get current(): Search | undefined {
    return this.#running;
  }

  async search(time: string | undefined, rated: boolean): Promise<Search> {
    if (this.#running) {
      throw new GambitError('a search is running already');
    }
    const ratedTag = this.#context.ratedTag(rated);
    const found = deferred<Game>();
    const running: Running = {
      time: time ?? this.#defaultTime,
      rated,
      tags: [...(time === undefined ? [] : [['time', time]]), ...ratedTag],
      game: found.promise,
      found,
      cancel: () => this.#cancel(running),
      isRequesting: true,
    };
    this.#running = running;
    try {
      await this.#cancellation;
      if (this.#running !== running) {
        return running; // cancelled meanwhile
      }
      let answer = await this.#enqueue(running);
      if (answer === ALREADY_SEARCHING && this.#lastGame?.termination === 'aborted') {
        // The relay has put this player back into the queue, with the time control of the aborted game.
        await this.#context.publishOnce(Kind.request, 'cancelsearch', [nonce()]);
        answer = await this.#enqueue(running);
      }
      if (answer === ALREADY_SEARCHING) {
        throw new GambitError('a search runs in another window');
      }
    } catch (error) {
      if (this.#running === running) {
        this.#running = undefined;
      }
      throw error;
    }
    return running;
  }

  /** Requests an opponent. A lost connection ends no search: the client requests again when it is ready. */
  async #enqueue(running: Running): Promise<string> {
    running.isRequesting = true;
    try {
      return await this.#context.publishOnce(
        Kind.request,
        'connect',
        [...running.tags, nonce()],
        id => {
          running.connectId = id;
        },
      );
    } catch (error) {
      if (!(error instanceof DisconnectedError)) {
        throw error;
      }
      return '';
    } finally {
      running.isRequesting = false;
    }
  }

  /** The relay's further OK for a `connect`: its game has begun, or could not be stored. */
  colored(id: string, accepted: boolean, text: string): void {
    const running = this.#running;
    if (!accepted && running?.connectId === id) {
      this.#running = undefined;
      running.found.reject(new RefusedError(text));
    }
  }

  async #cancel(running: Running): Promise<void> {
    if (this.#running === running) {
      this.#running = undefined;
    }
    running.found.reject(new GambitError('the search was cancelled'));
    const cancelled = this.#context.publish(Kind.request, 'cancelsearch', [nonce()]);
    this.#cancellation = cancelled.catch(() => undefined);
    await cancelled;
  }

  /** After a reconnection the relay has forgotten the search. */
  renew(): void {
    const running = this.#running;
    if (running && !running.isRequesting) {
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
      this.#lastGame = game;
      game.on('ended', () => this.#leaveAfter(game));
    }
  }

  /**
   * An opponent who cancels the search after the pairing aborts the game, and the relay puts this player back
   * into the queue. No game is to begin unasked, so the player leaves it.
   */
  #leaveAfter(game: Game): void {
    if (game.termination === 'aborted' && !this.#running) {
      const unlessSearching = (): void => {
        if (this.#running) {
          throw new GambitError('the player searches again'); // which a slow signature must not end
        }
      };
      this.#context
        .publishOnce(Kind.request, 'cancelsearch', [nonce()], unlessSearching)
        .catch(() => undefined);
    }
  }

  close(): void {
    this.#running?.found.reject(new DisconnectedError('the client was closed'));
    this.#running = undefined;
  }
}
