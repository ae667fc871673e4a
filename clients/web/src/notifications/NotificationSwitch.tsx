import { changeSettings, useSettings } from '../app/settings.js';
import { t } from '../language/t.js';
import { notify } from '../ui/notices.js';
import { Switch } from '../ui/Switch.js';
import { canNotify, isPermitted } from './browser.js';

/** The setting of the browser's notifications, which asks the browser for its permission when it is switched on. */
export function NotificationSwitch() {
  const { notifications } = useSettings();
  const change = async (on: boolean): Promise<void> => {
    // The switch shows what is in force, also if the user has just refused.
    changeSettings({ notifications: false });
    if (!on) {
      return;
    } else if (!canNotify()) {
      notify(t('This browser shows notifications only of pages that leave a program in it, which this page does not.'), 'problem');
    } else if ((await Notification.requestPermission()) === 'granted') {
      changeSettings({ notifications: true });
    } else {
      notify(t('The browser does not allow notifications of this page. Its settings of this page can allow them.'), 'problem');
    }
  };
  return (
    <Switch label={t('Notifications')} checked={notifications && isPermitted()} onChange={(on) => void change(on)}>
      {t('While this page is open but hidden, the browser says when it is your move, when somebody invites you, when a game begins or ends, and what your opponent writes.')}
    </Switch>
  );
}
