import type { Status } from 'gambit-client';
import { useEffect, useRef } from 'preact/hooks';
import { announce } from './announce.js';
import { useSessionHolder } from './session.js';
import { t } from '../language/t.js';

function inWords(status: Status): string {
  switch (status) {
    case 'connecting':
      return t('Connecting…');
    case 'ready':
      return t('Connected');
    case 'reconnecting':
      return t('Reconnecting…');
    case 'closed':
      return t('Not connected');
  }
}

/** The state of the connection, in the header. Loss and recovery are announced. */
export function ConnectionState() {
  const { status } = useSessionHolder();
  const before = useRef(status);
  useEffect(() => {
    if (status === 'reconnecting') announce(t('Connection lost. Reconnecting.'), 'assertive');
    if (status === 'ready' && before.current === 'reconnecting') announce(t('Connected again.'));
    before.current = status;
  }, [status]);
  return (
    <span class={`connection ${status === 'ready' ? '' : 'connection-waiting'}`}>
      <span class="connection-text">{inWords(status)}</span>
    </span>
  );
}
