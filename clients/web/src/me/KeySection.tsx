import type { GuestSigner } from 'gambit-client';
import { useId, useState } from 'preact/hooks';
import { useSession, useSessionHolder } from '../app/session.js';
import { importGuest, keyShown } from '../identity/identity.js';
import { Button } from '../ui/Button.js';
import { CopyButton } from '../ui/CopyButton.js';
import { Dialog, DialogActions } from '../ui/Dialog.js';
import { notify } from '../ui/notices.js';

/** The guest's key: an explanation, export and import. */
export function KeySection({ signer, kept }: { signer: GuestSigner; kept: boolean }) {
  const { client } = useSession();
  const [shown, setShown] = useState(false);
  const show = () => {
    keyShown(signer);
    setShown(true);
  };
  return (
    <section class="card me-section" aria-labelledby="key-heading">
      <h2 id="key-heading">Your key</h2>
      <p>
        You play with a secret key that was made on your first visit. It is in this browser only: nobody can reset
        it, and if the browser’s data is deleted, your name and your games can no longer be continued by you. Keep
        a copy if you care about them, and show it to nobody: whoever has it is you.
        {client.info.chess.rated && ' Rated games are for players who have seen their key here, and can keep a copy.'}
      </p>
      {!kept && (
        <p class="problem" role="alert">
          This browser does not keep data of this page, so the key is gone when you close it. Keep a copy now.
        </p>
      )}
      {shown ? (
        <div class="me-secret">
          <label class="field">
            <span class="field-label">Secret key (nsec)</span>
            <input class="input" readOnly value={signer.nsec} onFocus={(event) => event.currentTarget.select()} />
          </label>
          <div class="me-actions">
            <CopyButton text={signer.nsec} label="Copy secret key" variant="primary" />
            <Button onClick={() => setShown(false)}>Hide secret key</Button>
          </div>
        </div>
      ) : (
        <div class="me-actions">
          <Button onClick={show}>Show secret key</Button>
        </div>
      )}
      <ImportKey />
    </section>
  );
}

function ImportKey() {
  const holder = useSessionHolder();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [asking, setAsking] = useState(false);
  const id = useId();
  const problemId = useId();

  const ask = (event: Event) => {
    event.preventDefault();
    if (!/^(nsec1[02-9ac-hj-np-z]{58}|[0-9a-f]{64})$/.test(text.trim())) {
      setProblem('This is not a secret key. It begins with nsec1 and has 63 characters.');
      return;
    }
    setProblem(undefined);
    setAsking(true);
  };
  const use = () => {
    setAsking(false);
    try {
      const identity = importGuest(text);
      notify('You now play with the other key.');
      void holder.use(identity);
    } catch {
      setProblem('This is not a secret key: its check digits do not fit.');
    }
  };

  return (
    <form class="me-form" onSubmit={ask} noValidate>
      <div class="field">
        <label class="field-label" for={id}>Play with a key that you have already (nsec)</label>
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
      <Button type="submit" disabled={text === ''}>Use this key</Button>
      {problem !== undefined && <p id={problemId} class="problem small" role="alert">{problem}</p>}
      {asking && (
        <Dialog title="Replace the key of this browser?" onClose={() => setAsking(false)}>
          <p>
            The key that you play with now is deleted from this browser. Without a copy of it, nobody can bring it
            back.
          </p>
          <DialogActions>
            <Button onClick={() => setAsking(false)}>Keep my key</Button>
            <Button variant="danger" onClick={use}>Replace it</Button>
          </DialogActions>
        </Dialog>
      )}
    </form>
  );
}
