import { Emitter } from './emitter.js';
import { GambitError } from './errors.js';
import type { GameSummary, OpenInvite } from './types.js';

export interface LobbyEvents {
  /** After every update of any field. Several updates of one moment are one event. */
  change: [];
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

  /** Lobbies are made by {@link GambitClient}. */
  protected constructor() {
    super();
    throw new GambitError('not implemented');
  }

  close(): void {
    throw new GambitError('not implemented');
  }
}
