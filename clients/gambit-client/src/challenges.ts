import type { Filter } from 'nostr-tools/filter';
import type { NostrEvent } from 'nostr-tools/pure';
import { Kind, rootGame, tagValue } from './events.js';
import type { GameContext } from './game-context.js';
import { hashOfPlayer, isFor, parseStart, START } from './kind30.js';
import type { ReceivedStart } from './types.js';

/** Few, since their authors may have made each as long as an event may be. */
const MAX_CHALLENGES = 50;

/** The starts by kind 30 that challenge this player and are neither running nor over; at most 50. */
export class Challenges {
  readonly #context: GameContext;
  readonly #onChange: (all: readonly ReceivedStart[]) => void;
  readonly #filters: Filter[];
  #stored: ReceivedStart[] = [];
  #all: readonly ReceivedStart[] = [];

  /** @param onChange called with those that stand, newest first */
  constructor(context: GameContext, onChange: (all: readonly ReceivedStart[]) => void) {
    this.#context = context;
    this.#onChange = onChange;
    const wanted = { kinds: [Kind.jester], limit: MAX_CHALLENGES };
    this.#filters = [
      { ...wanted, '#e': [START], '#p': [context.pubkey] },
      { ...wanted, '#e': [hashOfPlayer(context.pubkey)] },
    ];
    context.subscribe(this.#filters, {
      onevent: (event, stored) => {
        const found = this.#read(event);
        if (stored) {
          this.#stored = [...this.#stored, ...found].slice(0, 2 * MAX_CHALLENGES);
        } else {
          this.#show([...this.#all, ...found]);
        }
      },
      oneose: () => {
        const stored = this.#stored;
        this.#stored = [];
        this.#all = this.#all.filter(({ id }) => stored.some(it => it.id === id)); // others were withdrawn
        void this.#add(stored).catch(() => undefined);
      },
    });
  }

  get all(): readonly ReceivedStart[] {
    return this.#all;
  }

  /** Finds those of acquaintances, which those of strangers may have displaced. */
  async findOf(authors: string[]): Promise<void> {
    const events = await this.#context.query(...this.#filters.map(filter => ({ ...filter, authors })));
    await this.#add(events.flatMap(event => this.#read(event)));
  }

  /** Takes an event of the relay for the player: a state or a record tells that a challenge was answered. */
  take(event: NostrEvent): void {
    this.#show(this.#all.filter(({ id }) => id !== gameOf(event)));
  }

  #read(event: NostrEvent): ReceivedStart[] {
    const start = parseStart(event);
    if (!start || !isFor(start, this.#context.pubkey)) {
      return [];
    }
    return [{ id: start.id, author: start.author, color: start.color, at: event.created_at * 1000 }];
  }

  /** Adds those that are neither running nor over. */
  async #add(found: readonly ReceivedStart[]): Promise<void> {
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) {
      return;
    }
    const authors = [this.#context.referee];
    const events = await this.#context.query(
      { kinds: [Kind.record], authors, '#e': ids },
      { kinds: [Kind.state], authors, '#d': ids },
    );
    const answered = new Set(events.map(gameOf));
    this.#show([...this.#all, ...found.filter(({ id }) => !answered.has(id))]);
  }

  #show(all: readonly ReceivedStart[]): void {
    const before = this.#all;
    const unique = [...new Map(all.map(it => [it.id, it])).values()];
    this.#all = unique.sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1)).slice(0, MAX_CHALLENGES);
    if (this.#all.length !== before.length || this.#all.some(({ id }, i) => id !== before[i]?.id)) {
      this.#onChange(this.#all);
    }
  }
}

function gameOf(event: NostrEvent): string | undefined {
  return event.kind === Kind.state ? tagValue(event, 'd') : rootGame(event);
}
