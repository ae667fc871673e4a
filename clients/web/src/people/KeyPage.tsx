import { guestSigner } from 'gambit-client';
import { useState } from 'preact/hooks';
import { hrefOf, navigate } from '../app/router.js';
import { useSessionHolder } from '../app/session.js';
import { usePageTitle } from '../app/usePageTitle.js';
import { encryptedKey, guestIdentity, hasEarlierKey, keepEncrypted, keyShown } from '../identity/identity.js';
import { t } from '../language/t.js';
import { Button, ButtonLink } from '../ui/Button.js';
import { Dialog, DialogActions } from '../ui/Dialog.js';
import { notify, reasonOf } from '../ui/notices.js';
import { decryptKey } from './nip49.js';
import { PassphraseField } from './PassphraseField.js';
import './people.css';

/** The question for the passphrase at the start, where only the encrypted key is stored. */
export function LockedPage() {
  usePageTitle(t('Your key is encrypted'));
  const holder = useSessionHolder();
  return (
    <div class="narrow">
      <h1>{t('Your key is encrypted')}</h1>
      <div class="card people-form">
        <p>{t('This browser keeps your key encrypted. Your passphrase opens it, for as long as this page is open.')}</p>
        <OpenKey ncryptsec={encryptedKey()!} />
      </div>
      <p class="muted">
        {t('Nobody can reset a passphrase. You can play with a new key in the meantime: the encrypted one stays in this browser.')}
      </p>
      <p><Button onClick={() => void holder.use(guestIdentity())}>{t('Play as a new guest')}</Button></p>
    </div>
  );
}

/**
 * A key that another device has shown as a QR code, or the encrypted key of this browser while another one is in use.
 *
 * @param ncryptsec of the address, which does not have it any more
 */
export function KeyPage({ ncryptsec = encryptedKey() }: { ncryptsec?: string | undefined }) {
  usePageTitle(t('A key for this browser'));
  return (
    <div class="narrow">
      <h1>{t('A key for this browser')}</h1>
      {ncryptsec === undefined ? (
        <>
          <p>{t('The address has no key any more: it is removed as soon as the page is open. Open the link again, or scan the code once more.')}</p>
          <p><ButtonLink href={hrefOf({ page: 'lobby' })}>{t('Go to the lobby')}</ButtonLink></p>
        </>
      ) : (
        <div class="card people-form">
          <p>{t('With its passphrase, you play here with this key. Use only a key of your own: with somebody else’s, that person can play as you.')}</p>
          <OpenKey key={ncryptsec} ncryptsec={ncryptsec} isReceived />
        </div>
      )}
    </div>
  );
}

/** Asks for the passphrase of a key, and plays with it. */
function OpenKey({ ncryptsec, isReceived = false }: { ncryptsec: string; isReceived?: boolean }) {
  const holder = useSessionHolder();
  const [passphrase, setPassphrase] = useState('');
  const [isOpening, setOpening] = useState(false);
  const [problem, setProblem] = useState<string>();
  /** The decrypted key, while the user is asked whether it takes the place of another. */
  const [opened, setOpened] = useState<string>();

  const use = (nsec: string) => {
    setOpened(undefined);
    try {
      const identity = keepEncrypted(nsec, ncryptsec.trim());
      if (isReceived) keyShown(identity.signer);
      void holder.use(identity);
      if (!isReceived) return;
      notify(t('You now play with the other key.'));
      navigate({ page: 'me' });
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };
  const open = async (event: Event) => {
    event.preventDefault();
    setOpening(true);
    setProblem(undefined);
    try {
      const nsec = await decryptKey(ncryptsec, passphrase);
      const isInUse = holder.session?.pubkey === guestSigner(nsec).pubkey;
      if (isReceived && !isInUse && hasEarlierKey()) setOpened(nsec);
      else use(nsec);
    } catch (error) {
      setProblem(reasonOf(error));
    }
    setOpening(false);
  };

  return (
    <form class="people-form" noValidate onSubmit={(event) => void open(event)}>
      <PassphraseField label={t('Passphrase')} value={passphrase} problem={problem} onChange={setPassphrase} />
      <div class="me-actions">
        <Button type="submit" variant="primary" disabled={isOpening || passphrase === ''}>
          {isOpening ? t('Opening the key…') : t('Open the key')}
        </Button>
      </div>
      {opened !== undefined && (
        <Dialog title={t('Replace the key of this browser?')} onClose={() => setOpened(undefined)}>
          <p>{t('The key that this browser has now is deleted from it. Without a copy of it, nobody can bring it back.')}</p>
          <DialogActions>
            <Button onClick={() => setOpened(undefined)}>{t('Keep my key')}</Button>
            <Button variant="danger" onClick={() => use(opened)}>{t('Replace it')}</Button>
          </DialogActions>
        </Dialog>
      )}
    </form>
  );
}
