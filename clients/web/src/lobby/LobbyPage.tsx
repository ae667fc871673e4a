import type { GameSummary } from 'gambit-client';
import type { Lobby } from 'gambit-client';
import { useLists, useMembers, usePeople } from '../app/later.js';
import { useLobby } from '../app/lobby.js';
import { useMatchmaking } from '../app/matchmaking.js';
import { useProfile } from '../app/profiles.js';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { usePageTitle } from '../app/usePageTitle.js';
import { number } from '../language/format.js';
import { rich, t } from '../language/t.js';
import { ButtonLink } from '../ui/Button.js';
import { oneLine } from '../ui/names.js';
import { ComputerCard } from './ComputerCard.js';
import { FriendCard } from './FriendCard.js';
import { FriendsPlace, mayHaveFriends } from './FriendsPlace.js';
import { OpenChallenges } from './OpenChallenges.js';
import { QuickPairing } from './QuickPairing.js';
import { YourGames } from './YourGames.js';
import './lobby.css';

const LIVE_BOARDS = 4;

/**
 * The first page: all ways to a game, the player's own games, and the games of others.
 *
 * @param fen the first position of a new game, if the address has one
 */
export function LobbyPage({ fen }: { fen?: string }) {
  usePageTitle('');
  const { client, identity, matchmaking, pubkey } = useSession();
  const name = oneLine(useProfile(pubkey)?.name);
  const hasComputer = (client.info.house?.levels.length ?? 0) > 0;
  const { game, slowGames } = useMatchmaking(matchmaking);
  const { lobby, ready } = useLobby();
  return (
    <div class="lobby">
      <div class="lobby-title">
        <h1>{t('Play chess')}</h1>
        {identity.method === 'guest' && name === undefined && client.isMember !== false && (
          <p class="muted">
            {rich('Nothing to sign up for: you play as a guest. <a>Choose a name</a>', {
              a: (text) => <a href={hrefOf({ page: 'me' })}>{text}</a>,
            })}
          </p>
        )}
        {client.info.chess.rated && <p><a href={hrefOf({ page: 'leaderboards' })}>{t('Leaderboards')}</a></p>}
      </div>
      {game && (
        <div class="card lobby-current">
          <p>
            {rich('<b>Your game is running.</b> You can begin another one when it is over.', { b: (text) => <strong>{text}</strong> })}
          </p>
          <ButtonLink variant="primary" href={hrefOf({ page: 'game', id: game.id })}>{t('Return to your game')}</ButtonLink>
        </div>
      )}
      {slowGames.length > 0 && <YourGames games={slowGames} />}
      {client.isMember === false ? (
        <Join />
      ) : (
        // A disabled fieldset disables every control in it: one plays one live game at a time.
        <fieldset class="lobby-start" disabled={game !== undefined}>
          <legend class="visually-hidden">{t('Begin a game')}</legend>
          {hasComputer && <ComputerCard start={fen} />}
          <QuickPairing lobby={lobby} />
          <FriendCard start={fen} />
          {!hasComputer && <ComputerCard start={fen} />}
        </fieldset>
      )}
      {lobby && ready && (
        <>
          {mayHaveFriends(identity) && <Friends games={lobby.games} />}
          <OpenChallenges invites={lobby.invites} starts={lobby.starts} />
          <RunningGames lobby={lobby} />
          <FinishedGames playing={lobby.playing} />
        </>
      )}
    </div>
  );
}

/** In place of the ways to a game, which only members have. */
function Join() {
  const Card = useMembers()?.JoinCard;
  return (
    <section class="lobby-section lobby-join" aria-labelledby="join-heading">
      <h2 id="join-heading">{t('This relay is for members')}</h2>
      {Card && <Card />}
    </section>
  );
}

/** The liveliest running games, as many as fit in a row. */
function RunningGames({ lobby }: { lobby: Lobby }) {
  const Boards = useLists()?.LiveBoards;
  const total = Math.max(lobby.playing, lobby.games.length);
  return (
    <section aria-labelledby="running-heading" class="lobby-section">
      <h2 id="running-heading">
        {t('Running games')} {total > 0 && <span class="count">{number(total)}</span>}
      </h2>
      {total === 0 && <p class="muted">{t('No game is running at the moment.')}</p>}
      {Boards && <Boards games={lobby.games} max={LIVE_BOARDS} />}
      {total > 0 && <p><a href={hrefOf({ page: 'watch' })}>{t('Watch the liveliest games')}</a></p>}
    </section>
  );
}

/** The games that ended last. They are asked for again when the number of running games changes. */
function FinishedGames({ playing }: { playing: number }) {
  const Records = useLists()?.GameRecords;
  return (
    <section aria-labelledby="finished-heading" class="lobby-section">
      <h2 id="finished-heading">{t('Finished games')}</h2>
      {Records && <Records change={playing} empty={t('No game has been finished here yet. Yours can be the first.')} />}
    </section>
  );
}

function Friends({ games }: { games: readonly GameSummary[] }) {
  const Section = usePeople()?.FriendsSection;
  return Section ? <Section games={games} /> : <FriendsPlace />;
}
