import { isHex64, Kind, players, tagValues } from './events.js';
import type { Filter, VerifiedEvent } from './types.js';

const MAX_PLAYERS = 200;
const RECENT_GAMES = 100;

/**
 * The players whose invites and comments have queries of their own, because strangers can fill those for
 * everybody's: recent opponents and whom the player follows (NIP-02), at most 200.
 */
export class Acquaintances {
  readonly #pubkey: string;
  readonly #keys = new Set<string>();

  constructor(pubkey: string) {
    this.#pubkey = pubkey;
  }

  get keys(): string[] {
    return [...this.#keys];
  }

  has(pubkey: string): boolean {
    return this.#keys.has(pubkey);
  }

  /** Adds a player; beyond 200, the one that was added first is forgotten. */
  add(pubkey: string | undefined): void {
    if (!isHex64(pubkey) || pubkey === this.#pubkey) {
      return;
    }
    this.#keys.delete(pubkey);
    this.#keys.add(pubkey);
    if (this.#keys.size > MAX_PLAYERS) {
      this.#keys.delete(this.keys[0] as string);
    }
  }

  async find(query: (...filters: Filter[]) => Promise<VerifiedEvent[]>, referee: string): Promise<void> {
    const events = await query(
      { kinds: [Kind.record], authors: [referee], '#p': [this.#pubkey], limit: RECENT_GAMES },
      { kinds: [Kind.follows], authors: [this.#pubkey], limit: 1 },
    );
    const [records, lists] = [Kind.record, Kind.follows].map(kind => events.filter(it => it.kind === kind));
    const found = (records ?? []).flatMap(it => players(it) ?? []).concat(tagValues(lists?.[0], 'p'));
    const others = found.filter(key => isHex64(key) && key !== this.#pubkey);
    // Those before are opponents of games that have begun meanwhile. The first are kept longest.
    [...new Set([...this.keys, ...others])].slice(0, MAX_PLAYERS).reverse().forEach(key => this.add(key));
  }
}
