import { parseTimeControl } from 'gambit-client';
import { useSession } from '../app/session.js';
import { shareableUrl } from '../app/router.js';
import type { PendingInvite } from '../app/matchmaking.js';
import { Button } from '../ui/Button.js';
import { colorOfInviter } from '../ui/colors.js';
import { CopyButton } from '../ui/CopyButton.js';
import { PlayerName } from '../ui/PlayerName.js';
import { timeInWords } from '../ui/time.js';
import './waiting-invite.css';

/** A pending invitation of the user, with its link, and a button to withdraw it. */
export function WaitingInvite({ invite }: { invite: PendingInvite }) {
  const { matchmaking } = useSession();
  const link = shareableUrl({ page: 'challenge', id: invite.id, secret: invite.secret });
  const isLinkLost = invite.needsSecret && invite.secret === undefined;
  return (
    <div class="waiting-invite">
      <p role="status">
        <span class="pulse" aria-hidden="true" />
        {invite.opponent ? (
          <>Waiting for <PlayerName pubkey={invite.opponent} /></>
        ) : (
          <strong>{invite.unlisted ? 'Waiting for your friend…' : 'Waiting for somebody in the lobby…'}</strong>
        )}
      </p>
      <p class="muted small">
        {timeInWords(invite.time)}, {invite.rated && 'rated, '}{colorOfInviter(invite.color)}.{' '}
        {parseTimeControl(invite.time)?.slow
          ? 'You need not wait: the game begins when the invitation is accepted, and then it is among your games.'
          : 'Keep this page open: the game begins here when the invitation is accepted.'}
      </p>
      {isLinkLost && (
        <p>The link was made in another browser, and only that one can show it. You can withdraw it and make another.</p>
      )}
      {!invite.opponent && !isLinkLost && (
        <>
          <label class="field">
            <span class="field-label">{invite.unlisted ? 'Send this link to your friend' : 'Or send this link'}</span>
            <input class="input" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
          </label>
          <div class="waiting-invite-actions">
            <CopyButton variant="primary" text={link} label="Copy link" />
            {'share' in navigator && (
              <Button onClick={() => void navigator.share({ title: 'A game of chess', url: link }).catch(() => undefined)}>
                Share…
              </Button>
            )}
            <Button variant="quiet" onClick={() => void matchmaking.withdraw(invite.id)}>Withdraw</Button>
          </div>
        </>
      )}
      {(invite.opponent || isLinkLost) && (
        <Button onClick={() => void matchmaking.withdraw(invite.id)}>Withdraw</Button>
      )}
    </div>
  );
}
