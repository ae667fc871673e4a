import type { VerifiedEvent } from 'nostr-tools/pure';
import { afterRestart, clocksAt, runningClock } from './clock.js';
import { deferred } from './deferred.js';
import { Emitter } from './emitter.js';
import { GambitError } from './errors.js';
import { isHex64, Kind, tagValue } from './events.js';
import type { GameContext } from './game-context.js';
import { OPEN_INVITE_LASTS, receivedInvite } from './invites.js';
import { parseLobby, parsePresence, parseState, type GameState } from './states.js';
import { parseTimeControl, type TimeControl } from './time-control.js';
import type { ClockTimes, Color, GamePresence, GameSummary, OpenInvite, OpenStart, ReceivedInvite } from './types.js';

const MAX_GAMES = 500;
/** The most open invites of either kind in the relay's event: there may be others. */
const MAX_LISTED = 100;
/** The most open invites of one author that are shown. */
const MAX_OF_AUTHOR = 3;
/** Milliseconds between two queries for the acquaintances' invites. */
const INVITES_INTERVAL = 5000;

export interface LobbyEvents {
  /** After every update of any field. Several updates of one moment are one event. */
  change: [];
}

interface Entry {
  state?: GameState;
  /** Epoch milliseconds of this computer at which the state was received. */
  receivedAt?: number;
  presence?: GamePresence;
}

/** The relay's lobby (kinds 20305, 20302 and 20306). The fields are kept up to date until `close()`. */
export class Lobby extends Emitter<LobbyEvents> {
  /** Resolves when the current state was received. */
  readonly ready: Promise<this>;
  /** The number of players who search for a casual game, for each time control. */
  waiting: ReadonlyMap<string, number> = new Map();
  /** The same for rated games. */
  waitingRated: ReadonlyMap<string, number> = new Map();
  /**
   * Open invites: this player's, then those of acquaintances, then one of each other author, and so on; at most
   * three of each author.
   */
  invites: readonly OpenInvite[] = [];
  /** Open starts by kind 30 in the same order: the newest 100 that clients of this relay have published. */
  starts: readonly OpenStart[] = [];
  /** Running games, most watched first; at most 500. */
  games: readonly GameSummary[] = [];
  /** The number of running games. */
  playing = 0;

  readonly #context: GameContext;
  readonly #ready = deferred<this>();
  readonly #games = new Map<string, Entry>();
  /**
   * The time controls of games without a move of both sides. Afterwards all clocks run, before that only those
   * of correspondence games, and a state does not tell which these are.
   */
  readonly #times = new Map<string, TimeControl>();
  readonly #unknownTimes = new Set<string>();
  /** The games of the stored phase: after a reconnection, the others are over. */
  readonly #current = new Set<string>();
  /** The open invites in the relay's event, newest first. */
  #listed: readonly OpenInvite[] = [];
  /** The unlisted ones of which it has the ids, for whoever has a link. */
  #unlisted: readonly string[] = [];
  /** Those of acquaintances that it may lack. */
  #queried: readonly OpenInvite[] = [];
  #queriedAt = -Infinity;
  readonly #subscription: { close(): void };
  #changeIsDue = false;

  /** @internal Lobbies are made by the client. */
  constructor(context: GameContext, player: string | undefined) {
    super();
    this.#context = context;
    this.ready = this.#ready.promise;
    const authors = [context.referee];
    const wanted = { authors, limit: MAX_GAMES, ...(player !== undefined && { '#p': [player] }) };
    this.#subscription = context.subscribe(
      [
        { kinds: [Kind.lobby], authors },
        { kinds: [Kind.state], ...wanted },
        { kinds: [Kind.presence], ...wanted },
      ],
      {
        onevent: (event, stored) => {
          if (event.pubkey === context.referee) {
            this.#take(event, stored);
          }
        },
        oneose: () => this.#caughtUp(),
        onclose: reason => this.#ready.reject(new GambitError(reason)),
      },
    );
  }

  close(): void {
    this.#subscription.close();
  }

  /**
   * Whether an open invite can be accepted at once: its author is here and can begin that game. `undefined` if the
   * relay's lobby has no room to tell.
   */
  canBeAccepted(invite: Pick<ReceivedInvite, 'id' | 'unlisted'>): boolean | undefined {
    const ids = invite.unlisted ? this.#unlisted : this.#listed.map(({ id }) => id);
    return ids.includes(invite.id) || (ids.length < MAX_LISTED ? false : undefined);
  }

  #take(event: VerifiedEvent, stored: boolean): void {
    if (event.kind === Kind.lobby) {
      const { waiting, waitingRated, invites, unlisted, starts, playing } = parseLobby(event);
      this.waiting = waiting;
      this.waitingRated = waitingRated;
      this.#listed = invites;
      this.#unlisted = unlisted;
      this.starts = this.#inOrder(starts);
      void this.#queryInvites().catch(() => undefined);
      this.playing = playing;
    } else if (event.kind === Kind.state) {
      this.#takeState(event, stored);
    } else if (event.kind === Kind.presence) {
      const id = tagValue(event, 'd');
      const presence = parsePresence(event);
      if (isHex64(id) && presence) {
        this.#update(id, { presence });
      }
    }
    this.#changed();
  }

  /** Where the relay's event is full, invites of strangers may have displaced those of acquaintances. */
  async #queryInvites(): Promise<void> {
    const { acquaintances, defaultTime, now } = this.#context;
    if (this.#listed.length < MAX_LISTED || now() - this.#queriedAt < INVITES_INTERVAL) {
      return;
    }
    this.#queriedAt = now();
    const authors = [this.#context.pubkey, ...acquaintances.keys];
    const events = await this.#context.query({ kinds: [Kind.request], authors, limit: MAX_LISTED });
    this.#queried = events.flatMap(event => openInvite(event, defaultTime) ?? []);
    this.#changed();
  }

  #openInvites(): OpenInvite[] {
    const now = this.#context.relayTime();
    const pending = this.#queried.filter(({ expiresAt }) => expiresAt > now);
    const missing = this.#listed.length < MAX_LISTED ? [] : pending;
    const all = new Map([...missing, ...this.#listed].map(invite => [invite.id, invite]));
    return this.#inOrder([...all.values()]);
  }

  /** This player's, then those of acquaintances, then one of each other author, and so on. */
  #inOrder<T extends { readonly author: string }>(all: readonly T[]): T[] {
    const { pubkey, acquaintances } = this.#context;
    const counts = new Map<string, number>();
    const placed = all.map(invite => {
      const { author } = invite;
      const before = counts.get(author) ?? 0;
      counts.set(author, before + 1);
      const group = author === pubkey ? 0 : acquaintances.has(author) ? 1 : 2;
      return { invite, before, place: group + before / MAX_OF_AUTHOR };
    });
    return placed
      .filter(({ before }) => before < MAX_OF_AUTHOR)
      .sort((a, b) => a.place - b.place)
      .map(({ invite }) => invite);
  }

  #takeState(event: VerifiedEvent, stored: boolean): void {
    const state = parseState(event);
    if (!state) {
      return;
    }
    if (state.result) {
      this.#remove(state.gameId);
      return;
    }
    if (stored) {
      this.#current.add(state.gameId);
    }
    const last = this.#games.get(state.gameId);
    const receivedAt = last?.state?.id === state.id ? last.receivedAt : this.#context.now();
    this.#update(state.gameId, { state, ...(receivedAt !== undefined && { receivedAt }) });
    if (state.clock && state.ply < 2 && !this.#times.has(state.gameId)) {
      this.#queryTime(state.gameId);
    }
  }

  #remove(id: string): void {
    this.#games.delete(id);
    this.#times.delete(id);
    this.#unknownTimes.delete(id);
  }

  /** Queries the time control of a game together with those of all games of this moment. */
  #queryTime(id: string): void {
    if (this.#unknownTimes.size === 0) {
      queueMicrotask(() => void this.#queryTimes().catch(() => undefined));
    }
    this.#unknownTimes.add(id);
  }

  async #queryTimes(): Promise<void> {
    const ids = [...this.#unknownTimes];
    this.#unknownTimes.clear();
    if (ids.length === 0) {
      return;
    }
    const authors = [this.#context.referee];
    for (const event of await this.#context.query({ ids, authors, limit: MAX_GAMES })) {
      const time = parseTimeControl(tagValue(event, 'time') ?? '');
      if (time && this.#games.has(event.id)) {
        this.#times.set(event.id, time);
      }
    }
    this.#changed();
  }

  #update(id: string, part: Entry): void {
    const entry = this.#games.get(id);
    if (entry || this.#games.size < MAX_GAMES) {
      this.#games.set(id, { ...entry, ...part });
    }
  }

  #caughtUp(): void {
    for (const id of this.#games.keys()) {
      if (!this.#current.has(id)) {
        this.#remove(id);
      }
    }
    this.#current.clear();
    this.#changed();
    queueMicrotask(() => this.#ready.resolve(this));
  }

  #changed(): void {
    if (this.#changeIsDue) {
      return;
    }
    this.#changeIsDue = true;
    queueMicrotask(() => {
      this.#changeIsDue = false;
      this.games = this.#summaries();
      this.invites = this.#openInvites();
      if (this.games.some(game => game.clockRunning)) {
        this.#context.measureDifference();
      }
      this.emit('change');
    });
  }

  #summaries(): GameSummary[] {
    const games: GameSummary[] = [];
    for (const { state, receivedAt, presence } of this.#games.values()) {
      if (!state) {
        continue;
      }
      const time = this.#times.get(state.gameId);
      const running = state.clock && runningClock(time, state.ply, state.turn);
      games.push({
        id: state.gameId,
        white: state.white,
        black: state.black,
        levels: state.levels,
        dialect: state.dialect,
        elsewhere: state.elsewhere,
        ...(state.rated && { rated: state.rated }),
        fen: state.fen,
        ply: state.ply,
        turn: state.turn,
        ...(state.move && { lastMove: state.move }),
        ...(state.san && { lastSan: state.san }),
        ...(state.began !== undefined && { began: state.began }),
        ...(running && { clockRunning: running }),
        clock: () => this.#clock(state, receivedAt, running, presence),
        ...(presence && { presence }),
        watching: presence?.watching ?? 0,
        changedAt: state.createdAt * 1000,
      });
    }
    return games.sort(
      (a, b) => b.watching - a.watching || b.changedAt - a.changedAt || (a.id < b.id ? -1 : 1),
    );
  }

  #clock(
    { clock, began }: GameState,
    receivedAt: number | undefined,
    running: Color | undefined,
    presence: GamePresence | undefined,
  ): ClockTimes | undefined {
    if (!clock) {
      return undefined;
    }
    const now = this.#context.now();
    const localTime = Math.min(began ?? receivedAt ?? now, receivedAt ?? now);
    const reading = { times: clock, localTime, relayTime: began };
    const resumed = afterRestart(reading, presence?.resumedAt);
    return clocksAt(resumed, running, now, this.#context.difference.milliseconds);
  }
}

/** The open invite of an event, as the relay's list has it. */
function openInvite(event: VerifiedEvent, defaultTime: string): OpenInvite | undefined {
  const invite = receivedInvite(event);
  const time = invite?.time ?? parseTimeControl(defaultTime);
  if (invite?.kind !== 'invite' || invite.opponent || invite.unlisted || !time) {
    return undefined;
  }
  const { id, author, color = 'random', fen, rated } = invite;
  const expiresAt = invite.expiresAt ?? (event.created_at + OPEN_INVITE_LASTS) * 1000;
  return { id, author, time, color, expiresAt, ...(fen && { fen }), ...(rated && { rated }) };
}
