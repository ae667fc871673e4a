import { parseTimeControl } from 'gambit-client';
import { useSession } from '../app/session.js';
import { shareableUrl } from '../app/router.js';
import type { PendingInvite } from '../app/matchmaking.js';
import { rich, t } from '../language/t.js';
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
  const conditions = { time: timeInWords(invite.time), color: colorOfInviter(invite.color) };
  const isLinkLost = invite.needsSecret && invite.secret === undefined;
  return (
    <div class="waiting-invite">
      <p role="status">
        <span class="pulse" aria-hidden="true" />
        {invite.opponent ? (
          rich('Waiting for {player}', { player: <PlayerName pubkey={invite.opponent} /> })
        ) : (
          <strong>{invite.unlisted ? t('Waiting for your friend…') : t('Waiting for somebody in the lobby…')}</strong>
        )}
      </p>
      <p class="muted small">
        {invite.rated ? t('{time}, rated, {color}.', conditions) : t('{time}, {color}.', conditions)}{' '}
        {parseTimeControl(invite.time)?.slow
          ? t('You need not wait: the game begins when the invitation is accepted, and then it is among your games.')
          : t('Keep this page open: the game begins here when the invitation is accepted.')}
      </p>
      {isLinkLost && (
        <p>{t('The link was made in another browser, and only that one can show it. You can withdraw it and make another.')}</p>
      )}
      {!invite.opponent && !isLinkLost && (
        <>
          <label class="field">
            <span class="field-label">{invite.unlisted ? t('Send this link to your friend') : t('Or send this link')}</span>
            <input class="input" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
          </label>
          <div class="waiting-invite-actions">
            <CopyButton variant="primary" text={link} label={t('Copy link')} />
            {'share' in navigator && (
              <Button onClick={() => void navigator.share({ title: t('A game of chess'), url: link }).catch(() => undefined)}>
                {t('Share…')}
              </Button>
            )}
            <Button variant="quiet" onClick={() => void matchmaking.withdraw(invite.id)}>{t('Withdraw')}</Button>
          </div>
        </>
      )}
      {(invite.opponent || isLinkLost) && (
        <Button onClick={() => void matchmaking.withdraw(invite.id)}>{t('Withdraw')}</Button>
      )}
    </div>
  );
}
