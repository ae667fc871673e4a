import { useState } from 'preact/hooks';
import { useSession } from '../app/session.js';
import { isMadeHere } from '../identity/identity.js';
import { t } from '../language/t.js';
import { rememberFriends } from '../lobby/FriendsPlace.js';
import { Button } from '../ui/Button.js';
import { Dialog, DialogActions } from '../ui/Dialog.js';
import { notify, notifyFailure } from '../ui/notices.js';
import { ListMissing } from './follows.js';
import { statusText, useFollows, useStatus } from './presence.js';
import './people.css';

/** Makes a player a friend (NIP-02), or no longer, and says whether the player is here. */
export function FollowButton({ pubkey, name }: { pubkey: string; name: string }) {
  const { identity } = useSession();
  const follows = useFollows();
  const status = useStatus([pubkey])?.get(pubkey);
  const [isChanging, setChanging] = useState(false);
  const [asks, setAsks] = useState(false);
  const isFriend = follows.has(pubkey);
  const mayBegin = identity.method === 'guest' && isMadeHere(identity.signer);

  const change = async (mayBegin: boolean) => {
    setAsks(false);
    setChanging(true);
    try {
      await follows.change(pubkey, !isFriend, mayBegin);
      rememberFriends(follows.friends.length > 0);
      notify(isFriend ? t('{name} is no longer among your friends.', { name }) : t('{name} is among your friends now.', { name }));
    } catch (error) {
      if (error instanceof ListMissing) setAsks(true);
      else notifyFailure(error);
    }
    setChanging(false);
  };
  return (
    <p class="friend-actions">
      <Button disabled={isChanging || !follows.isKnown} onClick={() => void change(mayBegin)}>
        {isFriend ? t('Remove from friends') : t('Add to friends')}
      </Button>
      <span class={`friend-status ${status === undefined ? '' : `friend-${status}`}`}>{status && statusText(status)}</span>
      {asks && (
        <Dialog title={t('Begin a new list of friends?')} onClose={() => setAsks(false)}>
          <p>
            {t('This relay has no list of yours. If you follow people elsewhere on Nostr, a new list here could take the place of that one in other programs. Then publish your list at this relay first, with the program that has it.')}
          </p>
          <DialogActions>
            <Button onClick={() => setAsks(false)}>{t('Change nothing')}</Button>
            <Button variant="danger" onClick={() => void change(true)}>{t('Begin a new list')}</Button>
          </DialogActions>
        </Dialog>
      )}
    </p>
  );
}
