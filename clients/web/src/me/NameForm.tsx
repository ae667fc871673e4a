import { useId, useState } from 'preact/hooks';
import { useProfile } from '../app/profiles.js';
import { useSession } from '../app/session.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { MAX_NAME_LENGTH, npubOf, oneLine } from '../ui/names.js';
import { notify, notifyFailure } from '../ui/notices.js';
import { publishName } from './profile.js';

/** Changes the player's own name, which is published in the profile (kind 0). */
export function NameForm() {
  const { client, pubkey, identity, profiles } = useSession();
  const profile = useProfile(pubkey);
  const [name, setName] = useState<string>();
  const [saving, setSaving] = useState(false);
  const id = useId();
  const hintId = useId();
  // Until the user types, the field shows the name as soon as it is known.
  const shown = name ?? oneLine(profile?.name) ?? '';

  const save = async (event: Event) => {
    event.preventDefault();
    const cleaned = oneLine(shown) ?? '';
    setSaving(true);
    try {
      await publishName(client, cleaned);
      profiles.set({ ...(profile ?? { pubkey, npub: npubOf(pubkey), bot: false }), name: cleaned || undefined });
      setName(undefined);
      notify(cleaned === '' ? t('Your name was removed.') : t('You are now called {name}.', { name: cleaned }));
    } catch (error) {
      notifyFailure(error);
    }
    setSaving(false);
  };

  return (
    <form class="me-form" onSubmit={(event) => void save(event)}>
      <div class="field">
        <label class="field-label" for={id}>{t('Name')}</label>
        <input
          id={id}
          class="input"
          dir="auto"
          value={shown}
          maxLength={MAX_NAME_LENGTH}
          autocomplete="nickname"
          aria-describedby={hintId}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <Button type="submit" variant="primary" disabled={saving || name === undefined}>{t('Save name')}</Button>
      <p id={hintId} class="muted small">
        {t('Everybody can see it. Names are not unique: what tells players apart is the npub.')}{' '}
        {identity.method !== 'guest' &&
          t('Only this relay receives the change; what other relays have of your profile is not known here.')}
      </p>
    </form>
  );
}
