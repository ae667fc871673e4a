/** What a player has proposed in a game, and what came of it. */
import type { Game, Proposal } from 'gambit-client';
import { load, save } from '../app/storage.js';
import { Listeners } from '../app/store.js';

/** The plies between two draw offers of one side, by the relay's rule. */
const PLIES_BETWEEN_OFFERS = 20;
/** The most games whose last offer is remembered: those that a player can play at once. */
const MAX_REMEMBERED = 60;

/** The part of the library's game that is followed. */
export type ProposalSource = Pick<Game, 'id' | 'color' | 'ply' | 'turn' | 'proposal' | 'result' | 'on'>;

/**
 * The own proposals of a player in one game: when the next draw offer and takeback request are allowed, and
 * whether the opponent has declined. A proposal is declined by an answer, which the next state shows by the proposal's
 * absence, or by a move. The ply of the last draw offer outlives the page.
 */
export class OwnProposals {
  readonly #game: ProposalSource;
  readonly #listeners = new Listeners();
  readonly #unsubscribe: () => void;
  #before: (Proposal & { ply: number }) | undefined;
  #offeredAt: number | undefined;
  #askedAt: number | undefined;
  #declined: { kind: Proposal['kind']; ply: number } | undefined;

  constructor(game: ProposalSource) {
    this.#game = game;
    this.#offeredAt = remembered().find(([id]) => id === game.id)?.[1];
    this.#unsubscribe = game.on('change', () => this.#update());
    this.#update();
  }

  close(): void {
    this.#unsubscribe();
  }

  /** Adds a listener for declined proposals; returns the function that removes it. */
  readonly onDeclined = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** The kind of the last proposal, from its being declined until the player's next move. */
  get declined(): Proposal['kind'] | undefined {
    return this.#declined?.kind;
  }

  /** The number of moves until a draw may be offered again; 0 if it may be now. */
  get movesUntilOffer(): number {
    const plies = this.#offeredAt === undefined ? 0 : this.#offeredAt + PLIES_BETWEEN_OFFERS - this.#game.ply;
    return Math.ceil(Math.max(0, plies) / 2);
  }

  /** Whether the player has asked for a takeback already since the last move. */
  get hasAskedTakeback(): boolean {
    return this.#askedAt === this.#game.ply;
  }

  #update(): void {
    const { proposal, color, ply, turn, result } = this.#game;
    const before = this.#before;
    this.#before = proposal && { ...proposal, ply };
    if (this.#declined && (proposal || (ply !== this.#declined.ply && turn !== color))) {
      this.#declined = undefined;
    }
    if (proposal) {
      if (proposal.by === color && (before?.by !== color || before?.kind !== proposal.kind)) {
        this.#proposed(proposal.kind, ply);
      }
    } else if (before && before.by === color && result === undefined) {
      const isAccepted = before.kind === 'takeback' && ply < before.ply;
      if (!isAccepted) {
        this.#declined = { kind: before.kind, ply };
        this.#listeners.notify();
      }
    }
  }

  #proposed(kind: Proposal['kind'], ply: number): void {
    if (kind === 'takeback') {
      this.#askedAt = ply;
    } else if (this.movesUntilOffer === 0) {
      this.#offeredAt = ply;
      const others = remembered().filter(([id]) => id !== this.#game.id);
      save('draw-offers', JSON.stringify([[this.#game.id, ply], ...others].slice(0, MAX_REMEMBERED)));
    }
  }
}

function remembered(): [id: string, ply: number][] {
  try {
    const stored: unknown = JSON.parse(load('draw-offers') ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => Array.isArray(one) && Number.isInteger(one[1])) : [];
  } catch {
    return [];
  }
}
