import { useId, useState } from 'preact/hooks';
import { number } from '../../language/format.js';
import { npubOf, oneLine, pubkeyFrom } from '../../ui/names.js';
import { notify } from '../../ui/notices.js';
import { call, may, useAccess } from '../calls.js';
import { ActionButton, Result, Table, Time, useCall } from '../common.js';
import { hrefOf } from '../link.js';
import { Who } from '../moderation/DecisionsView.js';
import { knownName, Person } from '../people.js';
import { offerUndo } from '../undo.js';
import { roleName, type Member, type Role } from './members.js';
import { RoleMark } from './RoleMark.js';

const MAX_REASON_LENGTH = 500;
/** The most rows that are shown; the search finds the others. */
const MAX_ROWS = 100;

/** Who belongs to the relay: adding by npub, and removing. */
export function MembersView() {
  const members = useCall<readonly Member[]>('listmembers');
  const roles = useCall<readonly Role[]>('listroles').result ?? [];
  return (
    <>
      {may('addmember') && <AddMember onAdded={members.reload} />}
      <Result of={members}>{(all) => <List all={all} roles={roles} onChanged={members.reload} />}</Result>
      {may('decisions') && (
        <p class="muted small">
          Authors who may write without being members are in <a href={hrefOf('decisions')}>Decisions</a>, as allowed.
        </p>
      )}
    </>
  );
}

function AddMember({ onAdded }: { onAdded: () => Promise<void> }) {
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const id = useId();
  const pubkey = pubkeyFrom(text);
  const isWrong = text.trim() !== '' && pubkey === undefined;
  const add = async () => {
    await call('addmember', pubkey, reason.trim());
    setText('');
    setReason('');
    notify(`${knownName(pubkey!)} is a member now.`);
    await onAdded();
  };
  return (
    <section class="card manage-form" aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>Add a member</h2>
      <div class="field">
        <label class="field-label" for={id}>Public key (npub)</label>
        <input
          id={id}
          class="input"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? `${id}-problem` : undefined}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {isWrong && <p id={`${id}-problem`} class="problem small">This is no npub: it begins with npub1 and has 63 characters.</p>}
      </div>
      <label class="field">
        <span class="field-label">Note</span>
        <input class="input" maxLength={MAX_REASON_LENGTH} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <div class="admin-actions">
        <ActionButton variant="primary" disabled={pubkey === undefined} onAction={add}>Add</ActionButton>
        {may('createinvite') && <span class="muted small">Or create a link in <a href={hrefOf('invites')}>Invites</a>.</span>}
      </div>
    </section>
  );
}

function List({ all, roles, onChanged }: { all: readonly Member[]; roles: readonly Role[]; onChanged: () => Promise<void> }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const textOf = ({ pubkey, roles: own, reason }: Member) =>
    [knownName(pubkey), npubOf(pubkey), pubkey, ...own.map((id) => roleName(id, roles)), reason].join(' ').toLowerCase();
  const found = wanted === '' ? all : all.filter((member) => textOf(member).includes(wanted));
  const remove = async ({ pubkey, roles: own, reason }: Member) => {
    await call('removemember', pubkey);
    offerUndo(`${knownName(pubkey)} is no member any more.`, async () => {
      await call('addmember', pubkey, reason);
      for (const role of own) await call('assignrole', pubkey, role);
      await onChanged();
      return `${knownName(pubkey)} is a member again.`;
    });
    await onChanged();
  };
  const self = useAccess()?.pubkey;
  const mayRemove = ({ pubkey, by, roles: own }: Member) =>
    may('removemember') && pubkey !== self && by !== 'settings' && (own.length === 0 || may('assignrole'));
  return (
    <>
      {all.length > 10 && (
        <label class="field manage-search">
          <span class="field-label">Search the {number(all.length)} members</span>
          <input class="input" type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        </label>
      )}
      <Table
        caption="Members"
        head={['Member', 'Roles', 'Since', 'By', 'Note', '']}
        rows={found.slice(0, MAX_ROWS).map((member) => ({
          key: member.pubkey,
          cells: [
            <Person pubkey={member.pubkey} />,
            member.roles.length === 0 ? '—' : <span class="role-marks">{member.roles.map((id) => <RoleMark key={id} id={id} roles={roles} />)}</span>,
            member.at === 0 ? '—' : <Time at={member.at} />,
            <Who by={member.by} />,
            <bdi>{oneLine(member.reason, MAX_REASON_LENGTH)}</bdi>,
            mayRemove(member) && (
              <ActionButton size="small" aria-label={`Remove ${knownName(member.pubkey)}`} onAction={() => remove(member)}>Remove</ActionButton>
            ),
          ],
        }))}
        empty={wanted === '' ? 'There are no members yet.' : 'No member was found.'}
      />
      {found.length > MAX_ROWS && <p class="muted">{number(MAX_ROWS)} of {number(found.length)} are shown: search for the others.</p>}
    </>
  );
}
