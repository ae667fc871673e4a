import { matchFilters } from 'nostr-tools/filter';
import { Acquaintances } from './acquaintances.js';
import { Backoff } from './backoff.js';
import { Challenges } from './challenges.js';
import type { ClientEvents, ClientOptions, Subscription } from './client-options.js';
import { ClockDifference } from './clock.js';
import { Connection, type SubscriptionHandlers } from './connection.js';
import { dateOf, refineByDate } from './date-header.js';
import { deferred, type Deferred } from './deferred.js';
import { Emitter } from './emitter.js';
import { DisconnectedError, GambitError, RefusedError, TimeoutError } from './errors.js';
import { isChess, isHex64, Kind, nonce, rootGame, tagValue } from './events.js';
import type { GameContext } from './game-context.js';
import { Game } from './game.js';
import { GameList } from './game-list.js';
import { Invites, receivedInvite, type SentInvite } from './invites.js';
import { Lobby } from './lobby.js';
import { Membership } from './membership.js';
import { followPresence } from './presence.js';
import { Profiles } from './profiles.js';
import { parseRecord } from './records.js';
import { fetchRelayInfo } from './relay-info.js';
import { relayName } from './relay-name.js';
import { Searches, type Search } from './searches.js';
import { parseColor, parseState } from './states.js';
import type { WebSocketConstructor } from './signer.js';
import type {
  Category,
  EventTemplate,
  Filter,
  GameRecord,
  InviteOptions,
  PlayerStatus,
  Profile,
  ReceivedInvite,
  ReceivedStart,
  RelayInfo,
  Status,
  VerifiedEvent,
} from './types.js';

const MAX_EVENTS_OF_QUERY = 10_000;
const MAX_RECORDS = 500;
const MAX_INVITES = 200;
/** Seconds before the end of an event's freshness at which it is not sent any more. */
const FRESHNESS_MARGIN = 5;
const FIRST_BACKOFF = 500;
const MAX_BACKOFF = 15_000;
const CONNECT_TIMEOUT = 30_000;
const ANSWER_TIMEOUT = 10_000;

/**
 * A connection to a Gambit relay for one key. It logs in (NIP-42) by itself, and reconnects with back-off
 * until it is closed; then subscriptions are renewed, running games are resumed, and unanswered events
 * are sent again unchanged. Events with a wrong signature or from another author than expected are ignored.
 */
export class GambitClient extends Emitter<ClientEvents> {
  readonly url: string;
  readonly #name: string;
  readonly #options: ClientOptions;
  readonly #now: () => number;
  readonly #backoff: Backoff;
  readonly #difference = new ClockDifference();
  readonly #seenInvites = new Set<string>();
  /** Invites received before `connect()` has resolved, when nobody may be listening yet. */
  #earlyInvites: ReceivedInvite[] | undefined = [];
  readonly #profiles: Profiles;
  readonly #closing = new AbortController();
  #measurement?: Promise<void> | undefined;
  /** The id of the event from which the difference was measured last. */
  #lastMeasured?: string;
  #status: Status = 'connecting';
  #pubkey = '';
  #acquaintances = new Acquaintances('');
  #info?: RelayInfo;
  #connection?: Connection | undefined;
  #games?: GameList;
  #invites?: Invites;
  #searches?: Searches;
  #challenges?: Challenges;
  #membership?: Membership;
  #connecting?: Deferred<void>;

  /** @param url the relay's WebSocket, such as `ws://localhost:7447` */
  constructor(url: string, options: ClientOptions) {
    super();
    this.url = url;
    this.#name = relayName(url);
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#backoff = new Backoff(
      options.backoff?.first ?? FIRST_BACKOFF,
      options.backoff?.max ?? MAX_BACKOFF,
    );
    this.#profiles = new Profiles((...filters) => this.query(...filters), this.#now);
  }

  get status(): Status {
    return this.#status;
  }

  /** The signer's public key, once connected. */
  get pubkey(): string {
    return this.#pubkey;
  }

  /** Whether the relay has answered: its information is known. The login may still wait for the signer. */
  get isReached(): boolean {
    return this.#info !== undefined;
  }

  /** The relay's information, once connected. */
  get info(): RelayInfo {
    if (!this.#info) {
      throw new GambitError('the client is not connected yet');
    }
    return this.#info;
  }

  /** The running games of this player: at most one live one, slow ones, and at most 40 by kind 30. */
  get games(): readonly Game[] {
    return this.#games?.running ?? [];
  }

  /** The running live game of this player; where `slow_games` is 0, the only game. */
  get currentGame(): Game | undefined {
    return this.#games?.current;
  }

  /**
   * Whether this player is a member, or otherwise allowed to write, as far as the relay has shown it; undefined where
   * the relay is for everybody.
   */
  get isMember(): boolean | undefined {
    return this.#membership?.isMember;
  }

  /** Whether the relay lets members only read, and this player is none: only `join` succeeds. */
  get isShutOut(): boolean {
    return this.#membership?.isShutOut ?? false;
  }

  /** The running search of this player. */
  get currentSearch(): Search | undefined {
    return this.#searches?.current;
  }

  /** The challenges by kind 30 to this player that still stand, newest first; at most 50. `takeStart` opens one. */
  get challengesByKind30(): readonly ReceivedStart[] {
    return this.#challenges?.all ?? [];
  }

  /** Milliseconds by which this computer's clock is ahead of the relay's, once measured. */
  get clockDifference(): number | undefined {
    return this.#difference.milliseconds;
  }

  /** Epoch milliseconds of the relay now, as far as the difference is measured. */
  get relayTime(): number {
    return this.#now() - (this.#difference.milliseconds ?? 0);
  }

  /**
   * Reads the relay's information, connects, logs in and subscribes. Resolves when the client is ready and
   * running games were resumed.
   */
  connect(): Promise<void> {
    if (!this.#connecting) {
      this.#connecting = deferred<void>();
      void this.#start(this.#connecting);
    }
    return this.#connecting.promise;
  }

  async #start(connecting: Deferred<void>): Promise<void> {
    const timeout = this.#options.connectTimeout ?? CONNECT_TIMEOUT;
    const timer = Number.isFinite(timeout)
      ? setTimeout(() => this.#fail(new TimeoutError('the relay has not answered in time')), timeout)
      : undefined;
    try {
      const webSocket = this.#webSocket;
      this.#pubkey = await this.#options.signer.getPublicKey();
      this.#acquaintances = new Acquaintances(this.#pubkey);
      this.#info = await this.#fetchInfo();
      if (!this.#isClosed) {
        this.#open(webSocket);
      }
      await connecting.promise;
      setTimeout(() => void this.#findAcquaintances(), 0); // after what awaits connect()
    } catch (error) {
      this.#fail(error instanceof Error ? error : new GambitError(String(error)));
    } finally {
      clearTimeout(timer);
    }
  }

  get #webSocket(): WebSocketConstructor {
    const webSocket = this.#options.webSocket ?? globalThis.WebSocket;
    if (!webSocket) {
      throw new GambitError('there is no WebSocket here: pass one, such as that of the package ws');
    }
    return webSocket;
  }

  #fail(error: Error): void {
    this.#connecting?.reject(error);
    this.close();
  }

  /** The relay's time in seconds: it refuses events that are far from it. */
  get #second(): number {
    return Math.floor(this.relayTime / 1000);
  }

  get #answerTimeout(): number {
    return this.#options.answerTimeout ?? ANSWER_TIMEOUT;
  }

  #measureDifference(): void {
    this.#measurement ??= refineByDate({
      url: this.url,
      difference: this.#difference,
      now: this.#now,
      timeout: this.#answerTimeout,
      signal: this.#closing.signal,
    }).finally(() => {
      this.#measurement = undefined;
    });
  }

  async #fetchInfo(): Promise<RelayInfo> {
    for (;;) {
      try {
        const sentAt = this.#now();
        const takeTime = (response: Response): void => {
          const date = dateOf(response);
          if (date !== undefined) {
            this.#difference.answered(date, sentAt, this.#now());
          }
        };
        return await fetchRelayInfo(this.url, this.#answerTimeout, takeTime);
      } catch (error) {
        if (error instanceof GambitError) {
          throw error;
        }
        await new Promise(resolve => setTimeout(resolve, this.#backoff.next()));
      }
      if (this.#isClosed) {
        throw new DisconnectedError('the client was closed');
      }
    }
  }

  #open(webSocket: WebSocketConstructor): void {
    const freshness = (this.info.chess.max_clock_skew - FRESHNESS_MARGIN) * 1000;
    const connection = new Connection({
      url: this.url,
      name: this.#name,
      webSocket,
      backoff: this.#backoff,
      answerTimeout: this.#answerTimeout,
      now: this.#now,
      maxSubscriptions: this.info.max_subscriptions,
      relayTime: () => this.relayTime,
      freshness: kind => (isChess(kind) ? freshness : Infinity),
      sign: template => this.#options.signer.signEvent({ ...template, created_at: this.#second }),
      onRenewed: loggedIn => this.#renewed(loggedIn),
      onReady: () => this.#ready(),
      onRetried: () => void this.#invites?.resumed().catch(() => undefined),
      onLost: () => this.#setStatus(this.#status === 'connecting' ? 'connecting' : 'reconnecting'),
      onNotice: text => this.emit('notice', text),
      onFurtherAnswer: (id, accepted, text) => {
        if (accepted && !parseColor(text)) {
          return; // the answer again
        }
        this.#invites?.colored(id, accepted, text, this.#games?.ofInvites.at(-1));
        this.#searches?.colored(id, accepted, text);
      },
    });
    this.#connection = connection;
    const context = this.#context(connection);
    this.#games = new GameList(context, (game, isNew) => this.#begun(game, isNew));
    this.#invites = new Invites(context, {
      onRejected: (inviteId, by) => this.emit('rejected', { inviteId, by }),
      onExpired: inviteId => this.emit('inviteexpired', { inviteId }),
      games: () => this.#games?.ofInvites ?? [],
    });
    this.#searches = new Searches(context, this.info.chess.default_time);
    this.#challenges = new Challenges(context, all => this.emit('challengesbykind30', all));
    if (this.info.for_members) {
      this.#membership ??= new Membership(isMember => this.emit('membership', isMember));
      this.#membership.follow(context);
    }
    this.#subscribeAsPlayer(connection);
    connection.open();
  }

  #context(connection: Connection): GameContext {
    return {
      referee: this.info.referee,
      pubkey: this.#pubkey,
      acquaintances: this.#acquaintances,
      defaultTime: this.info.chess.default_time,
      slowGames: this.info.chess.slow_games,
      maxClockSkew: this.info.chess.max_clock_skew,
      difference: this.#difference,
      ratedTag: rated => this.#ratedTag(rated ?? false),
      now: this.#now,
      relayTime: () => this.relayTime,
      rules: this.#options.rules,
      measureDifference: () => this.#measureDifference(),
      publish: (kind, content, tags, { onSigned, createdAt } = {}) =>
        this.#publish(connection, { kind, content, tags, created_at: createdAt }, { onSigned }),
      publishOnce: (kind, content, tags, onSigned) =>
        this.#publish(connection, { kind, content, tags }, { resend: false, onSigned }),
      whenReady: () => this.#whenReady(),
      subscribe: (filters, handlers) => this.#subscribe(connection, filters, handlers),
      query: (...filters) => this.query(...filters),
      rematch: game => this.#required(this.#invites).rematch(game),
      closeGame: game => this.#games?.close(game),
    };
  }

  #ratedTag(rated: boolean): string[][] {
    if (rated && !this.info.chess.rated) {
      throw new GambitError('this relay has no rated games');
    }
    return rated ? [['rated', 'true']] : [];
  }

  /** Subscribes for a game or a lobby, whose events tell the relay's time. */
  #subscribe(
    connection: Connection,
    filters: Filter[],
    handlers: SubscriptionHandlers,
  ): Subscription {
    return subscribeChecked(connection, filters, {
      ...handlers,
      onevent: (event, stored) => {
        // Of an event that arrives in several subscriptions, the first arrival counts.
        if (!stored && event.pubkey === this.info.referee && event.id !== this.#lastMeasured) {
          this.#lastMeasured = event.id;
          measureFrom(event, this.#difference, this.#now());
        }
        handlers.onevent(event, stored);
      },
    });
  }

  #subscribeAsPlayer(connection: Connection): void {
    const { referee } = this.info;
    const me = [this.#pubkey];
    const onclose = (reason: string): void => {
      const isOver = this.#isClosed || connection !== this.#connection;
      if (!isOver && !this.#membership?.notRead(reason)) {
        this.emit('notice', reason); // without these subscriptions the client would be deaf
        this.#fail(new RefusedError(reason));
      }
    };
    this.#subscribe(
      connection,
      [
        { kinds: [5000, 5001, 5002, 64], authors: [referee], '#p': me, limit: 0 },
        { kinds: [Kind.state, Kind.presence], authors: [referee], '#p': me },
      ],
      { onevent: (event, stored) => this.#takeFromReferee(event, stored), onclose },
    );
    subscribeChecked(connection, [{ kinds: [Kind.request], '#p': me, limit: MAX_INVITES }], {
      onevent: event => this.#takeInvite(event),
      onclose,
    });
  }

  #takeFromReferee(event: VerifiedEvent, stored: boolean): void {
    if (event.pubkey !== this.info.referee) {
      return;
    }
    if (event.content === 'inviteexpired' && event.kind === Kind.request) {
      this.#invites?.expired(tagValue(event, 'e') ?? '');
    } else {
      this.#challenges?.take(event);
      this.#games?.take(event, stored);
    }
  }

  #takeInvite(event: VerifiedEvent): void {
    const invite = receivedInvite(event);
    if (
      !invite ||
      invite.opponent !== this.#pubkey ||
      invite.author === this.#pubkey ||
      this.#seenInvites.has(invite.id)
    ) {
      return;
    }
    const early = this.#earlyInvites;
    if (early && early.length >= (this.#acquaintances.has(invite.author) ? 4 : 2) * MAX_INVITES) {
      return; // not seen: a query may find it again, once its author is known
    }
    this.#seenInvites.add(invite.id);
    if (this.#seenInvites.size > 4 * MAX_INVITES) {
      this.#seenInvites.delete(this.#seenInvites.values().next().value as string);
    }
    if (early) {
      early.push(invite);
    } else {
      this.#emitInvite(invite);
    }
  }

  #emitInvite(invite: ReceivedInvite): void {
    const isFromAcquaintance = this.#acquaintances.has(invite.author);
    this.emit(invite.kind, { ...invite, ...(isFromAcquaintance && { isFromAcquaintance }) });
  }

  /** Finds the pending invites of acquaintances, which those of strangers may have displaced. */
  async #queryInvites(): Promise<void> {
    const authors = this.#acquaintances.keys;
    if (authors.length > 0) {
      const filter = { kinds: [Kind.request], authors, '#p': [this.#pubkey], limit: MAX_INVITES };
      (await this.query(filter)).forEach(event => this.#takeInvite(event));
      await this.#challenges?.findOf(authors);
    }
  }

  /** Then all invites that were pending follow, at the latest when the answer is overdue. */
  async #findAcquaintances(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const overdue = new Promise<void>(resolve => {
      timer = setTimeout(resolve, this.#answerTimeout);
    });
    const found = this.#acquaintances
      .find((...filters) => this.query(...filters), this.info.referee)
      .then(() => this.#queryInvites())
      .catch(() => undefined); // those that have been found follow all the same
    await Promise.race([found, overdue]);
    clearTimeout(timer);
    const invites = this.#earlyInvites ?? [];
    this.#earlyInvites = undefined;
    invites.reverse().forEach(invite => this.#emitInvite(invite)); // oldest first
  }

  /** A game of this player has begun, or was found running. */
  #begun(game: Game, isNew: boolean): void {
    this.#acquaintances.add(game.opponent);
    if (!game.result && !this.#games?.runsBeside(game)) {
      this.#searches?.begun(game); // one that was over when it became known ends no search
    }
    if (isNew) {
      this.#invites?.begun(game);
    } else {
      void this.#invites?.resumed().catch(() => undefined);
    }
    game.on('change', () => this.emit('games'));
    this.emit('game', game);
    this.emit('games');
  }

  /** Without a login, a request binds the new connection to the player. Without a live game, `connect` would search. */
  async #renewed(loggedIn: boolean): Promise<void> {
    if (!loggedIn && this.games.some(({ dialect }) => dialect === 'nip100')) {
      const content = this.currentGame ? 'connect' : 'cancelsearch';
      const request = { kind: Kind.request, content, tags: [nonce()] };
      await this.#publish(this.#required(this.#connection), request, { resend: false, early: true });
    }
  }

  #ready(): void {
    this.#setStatus('ready');
    void this.#invites?.resumed().catch(() => undefined);
    void this.#queryInvites().catch(() => undefined);
    void Promise.allSettled([this.#membership?.known, ...this.games.map(game => game.ready)]).then(() => {
      if (!this.currentGame) {
        this.#searches?.renew();
      }
      this.#connecting?.resolve();
    });
  }

  get #isClosed(): boolean {
    return this.#status === 'closed';
  }

  #setStatus(status: Status): void {
    if (this.#status !== status && !this.#isClosed) {
      this.#status = status;
      this.emit('status', status);
    }
  }

  /** Resolves when the client is ready, now or later; fails when it is closed. */
  #whenReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        if (this.#status === 'ready' || this.#isClosed) {
          off();
          return this.#isClosed ? reject(new DisconnectedError('the client was closed')) : resolve();
        }
      };
      const off = this.on('status', check);
      check();
    });
  }

  /** Closes the connection for good. Unanswered requests fail with a `DisconnectedError`. */
  close(): void {
    this.#setStatus('closed');
    this.#closing.abort();
    this.#connecting?.reject(new DisconnectedError('the client was closed'));
    this.#searches?.close();
    this.#invites?.close();
    this.#connection?.close();
  }

  /**
   * Joins a relay that is for members by the code of an invite (NIP-43); resolves with the text of the relay's answer.
   * A client that was shut out then begins anew.
   */
  async join(code: string): Promise<string> {
    const tags = [['-'], ['claim', code]];
    const answer = await this.publish({ kind: Kind.join, content: '', tags });
    if (this.isShutOut) {
      const before = this.#connection;
      this.#connection = undefined;
      before?.close();
      this.#setStatus('reconnecting');
      this.#open(this.#webSocket);
      await this.#whenReady();
    }
    this.#membership?.is(true);
    return answer;
  }

  /** Ends the own membership. */
  async leave(): Promise<void> {
    await this.publish({ kind: Kind.leave, content: '', tags: [['-']] });
    this.#membership?.is(false);
  }

  /**
   * Searches for an opponent with the same time control, such as `300+3`; the relay's default without one. Slow
   * games begin by invites only. Who searches for a rated game is paired with others who do.
   */
  search(time?: string, options: { rated?: boolean } = {}): Promise<Search> {
    return this.#attempt(() => {
      if (this.currentGame) {
        throw new GambitError('a game is running already');
      }
      return this.#required(this.#searches).search(time, options.rated ?? false);
    });
  }

  /** Invites to a game. The relay bounds how many invites may be pending. */
  invite(options: InviteOptions = {}): Promise<SentInvite> {
    return this.#attempt(() => this.#required(this.#invites).invite(options));
  }

  /**
   * The pending invites and rematches of this player, also those from before this client was made or of
   * another program. From then on the client follows them: their promises settle, and their ends are events.
   */
  sentInvites(): Promise<(ReceivedInvite & SentInvite)[]> {
    return this.#attempt(() => this.#required(this.#invites).sent());
  }

  /**
   * Accepts an invite or a rematch; resolves with the game.
   *
   * @param options the `secret` of the link, if it has one
   */
  accept(inviteId: string, options: { secret?: string } = {}): Promise<Game> {
    return this.#attempt(() => this.#required(this.#invites).accept(inviteId, options.secret));
  }

  async reject(inviteId: string): Promise<void> {
    await this.publish({
      kind: Kind.request,
      content: 'reject',
      tags: [['e', inviteId], nonce()],
    });
    this.#games?.declined(inviteId);
  }

  /** A pending invite by its id; `undefined` if there is none, or it is over. */
  async findInvite(id: string): Promise<ReceivedInvite | undefined> {
    if (!isHex64(id)) {
      return undefined;
    }
    const [event] = await this.query({ ids: [id], kinds: [Kind.request] });
    return event && receivedInvite(event);
  }

  /** Follows a running or finished game, or a start by kind 30. The same object is returned while it is open. */
  follow(gameId: string): Game {
    if (!isHex64(gameId)) {
      throw new GambitError('the id of a game has 64 hexadecimal digits');
    }
    return this.#required(this.#games).follow(gameId);
  }

  /**
   * Opens a start by kind 30 to play its other side, which the player's first move there takes. It fails if the
   * start is over, or for another player; somebody else may still be first.
   */
  async takeStart(id: string): Promise<Game> {
    const game = await this.follow(id).ready;
    game.takeSeat();
    return game;
  }

  /** @param player whose games are wanted; without it, all are, up to the lobby's bound */
  lobby(player?: string): Lobby {
    return new Lobby(this.#context(this.#required(this.#connection)), player);
  }

  /**
   * Follows who is here of at most 500 players, until the function that it returns is called. The listener gets the
   * status of each, once it is known and after each change.
   */
  presence(
    pubkeys: readonly string[],
    listener: (status: Map<string, PlayerStatus>) => void,
  ): () => void {
    return followPresence(this.#context(this.#required(this.#connection)), pubkeys, listener);
  }

  /** Records of finished games, newest first; `until` is in seconds. At most 500. With a category, of its rated games. */
  async records(
    options: { player?: string; category?: Category; limit?: number; until?: number } = {},
  ): Promise<GameRecord[]> {
    const events = await this.query({
      kinds: [Kind.record],
      authors: [this.info.referee],
      limit: Math.min(options.limit ?? 50, MAX_RECORDS),
      ...(options.player !== undefined && { '#p': [options.player] }),
      ...(options.category !== undefined && { '#t': [`rated-${options.category}`] }),
      ...(options.until !== undefined && { until: options.until }),
    });
    return events.flatMap(event => parseRecord(event) ?? []);
  }

  async record(gameId: string): Promise<GameRecord | undefined> {
    const authors = [this.info.referee];
    const events = await this.query({ kinds: [Kind.record], authors, '#e': [gameId], limit: 2 });
    return events
      .filter(event => rootGame(event) === gameId)
      .flatMap(event => parseRecord(event) ?? [])[0];
  }

  /** A player's profile, from a cache where possible. Never fails: without one, only the keys are set. */
  profile(pubkey: string): Promise<Profile> {
    return this.#profiles.get(pubkey);
  }

  /**
   * Signs and publishes an event; resolves with the text of the relay's answer. An event of a kind that a relay may
   * take for a player's request names this relay, so that it has no effect at another one.
   */
  publish(
    template: Omit<EventTemplate, 'created_at'> & { created_at?: number },
  ): Promise<string> {
    return this.#attempt(() => this.#publish(this.#required(this.#connection), template, {}));
  }

  async #publish(
    connection: Connection,
    template: Omit<EventTemplate, 'created_at'> & { created_at?: number | undefined },
    options: {
      resend?: boolean;
      early?: boolean;
      onSigned?: ((id: string) => void) | undefined;
    },
  ): Promise<string> {
    const { kind, tags } = template;
    const named = [...tags.filter(([name]) => name !== 'relay'), ['relay', this.#name]];
    const event = await this.#options.signer.signEvent({
      ...template,
      tags: isChess(kind) ? named : tags,
      created_at: template.created_at ?? this.#second,
    });
    options.onSigned?.(event.id);
    const answer = await connection.publish(event, options).catch((error: unknown) => {
      this.#membership?.notWritten(error);
      throw error;
    });
    this.#membership?.written(kind);
    if (event.kind === Kind.profile) {
      this.#profiles.forget(this.#pubkey);
    }
    return answer;
  }

  /** The stored events and current states that match, with valid signatures, newest first. */
  query(...filters: Filter[]): Promise<VerifiedEvent[]> {
    return this.#attempt(
      () =>
        new Promise((resolve, reject) => {
          const events = new Map<string, VerifiedEvent>();
          const connection = this.#required(this.#connection);
          const subscription = subscribeChecked(connection, filters, {
            onevent: event => {
              if (events.size < MAX_EVENTS_OF_QUERY) {
                events.set(event.id, event);
              }
            },
            oneose: () => {
              subscription.close();
              resolve([...events.values()].sort(newestFirst));
            },
            onclose: reason => {
              this.#membership?.notRead(reason);
              reject(this.#isClosed ? new DisconnectedError(reason) : new RefusedError(reason));
            },
          });
        }),
    );
  }

  /** Subscribes until closed, across reconnections; an event is then delivered once more if it matches again. */
  subscribe(
    filters: Filter[],
    handlers: {
      onevent(event: VerifiedEvent): void;
      oneose?(): void;
      onclose?(reason: string): void;
    },
  ): Subscription {
    return subscribeChecked(this.#required(this.#connection), filters, handlers);
  }

  /** Makes a failure of the call a failure of its promise. */
  async #attempt<T>(request: () => Promise<T>): Promise<T> {
    return request();
  }

  #required<T>(part: T | undefined): T {
    if (this.#isClosed) {
      throw new DisconnectedError('the client was closed');
    }
    if (part === undefined) {
      throw new GambitError('the client is not connected yet');
    }
    return part;
  }
}

/** Current events are published when they begin: 20305 and 20306 at a whole second, states with their time. */
function measureFrom(event: VerifiedEvent, difference: ClockDifference, now: number): void {
  const second = event.created_at * 1000;
  if (event.kind === Kind.lobby || event.kind === Kind.presence) {
    difference.received(second, now);
  } else if (event.kind === Kind.state) {
    difference.received(parseState(event)?.began ?? second, now);
  }
}

/** Subscribes, and ignores events that the relay sends although they do not match. */
function subscribeChecked(
  connection: Connection,
  filters: Filter[],
  handlers: SubscriptionHandlers,
): Subscription {
  return connection.subscribe(filters, {
    ...handlers,
    onevent: (event, stored) => {
      if (matchFilters(filters, event)) {
        handlers.onevent(event, stored);
      }
    },
  });
}

function newestFirst(a: VerifiedEvent, b: VerifiedEvent): number {
  return b.created_at - a.created_at || (a.id < b.id ? -1 : 1);
}
