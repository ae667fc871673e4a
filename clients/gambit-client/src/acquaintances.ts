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

  add(pubkey: string | undefined): void {
    if (isHex64(pubkey) && pubkey !== this.#pubkey && this.#keys.size < MAX_PLAYERS) {
      this.#keys.add(pubkey);
    }
  }

  async find(query: (...filters: Filter[]) => Promise<VerifiedEvent[]>, referee: string): Promise<void> {
    const events = await query(
      { kinds: [Kind.record], authors: [referee], '#p': [this.#pubkey], limit: RECENT_GAMES },
      { kinds: [Kind.follows], authors: [this.#pubkey], limit: 1 },
    );
    const [records, lists] = [Kind.record, Kind.follows].map(kind => events.filter(it => it.kind === kind));
    for (const key of (records ?? []).flatMap(it => players(it) ?? []).concat(tagValues(lists?.[0], 'p'))) {
      this.add(key);
    }
  }
}
