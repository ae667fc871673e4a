import { useEffect, useState } from 'preact/hooks';
import { useSession } from '../app/session.js';
import { t } from '../language/t.js';
import { notify, reasonOf } from '../ui/notices.js';
import { Switch } from '../ui/Switch.js';
import { changeReminders, readMessagesHere, readsMessagesHere, wantsReminders } from './reminders.js';

/** The switch of reminders, where the relay offers them, and the offer to read messages here. */
export function RemindersSwitch() {
  const { client } = useSession();
  const [isOn, setOn] = useState(false);
  const [isHere, setHere] = useState(true);
  useEffect(() => {
    const fail = (error: unknown) => notify(reasonOf(error), 'problem');
    void wantsReminders(client).then(setOn, fail);
    void readsMessagesHere(client).then(setHere, fail);
  }, [client]);
  if (!client.info.chess.reminders) return null;

  const attempt = (change: () => Promise<void>) => void change().catch((error: unknown) => notify(reasonOf(error), 'problem'));
  return (
    <>
      <Switch
        label={t('Reminders of slow games')}
        checked={isOn}
        onChange={(on) =>
          attempt(async () => {
            setOn(on);
            await changeReminders(client, on).catch((error: unknown) => {
              setOn(!on);
              throw error;
            });
          })
        }
      >
        {t('While you are away, this relay sends you a private message when it is your move, or when somebody invites you: at most one an hour for each game. Read it with any Nostr program that has private messages.')}
      </Switch>
      {isOn && !isHere && (
        <p class="small">
          {t('Other programs look for your private messages at the relays of a list, in which this relay is missing.')}{' '}
          <button
            type="button"
            class="button"
            onClick={() =>
              attempt(async () => {
                await readMessagesHere(client);
                setHere(true);
              })
            }
          >
            {t('Add this relay to the list')}
          </button>
        </p>
      )}
    </>
  );
}
