import type { GambitClient, Profile } from 'gambit-client';
import { useEffect } from 'preact/hooks';
import { useSession } from './session.js';
import { Listeners, useNotifications } from './store.js';

/** The most profiles that are kept; beyond that, the oldest is forgotten and may be asked for again. */
const MAX_PROFILES = 2_000;

/** The profiles that components show: asked for once, and then at hand without waiting. */
export class Profiles {
  readonly #client: GambitClient;
  readonly #known = new Map<string, Profile>();
  /** The profiles that were asked for and have not been answered. */
  readonly #asked = new Set<string>();
  readonly #listeners = new Listeners();

  constructor(client: GambitClient) {
    this.#client = client;
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** The profile if it is known already. */
  get(pubkey: string): Profile | undefined {
    return this.#known.get(pubkey);
  }

  /**
   * Asks for a profile again whenever a component begins to show it. The library answers from its cache for ten
   * minutes, and queries a profile at once that it failed to get; until then the one before is shown.
   */
  want(pubkey: string): void {
    if (this.#asked.has(pubkey)) return;
    this.#asked.add(pubkey);
    void this.#client.profile(pubkey).then((profile) => {
      this.#asked.delete(pubkey);
      if (this.#known.get(pubkey) !== profile) this.set(profile);
    });
  }

  /** Shows a profile from now on, such as one's own that has just been changed. */
  set(profile: Profile): void {
    if (this.#known.size >= MAX_PROFILES) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(profile.pubkey, profile);
    this.#listeners.notify();
  }
}

/** A player's profile, undefined until it is known; the component is rendered again then. */
export function useProfile(pubkey: string): Profile | undefined {
  const { profiles } = useSession();
  useNotifications(profiles.subscribe, profiles);
  useEffect(() => profiles.want(pubkey), [profiles, pubkey]);
  return profiles.get(pubkey);
}
