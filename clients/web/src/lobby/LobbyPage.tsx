import { useLobby } from '../app/lobby.js';
import { useMatchmaking } from '../app/matchmaking.js';
import { useProfile } from '../app/profiles.js';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { usePageTitle } from '../app/usePageTitle.js';
import { ButtonLink } from '../ui/Button.js';
import { oneLine } from '../ui/names.js';
import { ComputerCard } from './ComputerCard.js';
import { FinishedGames } from './FinishedGames.js';
import { FriendCard } from './FriendCard.js';
import { OpenChallenges } from './OpenChallenges.js';
import { QuickPairing } from './QuickPairing.js';
import { RunningGames } from './RunningGames.js';
import { YourGames } from './YourGames.js';
import './lobby.css';

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
        <h1>Play chess</h1>
        {identity.method === 'guest' && name === undefined && (
          <p class="muted">
            Nothing to sign up for: you play as a guest. <a href={hrefOf({ page: 'me' })}>Choose a name</a>
          </p>
        )}
        {client.info.chess.rated && <p><a href={hrefOf({ page: 'leaderboards' })}>Leaderboards</a></p>}
      </div>
      {game && (
        <div class="card lobby-current">
          <p>
            <strong>Your game is running.</strong> You can begin another one when it is over.
          </p>
          <ButtonLink variant="primary" href={hrefOf({ page: 'game', id: game.id })}>Return to your game</ButtonLink>
        </div>
      )}
      {slowGames.length > 0 && <YourGames games={slowGames} />}
      {/* A disabled fieldset disables every control in it: one plays one live game at a time. */}
      <fieldset class="lobby-start" disabled={game !== undefined}>
        <legend class="visually-hidden">Begin a game</legend>
        {hasComputer && <ComputerCard start={fen} />}
        <QuickPairing lobby={lobby} />
        <FriendCard start={fen} />
        {!hasComputer && <ComputerCard start={fen} />}
      </fieldset>
      {lobby && ready && (
        <>
          <OpenChallenges invites={lobby.invites} />
          <RunningGames games={lobby.games} playing={lobby.playing} />
          <FinishedGames playing={lobby.playing} />
        </>
      )}
    </div>
  );
}
