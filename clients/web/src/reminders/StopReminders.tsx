import { useEffect, useState } from 'preact/hooks';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { usePageTitle } from '../app/usePageTitle.js';
import { t } from '../language/t.js';
import { reasonOf } from '../ui/notices.js';
import { stopReminders } from './reminders.js';

/** The page of the link in a reminder: it stops the reminders at once. */
export function StopReminders({ token }: { token: string }) {
  usePageTitle(t('Reminders'));
  const { client } = useSession();
  const [end, setEnd] = useState<{ reason?: string }>();
  useEffect(() => {
    stopReminders(client, token).then(
      () => setEnd({}),
      (error: unknown) => setEnd({ reason: reasonOf(error) }),
    );
  }, [client, token]);
  return (
    <div class="narrow">
      <h1>{t('Reminders')}</h1>
      <p role="status">
        {!end
          ? t('The reminders are being switched off …')
          : end.reason === undefined
            ? t('The reminders are off. You get no more messages from this relay.')
            : t('The reminders could not be switched off: {reason}', { reason: end.reason })}
      </p>
      <p><a href={hrefOf({ page: 'me' })}>{t('You can switch them on again in your settings.')}</a></p>
    </div>
  );
}
