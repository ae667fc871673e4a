import { useState } from 'preact/hooks';
import { number } from '../../language/format.js';
import { npubOf, oneLine } from '../../ui/names.js';
import { notify } from '../../ui/notices.js';
import { call, may } from '../calls.js';
import { ActionButton, bytesText, durationText, Result, Table, useCall } from '../common.js';
import { decide, lift, type Subject } from '../moderation/decisions.js';
import { knownName, Person } from '../people.js';
import { offerUndo } from '../undo.js';
import './operation.css';

/** The most rows that are shown; the search finds the others. */
const MAX_ROWS = 100;
/** The most keys of a connection that are shown. */
const MAX_KEYS = 3;
/** Bytes that wait for a client from which on it counts as slow. */
const SLOW_BYTES = 64_000;
/** Refusals from which on a client counts as noisy, if they are a tenth of its messages. */
const NOISY_REFUSALS = 20;

interface Connection {
  readonly id: string;
  readonly address: string;
  /** In hexadecimal. */
  readonly keys: readonly string[];
  readonly since: number;
  readonly subscriptions: number;
  readonly outbox_bytes: number;
  readonly messages: number;
  readonly refused: number;
}

/** Who is connected, the noisiest first: disconnecting, and banning the address. */
export function ConnectionsView() {
  const connections = useCall<readonly Connection[]>('listconnections');
  return (
    <>
      <div class="admin-actions">
        <ActionButton onAction={connections.reload}>Refresh</ActionButton>
        <span class="muted small">As it was when this view was opened or refreshed.</span>
      </div>
      <Result of={connections}>{(all) => <List all={all} onChanged={connections.reload} />}</Result>
    </>
  );
}

function List({ all, onChanged }: { all: readonly Connection[]; onChanged: () => Promise<void> }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const textOf = ({ address, keys }: Connection) => [address, ...keys.flatMap((key) => [key, npubOf(key), knownName(key)])].join(' ').toLowerCase();
  const found = wanted === '' ? all : all.filter((connection) => textOf(connection).includes(wanted));
  const disconnect = async ({ id, address }: Connection) => {
    await call('disconnect', id);
    notify(`The client at ${address} is disconnected. It may connect again.`);
    await onChanged();
  };
  const ban = async ({ address }: Connection) => {
    const subject: Subject = { type: 'address', value: address.replace(/\/\d+$/, '') };
    await decide('ban', subject, 'banned from the list of connections');
    offerUndo(`The address ${address} is banned, and its clients are disconnected.`, async () => {
      const sentence = await lift(subject);
      await onChanged();
      return sentence;
    });
    await onChanged();
  };
  return (
    <>
      {all.length > 10 && (
        <label class="field operation-search">
          <span class="field-label">Search the {number(all.length)} connections, by address or npub</span>
          <input class="input" type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        </label>
      )}
      <Table
        caption="Connections"
        head={['Address', 'Keys', 'For', 'Queries', 'Waiting', 'Messages', 'Refused', '']}
        rows={found.slice(0, MAX_ROWS).map((connection) => ({
          key: connection.id,
          cells: [
            <><bdi class="operation-address">{oneLine(connection.address, 60)}</bdi> <Marks of={connection} /></>,
            connection.keys.length === 0 ? 'not logged in' : (
              <>
                {connection.keys.slice(0, MAX_KEYS).map((key) => <Person key={key} pubkey={key} />)}
                {connection.keys.length > MAX_KEYS && ` and ${number(connection.keys.length - MAX_KEYS)} more`}
              </>
            ),
            <span class="admin-time">{durationText(Math.max(0, Date.now() / 1000 - connection.since))}</span>,
            number(connection.subscriptions),
            bytesText(connection.outbox_bytes),
            number(connection.messages),
            number(connection.refused),
            <span class="admin-actions">
              {may('disconnect') && (
                <ActionButton size="small" aria-label={`Disconnect ${connection.address}, connection ${connection.id}`} onAction={() => disconnect(connection)}>
                  Disconnect
                </ActionButton>
              )}
              {may('blockip') && (
                <ActionButton size="small" variant="danger" aria-label={`Ban address ${connection.address}, connection ${connection.id}`} onAction={() => ban(connection)}>
                  Ban address
                </ActionButton>
              )}
            </span>,
          ],
        }))}
        empty={wanted === '' ? 'Nobody is connected.' : 'No connection was found.'}
      />
      {found.length > MAX_ROWS && <p class="muted">{number(MAX_ROWS)} of {number(found.length)} are shown: search for the others.</p>}
    </>
  );
}

/** What is conspicuous about a client. */
function Marks({ of: { outbox_bytes: waiting, refused, messages } }: { of: Connection }) {
  return (
    <>
      {waiting >= SLOW_BYTES && <span class="operation-mark" title="Much is waiting to be sent to it">slow</span>}{' '}
      {refused >= NOISY_REFUSALS && refused * 10 >= messages && <span class="operation-mark" title="Much of what it sends is refused">noisy</span>}
    </>
  );
}
