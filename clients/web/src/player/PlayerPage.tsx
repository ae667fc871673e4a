import type { Color } from 'gambit-client';
import { useState } from 'preact/hooks';
import { lastTime } from '../app/last-time.js';
import { useLists, usePeople, useRatings } from '../app/later.js';
import { useLobby } from '../app/lobby.js';
import { useMatchmaking } from '../app/matchmaking.js';
import { useProfile } from '../app/profiles.js';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { usePageTitle } from '../app/usePageTitle.js';
import { WaitingInvite } from '../challenge/WaitingInvite.js';
import { rich, t } from '../language/t.js';
import { GameCard } from '../lobby/GameCard.js';
import { Button, ButtonLink } from '../ui/Button.js';
import { CopyButton } from '../ui/CopyButton.js';
import { ColorChoice, TimeSelect } from '../ui/GameFields.js';
import { mayBeRated, RatedSwitch } from '../ui/RatedSwitch.js';
import { oneLine, pubkeyFrom } from '../ui/names.js';
import { PlayerPicture, usePlayerName } from '../ui/PlayerName.js';
import '../lobby/lobby.css';
import './player.css';

const MAX_ABOUT_LENGTH = 280;
const MAX_BOARDS = 12;

/** A player: name, running games, finished games, and an invitation to a game. */
export function PlayerPage({ npub }: { npub: string }) {
  const pubkey = pubkeyFrom(npub);
  if (pubkey === undefined) {
    return (
      <div class="narrow">
        <h1>{t('No such player')}</h1>
        <p>{t('The address has a mistake: the check digits of the npub do not fit.')}</p>
      </div>
    );
  }
  return <Player pubkey={pubkey} npub={npub} />;
}

function Player({ pubkey, npub }: { pubkey: string; npub: string }) {
  const { client, pubkey: own } = useSession();
  const name = usePlayerName(pubkey);
  const profile = useProfile(pubkey);
  const about = oneLine(profile?.about, MAX_ABOUT_LENGTH);
  const house = client.info.house?.pubkey === pubkey;
  usePageTitle(name);
  return (
    <div class="player-page">
      <div class="player-head">
        <PlayerPicture pubkey={pubkey} size={72} />
        <div class="player-head-text">
          <h1><bdi class={oneLine(profile?.name) === undefined && !house ? 'player-name-guest' : undefined}>{name}</bdi></h1>
          {(house || profile?.bot) && <p class="muted">{t('A program, not a person.')}</p>}
          {about && <p><bdi>{about}</bdi></p>}
          <p class="player-npub">
            <code>{npub}</code>
            <CopyButton size="small" text={npub} label={t('Copy npub')} />
          </p>
        </div>
      </div>
      {pubkey === own ? (
        <p>
          {rich('This is you. <a>Change your name or your settings</a>', {
            a: (text) => <a href={hrefOf({ page: 'me' })}>{text}</a>,
          })}
        </p>
      ) : house ? (
        <p><ButtonLink variant="primary" href={hrefOf({ page: 'lobby' })}>{t('Play the computer in the lobby')}</ButtonLink></p>
      ) : (
        <>
          <Friend pubkey={pubkey} name={name} />
          <Challenge opponent={pubkey} />
        </>
      )}
      {client.info.chess.rated && !house && <Ratings key={pubkey} pubkey={pubkey} />}
      <Running pubkey={pubkey} />
      <Finished key={pubkey} pubkey={pubkey} />
    </div>
  );
}

/** Whether the player is a friend, and here. */
function Friend({ pubkey, name }: { pubkey: string; name: string }) {
  const Content = usePeople()?.FollowButton;
  return <div class="player-friend">{Content && <Content pubkey={pubkey} name={name} />}</div>;
}

/** Invites the player to a game. */
function Challenge({ opponent }: { opponent: string }) {
  const { matchmaking } = useSession();
  const { sent } = useMatchmaking(matchmaking);
  const [color, setColor] = useState<Color | 'random'>('random');
  const [time, setTime] = useState(lastTime);
  const [wantsRated, setRated] = useState(false);
  const [sending, setSending] = useState(false);
  const waiting = sent.find((invite) => invite.opponent === opponent);
  const send = async () => {
    setSending(true);
    await matchmaking.invite({ opponent, color, time, expiresIn: 86_400, rated: wantsRated && mayBeRated(time) });
    setSending(false);
  };
  return (
    <section class="card player-challenge" aria-labelledby="challenge-heading">
      <h2 id="challenge-heading">{t('Invite to a game')}</h2>
      {waiting ? (
        <WaitingInvite invite={waiting} />
      ) : (
        <div class="player-challenge-fields">
          <ColorChoice value={color} onChange={setColor} />
          <TimeSelect value={time} onChange={setTime} />
          {mayBeRated(time) && <RatedSwitch checked={wantsRated} onChange={setRated} />}
          <Button variant="primary" disabled={sending || !matchmaking.canBegin(time)} onClick={() => void send()}>
            {t('Send the invitation')}
          </Button>
        </div>
      )}
    </section>
  );
}

/** The player's ratings, and how they have changed. */
function Ratings({ pubkey }: { pubkey: string }) {
  const Content = useRatings()?.PlayerRatings;
  return (
    <section class="lobby-section player-ratings" aria-labelledby="player-ratings-heading">
      <h2 id="player-ratings-heading">{t('Ratings')}</h2>
      {Content && <Content pubkey={pubkey} />}
      <p><a href={hrefOf({ page: 'leaderboards' })}>{t('Leaderboards')}</a></p>
    </section>
  );
}

function Running({ pubkey }: { pubkey: string }) {
  const games = useLobby(pubkey).lobby?.games ?? [];
  if (games.length === 0) return null;
  return (
    <section class="lobby-section" aria-labelledby="player-running-heading">
      <h2 id="player-running-heading">{t('Playing now')}</h2>
      <ul class="boards">
        {games.slice(0, MAX_BOARDS).map((game) => <li key={game.id}><GameCard game={game} /></li>)}
      </ul>
    </section>
  );
}

function Finished({ pubkey }: { pubkey: string }) {
  const { GameRecords: Records, DownloadGames } = useLists() ?? {};
  return (
    <section class="lobby-section" aria-labelledby="player-finished-heading">
      <h2 id="player-finished-heading">{t('Finished games')}</h2>
      {Records && <Records player={pubkey} empty={t('No finished game on this relay.')} />}
      {DownloadGames && <DownloadGames player={pubkey} />}
    </section>
  );
}
