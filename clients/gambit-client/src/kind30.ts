import type { NostrEvent } from 'nostr-tools/pure';
import { isHex64, isObject, Kind, tagValues, type ReadonlyEvent } from './events.js';
import type { Game } from './game.js';
import { hashOfSecret } from './link-secrets.js';
import { INITIAL_FEN, parseColor, parseFen, parseUci } from './states.js';
import type { OpenStart } from './types.js';

/** The `e` tag of an open start: the SHA-256 of the FEN of the initial position. */
export const START = 'b1791d7fc9ae3d38966568c257ffb3a02cbf8394cdb4805bc70f64fc3c0b6879';

const MAX_CONTENT = 131_072;
/** The longest game that the relay judges. */
const MAX_PLIES = 1000;
const MAX_SAN = 40;
/** The most events without a move, such as draw offers, that may be between two moves. */
export const MAX_WITHOUT_MOVE = 4;

/** A start of a game by kind 30, whose id is the game's. */
export interface Start extends OpenStart {
  /** The challenged player, if it is for one and its event names the key. */
  readonly opponent?: string;
  /** Stands for the challenged player in the form of jesterui. */
  readonly hash?: string;
}

/** A move or an end of a game by kind 30. */
export interface Message {
  readonly id: string;
  readonly author: string;
  /** The event before: a move, a draw offer, or the start. */
  readonly head: string;
  /** The length of its history. */
  readonly ply: number;
  /** The last move of the history, as it is written there; empty without one. */
  readonly san: string;
  /** The position after it, if it is stated. */
  readonly fen?: string;
}

/** What stands for a challenged player in the `e` tag of a start of jesterui. */
export function hashOfPlayer(pubkey: string): string {
  return hashOfSecret(hashOfSecret(pubkey) + START);
}

/** Reads a start; `undefined` if the event is none. */
export function parseStart(event: ReadonlyEvent): Start | undefined {
  const content = parseContent(event, 0);
  const [reference] = tagValues(event, 'e');
  if (!content || !isHex64(reference) || !Array.isArray(content.history) || content.history.length > 0) {
    return undefined;
  } else if (typeof content.fen === 'string' && !isAt({ fen: content.fen }, INITIAL_FEN)) {
    return undefined;
  }
  const isOpen = reference === START;
  const opponent = isOpen ? tagValues(event, 'p').find(key => isHex64(key) && key !== event.pubkey) : undefined;
  const color = parseColor(String(content.playerColor)) ?? 'white';
  return {
    id: event.id,
    author: event.pubkey,
    color,
    ...(opponent && { opponent }),
    ...(!isOpen && { hash: reference }),
  };
}

/** Whether a player may take the other seat of a start. */
export function isFor({ author, opponent, hash }: Start, pubkey: string): boolean {
  const isChosen = opponent ? opponent === pubkey : !hash || hash === hashOfPlayer(pubkey);
  return author !== pubkey && isChosen;
}

/** Reads a move or an end; `undefined` if the event is neither, or of another game. */
export function parseMessage(event: NostrEvent, gameId: string): Message | undefined {
  const content = parseContent(event, 1);
  const [start, head, ...more] = tagValues(event, 'e');
  if (!content || start !== gameId || !isHex64(head) || more.length > 0 || !Array.isArray(content.history)) {
    return undefined;
  }
  const history: readonly unknown[] = content.history;
  const san = history.length === 0 ? '' : history.at(-1);
  if (history.length > MAX_PLIES || typeof san !== 'string' || san.length > MAX_SAN) {
    return undefined;
  }
  const fen = typeof content.fen === 'string' ? parseFen(content.fen) : undefined;
  return { id: event.id, author: event.pubkey, head, ply: history.length, san, ...(fen && { fen }) };
}

/** The content of an event of kind 30: of a start (0), or of a move or an end (1); `undefined` if it is of another kind. */
export function parseContent(event: ReadonlyEvent, kind: number): Record<string, unknown> | undefined {
  if (event.kind !== Kind.jester || event.content.length > MAX_CONTENT) {
    return undefined;
  }
  try {
    const content: unknown = JSON.parse(event.content);
    return isObject(content) && (content.version === '0' || content.version === 0) && content.kind === kind ? content : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The moves of a game that lead to a position, from messages that others may have forged: each by the player in
 * turn, with the one before as its head.
 *
 * @param messages in any order
 * @returns `undefined` if one is missing
 */
export function assembleChain(
  messages: Iterable<Message>,
  { id, white, black, ply, fen }: Pick<Game, 'id' | 'white' | 'black' | 'ply' | 'fen'>,
): Message[] | undefined {
  if (ply === 0) {
    return [];
  }
  const byId = new Map([...messages].map(message => [message.id, message]));
  for (const last of byId.values()) {
    const chain: Message[] = [];
    let next: Message | undefined = last.ply === ply && isAt(last, fen) ? last : undefined;
    while (next && next.ply === ply - chain.length && next.author === (next.ply % 2 === 1 ? white : black)) {
      chain.push(next);
      const before = moveBefore(next, byId, id);
      if (next.ply === 1 && before === id) {
        return chain.reverse();
      }
      next = byId.get(before);
    }
  }
  return undefined;
}

/** The id of the move before a move, or of the start. A draw offer between them has the history of its own head. */
function moveBefore({ head }: Message, byId: ReadonlyMap<string, Message>, start: string): string {
  let before = head;
  for (let i = 0; i < MAX_WITHOUT_MOVE; i++) {
    const message = byId.get(before);
    const pliesBefore = message?.head === start ? 0 : byId.get(message?.head ?? '')?.ply;
    if (!message || message.ply !== pliesBefore) {
      break;
    }
    before = message.head;
  }
  return before;
}

/** Whether a message may lead to a position: clients write the square for en passant differently. */
export function isAt(message: Pick<Message, 'fen'>, fen: string): boolean {
  const parts = (text: string): string => text.split(' ', 3).join(' ');
  return !message.fen || parts(message.fen) === parts(fen);
}

/** The moves in UCI between positions that follow each other; `undefined` if no move leads from one to the next. */
export function movesBetween(fens: readonly (string | undefined)[]): string[] | undefined {
  const moves = fens.slice(1).map((fen, i) => uciBetween(fens[i], fen));
  return moves.every(move => move !== undefined) ? moves : undefined;
}

/** A first move in UCI, if the position after it is one. */
export function moveTo({ fen }: Message): string | undefined {
  return uciBetween(INITIAL_FEN, fen);
}

function uciBetween(before: string | undefined, after: string | undefined): string | undefined {
  const [from, to] = [squares(before), squares(after)];
  if (!from || !to) {
    return undefined;
  }
  const mine = before?.split(' ')[1] === 'b' ? /[a-z]/ : /[A-Z]/;
  const changed = from.map((_, i) => i).filter(i => from[i] !== to[i]);
  const left = changed.filter(i => mine.test(from[i] as string) && to[i] === '.');
  const reached = changed.filter(i => mine.test(to[i] as string));
  if (left.length !== reached.length || left.length > 2) {
    return undefined;
  }
  const isKing = (piece: string | undefined): boolean => piece?.toLowerCase() === 'k';
  const one = left.length === 1 ? left[0] : left.find(i => isKing(from[i]));
  const other = left.length === 1 ? reached[0] : reached.find(i => isKing(to[i]));
  if (one === undefined || other === undefined) {
    return undefined;
  }
  const promotion = from[one] === to[other] ? '' : (to[other] as string);
  return parseUci(name(one) + name(other) + promotion);
}

/**
 * The position after a move as the other clients write it, who follow no move with another FEN: with the square for en
 * passant after every double step, also where nothing can be captured.
 */
export function fenAfter(uci: string, { san, fen }: { san: string; fen: string }): string {
  const isDoubleStep = /^[a-h]/.test(san) && /^.(2.4|7.5)$/.test(uci);
  const square = isDoubleStep ? uci.charAt(0) + (uci.charAt(1) === '2' ? '3' : '6') : '-';
  return fen.split(' ').map((field, i) => (i === 3 ? square : field)).join(' ');
}

/** The 64 squares of a FEN, from a8 to h1; a dot is an empty one. */
function squares(fen: string | undefined): string[] | undefined {
  const ranks = (fen?.split(' ')[0] ?? '').split('/');
  const board = ranks.join('').replace(/\d/g, digit => '.'.repeat(Number(digit)));
  return board.length === 64 ? [...board] : undefined;
}

function name(square: number): string {
  return 'abcdefgh'.charAt(square % 8) + `${8 - Math.floor(square / 8)}`;
}
