import { useState } from 'preact/hooks';
import { useSession } from '../app/session.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { Dialog, DialogActions } from '../ui/Dialog.js';
import { notifyFailure } from '../ui/notices.js';

/** A member's way to leave the relay. */
export function MembershipSection() {
  const { client } = useSession();
  const [asking, setAsking] = useState(false);
  const leave = async () => {
    setAsking(false);
    try {
      await client.leave();
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <section class="card me-section" aria-labelledby="membership-heading">
      <h2 id="membership-heading">{t('You are a member of this relay')}</h2>
      <div class="me-actions">
        <Button onClick={() => setAsking(true)}>{t('Leave this relay')}</Button>
      </div>
      {asking && (
        <Dialog title={t('Leave this relay')} onClose={() => setAsking(false)}>
          <p>{t('You can no longer play here then. To come back, you need a new invite code.')}</p>
          <DialogActions>
            <Button onClick={() => setAsking(false)}>{t('Change nothing')}</Button>
            <Button variant="danger" onClick={() => void leave()}>{t('Leave this relay')}</Button>
          </DialogActions>
        </Dialog>
      )}
    </section>
  );
}
