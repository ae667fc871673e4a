import { GambitError } from './errors.js';
import { Kind, nonce, secondAfter } from './events.js';
import type { GameContext } from './game-context.js';

/**
 * A player's commands in one dialect. Each signs an event, and resolves when the relay has accepted it. What it
 * changes, the relay says.
 */
export interface Commands {
  /** The kind and the author of the game's first event; the author is empty until it is known. */
  readonly root: { readonly kind: number; readonly author: string };
  /** @param onSigned called before the move is sent */
  move(uci: string, ply: number, offerDraw: boolean, onSigned: () => void): Promise<void>;
  propose(word: 'offer' | 'accept' | 'decline' | 'claim' | 'takeback'): Promise<void>;
  resign(): Promise<void>;
  abort(): Promise<void>;
  claimAbandoned(): Promise<void>;
}

/** The commands of NIP-100. */
export class Nip100Commands implements Commands {
  readonly #id: string;
  readonly #context: GameContext;
  #lastSent = { ply: 0, createdAt: 0 };

  /** @param id the game's */
  constructor(id: string, context: GameContext) {
    this.#id = id;
    this.#context = context;
  }

  get root(): { kind: number; author: string } {
    return { kind: Kind.request, author: this.#context.referee };
  }

  /** The tag `ply` keeps a move from being played twice. */
  async move(uci: string, ply: number, offerDraw: boolean, onSigned: () => void): Promise<void> {
    const tags = [['ply', `${ply}`], ...(offerDraw ? [['draw', 'offer']] : [])];
    // Another move at the same ply, after a takeback, is of a later second: others can then order the two.
    const last = ply > this.#lastSent.ply ? 0 : this.#lastSent.createdAt;
    const createdAt = secondAfter(last, this.#context.relayTime());
    this.#lastSent = { ply, createdAt };
    await this.#send(Kind.move, uci, tags, { onSigned, createdAt });
  }

  propose(word: string): Promise<void> {
    return this.#send(Kind.proposal, word, [nonce()]);
  }

  resign(): Promise<void> {
    return this.#send(Kind.resignation, 'resign', []);
  }

  abort(): Promise<void> {
    return this.#send(Kind.request, 'abort', [nonce()]);
  }

  claimAbandoned(): Promise<void> {
    return Promise.reject(new GambitError('the relay itself ends abandoned games of this dialect'));
  }

  async #send(
    kind: number,
    content: string,
    tags: string[][],
    options?: { onSigned: () => void; createdAt: number },
  ): Promise<void> {
    await this.#context.publish(kind, content, [['e', this.#id, '', 'root'], ...tags], options);
  }
}
