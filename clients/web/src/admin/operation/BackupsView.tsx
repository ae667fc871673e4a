import { useEffect } from 'preact/hooks';
import { number } from '../../language/format.js';
import { oneLine } from '../../ui/names.js';
import { call, may } from '../calls.js';
import { ActionButton, bytesText, Result, Time, useCall } from '../common.js';
import './operation.css';

/** How often a running backup is looked at. */
const LOOKS_EVERY_MILLISECONDS = 2_000;
const MAX_TEXT_LENGTH = 300;

interface Backups {
  readonly directory: string;
  readonly running: boolean;
  readonly last: { readonly at: number; readonly bytes: number; readonly seconds: number | null; readonly error: string | null } | null;
}

/** The last backup, and starting one. */
export function BackupsView() {
  const backups = useCall<Backups>('listbackups');
  const isRunning = backups.result?.running ?? false;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void backups.reload(), LOOKS_EVERY_MILLISECONDS);
    return () => clearInterval(timer);
  }, [isRunning, backups.reload]);
  const start = async () => {
    await call('startbackup');
    await backups.reload();
  };
  return (
    <Result of={backups}>
      {({ directory, running, last }) => (
        <section class="card operation-text" aria-label="Backup">
          <div role="status">
            {running ? (
              <p><span class="pulse" aria-hidden="true" />A backup is being made.</p>
            ) : last === null ? (
              <p>No backup was made here yet.</p>
            ) : last.error !== null ? (
              <p class="problem">The backup of <Time at={last.at} /> failed: {oneLine(last.error, MAX_TEXT_LENGTH)}</p>
            ) : (
              <p>
                The last backup is of <Time at={last.at} />: {bytesText(last.bytes)}
                {last.seconds !== null && `, made in ${number(last.seconds, { maximumFractionDigits: 1 })} seconds`}.
              </p>
            )}
          </div>
          <p class="muted small operation-path">In the directory <code>{oneLine(directory, MAX_TEXT_LENGTH)}</code> of the relay’s machine. Keep a copy on another one.</p>
          {may('startbackup') && (
            <div><ActionButton variant="primary" disabled={running} onAction={start}>Start a backup</ActionButton></div>
          )}
        </section>
      )}
    </Result>
  );
}
