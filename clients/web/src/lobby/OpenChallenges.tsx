import type { OpenInvite, OpenStart } from 'gambit-client';
import { useState } from 'preact/hooks';
import { useMatchmaking } from '../app/matchmaking.js';
import { useSession } from '../app/session.js';
import { list } from '../language/format.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { colorOfInvited } from '../ui/colors.js';
import { PlayerName, usePlayerName } from '../ui/PlayerName.js';
import { Rating, useKind, useRatedPlay } from '../ui/ratings.js';
import { timeLabel } from '../ui/time.js';

/** The invitations that are drawn before the user asks for all of them. */
const DRAWN = 8;
/** Of each kind; the relay lists no more either. */
const MAX_DRAWN = 100;

/** The invitations that anybody may accept; then the open starts of other Nostr clients (kind 30). */
export function OpenChallenges({ invites, starts }: { invites: readonly OpenInvite[]; starts: readonly OpenStart[] }) {
  const [all, setAll] = useState(false);
  const rows = [
    ...invites.slice(0, MAX_DRAWN).map((invite) => <ChallengeRow key={invite.id} invite={invite} />),
    ...starts.slice(0, MAX_DRAWN).map((start) => <StartRow key={start.id} start={start} />),
  ];
  const drawn = all ? rows : rows.slice(0, DRAWN);
  return (
    <section aria-labelledby="challenges-heading" class="lobby-section">
      <h2 id="challenges-heading">{t('Open challenges')}</h2>
      {rows.length === 0 && <p class="muted">{t('Nobody challenges the lobby at the moment.')}</p>}
      <ul class="rows">{drawn}</ul>
      {drawn.length < rows.length && (
        <Button variant="quiet" onClick={() => setAll(true)}>{t('Show all {n, number}', { n: rows.length })}</Button>
      )}
    </section>
  );
}

function ChallengeRow({ invite }: { invite: OpenInvite }) {
  const { pubkey, matchmaking } = useSession();
  useMatchmaking(matchmaking);
  const [answering, setAnswering] = useState(false);
  const name = usePlayerName(invite.author);
  const own = invite.author === pubkey;
  const kind = useKind(invite.time.text, invite.rated);
  const needsKey = !useRatedPlay().mayPlay && invite.rated;
  const accept = async () => {
    setAnswering(true);
    await matchmaking.accept(invite.id);
    setAnswering(false);
  };
  return (
    <li class="row">
      <span class="player-rated">
        <PlayerName pubkey={invite.author} />
        <Rating strength={invite.strength} />
      </span>
      <span class="row-facts">
        <strong>{timeLabel(invite.time.text)}</strong> {list([kind, !own && colorOfInvited(invite.color), invite.fen && t('set-up position')])}
      </span>
      {own ? (
        <Button size="small" onClick={() => void matchmaking.withdraw(invite.id)}>{t('Withdraw')}</Button>
      ) : (
        <Button
          size="small"
          variant="primary"
          disabled={answering || !matchmaking.canBegin(invite.time.text) || needsKey}
          title={needsKey ? t('Save your key to play rated.') : undefined}
          aria-label={t('Accept the challenge of {name}, {time}', { name, time: timeLabel(invite.time.text) })}
          onClick={() => void accept()}
        >
          {t('Accept')}
        </Button>
      )}
    </li>
  );
}

/** A correspondence game that a user of another Nostr client has begun. */
function StartRow({ start }: { start: OpenStart }) {
  const { pubkey, matchmaking } = useSession();
  const name = usePlayerName(start.author);
  const own = start.author === pubkey;
  return (
    <li class="row">
      <span class="player-rated"><PlayerName pubkey={start.author} /></span>
      <span class="row-facts">
        <strong>{t('No clock')}</strong> {list([t('correspondence with another Nostr client'), !own && colorOfInvited(start.color)])}
      </span>
      {own ? (
        <Button size="small" onClick={() => void matchmaking.withdrawStart(start.id)}>{t('Withdraw')}</Button>
      ) : (
        <Button
          size="small"
          variant="primary"
          aria-label={t('Accept the challenge of {name}, {time}', { name, time: t('no clock') })}
          onClick={() => void matchmaking.take(start.id)}
        >
          {t('Accept')}
        </Button>
      )}
    </li>
  );
}
