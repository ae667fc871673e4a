import type { OpenInvite } from 'gambit-client';
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
/** The relay lists no more either. */
const MAX_DRAWN = 100;

/** The invitations that anybody may accept. */
export function OpenChallenges({ invites }: { invites: readonly OpenInvite[] }) {
  const [all, setAll] = useState(false);
  const drawn = invites.slice(0, all ? MAX_DRAWN : DRAWN);
  return (
    <section aria-labelledby="challenges-heading" class="lobby-section">
      <h2 id="challenges-heading">{t('Open challenges')}</h2>
      {invites.length === 0 && <p class="muted">{t('Nobody challenges the lobby at the moment.')}</p>}
      <ul class="rows">
        {drawn.map((invite) => <ChallengeRow key={invite.id} invite={invite} />)}
      </ul>
      {!all && drawn.length < invites.length && (
        <Button variant="quiet" onClick={() => setAll(true)}>{t('Show all {n, number}', { n: invites.length })}</Button>
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
