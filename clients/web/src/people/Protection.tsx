import { useState } from 'preact/hooks';
import { hrefOf, shareableUrl } from '../app/router.js';
import { useSessionHolder } from '../app/session.js';
import { encryptedKey, keepEncrypted, keepPlain, keyShown, type GuestIdentity } from '../identity/identity.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { CopyButton } from '../ui/CopyButton.js';
import { Dialog, DialogActions } from '../ui/Dialog.js';
import { notify, notifyFailure } from '../ui/notices.js';
import { encryptKey } from './nip49.js';
import { PassphraseField } from './PassphraseField.js';
import { QrCode } from './QrCode.js';
import './people.css';

/** A shorter passphrase would be found by trying. */
const MIN_LENGTH = 8;

/** The passphrase of a guest's key, and the key's way to other devices. */
export function Protection({ identity }: { identity: GuestIdentity }) {
  return (
    <>
      <Passphrase identity={identity} />
      <OtherDevice identity={identity} />
    </>
  );
}

/** Sets, changes and removes the passphrase. */
function Passphrase({ identity }: { identity: GuestIdentity }) {
  const { signer, encrypted } = identity;
  const holder = useSessionHolder();
  const [isChanging, setChanging] = useState(false);
  /** An encrypted key for which the user has to give up another one. */
  const [waiting, setWaiting] = useState<string>();
  const hasOther = !encrypted && encryptedKey() !== undefined;
  const attempt = (store: () => GuestIdentity, done: string) => {
    try {
      holder.storedAs(store());
      notify(done);
      setChanging(false);
    } catch (error) {
      notifyFailure(error);
    }
  };
  const encrypt = async (passphrase: string) => {
    const ncryptsec = await encryptKey(signer.nsec, passphrase);
    if (hasOther) setWaiting(ncryptsec);
    else keep(ncryptsec);
  };
  const keep = (ncryptsec: string) => attempt(() => keepEncrypted(signer.nsec, ncryptsec), t('Your key is encrypted now.'));
  return (
    <>
      <h3>{t('Passphrase')}</h3>
      <p>
        {encrypted
          ? t('This browser keeps your key encrypted. The page asks for the passphrase at every start; nobody can reset it.')
          : t('This browser keeps your key as it is: whoever can read its data has it. With a passphrase it is kept encrypted, and the page asks for the passphrase at every start. Nobody can reset it.')}
      </p>
      {encrypted && !isChanging ? (
        <div class="me-actions">
          <Button onClick={() => setChanging(true)}>{t('Change the passphrase')}</Button>
          <Button onClick={() => attempt(() => keepPlain(signer), t('Your key is no longer encrypted.'))}>
            {t('Remove the passphrase')}
          </Button>
        </div>
      ) : (
        <NewPassphrase action={t('Encrypt the key')} onChosen={encrypt} />
      )}
      {hasOther && (
        <p>
          {t('This browser has another key, which is encrypted.')}{' '}
          <a href={hrefOf({ page: 'key' })}>{t('Play with that key')}</a>
        </p>
      )}
      {waiting !== undefined && (
        <Dialog title={t('Replace the encrypted key?')} onClose={() => setWaiting(undefined)}>
          <p>{t('The other key, which is encrypted in this browser, is deleted from it. Without a copy of it, nobody can bring it back.')}</p>
          <DialogActions>
            <Button onClick={() => setWaiting(undefined)}>{t('Keep the other key')}</Button>
            <Button
              variant="danger"
              onClick={() => {
                setWaiting(undefined);
                keep(waiting);
              }}
            >
              {t('Replace it')}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}

/** Chooses a passphrase, written twice. */
function NewPassphrase({ action, onChosen }: { action: string; onChosen: (passphrase: string) => Promise<void> }) {
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const choose = async (event: Event) => {
    event.preventDefault();
    if ([...passphrase].length < MIN_LENGTH) {
      setProblem(t('A passphrase has {count, plural, one {at least # character} other {at least # characters}}; several words are better.', { count: MIN_LENGTH }));
      return;
    }
    if (passphrase !== again) {
      setProblem(t('The two passphrases differ.'));
      return;
    }
    setProblem(undefined);
    setBusy(true);
    try {
      await onChosen(passphrase);
      setPassphrase('');
      setAgain('');
    } catch (error) {
      notifyFailure(error);
    }
    setBusy(false);
  };
  return (
    <form class="people-form" noValidate onSubmit={(event) => void choose(event)}>
      <div class="people-fields">
        <PassphraseField label={t('New passphrase')} value={passphrase} isNew problem={problem} onChange={setPassphrase} />
        <PassphraseField label={t('The same once more')} value={again} isNew onChange={setAgain} />
      </div>
      <div class="me-actions">
        <Button type="submit" disabled={isBusy || passphrase === ''}>{isBusy ? t('Encrypting…') : action}</Button>
      </div>
    </form>
  );
}

/** Shows the encrypted key as a QR code of an address of this page, and as text. */
function OtherDevice({ identity }: { identity: GuestIdentity }) {
  const { signer, encrypted } = identity;
  const [shown, setShown] = useState<string>();
  const show = (ncryptsec: string) => {
    keyShown(signer);
    setShown(ncryptsec);
  };
  const link = shown === undefined ? '' : shareableUrl({ page: 'key' }) + `/${shown}`;
  return (
    <>
      <h3>{t('On another device')}</h3>
      <p>{t('Scan a QR code with the other device’s camera, and enter the passphrase there. You then play with the same key on both.')}</p>
      {shown !== undefined ? (
        <div class="people-transfer">
          <QrCode text={link} label={t('QR code of a link with your encrypted key')} />
          <div class="people-form">
            <p class="small">{t('The code is worth as much as the passphrase is hard to guess: show it only to your own device.')}</p>
            <label class="field">
              <span class="field-label">{t('The same as a link')}</span>
              <input class="input" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
            </label>
            <div class="me-actions">
              <CopyButton text={link} label={t('Copy link')} />
              <CopyButton text={shown} label={t('Copy encrypted key (ncryptsec)')} />
              <Button variant="quiet" onClick={() => setShown(undefined)}>{t('Hide the code')}</Button>
            </div>
          </div>
        </div>
      ) : encrypted ? (
        <div class="me-actions">
          <Button onClick={() => show(encryptedKey()!)}>{t('Show the QR code')}</Button>
        </div>
      ) : (
        <>
          <p class="small">{t('The code has the key in encrypted form. Choose the passphrase that the other device will ask for:')}</p>
          <NewPassphrase action={t('Show the QR code')} onChosen={async (passphrase) => show(await encryptKey(signer.nsec, passphrase))} />
        </>
      )}
    </>
  );
}
