import { useEffect, useState } from 'preact/hooks';
import { signOutIdentity } from '../identity/identity.js';
import { Button } from '../ui/Button.js';
import { usePeople } from './later.js';
import { useSessionHolder } from './session.js';
import { t } from '../language/t.js';

const PATIENCE_MILLISECONDS = 4_000;

/** The page before there is a session: empty at first, after some seconds a sentence about the delay. */
export function Connecting() {
  const holder = useSessionHolder();
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, []);
  const { failure } = holder;
  if (failure) {
    return (
      <div class="narrow" role="alert">
        <h1>{failure.isSigning ? t('Signing in failed') : t('This relay cannot be used')}</h1>
        <p>{failure.reason}</p>
        {/* A reload is a clean start: nothing is left of the attempt. */}
        <p><Button variant="primary" onClick={() => location.reload()}>{t('Try again')}</Button></p>
        {failure.isSigning && <GuestInstead />}
      </div>
    );
  }
  if (holder.isLocked) return <Locked />;
  if (!long) return null;
  if (holder.isSigning && holder.method !== 'guest') {
    return (
      <div class="narrow" role="status">
        <h1>{t('Your signer does not answer yet')}</h1>
        <p>
          {holder.method === 'extension'
            ? t('Your browser’s extension has to confirm who you are. Look whether it has opened a window.')
            : t('Your remote signer has to confirm who you are. Look whether it is running, and asks you something.')}
        </p>
        <GuestInstead />
      </div>
    );
  }
  return (
    <div class="narrow" role="status">
      <h1>{t('The relay does not answer yet')}</h1>
      <p>{t('This page keeps trying, and begins by itself when the relay answers. There is nothing to reload.')}</p>
    </div>
  );
}

function Locked() {
  const Page = usePeople()?.LockedPage;
  return Page ? <Page /> : null;
}

/** Leaves a signer that refuses or does not answer. */
function GuestInstead() {
  const leave = () => {
    signOutIdentity();
    location.reload();
  };
  return <p><Button onClick={leave}>{t('Play as a guest instead')}</Button></p>;
}
