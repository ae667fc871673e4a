import { GambitClient, SignerError, type Game, type Status } from 'gambit-client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { playedFrom } from '../board/line.js';
import { closeSigner, identityMethod, restoredIdentity, type GuestIdentity, type Identity } from '../identity/identity.js';
import { t } from '../language/t.js';
import { oneLine } from '../ui/names.js';
import { notify, reasonOf } from '../ui/notices.js';
import { Matchmaking } from './matchmaking.js';
import { Profiles } from './profiles.js';
import { Listeners, useNotifications } from './store.js';

/** Between two attempts to reconnect: a clock may be running. */
const LONGEST_WAIT_MILLISECONDS = 5_000;

/** The longest message of the relay that is shown whole. */
const MAX_NOTICE_LENGTH = 200;

/** One player at the relay. It exists once the client was ready for the first time; every page works with it. */
export interface Session {
  client: GambitClient;
  identity: Identity;
  /** The player's own public key. */
  pubkey: string;
  matchmaking: Matchmaking;
  profiles: Profiles;
}

/** Why a session could not begin. */
export interface SessionFailure {
  /** A sentence. */
  readonly reason: string;
  /** Whether it was the signer that failed, and not the relay. */
  readonly isSigning: boolean;
}

/** Makes the session of the stored identity, and another one after signing in or out. */
export class SessionHolder {
  readonly #listeners = new Listeners();
  readonly #relay: string;
  readonly #onGame: (game: Game) => void;
  #session?: Session | undefined;
  #connecting?: GambitClient | undefined;
  #identity?: Identity | undefined;
  #failure?: SessionFailure | undefined;
  #isLocked = false;
  readonly #seenGames = new Set<string>();

  /** @param onGame is called once for each live game of this player that has just begun */
  constructor(relay: string, onGame: (game: Game) => void) {
    this.#relay = relay;
    this.#onGame = onGame;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  /** Why there is no session, if it has failed. */
  get failure(): SessionFailure | undefined {
    return this.#failure;
  }

  /** Whether there is no session because the stored key is encrypted: the user has to give the passphrase. */
  get isLocked(): boolean {
    return this.#isLocked;
  }

  /** How the user who is being connected signs. */
  get method(): Identity['method'] {
    return this.#identity?.method ?? identityMethod();
  }

  /** Whether the signer is waited for, perhaps because it asks the user: for the key, or to sign the login. */
  get isSigning(): boolean {
    const client = this.#connecting;
    return !this.#session && !this.#failure && (!client?.pubkey || client.isReached);
  }

  get status(): Status {
    if (this.#isLocked) return 'closed';
    return (this.#session?.client ?? this.#connecting)?.status ?? 'connecting';
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** Begins with the identity that used this browser last; the session before ends. */
  async start(): Promise<void> {
    try {
      const identity = await restoredIdentity();
      if (identity) return await this.use(identity);
      this.#end();
      this.#isLocked = true;
      this.#listeners.notify();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failure = { reason: reasonOf(error), isSigning: error instanceof SignerError };
    this.#listeners.notify();
  }

  /**
   * Plays as somebody else from now on; the session before ends. Resolves when the relay has been
   * reached. Where the new identity does not get that far, `failure` says why.
   */
  async use(identity: Identity): Promise<void> {
    this.#end();
    this.#identity = identity;
    const client = new GambitClient(this.#relay, {
      signer: identity.signer,
      rules: { play: playedFrom },
      connectTimeout: Infinity,
      backoff: { max: LONGEST_WAIT_MILLISECONDS },
    });
    this.#connecting = client;
    client.on('status', () => this.#listeners.notify());
    client.on('membership', (isMember) => this.#membershipChanged(client, isMember));
    client.on('game', (game) => this.#gameBegan(client, game));
    client.on('notice', (text) => notify(oneLine(text, MAX_NOTICE_LENGTH) ?? '', 'problem'));
    this.#listeners.notify();
    try {
      await client.connect();
    } catch (error) {
      if (this.#connecting === client) this.#fail(error);
      return;
    }
    if (this.#connecting !== client) return;
    this.#session = {
      client,
      identity,
      pubkey: client.pubkey,
      matchmaking: new Matchmaking(client),
      profiles: new Profiles(client),
    };
    this.#listeners.notify();
  }

  /** The key of the session is stored in another way from now on. */
  storedAs(identity: GuestIdentity): void {
    if (!this.#session) return;
    this.#identity = identity;
    this.#session = { ...this.#session, identity };
    this.#listeners.notify();
  }

  #end(): void {
    this.#session?.matchmaking.close();
    this.#session?.client.close();
    closeSigner(this.#identity);
    this.#connecting?.close();
    this.#identity = undefined;
    this.#connecting = undefined;
    this.#session = undefined;
    this.#failure = undefined;
    this.#isLocked = false;
  }

  #membershipChanged(client: GambitClient, isMember: boolean): void {
    if (this.#session?.client !== client) return;
    notify(isMember ? t('You are a member of this relay now.') : t('You are no longer a member of this relay.'));
    this.#listeners.notify();
  }

  /**
   * A game that was found running keeps the user where they are, unless it has only just begun:
   * then the first move is due within half a minute. Slow games keep the user where they are, and so does
   * a second live game, which some players may have.
   */
  #gameBegan(client: GambitClient, game: Game): void {
    if (this.#seenGames.has(game.id)) return;
    this.#seenGames.add(game.id);
    const isLive = game === client.currentGame;
    const playsAnother = client.games.some((other) => other !== game && !other.isSlow);
    if (client === this.#connecting && isLive && !playsAnother && game.ply < 2) this.#onGame(game);
    this.#listeners.notify();
  }
}

/** The session of the page; set by the application around every page. */
export const SessionContext = createContext<{ holder: SessionHolder; session: Session | undefined } | undefined>(
  undefined,
);

/** The holder of sessions, for the application's frame and for signing in and out. */
export function useSessionHolder(): SessionHolder {
  const { holder } = useContext(SessionContext)!;
  useNotifications(holder.subscribe, holder);
  return holder;
}

/** The session; only within pages, which are rendered once there is one. */
export function useSession(): Session {
  const session = useContext(SessionContext)?.session;
  if (!session) throw new Error('there is no session yet');
  return session;
}
