import { useMembers } from '../app/later.js';
import { hrefOf } from '../app/router.js';
import { changeSettings, useSettings } from '../app/settings.js';
import { useSession } from '../app/session.js';
import { usePageTitle } from '../app/usePageTitle.js';
import { LanguageSelect } from '../language/LanguageSelect.js';
import { wantsTalk } from '../game/talk.js';
import { t } from '../language/t.js';
import { NotificationSwitch } from '../notifications/NotificationSwitch.js';
import { RemindersSwitch } from '../reminders/RemindersSwitch.js';
import { Choice } from '../ui/Choice.js';
import { npubOf } from '../ui/names.js';
import { PlayerPicture } from '../ui/PlayerName.js';
import { Switch } from '../ui/Switch.js';
import { BoardAndSound } from './BoardAndSound.js';
import { KeySection } from './KeySection.js';
import { NameForm } from './NameForm.js';
import { SignInSection } from './SignInSection.js';
import './me.css';

/** The user's identity, and the settings of this browser. */
export function MePage() {
  usePageTitle(t('You and your settings'));
  const { client, pubkey, identity } = useSession();
  const npub = npubOf(pubkey);
  return (
    <div class="narrow me-page">
      <h1>{t('You and your settings')}</h1>
      <section class="card me-section" aria-labelledby="name-heading">
        <h2 id="name-heading">{t('Your name')}</h2>
        <div class="me-identity">
          <PlayerPicture pubkey={pubkey} size={56} />
          <div>
            <p class="muted small">{t('Others find you by this address, your npub:')}</p>
            <p class="me-npub"><code>{npub}</code></p>
            <p class="small"><a href={hrefOf({ page: 'player', npub })}>{t('Your page, with your games')}</a></p>
          </div>
        </div>
        <NameForm />
      </section>
      {identity.method === 'guest' && <KeySection identity={identity} />}
      <SignInSection />
      {client.isMember && <Membership />}
      <section class="card me-section" aria-labelledby="board-heading">
        <h2 id="board-heading">{t('Board and sound')}</h2>
        <BoardAndSound />
      </section>
      <SettingsSection />
    </div>
  );
}

function Membership() {
  const Section = useMembers()?.MembershipSection;
  return Section ? <Section /> : null;
}

function SettingsSection() {
  const { theme, pictures, invitations } = useSettings();
  const { identity } = useSession();
  return (
    <section class="card me-section" aria-labelledby="settings-heading">
      <h2 id="settings-heading">{t('Settings of this browser')}</h2>
      <Choice
        label={t('Appearance')}
        value={theme}
        options={[
          { value: 'system', label: t('As the system') },
          { value: 'light', label: t('Light') },
          { value: 'dark', label: t('Dark') },
        ]}
        onChange={(chosen) => changeSettings({ theme: chosen })}
      />
      <LanguageSelect />
      <Switch label={t('Invitations')} checked={invitations} onChange={(on) => changeSettings({ invitations: on })}>
        {t('Other players can invite you to a game while this page is open.')}
      </Switch>
      <Switch label={t('Talk with opponents')} checked={wantsTalk(identity)} onChange={(on) => changeSettings({ talk: on })}>
        {t('Opponents can write to each other beside the board. While the game runs, nobody else sees it.')}
      </Switch>
      <NotificationSwitch />
      <RemindersSwitch />
      <Switch label={t('Pictures of other players')} checked={pictures} onChange={(on) => changeSettings({ pictures: on })}>
        {t('Pictures are loaded from wherever other players keep them. Whoever runs those servers then sees your network address and when you are here. Without them, a pattern drawn from the player’s key is shown.')}
      </Switch>
    </section>
  );
}
