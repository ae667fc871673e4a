import { isOpenedBy, parseTimeControl, type ReceivedInvite } from 'gambit-client';
import { useEffect, useState } from 'preact/hooks';
import { useLobby } from '../app/lobby.js';
import { useMatchmaking } from '../app/matchmaking.js';
import { hrefOf, navigate } from '../app/router.js';
import { useSession } from '../app/session.js';
import { usePageTitle } from '../app/usePageTitle.js';
import { rich, t } from '../language/t.js';
import { Button, ButtonLink } from '../ui/Button.js';
import { MiniBoard } from '../ui/MiniBoard.js';
import { notifyFailure } from '../ui/notices.js';
import { PlayerName, usePlayerName } from '../ui/PlayerName.js';
import { SaveKey } from '../ui/RatedSwitch.js';
import { useKind, useRatedPlay } from '../ui/ratings.js';
import { timeInWords, timeLabel } from '../ui/time.js';
import { WaitingInvite } from './WaitingInvite.js';
import './challenge.css';

/** The relay publishes its lobby every second. */
const LISTED_AFTER_MILLISECONDS = 1_500;
const INITIAL_POSITION = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';

/** An invitation that was sent as a link: its author, its conditions, and the two answers. */
export function ChallengePage({ id, secret }: { id: string; secret?: string }) {
  usePageTitle(t('Invitation'));
  const { client, pubkey } = useSession();
  const [invite, setInvite] = useState<ReceivedInvite | 'over'>();
  const search = async () => {
    try {
      setInvite((await client.findInvite(id)) ?? 'over');
    } catch (error) {
      notifyFailure(error);
    }
  };
  useEffect(() => void search(), [client, id]);
  useExpiry(invite === 'over' ? undefined : invite?.expiresAt, () => setInvite('over'));

  return (
    <div class="narrow">
      {invite === undefined ? (
        <p role="status">{t('Looking for the invitation…')}</p>
      ) : invite === 'over' ? (
        <Over />
      ) : invite.author === pubkey ? (
        <Own invite={invite} secret={secret} onOver={() => setInvite('over')} />
      ) : invite.opponent !== undefined && invite.opponent !== pubkey ? (
        <ForSomebodyElse opponent={invite.opponent} />
      ) : !isOpenedBy(invite, secret) ? (
        <IncompleteLink />
      ) : (
        <Invitation invite={invite} secret={secret} onAnswered={search} />
      )}
    </div>
  );
}

function Over() {
  return (
    <>
      <h1>{t('This invitation is over')}</h1>
      <p>
        {t('It was accepted, withdrawn, or nobody accepted it in time. Ask for a new link, or begin a game of your own.')}
      </p>
      <p><ButtonLink variant="primary" href={hrefOf({ page: 'lobby' })}>{t('Go to the lobby')}</ButtonLink></p>
    </>
  );
}

function IncompleteLink() {
  return (
    <>
      <h1>{t('This link is incomplete')}</h1>
      <p>
        {t('The invitation is open, but the link has lost its last part, without which nobody can accept. Open the whole link as it was sent to you, or ask for it again.')}
      </p>
      <p><ButtonLink variant="primary" href={hrefOf({ page: 'lobby' })}>{t('Go to the lobby')}</ButtonLink></p>
    </>
  );
}

function Own({ invite, secret, onOver }: { invite: ReceivedInvite; secret?: string; onOver: () => void }) {
  const { matchmaking, client } = useSession();
  const sent = useMatchmaking(matchmaking).sent.find((one) => one.id === invite.id);
  // An invite that was known as pending, and no longer is, has ended while the page was open.
  const [known, setKnown] = useState(sent !== undefined);
  useEffect(() => {
    if (sent) setKnown(true);
    else if (known) onOver();
  }, [sent]);
  return (
    <>
      <h1>{t('Your invitation')}</h1>
      <p>{t('It is your own: somebody else has to open the link and accept.')}</p>
      <div class="card">
        <WaitingInvite
          invite={{
            id: invite.id,
            opponent: invite.opponent,
            time: invite.time?.text ?? client.info.chess.default_time,
            color: invite.color ?? 'random',
            unlisted: true,
            rated: invite.rated ?? false,
            needsSecret: invite.secretHash !== undefined,
            toHouse: false,
            ...sent,
            // The address may be a link that another browser has made.
            secret: sent?.secret ?? (isOpenedBy(invite, secret) ? secret : undefined),
          }}
        />
      </div>
    </>
  );
}

function ForSomebodyElse({ opponent }: { opponent: string }) {
  return (
    <>
      <h1>{t('This invitation is for somebody else')}</h1>
      <p class="challenge-line">
        {rich('Only {player} can accept it. If that is you, sign in with that key first.', {
          player: <PlayerName pubkey={opponent} />,
        })}
      </p>
      <p class="challenge-line">
        <ButtonLink href={hrefOf({ page: 'me' })}>{t('Sign in')}</ButtonLink>
        <ButtonLink href={hrefOf({ page: 'lobby' })}>{t('Go to the lobby')}</ButtonLink>
      </p>
    </>
  );
}

function Invitation({ invite, secret, onAnswered }: {
  invite: ReceivedInvite;
  secret?: string;
  onAnswered: () => Promise<void>;
}) {
  const { matchmaking, client } = useSession();
  useMatchmaking(matchmaking);
  const name = usePlayerName(invite.author);
  const [answering, setAnswering] = useState(false);
  const yours = { white: t('You play Black.'), black: t('You play White.'), random: t('The colours are drawn.') };
  const time = invite.time?.text ?? client.info.chess.default_time;
  const canBegin = matchmaking.canBegin(time);
  const kind = useKind(time, invite.rated);
  const needsKey = !useRatedPlay().mayPlay && invite.rated;
  const isAuthorGone = useAuthorGone(invite);

  const accept = async () => {
    setAnswering(true);
    // The game's page opens by itself; otherwise the invitation may be over.
    if (!(await matchmaking.accept(invite.id, secret))) await onAnswered();
    setAnswering(false);
  };
  const decline = async () => {
    // An open invitation remains for others; only the invited player can end a direct one.
    if (invite.opponent !== undefined) await matchmaking.reject(invite.id);
    navigate({ page: 'lobby' });
  };

  return (
    <>
      <h1 class="challenge-title">{rich('{player} invites you to a game of chess', { player: <bdi>{name}</bdi> })}</h1>
      <div class="card challenge-card">
        <MiniBoard fen={invite.fen ?? INITIAL_POSITION} side={invite.color === 'white' ? 'black' : 'white'} />
        <div class="challenge-facts">
          <p><PlayerName pubkey={invite.author} size={32} /></p>
          <p>
            <strong>{timeLabel(time)}</strong> <span class="muted">{kind}</span>
            <br />
            <span class="muted small">{timeInWords(time)}</span>
          </p>
          <p>
            {invite.kind === 'rematch' ? t('A rematch, with the colours swapped.') : yours[invite.color ?? 'random']}
            {invite.fen && ` ${t('The game begins from a set-up position.')}`}
          </p>
          {!canBegin && (
            <p class="muted">
              {matchmaking.game
                ? t('You are playing: you can accept when your game is over.')
                : t('You are playing: you can accept when another game is over.')}
            </p>
          )}
          {needsKey && <SaveKey />}
          {client.isMember === false && (
            <p>
              {rich('Only members play here. <a>Join this relay</a>, then open the link again.', {
                a: (text) => <a href={hrefOf({ page: 'join' })}>{text}</a>,
              })}
            </p>
          )}
          <div class="challenge-actions">
            <Button variant="primary" size="large" disabled={answering || !canBegin || needsKey || client.isMember === false} onClick={() => void accept()}>
              {t('Accept and play')}
            </Button>
            <Button size="large" disabled={answering} onClick={() => void decline()}>{t('Decline')}</Button>
          </div>
          {isAuthorGone && (
            <p class="challenge-gone" role="status">
              {rich('<b>Your friend is not here at the moment,</b> or plays another game.', {
                b: (text) => <strong>{text}</strong>,
              })}{' '}
              {parseTimeControl(time)?.slow
                ? t('You can accept all the same: there is time for the first move.')
                : t('Ask them to come back before you accept: the game begins at once.')}
            </p>
          )}
        </div>
      </div>
    </>
  );
}

/** Whether the author of an open invitation is away, or plays. A new invitation is not in the lobby at once. */
function useAuthorGone(invite: ReceivedInvite): boolean {
  const { pubkey } = useSession();
  const { lobby, ready } = useLobby(pubkey);
  const isMissing = ready && invite.opponent === undefined && lobby?.canBeAccepted(invite) === false;
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setGone(isMissing), isMissing ? LISTED_AFTER_MILLISECONDS : 0);
    return () => clearTimeout(timer);
  }, [isMissing]);
  return isGone;
}

/** Calls back when a time has come; times further ahead than a timer reaches are ignored. */
function useExpiry(at: number | undefined, onExpired: () => void): void {
  const { client } = useSession();
  useEffect(() => {
    const left = at === undefined ? Infinity : at - client.relayTime;
    if (left >= 2 ** 31) return;
    const timer = setTimeout(onExpired, Math.max(0, left));
    return () => clearTimeout(timer);
  }, [client, at]);
}
