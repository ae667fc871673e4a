import type { Game, ReceivedInvite } from 'gambit-client';
import { useEffect } from 'preact/hooks';
import { Button, ButtonLink } from '../ui/Button.js';
import { colorOfInvited } from '../ui/colors.js';
import { Notices } from '../ui/notices.js';
import { usePieceSprite } from '../ui/pieces.js';
import { PlayerName, usePlayerName } from '../ui/PlayerName.js';
import { SaveKey } from '../ui/RatedSwitch.js';
import { useRatedPlay } from '../ui/ratings.js';
import { timeInWords, timeLabel } from '../ui/time.js';
import { announce } from './announce.js';
import { isFromStranger, useMatchmaking } from './matchmaking.js';
import { hrefOf, type Route } from './router.js';
import { useSession, useSessionHolder } from './session.js';
import { useSettings } from './settings.js';
import { showTurnInTitle } from './usePageTitle.js';
import './dock.css';

/** The most new slow games that are shown at once. */
const MAX_BEGUN = 2;

/**
 * The messages over the lower edge of every page: lost connection, running search, running game, received
 * invitations, notices. The dock covers the page instead of moving it.
 */
export function Dock({ route }: { route: Route }) {
  const { session, status } = useSessionHolder();
  return (
    <aside class="dock" aria-label="Messages">
      {/* The page of a game says it itself. */}
      {status === 'reconnecting' && route.page !== 'game' && (
        <div class="dock-item dock-warning">
          <p><strong>Connection lost.</strong> Trying again…</p>
        </div>
      )}
      {session && <SessionItems key={session.pubkey} route={route} />}
      <Notices />
    </aside>
  );
}

function SessionItems({ route }: { route: Route }) {
  const { matchmaking } = useSession();
  const { game, waiting, searchTime, searchRated, received, begun } = useMatchmaking(matchmaking);
  const opened = route.page === 'game' ? route.id : undefined;
  useEffect(() => {
    if (opened !== undefined) matchmaking.noticed(opened);
  }, [opened]);
  const { invitations } = useSettings();
  const sprite = usePieceSprite();
  useEffect(() => {
    new Image().src = sprite; // in the browser's cache when a game begins
  }, [sprite]);
  useEffect(() => showTurnInTitle(waiting.length > 0), [waiting.length > 0]);
  useEffect(() => () => showTurnInTitle(false), []);
  if (game) {
    // The lobby shows the running game itself.
    if (route.page === 'lobby' || (route.page === 'game' && route.id === game.id)) return null;
    return (
      <div class="dock-item">
        <p>Your game is running.</p>
        <ButtonLink variant="primary" href={hrefOf({ page: 'game', id: game.id })}>Return to your game</ButtonLink>
      </div>
    );
  }
  // The page of a finished game has its own answer to a request for a rematch.
  const shown = received.filter((one) => invitations && !(route.page === 'game' && one.rematchOf === route.id));
  const groups = [shown.filter((one) => !isFromStranger(one)), shown.filter(isFromStranger)];
  return (
    <>
      {searchTime !== undefined && route.page !== 'lobby' && (
        <div class="dock-item">
          <p>Looking for an opponent at {timeLabel(searchTime)}{searchRated && ', rated'}…</p>
          <Button onClick={() => void matchmaking.cancelSearch()}>Cancel search</Button>
        </div>
      )}
      {begun.filter(({ id }) => id !== opened).slice(0, MAX_BEGUN).map((one) => <BegunItem key={one.id} game={one} />)}
      {groups.map(([invite, ...more]) => invite && <InviteItem key={invite.id} invite={invite} more={more.length} />)}
    </>
  );
}

/** A slow game that has begun. */
function BegunItem({ game }: { game: Game }) {
  const { matchmaking } = useSession();
  const level = game.levels.white ?? game.levels.black;
  const name = usePlayerName(game.opponent!, level);
  useEffect(() => announce(`Your game with ${name} has begun.`), [game]);
  return (
    <div class="dock-item dock-invite">
      <p>Your game with <PlayerName pubkey={game.opponent!} level={level} /> has begun</p>
      <p class="muted small">{timeInWords(game.time.text)}, {game.color === 'white' ? 'you play White' : 'you play Black'}</p>
      <div class="dock-actions">
        <ButtonLink variant="primary" href={hrefOf({ page: 'game', id: game.id })}>Open</ButtonLink>
        <Button onClick={() => matchmaking.noticed(game.id)}>Later</Button>
      </div>
    </div>
  );
}

/** A received invitation with its conditions and the two answers. */
function InviteItem({ invite, more }: { invite: ReceivedInvite; more: number }) {
  const { matchmaking } = useSession();
  const name = usePlayerName(invite.author);
  const what = describe(invite);
  const { mayPlay } = useRatedPlay();
  useEffect(() => announce(`${name} invites you: ${what}.`), [invite.id]);
  return (
    <div class="dock-item dock-invite">
      <p>
        <PlayerName pubkey={invite.author} />{' '}
        {invite.kind === 'rematch' ? 'would like a rematch' : 'invites you'}
      </p>
      <p class="muted small">
        {what}
        {more > 0 && ` · ${more} more after this one`}
      </p>
      {invite.rated && !mayPlay && <SaveKey />}
      <div class="dock-actions">
        <Button variant="primary" disabled={invite.rated && !mayPlay} onClick={() => void matchmaking.accept(invite.id)}>
          Accept
        </Button>
        <Button onClick={() => void matchmaking.reject(invite.id)}>Decline</Button>
      </div>
      {more > 0 && (
        <p class="small">
          <a href={hrefOf({ page: 'me' })}>Switch invitations off</a>
        </p>
      )}
    </div>
  );
}

function describe(invite: ReceivedInvite): string {
  if (invite.kind === 'rematch') return 'the same time control, colours swapped';
  return [invite.time && timeInWords(invite.time.text), invite.rated && 'rated', colorOfInvited(invite.color), invite.fen && 'from a set-up position']
    .filter(Boolean)
    .join(', ');
}
