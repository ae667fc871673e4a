import type { VerifiedEvent } from 'nostr-tools/pure';
import type { GameContext } from './game-context.js';
import { isHex64, Kind, tagValue } from './events.js';
import type { PlayerStatus } from './types.js';

const MAX_PLAYERS = 500;

/**
 * Follows who is here (kind 20308) of at most 500 players; further ones are left out. The listener gets the status of
 * each, once they are known and after each change, also across reconnections.
 */
export function followPresence(
  context: GameContext,
  pubkeys: readonly string[],
  listener: (status: Map<string, PlayerStatus>) => void,
): () => void {
  const players = [...new Set(pubkeys.filter(isHex64))].slice(0, MAX_PLAYERS);
  const wanted = new Set(players);
  let status = new Map<string, PlayerStatus>();
  let stored = new Map<string, PlayerStatus>();
  if (players.length === 0) {
    listener(status);
    return () => undefined;
  }
  const tell = (): void => listener(new Map(players.map(key => [key, status.get(key) ?? 'offline'])));
  const take = (event: VerifiedEvent, isStored: boolean): void => {
    const player = tagValue(event, 'd') ?? '';
    const value = tagValue(event, 'status');
    if (event.pubkey !== context.referee || !wanted.has(player) || !isStatus(value)) {
      return;
    }
    (isStored ? stored : status).set(player, value);
    if (!isStored) {
      tell();
    }
  };
  const subscription = context.subscribe(
    [{ kinds: [Kind.player], authors: [context.referee], '#p': players }],
    {
      onevent: take,
      oneose: () => {
        status = stored; // who has left meanwhile is not among them
        stored = new Map();
        tell();
      },
    },
  );
  return () => subscription.close();
}

function isStatus(value: string | undefined): value is PlayerStatus {
  return value === 'playing' || value === 'online' || value === 'offline';
}
