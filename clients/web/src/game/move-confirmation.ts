/** Moves that are sent only after the player has confirmed them. */
import type { Game } from 'gambit-client';
import { Listeners } from '../app/store.js';
import type { GameSource } from './game-state.js';

/** The reason of a move that the player has not confirmed, or that the game has overtaken. */
export class NotConfirmed extends Error {}

interface Waiting {
  readonly uci: string;
  readonly ply: number;
  settle(isConfirmed: boolean): void;
}

/** A game whose moves wait for `confirm()` wherever they need it. At most one waits. */
export class MoveConfirmation {
  /** The game for a `GameState`: the same one, but for the wait before a move. */
  readonly source: GameSource;
  readonly #game: Game;
  readonly #listeners = new Listeners();
  readonly #unsubscribe: () => void;
  #waiting: Waiting | undefined;

  /** @param isNeeded whether a move has to be confirmed, asked at each move */
  constructor(game: Game, isNeeded: () => boolean) {
    this.#game = game;
    this.source = new Proxy(game, {
      get: (target, name) => {
        if (name === 'move') {
          return (uci: string) => (isNeeded() ? this.#confirmed(uci) : game.move(uci));
        }
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    this.#unsubscribe = game.on('change', () => {
      if (this.#waiting && (game.ply !== this.#waiting.ply || game.result !== undefined)) {
        this.cancel();
      }
    });
  }

  close(): void {
    this.#unsubscribe();
    this.cancel();
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** The move that waits. */
  get move(): string | undefined {
    return this.#waiting?.uci;
  }

  /** Sends the move that waits. */
  confirm(): void {
    this.#waiting?.settle(true);
  }

  /** Takes the move back that waits. */
  cancel(): void {
    this.#waiting?.settle(false);
  }

  async #confirmed(uci: string): Promise<void> {
    this.cancel();
    const isConfirmed = await new Promise<boolean>((resolve) => {
      this.#waiting = {
        uci,
        ply: this.#game.ply,
        settle: (confirmed) => {
          this.#waiting = undefined;
          resolve(confirmed);
          this.#listeners.notify();
        },
      };
      this.#listeners.notify();
    });
    if (!isConfirmed) {
      throw new NotConfirmed();
    }
    await this.#game.move(uci);
  }
}
