import type { PlayerStatus } from 'gambit-client';
import { useEffect, useState } from 'preact/hooks';
import { useSession } from '../app/session.js';
import { useNotifications } from '../app/store.js';
import { t } from '../language/t.js';
import { followsOf, type Follows } from './follows.js';

/** The user's list of friends; the component is rendered again when it changes. */
export function useFollows(): Follows {
  const { client } = useSession();
  const follows = followsOf(client);
  useNotifications(follows.subscribe, follows);
  return follows;
}

/** Who of some players is here; undefined until the relay has answered. */
export function useStatus(players: readonly string[]): ReadonlyMap<string, PlayerStatus> | undefined {
  const { client } = useSession();
  const [status, setStatus] = useState<ReadonlyMap<string, PlayerStatus>>();
  useEffect(() => client.presence(players, setStatus), [client, players.join()]);
  return status;
}

/** A status in words. */
export function statusText(status: PlayerStatus): string {
  return { online: t('online'), playing: t('playing'), offline: t('offline') }[status];
}
