import { deferred } from './deferred.js';
import { RefusedError } from './errors.js';
import { Kind } from './events.js';
import type { VerifiedEvent } from './types.js';
import type { GameContext } from './game-context.js';

const NOT_WRITTEN = 'restricted: only members may write here';
const NOT_READ = 'restricted: only members may read here';

/**
 * Whether a player is a member of a relay that is for members (NIP-43): by the newest event that adds or removes the
 * player, otherwise by the list of members.
 */
export class Membership {
  readonly #onChange: (isMember: boolean) => void;
  readonly #known = deferred<void>();
  #isMember = false;
  #isShutOut = false;

  constructor(onChange: (isMember: boolean) => void) {
    this.#onChange = onChange;
  }

  get isMember(): boolean {
    return this.#isMember;
  }

  /** Whether the relay lets nobody read but members, and the player is none. */
  get isShutOut(): boolean {
    return this.#isShutOut;
  }

  /** Resolves once the relay has said it for the first time. */
  get known(): Promise<void> {
    return this.#known.promise;
  }

  /** Follows the player's membership over a new connection. */
  follow({ referee, pubkey, subscribe, query }: GameContext): void {
    let stored: VerifiedEvent[] = [];
    const inList = async (): Promise<void> => {
      const [list] = await query({ kinds: [Kind.members], authors: [referee], limit: 1 });
      this.is(list?.tags.some(([name, key]) => name === 'member' && key === pubkey) ?? false);
    };
    subscribe([{ kinds: [Kind.memberAdded, Kind.memberRemoved], authors: [referee], '#p': [pubkey], limit: 2 }], {
      onevent: (event, isStored) => {
        if (isStored) {
          stored.push(event);
        } else {
          this.is(event.kind === Kind.memberAdded);
        }
      },
      oneose: () => {
        const [newest, before] = stored.sort((a, b) => b.created_at - a.created_at);
        stored = [];
        // Who became a member while the relay was for everybody is in its list only.
        const isClear = newest?.kind === Kind.memberAdded && newest.created_at !== before?.created_at;
        const search = isClear ? Promise.resolve(this.is(true)) : inList().catch(() => undefined);
        void search.then(() => this.#known.resolve());
      },
      onclose: reason => {
        this.notRead(reason);
        this.#known.resolve();
      },
    });
  }

  is(isMember: boolean): void {
    const isNew = isMember !== this.#isMember || this.#isShutOut;
    this.#isMember = isMember;
    this.#isShutOut = false;
    if (isNew) {
      this.#onChange(isMember);
    }
  }

  /** A subscription was refused; returns whether that is because the player is no member. */
  notRead(reason: string): boolean {
    if (reason !== NOT_READ) {
      return false;
    }
    const isNew = !this.#isShutOut;
    this.#isMember = false;
    this.#isShutOut = true;
    if (isNew) {
      this.#onChange(false);
    }
    return true;
  }

  /** An event was taken: its author may write, as a member or for another reason. */
  written(kind: number): void {
    if (kind !== Kind.join && kind !== Kind.leave && !this.#isShutOut && !this.#isMember) {
      this.is(true);
    }
  }

  /** An event was refused. */
  notWritten(error: unknown): void {
    if (error instanceof RefusedError && error.message === NOT_WRITTEN && this.#isMember) {
      this.is(false);
    }
  }
}
