import type { VerifiedEvent } from 'nostr-tools/pure';
import type { TimeControl } from './time-control.js';

export type { Filter } from 'nostr-tools/filter';
export type { EventTemplate, NostrEvent, VerifiedEvent } from 'nostr-tools/pure';

export type Color = 'white' | 'black';

/** How a game's players speak: by NIP-100 (or the relay's other dialect), or by kind 30, as jesterui and Amethyst. */
export type Dialect = 'nip100' | 'jester';

/** The result of a game; `*` if it was aborted. */
export type Result = '1-0' | '0-1' | '1/2-1/2' | '*';

/**
 * The state of a client's connection: `connecting` until it was ready for the first time, then `ready`
 * or `reconnecting`; `closed` after `close()`.
 */
export type Status = 'connecting' | 'ready' | 'reconnecting' | 'closed';

/** Whether a player is in a live game, else connected, or neither. */
export type PlayerStatus = 'playing' | 'online' | 'offline';

/** A relay's information document (NIP-11), as far as it matters for chess. */
export interface RelayInfo {
  /** The URL of the WebSocket. */
  readonly url: string;
  readonly name?: string;
  readonly description?: string;
  /** The public key with which the relay signs (`self`). */
  readonly referee: string;
  readonly supported_nips: readonly number[];
  /** Whether only members may write here, or even read (NIP-43). */
  readonly for_members: boolean;
  /** The subscriptions that a connection may have at once; 200 where the relay does not say. */
  readonly max_subscriptions: number;
  readonly chess: {
    /** The time control of a search or invite that names none, such as `1/600`. */
    readonly default_time: string;
    /** Seconds for the first move of each side. */
    readonly first_move_limit: number;
    /** Seconds within which a disconnected player may return. */
    readonly abandon_grace: number;
    /** Seconds by which a client's clock may differ from the relay's. */
    readonly max_clock_skew: number;
    readonly require_auth: boolean;
    /** The slow games that a player may have beside a live one; 0 where a player has one game. */
    readonly slow_games: number;
    /** Whether the relay reminds players of slow games by private messages. */
    readonly reminders: boolean;
    /** Whether the relay has rated games. */
    readonly rated: boolean;
  };
  /** The relay's own player, if it has one. */
  readonly house?: { readonly pubkey: string; readonly levels: readonly number[] };
  /** The path of a UCI engine for browsers that the operator provides, beside the relay's page. */
  readonly engine?: string;
}

/** A player is connected, or has been away since a time in epoch milliseconds. */
export type Presence = 'present' | { readonly awaySince: number };

/** The strength at which the relay's own player plays a game, by its colour. */
export interface PlayerLevels {
  readonly white?: number;
  readonly black?: number;
}

/** A class of time controls; a player has one rating in each. */
export type Category = 'bullet' | 'blitz' | 'rapid' | 'classical' | 'correspondence';

/** A rating and its deviation, in whole points. */
export interface Strength {
  readonly rating: number;
  readonly deviation: number;
}

/** The category of a rated game, and the players' ratings at its start. */
export interface RatedStart {
  readonly category: Category;
  readonly white: Strength;
  readonly black: Strength;
}

/** A player's rating before and after a rated game, and its deviation and volatility after it. */
export interface RatingChange {
  readonly before: number;
  readonly after: number;
  readonly deviation: number;
  readonly volatility: number;
}

/** The change of both ratings by a rated game, and the place of its record in the relay's chain. */
export interface RatedRecord {
  readonly category: Category;
  /** The number of the record in the chain, from 1. */
  readonly seq: number;
  /** The id of the record before it; 64 zeros for the first. */
  readonly previous: string;
  readonly white: RatingChange;
  readonly black: RatingChange;
}

/** Who is at a running game (kind 20306). */
export interface GamePresence {
  readonly white: Presence;
  readonly black: Presence;
  /** The number of spectators' connections. */
  readonly watching: number;
  /** Epoch milliseconds of the relay at which the game was resumed after a restart of the relay. */
  readonly resumedAt?: number;
}

/** An open proposal of one side. */
export interface Proposal {
  readonly kind: 'draw' | 'takeback';
  readonly by: Color;
}

/** Milliseconds left for each side. */
export interface ClockTimes {
  readonly white: number;
  readonly black: number;
}

/** A comment on a game (kind 1111). The text comes from the network: show it as text, never as HTML. */
export interface Comment {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A profile (kind 0). Name and picture come from the network: show the name as text, never as HTML. */
export interface Profile {
  readonly pubkey: string;
  readonly npub: string;
  /** At most 64 characters, without control characters. */
  readonly name?: string;
  /** A URL with the scheme http or https. */
  readonly picture?: string;
  readonly about?: string;
  /** Whether the player says that it is a program. */
  readonly bot: boolean;
}

/** The record of a finished game (kind 64, NIP-64). */
export interface GameRecord {
  /** The id of the record's event. */
  readonly id: string;
  readonly gameId: string;
  readonly white: string;
  readonly black: string;
  readonly levels: PlayerLevels;
  readonly result: Result;
  readonly termination: string;
  readonly time: TimeControl;
  /** The end of the game in epoch milliseconds, in whole seconds. */
  readonly at: number;
  readonly startFen: string;
  /** The game in PGN's export format. */
  readonly pgn: string;
  /** The moves in SAN, read from the PGN. */
  readonly sans: readonly string[];
  /** For each move the mover's milliseconds after it, where the PGN has them (`[%clk]`). */
  readonly clocks: readonly (number | undefined)[];
  /** The ids of the moves' events, in order. */
  readonly plies: readonly string[];
  /** The ids of the players' events that ended the game. */
  readonly ending: readonly string[];
  readonly dialect: Dialect;
  /** Whether the game came to this relay by an import or from another relay. */
  readonly elsewhere: boolean;
  /** Of a rated game that counts. */
  readonly rated?: RatedRecord;
  /** The signed event. */
  readonly event: VerifiedEvent;
}

/** A game in the lobby. */
export interface GameSummary {
  readonly id: string;
  readonly white: string;
  readonly black: string;
  readonly levels: PlayerLevels;
  readonly dialect: Dialect;
  /** Whether the game came to this relay by an import or from another relay. */
  readonly elsewhere: boolean;
  readonly rated?: RatedStart;
  readonly fen: string;
  readonly ply: number;
  readonly turn: Color;
  /** The last move in UCI and in SAN. */
  readonly lastMove?: string;
  readonly lastSan?: string;
  /** Epoch milliseconds of the relay at which the state began; absent in untimed games. */
  readonly began?: number;
  /** The side whose clock is running, if one is. */
  readonly clockRunning?: Color;
  /** Milliseconds left for each side now, as `Game.clock()`. `undefined` in untimed games. */
  clock(): ClockTimes | undefined;
  readonly presence?: GamePresence;
  /** The number of spectators' connections. */
  readonly watching: number;
  /** Epoch milliseconds, in whole seconds, of the last change. */
  readonly changedAt: number;
}

/** An open invite in the lobby (kind 20305). */
export interface OpenInvite {
  readonly id: string;
  readonly author: string;
  readonly time: TimeControl;
  /** The colour that the inviter takes. */
  readonly color: Color | 'random';
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** The first position, if it was set up. */
  readonly fen?: string;
  readonly rated?: true;
  /** The author's rating in the category of a rated one. */
  readonly strength?: Strength;
}

/** A start of a game by kind 30 whose second seat is free. Its id will be the game's. */
export interface OpenStart {
  readonly id: string;
  readonly author: string;
  /** The author's colour. */
  readonly color: Color;
}

/** A start by kind 30 that challenges this player. */
export interface ReceivedStart extends OpenStart {
  /** Epoch milliseconds, in whole seconds, as the author says. */
  readonly at: number;
}

/** An invite or a request for a rematch, found or received. */
export interface ReceivedInvite {
  readonly id: string;
  readonly author: string;
  /** The invited player; absent in an open invite. */
  readonly opponent?: string;
  readonly kind: 'invite' | 'rematch';
  /** The finished game that a rematch is to follow. */
  readonly rematchOf?: string;
  /** Absent in a rematch, which has the time control of the game. */
  readonly time?: TimeControl;
  /** The colour that the inviter takes; absent in a rematch, which swaps the colours. */
  readonly color?: Color | 'random';
  readonly fen?: string;
  /** Absent in a rematch, which is rated if the game was. */
  readonly rated?: true;
  /** The strength that a bot is asked to play with. */
  readonly level?: number;
  /** Of an unlisted invite: the SHA-256 of the secret that its acceptance needs. */
  readonly secretHash?: string;
  /** Epoch milliseconds, if the invite says so. */
  readonly expiresAt?: number;
  /** Whether the lobby omits it. */
  readonly unlisted?: true;
  /** Of a received one: whether it is from a recent opponent, or from somebody whom the player follows. */
  readonly isFromAcquaintance?: true;
}

/** What to invite to. Omitted values are the relay's defaults. */
export interface InviteOptions {
  /** The invited player's public key; without it, anybody may accept. */
  opponent?: string;
  /** A time control such as `300+3`. */
  time?: string;
  /** The inviter's colour. */
  color?: Color | 'random';
  /** The first position. */
  fen?: string;
  /** Seconds until the invite ends. */
  expiresIn?: number;
  /**
   * Whether the lobby omits an open invite, which is for a link to a friend. Others may find it all the same,
   * but need the secret to accept it.
   */
  unlisted?: boolean;
  /** The strength that an invited bot is asked to play with. */
  level?: number;
  /** Whether the game is rated, with clocks and from the initial position. */
  rated?: boolean;
}
