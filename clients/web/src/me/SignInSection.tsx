import { useId, useState } from 'preact/hooks';
import { useSession, useSessionHolder } from '../app/session.js';
import { extensionIdentity, hasExtension, remoteIdentity, signOutIdentity, type Identity } from '../identity/identity.js';
import { rich, t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { notify, reasonOf } from '../ui/notices.js';

/** Signing in with a key that this page does not see: an extension (NIP-07) or a remote signer (NIP-46). */
export function SignInSection() {
  const { identity } = useSession();
  return (
    <section class="card me-section" aria-labelledby="sign-in-heading">
      <h2 id="sign-in-heading">{identity.method === 'guest' ? t('Sign in with your Nostr key') : t('Signed in')}</h2>
      {identity.method === 'guest' ? <SignIn /> : <SignedIn method={identity.method} />}
    </section>
  );
}

function SignedIn({ method }: { method: 'extension' | 'remote' }) {
  const holder = useSessionHolder();
  const signOut = () => {
    signOutIdentity();
    void holder.start().then(() => notify(t('You are signed out.')));
  };
  return (
    <>
      <p>
        {method === 'extension'
          ? t('An extension of your browser signs for you; this page does not see your key.')
          : t('A remote signer signs for you; this page does not see your key.')}{' '}
        {t('After signing out you are this browser’s guest again.')}
      </p>
      <div class="me-actions">
        <Button onClick={signOut}>
          {t('Sign out')}
        </Button>
      </div>
    </>
  );
}

function SignIn() {
  const holder = useSessionHolder();
  const [bunker, setBunker] = useState('');
  const [waiting, setWaiting] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [authUrl, setAuthUrl] = useState<string>();
  const id = useId();

  const signIn = async (ask: () => Promise<Identity>) => {
    setWaiting(true);
    setProblem(undefined);
    try {
      const identity = await ask();
      await holder.use(identity);
      if (holder.session?.identity === identity) notify(t('You are signed in.'));
    } catch (error) {
      setProblem(reasonOf(error));
      setWaiting(false);
    }
  };
  const showAuthUrl = (url: string) => {
    if (URL.canParse(url) && new URL(url).protocol === 'https:') setAuthUrl(url);
  };

  return (
    <>
      <p>{t('If you use Nostr already, your key can stay where it is.')}</p>
      <div class="me-actions">
        <Button disabled={waiting || !hasExtension()} onClick={() => void signIn(extensionIdentity)}>
          {t('Sign in with the browser’s extension')}
        </Button>
      </div>
      {!hasExtension() && <p class="muted small">{t('No extension that signs (NIP-07) was found in this browser.')}</p>}
      <form
        class="me-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void signIn(() => remoteIdentity(bunker, showAuthUrl));
        }}
      >
        <div class="field">
          <label class="field-label" for={id}>{t('Remote signer (NIP-46, bunker://…)')}</label>
          <input
            id={id}
            class="input"
            type="password"
            autocomplete="off"
            value={bunker}
            onInput={(event) => setBunker(event.currentTarget.value)}
          />
        </div>
        <Button type="submit" disabled={waiting || !bunker.trim().startsWith('bunker://')}>
          {waiting ? t('Waiting for the signer…') : t('Sign in')}
        </Button>
      </form>
      {authUrl !== undefined && (
        <p role="alert">
          {rich('Your signer asks you to allow this at {address}.', {
            address: <a href={authUrl} target="_blank" rel="noopener noreferrer">{new URL(authUrl).host}</a>,
          })}
        </p>
      )}
      {problem !== undefined && <p class="problem" role="alert">{problem}</p>}
    </>
  );
}
