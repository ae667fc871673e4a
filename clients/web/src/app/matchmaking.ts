import {
  InviteEndedError,
  type Color,
  type Game,
  type GambitClient,
  type InviteOptions,
  type ReceivedInvite,
  type SentInvite,
  parseTimeControl,
} from 'gambit-client';
import { countFinished } from '../identity/nudge.js';
import { notify, notifyFailure } from '../ui/notices.js';
import { rememberTime } from './last-time.js';
import { byUrgency, isOwnTurn } from './own-games.js';
import { hrefOf, navigate } from './router.js';
import { dropSecrets, invitesWithSecret, keepSecret, secretOf } from './link-secrets.js';
import { load, save } from './storage.js';
import { Listeners, useNotifications } from './store.js';
import { t } from '../language/t.js';

/** The most received invites that are kept, of strangers and of others; further ones are dropped. */
const MAX_RECEIVED = 20;
/** The most of one author. */
const MAX_OF_AUTHOR = 2;

/** The most challenges of kind 30 that stay dismissed: those that the library lists. */
const MAX_DISMISSED = 200;

/** The longest time that a timer of browsers can wait. */
const LONGEST_TIMER_MILLISECONDS = 2 ** 31 - 1;

/** A received invite, or a challenge of kind 30. */
export type Received = ReceivedInvite & { readonly isStart?: true };

/** An invite of this player that waits for an answer. */
export interface PendingInvite {
  readonly id: string;
  readonly opponent?: string;
  readonly time: string;
  readonly color: Color | 'random';
  readonly unlisted: boolean;
  readonly rated: boolean;
  /** Whether only a link with its secret leads to a game. */
  readonly needsSecret: boolean;
  /** The secret, if it is known in this browser. */
  readonly secret?: string;
  /** Whether the relay's own player was invited, which answers at once. */
  readonly toHouse: boolean;
}

/** How this player comes to a game: the search, the invites sent, and those received. */
export class Matchmaking {
  readonly #client: GambitClient;
  readonly #listeners = new Listeners();
  readonly #sent = new Map<string, PendingInvite & { withdraw(): Promise<void> }>();
  #received: readonly ReceivedInvite[] = [];
  #challenges: readonly Received[] = [];
  #begun: readonly Game[] = [];
  /** The acceptances of this page that lead to a game in a moment. */
  #accepting = 0;
  #expiryTimer?: ReturnType<typeof setTimeout>;
  #closed = false;

  constructor(client: GambitClient) {
    this.#client = client;
    client.on('game', (game) => {
      // The library ends the invite that has led to the game; the others still wait, for when it is over.
      // A rematch request is over with the next game of its players.
      this.#received = this.#received.filter(
        ({ kind, author }) => kind !== 'rematch' || (author !== game.white && author !== game.black),
      );
      this.#noticeBegun(game);
      if (!game.result) game.on('ended', () => this.#ended(game));
      void this.#findSent();
    });
    client.on('games', () => this.#changed());
    client.on('invite', (invite) => this.#receive(invite));
    client.on('rematch', (invite) => this.#receive(invite));
    client.on('challengesbykind30', () => this.#readChallenges());
    this.#readChallenges();
    client.on('rejected', ({ inviteId }) => {
      if (this.#sent.delete(inviteId)) notify(t('Your invitation was declined.'));
      this.#changed();
    });
    client.on('inviteexpired', ({ inviteId }) => {
      if (this.#sent.delete(inviteId)) notify(t('Nobody has accepted your invitation in time.'));
      this.#changed();
    });
    void this.#findSent();
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** The player's running live game. */
  get game(): Game | undefined {
    return this.#client.currentGame;
  }

  /** The player's running slow games: those that wait for the player first, then those with the least time. */
  get slowGames(): readonly Game[] {
    return byUrgency(this.#client.games.filter((game) => this.#isSlow(game)));
  }

  /** The running games that wait for the player's move, the live one first. */
  get waiting(): readonly Game[] {
    return [...(this.game ? [this.game] : []), ...this.slowGames].filter(isOwnTurn);
  }

  /** The slow games that have begun while the player was doing something else, and were not opened since. */
  get begun(): readonly Game[] {
    return this.#begun.filter((game) => game.result === undefined);
  }

  /** The user has opened a game, or does not want to at the moment. */
  noticed(game: string): void {
    this.#begun = this.begun.filter(({ id }) => id !== game);
    this.#changed();
  }

  /** Whether a game with this time control could begin now, as far as this player's games are concerned. */
  canBegin(time: string): boolean {
    const { slow_games: max } = this.#client.info.chess;
    const counted = this.slowGames.filter(({ dialect }) => dialect === 'nip100');
    return max > 0 && parseTimeControl(time)?.slow ? counted.length < max : this.game === undefined;
  }

  /** Whether a game runs beside live ones. */
  #isSlow(game: Game): boolean {
    return game.dialect === 'jester' || (game.isSlow && this.#client.info.chess.slow_games > 0);
  }

  /** Announces a slow game, unless the user has just asked for it and it opens, or is open. */
  #noticeBegun(game: Game): void {
    const isOpen = location.hash === hrefOf({ page: 'game', id: game.id });
    if (!this.#isSlow(game) || isOpen || this.#accepting > 0 || this.#isHouse(game.opponent)) return;
    this.#begun = [...this.begun, game];
    if (this.game) notify(t('A slow game of yours has begun. You find it in the lobby.'));
  }

  #ended(game: Game): void {
    if (game.result !== '*') countFinished(this.#client.pubkey, game.id);
    this.#changed();
  }

  /** Opens a slow game that the user has just asked for; live games open by themselves. */
  #open(game: Game): void {
    if (this.#isSlow(game) && !this.game) navigate({ page: 'game', id: game.id });
  }

  #isHouse(pubkey: string | undefined): boolean {
    return pubkey !== undefined && pubkey === this.#client.info.house?.pubkey;
  }

  /** The time control that is searched for. */
  get searchTime(): string | undefined {
    return this.#client.currentSearch?.time;
  }

  /** Whether a rated game is searched for. */
  get searchRated(): boolean {
    return this.#client.currentSearch?.rated ?? false;
  }

  get sent(): readonly PendingInvite[] {
    return [...this.#sent.values()];
  }

  /**
   * The direct invites and requests for a rematch that wait for this player's answer. Oldest first, so that
   * a new invite never replaces the one that the user is about to accept. Those of strangers push away no others.
   * Challenges of other clients follow.
   */
  get received(): readonly Received[] {
    return [...this.#received, ...this.#challenges];
  }

  async search(time: string, rated = false): Promise<void> {
    try {
      if (this.#client.currentSearch) await this.#client.currentSearch.cancel();
      const search = await this.#client.search(time, { rated });
      search.game.then(() => this.#changed(), () => this.#changed());
    } catch (error) {
      notifyFailure(error);
    }
    this.#changed();
  }

  async cancelSearch(): Promise<void> {
    try {
      await this.#client.currentSearch?.cancel();
    } catch (error) {
      notifyFailure(error);
    }
    this.#changed();
  }

  /** Sends an invite. Returns it once the relay has taken it, or undefined after showing why not. */
  async invite(options: InviteOptions): Promise<PendingInvite | undefined> {
    try {
      const sent = await this.#client.invite(options);
      const { id, secret } = sent;
      if (options.time !== undefined && !this.#isHouse(options.opponent)) rememberTime(options.time);
      if (secret !== undefined) keepSecret({ invite: id, author: this.#client.pubkey, secret });
      return this.#track(sent, options, secret !== undefined);
    } catch (error) {
      notifyFailure(error);
      return undefined;
    }
  }

  /** Withdraws an invite of this player, also one that was sent elsewhere. */
  async withdraw(id: string): Promise<void> {
    try {
      await (this.#sent.get(id)?.withdraw() ?? this.#client.reject(id));
    } catch (error) {
      notifyFailure(error);
    } finally {
      // Of an invite that is over already the relay says so, and it has to go as well.
      this.#sent.delete(id);
      this.#changed();
    }
  }

  /**
   * Accepts an invite; the game then begins like any other. Returns false after showing why it did not.
   *
   * @param secret of the link to the invite, if it has one
   */
  async accept(id: string, secret?: string): Promise<boolean> {
    this.#accepting++;
    try {
      this.#open(await this.#client.accept(id, { secret }));
      return true;
    } catch (error) {
      notifyFailure(error);
      return false;
    } finally {
      this.#accepting--;
      this.#forget(id);
    }
  }

  /** Opens the board of a start of kind 30, for its second player; the game begins with that player's first move. */
  async take(start: string): Promise<void> {
    try {
      await this.#client.takeStart(start);
      navigate({ page: 'game', id: start });
    } catch (error) {
      notifyFailure(error);
    }
  }

  /** Withdraws a start of kind 30 of this player. */
  async withdrawStart(start: string): Promise<void> {
    try {
      await this.#client.publish({ kind: 5, content: '', tags: [['e', start], ['k', '30']] });
    } catch (error) {
      notifyFailure(error);
    }
  }

  /** Shows a challenge of kind 30 no more: its protocol has no answer that declines. */
  dismiss(start: string): void {
    save('dismissed', [start, ...dismissed()].slice(0, MAX_DISMISSED).join(' '));
    this.#readChallenges();
  }

  async reject(id: string): Promise<void> {
    this.#forget(id);
    try {
      await this.#client.reject(id);
    } catch (error) {
      notifyFailure(error);
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#expiryTimer);
  }

  #track(
    sent: SentInvite,
    options: Pick<InviteOptions, 'opponent' | 'time' | 'color' | 'unlisted' | 'rated'>,
    needsSecret: boolean,
  ): PendingInvite {
    const pending = {
      id: sent.id,
      opponent: options.opponent,
      time: options.time ?? this.#client.info.chess.default_time,
      color: options.color ?? 'random',
      unlisted: options.unlisted ?? false,
      rated: options.rated ?? false,
      needsSecret,
      secret: sent.secret,
      toHouse: this.#isHouse(options.opponent),
      withdraw: () => sent.withdraw(),
    };
    this.#sent.set(sent.id, pending);
    sent.game.then((game) => pending.toHouse && this.#open(game)).catch((error: unknown) => {
      if (!this.#closed && !(error instanceof InviteEndedError)) notifyFailure(error);
    }).finally(() => {
      this.#sent.delete(sent.id);
      this.#changed();
    });
    this.#changed();
    return pending;
  }

  /** Invites that were sent before the page was loaded, or by another program of this player. */
  async #findSent(): Promise<void> {
    // Not those that another window keeps while the relay is asked.
    const invites = invitesWithSecret(this.#client.pubkey);
    try {
      for (const invite of await this.#client.sentInvites()) {
        if (invite.kind !== 'invite' || this.#sent.has(invite.id)) continue;
        const { opponent, color, time, unlisted, rated, secretHash } = invite;
        const secret = secretHash === undefined ? undefined : secretOf(invite.id);
        this.#track({ ...invite, secret }, { opponent, color, time: time?.text, unlisted, rated }, secretHash !== undefined);
      }
      dropSecrets(invites.filter((id) => !this.#sent.has(id)));
      this.#changed();
    } catch {
      // The lobby shows one's own listed invites as well; nothing is lost but the unlisted ones.
    }
  }

  #receive(invite: ReceivedInvite): void {
    this.#received = withInvite(this.#received, invite);
    this.#forgetExpired();
  }

  /** Drops the invites whose time is over, and waits for the next such moment. */
  #forgetExpired(): void {
    clearTimeout(this.#expiryTimer);
    const now = this.#client.relayTime;
    this.#received = this.#received.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
    const next = Math.min(...this.#received.map(({ expiresAt }) => expiresAt ?? Infinity));
    if (next !== Infinity) {
      this.#expiryTimer = setTimeout(() => this.#forgetExpired(), Math.min(next - now, LONGEST_TIMER_MILLISECONDS));
    }
    this.#changed();
  }

  /** The newest challenges of kind 30, of each author as many as of invites. */
  #readChallenges(): void {
    const hidden = dismissed();
    const counts = new Map<string, number>();
    const shown = this.#client.challengesByKind30.filter(({ id, author }) => {
      const count = hidden.includes(id) ? MAX_OF_AUTHOR : (counts.get(author) ?? 0);
      if (count < MAX_OF_AUTHOR) counts.set(author, count + 1);
      return count < MAX_OF_AUTHOR;
    });
    this.#challenges = shown.slice(0, MAX_RECEIVED).reverse().map((start) => ({ ...start, kind: 'invite', isStart: true }));
    this.#changed();
  }

  #forget(id: string): void {
    this.#received = this.#received.filter((invite) => invite.id !== id);
    this.#changed();
  }

  #changed(): void {
    if (!this.#closed) this.#listeners.notify();
  }
}

function dismissed(): string[] {
  return load('dismissed')?.split(' ') ?? [];
}

/** The received invites with one more, unless there are too many. Of one author, the oldest and the newest are kept. */
export function withInvite(received: readonly ReceivedInvite[], invite: ReceivedInvite): readonly ReceivedInvite[] {
  if (received.some(({ id }) => id === invite.id)) return received;
  const replaced = received.filter(({ author }) => author === invite.author)[MAX_OF_AUTHOR - 1];
  const others = received.filter((other) => other !== replaced);
  const ofGroup = others.filter((other) => isFromStranger(other) === isFromStranger(invite));
  return ofGroup.length < MAX_RECEIVED ? [...others, invite] : received;
}

/** Whether an invite is from neither a recent opponent nor somebody whom the player follows. */
export function isFromStranger({ isFromAcquaintance }: ReceivedInvite): boolean {
  return isFromAcquaintance !== true;
}

/** The matchmaking of a session; the component is rendered again when it changes. */
export function useMatchmaking(matchmaking: Matchmaking): Matchmaking {
  useNotifications(matchmaking.subscribe, matchmaking);
  return matchmaking;
}
