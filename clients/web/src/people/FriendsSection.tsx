import type { GameSummary } from 'gambit-client';
import { useEffect } from 'preact/hooks';
import { hrefOf } from '../app/router.js';
import { t } from '../language/t.js';
import { FriendsPlace, rememberFriends } from '../lobby/FriendsPlace.js';
import { FriendRow } from './FriendRow.js';
import { useFollows, useStatus } from './presence.js';
import './people.css';

/** The friends that are drawn in the lobby; the page of players has all. */
const DRAWN = 8;

/**
 * The friends who are here, in the lobby; nothing for who has no friends.
 *
 * @param games the running ones that the lobby knows
 */
export function FriendsSection({ games }: { games: readonly GameSummary[] }) {
  const { friends, isKnown } = useFollows();
  const status = useStatus(friends);
  const here = friends.filter((pubkey) => (status?.get(pubkey) ?? 'offline') !== 'offline');
  useEffect(() => {
    if (isKnown) rememberFriends(friends.length > 0);
  }, [isKnown, friends.length > 0]);
  if (friends.length === 0) return isKnown ? null : <FriendsPlace />;
  return (
    <section class="lobby-section lobby-friends" aria-labelledby="friends-heading">
      <h2 id="friends-heading">{t('Friends')}</h2>
      {status && here.length === 0 && <p class="muted">{t('None of your friends is here at the moment.')}</p>}
      <ul class="rows">
        {here.slice(0, DRAWN).map((pubkey) => <FriendRow key={pubkey} pubkey={pubkey} status={status?.get(pubkey)} games={games} />)}
      </ul>
      <p><a href={hrefOf({ page: 'players' })}>{t('All friends, and other players')}</a></p>
    </section>
  );
}
