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
 * @param lastMove the last one of them
 * @returns `undefined` if a ply has no event, or several different ones of the same second
 */
export function assembleMoves(
  events: readonly NostrEvent[],
  firstMover: string,
  mover: (event: NostrEvent) => string,
  plies: number,
  lastMove: string | undefined,
): string[] | undefined {
  if (plies > MAX_PLIES) {
    return undefined;
  }
  const newest = new Map<number, { second: number; moves: Set<string> }>();
  const lastPly = new Map<string, number>();
  const inOrder = [...events].sort(
    (a, b) => a.created_at - b.created_at || (plyTag(a) ?? 0) - (plyTag(b) ?? 0),
  );
  for (const event of inOrder) {
    const move = parseUci(event.content);
    const player = mover(event);
    const first = player === firstMover ? 1 : 2;
    const ply = plyTag(event) ?? (lastPly.get(player) ?? first - 2) + 2;
    if (!move || ply % 2 !== first % 2 || ply < 1) {
      continue;
    }
    lastPly.set(player, ply);
    const second = event.created_at;
    const before = newest.get(ply);
    if (before?.second === second) {
      before.moves.add(move);
    } else if (ply <= plies) {
      newest.set(ply, { second, moves: new Set([move]) });
    }
  }
  const moves: string[] = [];
  for (let ply = 1; ply <= plies; ply++) {
    const candidates = newest.get(ply)?.moves ?? new Set<string>();
    const move = ply === plies ? lastMove : candidates.values().next().value;
    if (move === undefined || !candidates.has(move) || (ply < plies && candidates.size > 1)) {
      return undefined;
    }
    moves.push(move);
  }
  return moves;
}

function plyTag(event: NostrEvent): number | undefined {
  return naturalNumber(tagValue(event, 'ply'));
}
