/** Whom a player follows (NIP-02). The list may be another program's as well: whatever else is in it is kept. */
import type { GambitClient, VerifiedEvent } from 'gambit-client';
import { Listeners } from '../app/store.js';
import { t } from '../language/t.js';

const KIND = 3;
const HEX_KEY = /^[0-9a-f]{64}$/;

/** The players that are shown, and whose presence is asked for; of a longer list, those that were added last. */
export const MAX_FRIENDS = 500;

type List = Pick<VerifiedEvent, 'tags' | 'content'>;

/** The public keys of a list, without repetitions, the last added first; at most 500. */
export function friendsOf(list: List | undefined): string[] {
  const keys = new Set<string>();
  for (const [name, key] of [...(list?.tags ?? [])].reverse()) {
    if (keys.size === MAX_FRIENDS) break;
    if (name === 'p' && HEX_KEY.test(key ?? '')) keys.add(key!);
  }
  return [...keys];
}

/** The list with one more player, or without; undefined if that is how it is already. */
export function withFriend(list: List | undefined, pubkey: string, isFriend: boolean): List | undefined {
  const { tags, content } = list ?? { tags: [], content: '' };
  const isMeant = ([name, key]: string[]) => name === 'p' && key === pubkey;
  if (tags.some(isMeant) === isFriend) return undefined;
  return { tags: isFriend ? [...tags, ['p', pubkey]] : tags.filter((tag) => !isMeant(tag)), content };
}

/** The player has no list here, but may have one elsewhere, which a new one would replace. */
export class ListMissing extends Error {}

/** The player's list at this relay, followed for changes that other programs and devices make. */
export class Follows {
  readonly #client: GambitClient;
  readonly #listeners = new Listeners();
  #newest: VerifiedEvent | undefined;
  #friends: readonly string[] = [];
  #isKnown = false;
  /** The changes are made one after the other, each to the list that the one before has made. */
  #last: Promise<void> = Promise.resolve();

  constructor(client: GambitClient) {
    this.#client = client;
    client.subscribe([{ kinds: [KIND], authors: [client.pubkey], limit: 1 }], {
      onevent: (event) => this.#take(event),
      oneose: () => this.#known(),
      // A change then fails with the reason.
      onclose: () => this.#known(),
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** Whether the relay has answered. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** The players that are followed, the last added first. */
  get friends(): readonly string[] {
    return this.#friends;
  }

  /** Whether a player is followed. */
  has(pubkey: string): boolean {
    return this.#newest?.tags.some(([name, key]) => name === 'p' && key === pubkey) ?? false;
  }

  /**
   * Follows a player, or no longer. The newest list is fetched before; if that fails, nothing is changed.
   *
   * @param mayBegin whether a list may be begun where this relay has none
   * @throws ListMissing if it may not
   */
  change(pubkey: string, isFriend: boolean, mayBegin: boolean): Promise<void> {
    const change = this.#last.then(() => this.#change(pubkey, isFriend, mayBegin));
    this.#last = change.catch(() => undefined);
    return change;
  }

  #known(): void {
    this.#isKnown = true;
    this.#listeners.notify();
  }

  async #change(pubkey: string, isFriend: boolean, mayBegin: boolean): Promise<void> {
    await this.#fetch();
    const before = this.#newest;
    if (!before && !mayBegin) throw new ListMissing();
    const list = withFriend(before, pubkey, isFriend);
    if (!list) return;
    const now = Math.floor(this.#client.relayTime / 1000);
    // Of two versions of one second, the relay keeps the one with the lower id.
    const created_at = Math.max(now, (before?.created_at ?? 0) + 1);
    await this.#client.publish({ kind: KIND, ...list, created_at });
    await this.#fetch();
    if (this.has(pubkey) !== isFriend) {
      throw new Error(t('Another program has changed the list at the same time. Please try again.'));
    }
  }

  async #fetch(): Promise<void> {
    const [found] = await this.#client.query({ kinds: [KIND], authors: [this.#client.pubkey], limit: 1 });
    if (found) this.#take(found);
  }

  #take(event: VerifiedEvent): void {
    const before = this.#newest;
    if (before && (event.created_at < before.created_at || (event.created_at === before.created_at && event.id >= before.id))) return;
    this.#newest = event;
    this.#friends = friendsOf(event);
    this.#listeners.notify();
  }
}

const ofClients = new WeakMap<GambitClient, Follows>();

/** The list of a session's player; there is one for each client. */
export function followsOf(client: GambitClient): Follows {
  let follows = ofClients.get(client);
  if (!follows) {
    follows = new Follows(client);
    ofClients.set(client, follows);
  }
  return follows;
}
