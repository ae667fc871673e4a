import { useProfile } from '../app/profiles.js';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { useSettings } from '../app/settings.js';
import { Identicon } from './Identicon.js';
import { isLookAlike, npubOf, oneLine, shortNpub } from './names.js';
import './player-name.css';

const COMPUTER = 'Computer';

/** A player's name: from the profile, otherwise the shortened npub. The relay's own player has its level in a game. */
function useName(pubkey: string, level?: number): { name: string; suffix: string; lookAlike: boolean } {
  const { client } = useSession();
  const house = client.info.house?.pubkey;
  const houseName = oneLine(useProfile(house ?? pubkey)?.name) ?? COMPUTER;
  const own = oneLine(useProfile(pubkey)?.name);
  if (house === pubkey) return { name: houseName, suffix: level ? `, level ${level}` : '', lookAlike: false };
  return {
    name: own ?? shortNpub(pubkey),
    suffix: '',
    lookAlike: own !== undefined && pubkey !== client.info.referee && isLookAlike(own, house ? houseName : COMPUTER),
  };
}

/** A player's name as plain text, with the mark of a look-alike. */
export function usePlayerName(pubkey: string, level?: number): string {
  const { name, suffix, lookAlike } = useName(pubkey, level);
  return lookAlike ? `${name} (look-alike)` : name + suffix;
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
 * @param level the level of the relay's own player in a game, which says enough without the mark of a bot
 * @param link whether the name leads to the player's page; not inside of other links
 */
export function PlayerName({ pubkey, level, link = true, picture = true, size = 24 }: {
  pubkey: string;
  level?: number | undefined;
  link?: boolean;
  picture?: boolean;
  size?: number;
}) {
  const profile = useProfile(pubkey);
  const { client, pubkey: own } = useSession();
  const { name, suffix, lookAlike } = useName(pubkey, level);
  const house = client.info.house?.pubkey === pubkey;
  const content = (
    <>
      {picture && <PlayerPicture pubkey={pubkey} size={size} />}
      <span class="player-name-whole">
        <bdi class="player-name-text">{name}</bdi>
        {suffix && <span class="player-name-level">{suffix}</span>}
      </span>
      {suffix === '' && (house || profile?.bot) && <span class="player-name-mark">bot</span>}
      {lookAlike && (
        <span
          class="player-name-mark player-name-warning"
          title="An ordinary player whose name looks like one of the relay or of another player"
        >
          look-alike
        </span>
      )}
      {own === pubkey && <span class="player-name-mark">you</span>}
    </>
  );
  return link ? (
    <a class="player-name" href={hrefOf({ page: 'player', npub: npubOf(pubkey) })}>{content}</a>
  ) : (
    <span class="player-name">{content}</span>
  );
}
