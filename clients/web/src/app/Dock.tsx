import type { Game } from 'gambit-client';
import { useEffect, useReducer } from 'preact/hooks';
import { keepsKey } from '../identity/identity.js';
import { isReminderDue, putOffReminder } from '../identity/nudge.js';
import { Button, ButtonLink } from '../ui/Button.js';
import { colorOfInvited, colorOfInviter } from '../ui/colors.js';
import { Notices } from '../ui/notices.js';
import { usePieceSprite } from '../ui/pieces.js';
import { PlayerName, usePlayerName } from '../ui/PlayerName.js';
import { SaveKey } from '../ui/RatedSwitch.js';
import { useRatedPlay } from '../ui/ratings.js';
import { timeInWords, timeLabel } from '../ui/time.js';
import { announce } from './announce.js';
import { isFromStranger, type Received, useMatchmaking } from './matchmaking.js';
import { hrefOf, type Route } from './router.js';
import { useSession, useSessionHolder } from './session.js';
import { useSettings } from './settings.js';
import { showTurnInTitle } from './usePageTitle.js';
import { list } from '../language/format.js';
import { rich, t } from '../language/t.js';
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
    <aside class="dock" aria-label={t('Messages')}>
      {/* The page of a game says it itself. */}
      {status === 'reconnecting' && route.page !== 'game' && (
        <div class="dock-item dock-warning">
          <p>{rich('<strong>Connection lost.</strong> Trying again…', { strong: (text) => <strong>{text}</strong> })}</p>
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
        <p>{t('Your game is running.')}</p>
        <ButtonLink variant="primary" href={hrefOf({ page: 'game', id: game.id })}>{t('Return to your game')}</ButtonLink>
      </div>
    );
  }
  // The page of a finished game has its own answer to a request for a rematch, and an accepted challenge is on its board.
  const shown = received.filter(({ id, rematchOf }) => invitations && !(opened !== undefined && (rematchOf ?? id) === opened));
  const groups = [shown.filter((one) => !isFromStranger(one)), shown.filter(isFromStranger)];
  return (
    <>
      {searchTime !== undefined && route.page !== 'lobby' && (
        <div class="dock-item">
          <p>
            {searchRated
              ? t('Looking for an opponent at {time}, rated…', { time: timeLabel(searchTime) })
              : t('Looking for an opponent at {time}…', { time: timeLabel(searchTime) })}
          </p>
          <Button onClick={() => void matchmaking.cancelSearch()}>{t('Cancel search')}</Button>
        </div>
      )}
      {begun.filter(({ id }) => id !== opened).slice(0, MAX_BEGUN).map((one) => <BegunItem key={one.id} game={one} />)}
      {groups.map(([invite, ...more]) => invite && <InviteItem key={invite.id} invite={invite} more={more.length} />)}
      {received.length === 0 && begun.length === 0 && <KeyReminder />}
    </>
  );
}

/** The reminder of a guest whose key is in this browser only. */
function KeyReminder() {
  const { identity, pubkey } = useSession();
  const [, answered] = useReducer<number, void>((count) => count + 1, 0);
  const isShown = !keepsKey(identity) && isReminderDue(pubkey);
  useEffect(() => {
    if (isShown) announce(t('Your name and your games hang on a key that is in this browser only.'));
  }, [isShown]);
  if (!isShown) return null;
  const done = () => {
    putOffReminder(pubkey);
    answered();
  };
  return (
    <div class="dock-item dock-invite">
      <p><strong>{t('Keep your key')}</strong></p>
      <p class="small">
        {t('Your name and your games hang on a key that is in this browser only.')}{' '}
        {t('With a copy of it, or on a second device, they stay yours.')}
      </p>
      <div class="dock-actions">
        <ButtonLink variant="primary" href={hrefOf({ page: 'me' })} onClick={done}>{t('Keep it')}</ButtonLink>
        <Button onClick={done}>{t('Not now')}</Button>
      </div>
    </div>
  );
}

/** A slow game that has begun. */
function BegunItem({ game }: { game: Game }) {
  const { matchmaking } = useSession();
  const level = game.levels.white ?? game.levels.black;
  const name = usePlayerName(game.opponent!, level);
  useEffect(() => announce(t('Your game with {name} has begun.', { name })), [game]);
  return (
    <div class="dock-item dock-invite">
      <p>{rich('Your game with {name} has begun', { name: <PlayerName pubkey={game.opponent!} level={level} /> })}</p>
      <p class="muted small">{list([timeInWords(game.time.text), colorOfInviter(game.color)])}</p>
      <div class="dock-actions">
        <ButtonLink variant="primary" href={hrefOf({ page: 'game', id: game.id })}>{t('Open')}</ButtonLink>
        <Button onClick={() => matchmaking.noticed(game.id)}>{t('Later')}</Button>
      </div>
    </div>
  );
}

/** A received invitation with its conditions and the two answers. */
function InviteItem({ invite, more }: { invite: Received; more: number }) {
  const { matchmaking } = useSession();
  const name = usePlayerName(invite.author);
  const what = describe(invite);
  const { mayPlay } = useRatedPlay();
  useEffect(() => announce(t('{name} invites you: {conditions}.', { name, conditions: what })), [invite.id]);
  return (
    <div class="dock-item dock-invite">
      <p>
        {rich('{kind, select, rematch {{name} would like a rematch} other {{name} invites you}}', {
          kind: invite.kind,
          name: <PlayerName pubkey={invite.author} />,
        })}
      </p>
      <p class="muted small">
        {what}
        {more > 0 && ` · ${t('{count, plural, one {# more after this one} other {# more after this one}}', { count: more })}`}
      </p>
      {invite.rated && !mayPlay && <SaveKey />}
      <div class="dock-actions">
        <Button
          variant="primary"
          disabled={invite.rated && !mayPlay}
          onClick={() => void (invite.isStart ? matchmaking.take(invite.id) : matchmaking.accept(invite.id))}
        >
          {t('Accept')}
        </Button>
        {invite.isStart ? (
          <Button onClick={() => matchmaking.dismiss(invite.id)}>{t('Dismiss')}</Button>
        ) : (
          <Button onClick={() => void matchmaking.reject(invite.id)}>{t('Decline')}</Button>
        )}
      </div>
      {more > 0 && (
        <p class="small">
          <a href={hrefOf({ page: 'me' })}>{t('Switch invitations off')}</a>
        </p>
      )}
    </div>
  );
}

function describe(invite: Received): string {
  if (invite.kind === 'rematch') return t('the same time control, colours swapped');
  return list([
    invite.time && timeInWords(invite.time.text),
    invite.isStart && t('correspondence with another Nostr client'),
    invite.rated && t('rated'),
    colorOfInvited(invite.color),
    invite.fen && t('from a set-up position'),
  ]);
}
