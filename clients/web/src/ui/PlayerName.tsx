import { useProfile } from '../app/profiles.js';
import { hrefOf } from '../app/router.js';
import { useSession, type Session } from '../app/session.js';
import { useSettings } from '../app/settings.js';
import { guestName, isGuestName } from './guest-name.js';
import { Identicon } from './Identicon.js';
import { isLookAlike, npubOf, oneLine, shortNpub } from './names.js';
import { t } from '../language/t.js';
import './player-name.css';

interface Name {
  readonly name: string;
  readonly suffix: string;
  readonly lookAlike: boolean;
  readonly guest: boolean;
}

/** A player's name: from the profile, otherwise a guest's. The relay's own player has its level in a game. */
function useName(pubkey: string, level?: number): Name {
  const session = useSession();
  useProfile(session.client.info.house?.pubkey ?? pubkey);
  useProfile(pubkey);
  return nameFrom(session, pubkey, level);
}

/** The name as far as profiles are known. */
function nameFrom({ client, profiles }: Session, pubkey: string, level?: number): Name {
  const house = client.info.house?.pubkey;
  const houseName = (house && oneLine(profiles.get(house)?.name)) ?? t('Computer');
  const own = oneLine(profiles.get(pubkey)?.name);
  if (house === pubkey) return { name: houseName, suffix: level ? t(', level {level}', { level }) : '', lookAlike: false, guest: false };
  const given = guestName(pubkey);
  const isRelay = pubkey === client.info.referee;
  const seemsOther = (name: string) => isLookAlike(name, house ? houseName : t('Computer'));
  if (own === undefined) return { name: isRelay || seemsOther(given) ? shortNpub(pubkey) : given, suffix: '', lookAlike: false, guest: true };
  return { name: own, suffix: '', lookAlike: !isRelay && (seemsOther(own) || (isGuestName(own) && own !== given)), guest: false };
}

/** A player's name as plain text, with the mark of a look-alike. */
export function usePlayerName(pubkey: string, level?: number): string {
  return inText(useName(pubkey, level));
}

/** The same outside of components, as far as the player's profile is known. */
export function playerName(session: Session, pubkey: string, level?: number): string {
  return inText(nameFrom(session, pubkey, level));
}

function inText({ name, suffix, lookAlike }: Name): string {
  return lookAlike ? t('{name} (look-alike)', { name }) : name + suffix;
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
 * bounded length, and in a direction of their own. The names of guests, whom nobody has named, are in italics.
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
  const { name, suffix, lookAlike, guest } = useName(pubkey, level);
  const house = client.info.house?.pubkey === pubkey;
  const content = (
    <>
      {picture && <PlayerPicture pubkey={pubkey} size={size} />}
      <span class={`player-name-whole ${guest ? 'player-name-guest' : ''}`} title={guest ? npubOf(pubkey) : undefined}>
        <bdi class="player-name-text">{name}</bdi>
        {suffix && <span class="player-name-level">{suffix}</span>}
      </span>
      {suffix === '' && (house || profile?.bot) && <span class="player-name-mark">{t('bot')}</span>}
      {lookAlike && (
        <span
          class="player-name-mark player-name-warning"
          title={t('An ordinary player whose name looks like one of the relay or of another player')}
        >
          {t('look-alike')}
        </span>
      )}
      {own === pubkey && <span class="player-name-mark">{t('you')}</span>}
    </>
  );
  return link ? (
    <a class="player-name" href={hrefOf({ page: 'player', npub: npubOf(pubkey) })}>{content}</a>
  ) : (
    <span class="player-name">{content}</span>
  );
}
