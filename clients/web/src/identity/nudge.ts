/**
 * When a guest is reminded to keep the key: after the third finished game, and ten games after each time that the
 * reminder was put off. The count is kept in the browser.
 */
import { load, save } from '../app/storage.js';

const FIRST_AFTER_GAMES = 3;
const AGAIN_AFTER_GAMES = 10;
/** The finished games that are remembered, so that two windows count a game once. */
const REMEMBERED_GAMES = 10;
const KEY = 'finished';

interface Count {
  readonly player: string;
  readonly games: number;
  /** The number of games from which on the reminder is shown. */
  readonly due: number;
  /** The ids of the games that were counted last. */
  readonly last: readonly string[];
}

/** Counts a finished game of a player. */
export function countFinished(player: string, game: string): void {
  const count = countOf(player);
  if (count.last.includes(game)) return;
  const last = [...count.last, game].slice(-REMEMBERED_GAMES);
  save(KEY, JSON.stringify({ ...count, games: count.games + 1, last }));
}

/** Whether a player has finished so many games that a key in one place is a pity. */
export function isReminderDue(player: string): boolean {
  const { games, due } = countOf(player);
  return games >= due;
}

/** The user has seen the reminder. */
export function putOffReminder(player: string): void {
  const count = countOf(player);
  save(KEY, JSON.stringify({ ...count, due: count.games + AGAIN_AFTER_GAMES }));
}

/** The count of this browser's player; another one's begins at 0. */
function countOf(player: string): Count {
  try {
    const { player: counted, games, due, last } = JSON.parse(load(KEY) ?? '{}') as Partial<Record<keyof Count, unknown>>;
    if (counted === player && Number.isSafeInteger(games) && Number.isSafeInteger(due) && Array.isArray(last)) {
      return { player, games: games as number, due: due as number, last: last.filter((id) => typeof id === 'string') };
    }
  } catch {
    // Damaged: counted anew.
  }
  return { player, games: 0, due: FIRST_AFTER_GAMES, last: [] };
}
