import { useId, useState } from 'preact/hooks';
import { usePeople } from '../app/later.js';
import { hrefOf } from '../app/router.js';
import { useSession, useSessionHolder } from '../app/session.js';
import { importGuest, keyShown, type GuestIdentity } from '../identity/identity.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { CopyButton } from '../ui/CopyButton.js';
import { Dialog, DialogActions } from '../ui/Dialog.js';
import { notify } from '../ui/notices.js';

/** The guest's key: an explanation, export and import. */
export function KeySection({ identity }: { identity: GuestIdentity }) {
  const { signer, kept } = identity;
  const Protection = usePeople()?.Protection;
  const { client } = useSession();
  const [shown, setShown] = useState(false);
  const show = () => {
    keyShown(signer);
    setShown(true);
  };
  return (
    <section class="card me-section" aria-labelledby="key-heading">
      <h2 id="key-heading">{t('Your key')}</h2>
      <p>
        {t('You play with a secret key that was made on your first visit. It is in this browser only: nobody can reset it, and if the browser’s data is deleted, your name and your games can no longer be continued by you. Keep a copy if you care about them, and show it to nobody: whoever has it is you.')}{' '}
        {client.info.chess.rated && t('Rated games are for players who have seen their key here, and can keep a copy.')}
      </p>
      {!kept && (
        <p class="problem" role="alert">
          {t('This browser does not keep data of this page, so the key is gone when you close it. Keep a copy now.')}
        </p>
      )}
      {shown ? (
        <div class="me-secret">
          <label class="field">
            <span class="field-label">{t('Secret key (nsec)')}</span>
            <input class="input" readOnly value={signer.nsec} onFocus={(event) => event.currentTarget.select()} />
          </label>
          <div class="me-actions">
            <CopyButton text={signer.nsec} label={t('Copy secret key')} variant="primary" />
            <Button onClick={() => setShown(false)}>{t('Hide secret key')}</Button>
          </div>
        </div>
      ) : (
        <div class="me-actions">
          <Button onClick={show}>{t('Show secret key')}</Button>
        </div>
      )}
      <ImportKey />
      <div class="me-protection">{Protection && <Protection identity={identity} />}</div>
    </section>
  );
}

function ImportKey() {
  const holder = useSessionHolder();
  const { session } = holder;
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [asking, setAsking] = useState(false);
  const id = useId();
  const problemId = useId();

  const ask = (event: Event) => {
    event.preventDefault();
    if (text.trim().startsWith('ncryptsec1')) {
      location.hash = `${hrefOf({ page: 'key' })}/${text.trim()}`;
      return;
    }
    if (!/^(nsec1[02-9ac-hj-np-z]{58}|[0-9a-f]{64})$/.test(text.trim())) {
      setProblem(t('This is not a secret key. It begins with nsec1 and has 63 characters.'));
      return;
    }
    setProblem(undefined);
    setAsking(true);
  };
  const use = () => {
    setAsking(false);
    try {
      const identity = importGuest(text, session!.identity);
      notify(t('You now play with the other key.'));
      void holder.use(identity);
    } catch {
      setProblem(t('This is not a secret key: its check digits do not fit.'));
    }
  };

  return (
    <form class="me-form" onSubmit={ask} noValidate>
      <div class="field">
        <label class="field-label" for={id}>{t('Play with a key that you have already (nsec or ncryptsec)')}</label>
        <input
          id={id}
          class="input"
          type="password"
          autocomplete="off"
          value={text}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <Button type="submit" disabled={text === ''}>{t('Use this key')}</Button>
      {problem !== undefined && <p id={problemId} class="problem small" role="alert">{problem}</p>}
      {asking && (
        <Dialog title={t('Replace the key of this browser?')} onClose={() => setAsking(false)}>
          <p>
            {t('The key that you play with now is deleted from this browser. Without a copy of it, nobody can bring it back.')}
          </p>
          <DialogActions>
            <Button onClick={() => setAsking(false)}>{t('Keep my key')}</Button>
            <Button variant="danger" onClick={use}>{t('Replace it')}</Button>
          </DialogActions>
        </Dialog>
      )}
    </form>
  );
}
