import { useEffect, useState } from 'preact/hooks';
import { signOutIdentity } from '../identity/identity.js';
import { Button } from '../ui/Button.js';
import { useSessionHolder } from './session.js';

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
        <h1>{failure.isSigning ? 'Signing in failed' : 'This relay cannot be used'}</h1>
        <p>{failure.reason}</p>
        {/* A reload is a clean start: nothing is left of the attempt. */}
        <p><Button variant="primary" onClick={() => location.reload()}>Try again</Button></p>
        {failure.isSigning && <GuestInstead />}
      </div>
    );
  }
  if (!long) return null;
  if (holder.isSigning && holder.method !== 'guest') {
    return (
      <div class="narrow" role="status">
        <h1>Your signer does not answer yet</h1>
        <p>
          {holder.method === 'extension'
            ? 'Your browser’s extension has to confirm who you are. Look whether it has opened a window.'
            : 'Your remote signer has to confirm who you are. Look whether it is running, and asks you something.'}
        </p>
        <GuestInstead />
      </div>
    );
  }
  return (
    <div class="narrow" role="status">
      <h1>The relay does not answer yet</h1>
      <p>This page keeps trying, and begins by itself when the relay answers. There is nothing to reload.</p>
    </div>
  );
}

/** Leaves a signer that refuses or does not answer. */
function GuestInstead() {
  const leave = () => {
    signOutIdentity();
    location.reload();
  };
  return <p><Button onClick={leave}>Play as a guest instead</Button></p>;
}
