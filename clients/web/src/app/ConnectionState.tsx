import type { Status } from 'gambit-client';
import { useEffect, useRef } from 'preact/hooks';
import { announce } from './announce.js';
import { useSessionHolder } from './session.js';

const TEXTS: Record<Status, string> = {
  connecting: 'Connecting…',
  ready: 'Connected',
  reconnecting: 'Reconnecting…',
  closed: 'Not connected',
};

/** The state of the connection, in the header. Loss and recovery are announced. */
export function ConnectionState() {
  const { status } = useSessionHolder();
  const before = useRef(status);
  useEffect(() => {
    if (status === 'reconnecting') announce('Connection lost. Reconnecting.', 'assertive');
    if (status === 'ready' && before.current === 'reconnecting') announce('Connected again.');
    before.current = status;
  }, [status]);
  return (
    <span class={`connection ${status === 'ready' ? '' : 'connection-waiting'}`}>
      <span class="connection-text">{TEXTS[status]}</span>
    </span>
  );
}
