import { oneLine } from '../../ui/names.js';
import { number } from '../../language/format.js';
import { may } from '../calls.js';
import { bytesText, durationText, Problem, Time, useCall } from '../common.js';

interface Status {
  readonly version: string;
  readonly started: number;
  readonly events: number;
  readonly store_bytes: number;
  readonly disk_free_bytes: number;
  readonly disk_bytes: number;
  readonly needs_room: string | null;
  readonly certificate: { readonly until: number; readonly problem: string | null } | null;
  readonly peers: number;
}

interface Backups {
  readonly running: boolean;
  readonly last: { readonly at: number; readonly error: string | null } | null;
}

const MAX_SENTENCE_LENGTH = 300;

/** What the relay says of itself: version, store, disk, certificate, last backup; what needs attention comes first. */
export function StatusLine() {
  const { result: status, problem, reload } = useCall<Status>('status');
  if (problem !== undefined && !status) return <Problem text={problem} onRetry={reload} />;
  if (!status) return null;
  const needs = [status.needs_room, status.certificate?.problem].map((text) => oneLine(text ?? undefined, MAX_SENTENCE_LENGTH));
  return (
    <section aria-label="Status">
      {needs.map((text) => text && <p key={text} class="admin-warning">{text}</p>)}
      <dl class="status-line small">
        <div><dt>Version</dt><dd>{status.version}</dd></div>
        <div><dt>Running for</dt><dd>{durationText(Math.max(0, Date.now() / 1000 - status.started))}</dd></div>
        <div><dt>Events</dt><dd>{number(status.events)}</dd></div>
        <div><dt>Store</dt><dd>{bytesText(status.store_bytes)}</dd></div>
        <div><dt>Disk</dt><dd>{bytesText(status.disk_free_bytes)} of {bytesText(status.disk_bytes)} free</dd></div>
        {status.certificate && <div><dt>Certificate</dt><dd>until <Time at={status.certificate.until} /></dd></div>}
        {status.peers > 0 && <div><dt>Other relays</dt><dd>{number(status.peers)}</dd></div>}
        {may('listbackups') && <LastBackup />}
      </dl>
    </section>
  );
}

function LastBackup() {
  const { result } = useCall<Backups>('listbackups');
  if (!result) return null;
  const { running, last } = result;
  return (
    <div>
      <dt>Last backup</dt>
      <dd>{running ? 'running' : last === null ? 'none' : last.error ? 'failed' : <Time at={last.at} />}</dd>
    </div>
  );
}
