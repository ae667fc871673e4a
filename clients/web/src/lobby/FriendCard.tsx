import { parseTimeControl, type Color } from 'gambit-client';
import { useId, useState } from 'preact/hooks';
import { lastTime } from '../app/last-time.js';
import { useMatchmaking, type PendingInvite } from '../app/matchmaking.js';
import { useSession } from '../app/session.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { Choice } from '../ui/Choice.js';
import { ColorChoice, TimeSelect } from '../ui/GameFields.js';
import { mayBeRated, RatedSwitch } from '../ui/RatedSwitch.js';
import { fenOf, PositionField } from '../ui/PositionField.js';
import { pubkeyFrom } from '../ui/names.js';
import { WaitingInvite } from '../challenge/WaitingInvite.js';

type Reach = 'link' | 'lobby' | 'player';

const DAY_SECONDS = 86_400;
const SLOW_DAYS = 14;
/** Short, because the inviter has to be present when somebody accepts. */
const LOBBY_SECONDS = 900;

function actionOf(reach: Reach): string {
  return { link: t('Create a link'), lobby: t('Post the challenge'), player: t('Send the invitation') }[reach];
}

/**
 * Invites a friend by a link, anybody in the lobby, or one player.
 *
 * @param start the first position, if the address has one
 */
export function FriendCard({ start }: { start?: string }) {
  const { matchmaking } = useSession();
  const pending = useMatchmaking(matchmaking).sent.filter((invite) => !invite.toHouse);
  const [another, setAnother] = useState(start !== undefined);
  return (
    <section class="card start-card" aria-labelledby="friend-heading">
      <h2 id="friend-heading">{t('Play a friend')}</h2>
      {pending.length > 0 && !another ? (
        <Pending invites={pending} onAnother={() => setAnother(true)} />
      ) : (
        <FriendForm start={start} onSent={() => setAnother(false)} />
      )}
    </section>
  );
}

function Pending({ invites, onAnother }: { invites: readonly PendingInvite[]; onAnother: () => void }) {
  return (
    <>
      {invites.map((invite) => <WaitingInvite key={invite.id} invite={invite} />)}
      <div class="start-card-action">
        <Button variant="quiet" onClick={onAnother}>{t('Another invitation')}</Button>
      </div>
    </>
  );
}

function FriendForm({ start, onSent }: { start?: string; onSent: () => void }) {
  const { matchmaking, pubkey } = useSession();
  const [color, setColor] = useState<Color | 'random'>('random');
  const [time, setTime] = useState(lastTime);
  const [reach, setReach] = useState<Reach>('link');
  const [player, setPlayer] = useState('');
  const [position, setPosition] = useState(start ?? '');
  const [wantsRated, setRated] = useState(false);
  const canBeRated = mayBeRated(time, position);
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);
  const inputId = useId();
  const problemId = useId();

  const send = async (event: Event) => {
    event.preventDefault();
    const opponent = reach === 'player' ? pubkeyFrom(player) : undefined;
    if (reach === 'player' && opponent === undefined) {
      setProblem(t('This is not an npub. It begins with npub1 and has 63 characters.'));
      return;
    }
    if (opponent === pubkey) {
      setProblem(t('This is your own npub.'));
      return;
    }
    setProblem(undefined);
    const fen = fenOf(position);
    if (fen === null) return;
    setSending(true);
    // Of a slow game, the inviter need not be present when somebody accepts.
    const expiresIn = reach === 'lobby' ? LOBBY_SECONDS : parseTimeControl(time)?.slow ? SLOW_DAYS * DAY_SECONDS : DAY_SECONDS;
    const sent = await matchmaking.invite({ opponent, color, time, fen, expiresIn, unlisted: reach === 'link', rated: wantsRated && canBeRated });
    setSending(false);
    if (sent) onSent();
  };

  return (
    <form class="start-card-form" onSubmit={(event) => void send(event)} noValidate>
      <Choice
        label={t('Invite')}
        value={reach}
        options={[
          { value: 'link', label: t('By link') },
          { value: 'lobby', label: t('The lobby') },
          { value: 'player', label: t('A player') },
        ]}
        onChange={setReach}
      />
      {reach === 'player' && (
        <div class="field">
          <label class="field-label" for={inputId}>{t('Your friend’s npub')}</label>
          <input
            id={inputId}
            class="input"
            value={player}
            autocomplete="off"
            spellcheck={false}
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : problemId}
            onInput={(event) => setPlayer(event.currentTarget.value)}
          />
          {problem !== undefined && <p id={problemId} class="problem small" role="alert">{problem}</p>}
        </div>
      )}
      <ColorChoice value={color} onChange={setColor} />
      <TimeSelect value={time} onChange={setTime} />
      <PositionField value={position} onChange={setPosition} />
      {canBeRated && <RatedSwitch checked={wantsRated} onChange={setRated} />}
      <div class="start-card-action">
        <Button type="submit" variant="primary" size="large" disabled={sending || fenOf(position) === null}>{actionOf(reach)}</Button>
      </div>
    </form>
  );
}
