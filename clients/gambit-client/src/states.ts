import type { NostrEvent } from 'nostr-tools/pure';
import { isHex64, levels, naturalNumber, players, tag, tagValue } from './events.js';
import { parseRatedStart, parseStrength } from './rated-tags.js';
import { parseTimeControl } from './time-control.js';
import type {
  ClockTimes,
  Color,
  Dialect,
  GamePresence,
  OpenInvite,
  OpenStart,
  PlayerLevels,
  Presence,
  Proposal,
  RatedStart,
  Result,
} from './types.js';

export const INITIAL_FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

const UCI = /^[a-h][1-8][a-h][1-8][qrbn]?$/;
const FEN = /^[1-8pnbrqkPNBRQK/]{17,71} [wb] (?:-|[KQkq]{1,4}) (?:-|[a-h][36]) \d{1,6} \d{1,6}$/;
const SAN = /^[a-hNBRQKO][a-h1-8x=NBRQO+#-]{1,9}$/;
const RESULTS: readonly string[] = ['1-0', '0-1', '1/2-1/2', '*'];
const TERMINATION = /^[a-z]{1,30}$/;
const MAX_WAITING = 1000;
const MAX_INVITES = 500;

/** A state of a game (kind 20302). */
export interface GameState {
  readonly id: string;
  readonly gameId: string;
  readonly white: string;
  readonly black: string;
  readonly levels: PlayerLevels;
  readonly dialect: Dialect;
  readonly elsewhere: boolean;
  readonly rated?: RatedStart;
  readonly fen: string;
  readonly ply: number;
  readonly turn: Color;
  readonly move?: string;
  readonly san?: string;
  readonly clock?: ClockTimes;
  /** Epoch milliseconds of the relay at which the state began, if it says so. */
  readonly began?: number;
  readonly proposal?: Proposal;
  readonly result?: Result;
  readonly termination?: string;
  /** The same in whole seconds. */
  readonly createdAt: number;
}

/** Reads a state; `undefined` if it is malformed. */
export function parseState(event: NostrEvent): GameState | undefined {
  const gameId = tagValue(event, 'd');
  const keys = players(event);
  const fen = parseFen(event.content);
  const ply = naturalNumber(tagValue(event, 'ply'));
  const turn = parseColor(tagValue(event, 'turn'));
  if (!isHex64(gameId) || !keys || !fen || ply === undefined || !turn) {
    return undefined;
  }
  const move = parseUci(tagValue(event, 'move'));
  const san = parseSan(tagValue(event, 'san'));
  const clock = parseClock(tag(event, 'clock'));
  const began = naturalNumber(tag(event, 'clock')?.[3]);
  const proposal = parseProposal(event);
  const rated = parseRatedStart(event);
  const result = parseResult(tagValue(event, 'result'));
  return {
    id: event.id,
    gameId,
    white: keys[0],
    black: keys[1],
    levels: levels(event),
    ...parseDialect(event),
    ...(rated && { rated }),
    fen,
    ply,
    turn,
    ...(move && { move }),
    ...(san && { san }),
    ...(clock && { clock }),
    ...(clock && began !== undefined && { began }),
    ...(proposal && { proposal }),
    ...(result && { result, termination: parseTermination(tagValue(event, 'termination')) }),
    createdAt: event.created_at,
  };
}

/** The dialect of a game in a state or a record. */
export function parseDialect(event: NostrEvent): { dialect: Dialect; elsewhere: boolean } {
  const [, dialect, where] = tag(event, 'dialect') ?? [];
  return dialect === 'jester' ? { dialect, elsewhere: where === 'elsewhere' } : { dialect: 'nip100', elsewhere: false };
}

export function parseColor(text: string | undefined): Color | undefined {
  return text === 'white' || text === 'black' ? text : undefined;
}

export function parseResult(text: string | undefined): Result | undefined {
  return text !== undefined && RESULTS.includes(text) ? (text as Result) : undefined;
}

/** The word for how a game ended; `unknown` for anything but a word. */
export function parseTermination(text: string | undefined): string {
  return text !== undefined && TERMINATION.test(text) ? text : 'unknown';
}

/** A move in UCI, in lower case. */
export function parseUci(text: string | undefined): string | undefined {
  const move = text?.toLowerCase();
  return move !== undefined && UCI.test(move) ? move : undefined;
}

export function parseSan(text: string | undefined): string | undefined {
  return text !== undefined && SAN.test(text) ? text : undefined;
}

/** A text that has the form of a FEN. Whether the position is possible is not checked. */
export function parseFen(text: string | undefined): string | undefined {
  return text !== undefined && text.length <= 120 && FEN.test(text) ? text : undefined;
}

/** The clocks of a tag `clock`, in milliseconds. */
export function parseClock(clock: string[] | undefined): ClockTimes | undefined {
  const white = naturalNumber(clock?.[1]);
  const black = naturalNumber(clock?.[2]);
  return white !== undefined && black !== undefined ? { white, black } : undefined;
}

function parseProposal(event: NostrEvent): Proposal | undefined {
  for (const kind of ['draw', 'takeback'] as const) {
    const by = parseColor(tagValue(event, kind));
    if (by) {
      return { kind, by };
    }
  }
  return undefined;
}

/** Reads who is at a game (kind 20306). */
export function parsePresence(event: NostrEvent): GamePresence | undefined {
  const white = presence(tag(event, 'white'));
  const black = presence(tag(event, 'black'));
  const watching = naturalNumber(tagValue(event, 'watching'));
  const resumedAt = naturalNumber(tagValue(event, 'resumed'));
  return white && black
    ? { white, black, watching: watching ?? 0, ...(resumedAt !== undefined && { resumedAt }) }
    : undefined;
}

function presence(value: string[] | undefined): Presence | undefined {
  if (value?.[1] === 'present') {
    return 'present';
  }
  const since = naturalNumber(value?.[2]);
  return value?.[1] === 'away' && since !== undefined ? { awaySince: since * 1000 } : undefined;
}

/** The lobby's state (kind 20305). */
export interface LobbyState {
  readonly waiting: Map<string, number>;
  readonly waitingRated: Map<string, number>;
  readonly invites: OpenInvite[];
  /** The ids of unlisted invites that can be accepted at once. */
  readonly unlisted: string[];
  readonly starts: OpenStart[];
  readonly playing: number;
}

export function parseLobby(event: NostrEvent): LobbyState {
  const waiting = new Map<string, number>();
  const waitingRated = new Map<string, number>();
  const invites: OpenInvite[] = [];
  const unlisted: string[] = [];
  const starts: OpenStart[] = [];
  for (const [name, ...values] of event.tags) {
    const queue = values[2] === 'rated' ? waitingRated : waiting;
    if (name === 'waiting' && queue.size < MAX_WAITING) {
      const time = parseTimeControl(values[0] ?? '');
      const players = naturalNumber(values[1]);
      if (time && players) {
        queue.set(time.text, players);
      }
    } else if (name === 'invite' && invites.length < MAX_INVITES) {
      const invite = openInvite(values);
      if (invite) {
        invites.push(invite);
      }
    } else if (name === 'unlisted' && unlisted.length < MAX_INVITES && isHex64(values[0])) {
      unlisted.push(values[0]);
    } else if (name === 'start' && starts.length < MAX_INVITES) {
      const [id, author, colorText] = values;
      const color = parseColor(colorText);
      if (isHex64(id) && isHex64(author) && color) {
        starts.push({ id, author, color });
      }
    }
  }
  const playing = naturalNumber(tagValue(event, 'playing')) ?? 0;
  return { waiting, waitingRated, invites, unlisted, starts, playing };
}

function openInvite(values: string[]): OpenInvite | undefined {
  const [id, author, timeText, colorText, expiration, fenText, rated, rating, deviation] = values;
  const time = parseTimeControl(timeText ?? '');
  const color = colorText === 'random' ? colorText : parseColor(colorText);
  const expires = naturalNumber(expiration);
  if (!isHex64(id) || !isHex64(author) || !time || !color || expires === undefined) {
    return undefined;
  }
  const fen = parseFen(fenText);
  const strength = parseStrength(rating, deviation);
  return {
    id,
    author,
    time,
    color,
    expiresAt: expires * 1000,
    ...(fen && { fen }),
    ...(rated === 'rated' && { rated: true, ...(strength && { strength }) }),
  };
}
