import type { NostrEvent } from 'nostr-tools/pure';
import { naturalNumber, rootGame, tag, tagValue } from './events.js';
import { parseUci } from './states.js';

/** Tags with which an event of kind 5001 is a NIP-90 job and not a move. */
const JOB_TAGS = ['i', 'param', 'output', 'bid', 'relays', 'encrypted', 'j'];
const MAX_PLIES = 10_000;

/** Whether an event of kind 5001 may be a move of this game. */
export function isMoveOf(event: NostrEvent, gameId: string): boolean {
  return (
    parseUci(event.content) !== undefined &&
    (rootGame(event) ?? gameId) === gameId &&
    !JOB_TAGS.some(name => tag(event, name))
  );
}

/**
 * The moves of a running game from the stored events of kind 5001: of each ply the newest one, because moves
 * that were taken back are still stored. A move without the tag `ply` follows the mover's one before it.
 *
 * @param events moves that the relay has accepted in this game, in any order
 * @param firstMover the key of the side that made the first move
 * @param mover the player who made a move: its author, or the player for whom the relay has signed it
 * @param plies the number of moves that were played
 * @returns `undefined` if some ply has no event
 */
export function assembleMoves(
  events: readonly NostrEvent[],
  firstMover: string,
  mover: (event: NostrEvent) => string | undefined,
  plies: number,
): string[] | undefined {
  if (plies > MAX_PLIES) {
    return undefined;
  }
  const moves = new Array<string | undefined>(plies).fill(undefined);
  const last = new Map<string, number>();
  const inOrder = [...events].sort(
    (a, b) => a.created_at - b.created_at || (plyTag(a) ?? 0) - (plyTag(b) ?? 0),
  );
  for (const event of inOrder) {
    const player = mover(event);
    if (player === undefined) {
      continue;
    }
    const first = player === firstMover ? 1 : 2;
    const ply = plyTag(event) ?? (last.get(player) ?? first - 2) + 2;
    if (ply % 2 !== first % 2) {
      continue;
    }
    last.set(player, ply);
    if (ply >= 1 && ply <= plies) {
      moves[ply - 1] = parseUci(event.content);
    }
  }
  return moves.every(move => move !== undefined) ? moves : undefined;
}

function plyTag(event: NostrEvent): number | undefined {
  return naturalNumber(tagValue(event, 'ply'));
}
