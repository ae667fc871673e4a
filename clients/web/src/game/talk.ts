/** What the two players of a game say to each other. */
import type { Comment, Game } from 'gambit-client';
import { useSession } from '../app/session.js';
import { settings, useSettings } from '../app/settings.js';
import { load, save } from '../app/storage.js';
import { Listeners, useNotifications } from '../app/store.js';
import { keepsKey, type Identity } from '../identity/identity.js';

/** The most games of which it is remembered: those that a player can play at once. */
const MAX_REMEMBERED = 60;

/** Of a game: whether the opponent is muted, and the number of the opponent's comments that were read. */
type Remembered = readonly [id: string, isMuted: boolean, read: number];

export interface Talk {
  /** Whether the player, in a running game, talks with the opponent, who is no program of the relay and no user of another client. */
  readonly isOn: boolean;
  /** Whether the player could. */
  readonly isPossible: boolean;
  readonly isMuted: boolean;
  /** The comments to show: of a running game to its player those of both players, otherwise all; none of a muted opponent. */
  readonly comments: readonly Comment[];
  /** The number of the opponent's comments that the player has not seen, while they talk. */
  readonly unread: number;
}

const listeners = new Listeners();

/** Whether the player wants to talk with opponents: who keeps no key, only once it was switched on. */
export function wantsTalk(identity: Identity): boolean {
  return settings().talk ?? keepsKey(identity);
}

/** The talk of a game as it is now. */
export function talkOf(game: Game, identity: Identity): Talk {
  const isPlaying = game.color !== undefined && game.result === undefined;
  const isPossible = isPlaying && game.dialect === 'nip100' && (game.levels.white ?? game.levels.black) === undefined;
  const isOn = isPossible && wantsTalk(identity);
  const [, isMuted, read] = remembered().find(([id]) => id === game.id) ?? [game.id, false, 0];
  const ofOpponent = ({ author }: Comment): boolean => author === game.opponent;
  return {
    isOn,
    isPossible,
    isMuted,
    comments: game.comments.filter(
      (comment) => (!isPlaying || [game.white, game.black].includes(comment.author)) && !(isMuted && ofOpponent(comment)),
    ),
    unread: isOn && !isMuted ? Math.max(0, game.comments.filter(ofOpponent).length - read) : 0,
  };
}

/** The talk of a game; the component is rendered again when the player's choices change. */
export function useTalk(game: Game): Talk {
  const { identity } = useSession();
  useSettings();
  useNotifications((listener) => listeners.add(listener), listeners);
  return talkOf(game, identity);
}

/** Shows the opponent's words in this game no more, or again. */
export function setMuted(game: Game, isMuted: boolean): void {
  remember(game, isMuted);
}

/** The player has seen all comments of a game. */
export function markRead(game: Game): void {
  remember(game, remembered().find(([id]) => id === game.id)?.[1] ?? false);
}

function remember({ id, opponent, comments }: Game, isMuted: boolean): void {
  const read = comments.filter(({ author }) => author === opponent).length;
  const others = remembered().filter((one) => one[0] !== id);
  save('talk', JSON.stringify([[id, isMuted, read] satisfies Remembered, ...others].slice(0, MAX_REMEMBERED)));
  listeners.notify();
}

function remembered(): Remembered[] {
  try {
    const stored: unknown = JSON.parse(load('talk') ?? '[]');
    const isValid = (one: unknown): boolean => Array.isArray(one) && typeof one[0] === 'string' && Number.isInteger(one[2]);
    return Array.isArray(stored) ? stored.filter(isValid) : [];
  } catch {
    return [];
  }
}
