import type { VerifiedEvent } from 'nostr-tools/pure';
import { deferred } from './deferred.js';
import { Emitter } from './emitter.js';
import { GambitError } from './errors.js';
import { isHex64, Kind, tagValue } from './events.js';
import type { GameContext } from './game-context.js';
import { parseLobby, parsePresence, parseState, type GameState } from './states.js';
import type { GamePresence, GameSummary, OpenInvite } from './types.js';

const MAX_GAMES = 500;

export interface LobbyEvents {
  /** After every update of any field. Several updates of one moment are one event. */
  change: [];
}

interface Entry {
  state?: GameState;
  presence?: GamePresence;
}

/** The relay's lobby (kinds 20305, 20302 and 20306). The fields are kept up to date until `close()`. */
export class Lobby extends Emitter<LobbyEvents> {
  /** Resolves when the current state was received. */
  readonly ready: Promise<this>;
  /** The number of searching players for each time control. */
  waiting: ReadonlyMap<string, number> = new Map();
  /** Open invites, newest first. */
  invites: readonly OpenInvite[] = [];
  /** Running games, most watched first; at most 500. */
  games: readonly GameSummary[] = [];
  /** The number of running games. */
  playing = 0;

  readonly #ready = deferred<this>();
  readonly #games = new Map<string, Entry>();
  /** The games of the stored phase: after a reconnection, the others are over. */
  readonly #current = new Set<string>();
  readonly #subscription: { close(): void };
  #changeIsDue = false;

  /** @internal Lobbies are made by the client. */
  constructor(context: GameContext) {
    super();
    this.ready = this.#ready.promise;
    const authors = [context.referee];
    this.#subscription = context.subscribe(
      [
        { kinds: [Kind.lobby], authors },
        { kinds: [Kind.state], authors, limit: MAX_GAMES },
        { kinds: [Kind.presence], authors, limit: MAX_GAMES },
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

  #take(event: VerifiedEvent, stored: boolean): void {
    if (event.kind === Kind.lobby) {
      const { waiting, invites, playing } = parseLobby(event);
      this.waiting = waiting;
      this.invites = invites;
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

  #takeState(event: VerifiedEvent, stored: boolean): void {
    const state = parseState(event);
    if (!state) {
      return;
    }
    if (state.result) {
      this.#games.delete(state.gameId);
      return;
    }
    if (stored) {
      this.#current.add(state.gameId);
    }
    this.#update(state.gameId, { state });
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
        this.#games.delete(id);
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
      this.games = summaries(this.#games.values());
      this.emit('change');
    });
  }
}

function summaries(entries: Iterable<Entry>): GameSummary[] {
  const games: GameSummary[] = [];
  for (const { state, presence } of entries) {
    if (state) {
      games.push({
        id: state.gameId,
        white: state.white,
        black: state.black,
        fen: state.fen,
        ply: state.ply,
        turn: state.turn,
        ...(state.move && { lastMove: state.move }),
        ...(state.san && { lastSan: state.san }),
        ...(state.clock && { clock: state.clock }),
        ...(presence && { presence }),
        watching: presence?.watching ?? 0,
        changedAt: state.createdAt * 1000,
      });
    }
  }
  return games.sort(
    (a, b) => b.watching - a.watching || b.changedAt - a.changedAt || (a.id < b.id ? -1 : 1),
  );
}
