import { useProfile } from '../app/profiles.js';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { useSettings } from '../app/settings.js';
import { Identicon } from './Identicon.js';
import { npubOf, oneLine, shortNpub } from './names.js';
import './player-name.css';

/** A player's name as plain text: from the profile, otherwise the shortened npub. */
export function usePlayerName(pubkey: string): string {
  const { client } = useSession();
  const profile = useProfile(pubkey);
  const name = oneLine(profile?.name);
  if (name) return name;
  return client.info.house?.pubkey === pubkey ? 'Computer' : shortNpub(pubkey);
}

/** A player's picture: the identicon, unless the user wants pictures loaded and there is one. */
export function PlayerPicture({ pubkey, size = 24 }: { pubkey: string; size?: number }) {
  const { pictures } = useSettings();
  const picture = useProfile(pubkey)?.picture;
  if (!pictures || !picture?.startsWith('https:')) return <Identicon pubkey={pubkey} size={size} />;
  return (
    <img class="identicon" src={picture} width={size} height={size} alt="" loading="lazy" referrerpolicy="no-referrer" />
  );
}

/**
 * A player's picture and name. Names are strangers' text: they are shown as text, in one line, of
 * bounded length, and in a direction of their own.
 *
 * @param link whether the name leads to the player's page; not inside of other links
 */
export function PlayerName({ pubkey, link = true, picture = true, size = 24 }: {
  pubkey: string;
  link?: boolean;
  picture?: boolean;
  size?: number;
}) {
  const profile = useProfile(pubkey);
  const { client, pubkey: own } = useSession();
  const name = usePlayerName(pubkey);
  const house = client.info.house?.pubkey === pubkey;
  const content = (
    <>
      {picture && <PlayerPicture pubkey={pubkey} size={size} />}
      <bdi class="player-name-text">{name}</bdi>
      {(house || profile?.bot) && <span class="player-name-mark">bot</span>}
      {own === pubkey && <span class="player-name-mark">you</span>}
    </>
  );
  return link ? (
    <a class="player-name" href={hrefOf({ page: 'player', npub: npubOf(pubkey) })}>{content}</a>
  ) : (
    <span class="player-name">{content}</span>
  );
}
