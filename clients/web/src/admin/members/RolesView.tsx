import { useId, useState } from 'preact/hooks';
import { number } from '../../language/format.js';
import { Button } from '../../ui/Button.js';
import { Dialog, DialogActions } from '../../ui/Dialog.js';
import { manyLines, pubkeyFrom } from '../../ui/names.js';
import { notify } from '../../ui/notices.js';
import { call } from '../calls.js';
import { ActionButton, Confirm, Result, useCall, type Called } from '../common.js';
import { knownName, Person } from '../people.js';
import { offerUndo } from '../undo.js';
import { ADMIN, groupsOf, roleIdOf, roleName, type Member, type Role } from './members.js';
import { RoleMark } from './RoleMark.js';

const MAX_TEXT_LENGTH = 300;
/** The most members of a role that are shown. */
const MAX_SHOWN = 50;

/** The roles: what they may do, and who has them. */
export function RolesView() {
  const roles = useCall<readonly Role[]>('listroles');
  const members = useCall<readonly Member[]>('listmembers');
  const offered = useCall<readonly string[]>('rolemethods').result ?? [];
  const [edited, setEdited] = useState<Role | 'new'>();
  const [deleted, setDeleted] = useState<Role>();
  const reload = async () => {
    await Promise.all([roles.reload(), members.reload()]);
  };
  return (
    <>
      <p>A role is what a moderator may do. Whoever has one signs in on this page, and sees the views of that role.</p>
      <div><Button variant="primary" onClick={() => setEdited('new')}>Create a role</Button></div>
      <Result of={roles}>
        {(all) => all.map((role) => (
          <RoleCard
            key={role.id}
            role={role}
            roles={all}
            members={members}
            onEdit={() => setEdited(role)}
            onDelete={() => setDeleted(role)}
            onChanged={reload}
          />
        ))}
      </Result>
      {edited && (
        <Edit
          role={edited === 'new' ? undefined : edited}
          offered={offered}
          onSaved={async () => {
            setEdited(undefined);
            await reload();
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
      {deleted && (
        <Confirm
          title={`Delete the role ${roleName(deleted.id, [deleted])}?`}
          action="Delete the role"
          onClose={() => setDeleted(undefined)}
          onConfirm={async () => {
            await call('deleterole', deleted.id);
            await reload();
          }}
        >
          <p>Its {number(deleted.members)} members stay members, without this role.</p>
        </Confirm>
      )}
    </>
  );
}

function RoleCard({ role, roles, members, onEdit, onDelete, onChanged }: {
  role: Role;
  roles: readonly Role[];
  members: Called<readonly Member[]>;
  onEdit: () => void;
  onDelete: () => void;
  onChanged: () => Promise<void>;
}) {
  const id = useId();
  const name = roleName(role.id, roles);
  const isAdmin = role.id === ADMIN;
  const holders = (members.result ?? []).filter((member) => member.roles.includes(role.id));
  const unassign = async (pubkey: string) => {
    await call('unassignrole', pubkey, role.id);
    offerUndo(`${knownName(pubkey)} no longer has the role ${name}.`, async () => {
      await call('assignrole', pubkey, role.id);
      await onChanged();
      return `${knownName(pubkey)} has the role ${name} again.`;
    });
    await onChanged();
  };
  return (
    <section class="card role-card" aria-labelledby={`${id}-heading`}>
      <div class="role-title">
        <h2 id={`${id}-heading`}><RoleMark id={role.id} roles={roles} /></h2>
        {!isAdmin && (
          <div class="admin-actions">
            <Button size="small" aria-label={`Edit the role ${name}`} onClick={onEdit}>Edit</Button>
            <Button size="small" variant="danger" aria-label={`Delete the role ${name}`} onClick={onDelete}>Delete</Button>
          </div>
        )}
      </div>
      {role.description !== '' && !isAdmin && <p class="role-text"><bdi>{manyLines(role.description, MAX_TEXT_LENGTH, 4)}</bdi></p>}
      {isAdmin ? <p>Admins may do everything.</p> : <Rights methods={role.methods} />}
      <ul class="role-members" aria-label={`Members with the role ${name}`}>
        {holders.slice(0, MAX_SHOWN).map(({ pubkey, by }) => (
          <li key={pubkey}>
            <Person pubkey={pubkey} />
            {by === 'settings'
              ? <span class="muted small">in the settings</span>
              : <ActionButton size="small" aria-label={`Take away the role ${name} from ${knownName(pubkey)}`} onAction={() => unassign(pubkey)}>Take away</ActionButton>}
          </li>
        ))}
      </ul>
      {holders.length > MAX_SHOWN && <p class="muted small">{number(MAX_SHOWN)} of {number(holders.length)} are shown.</p>}
      <Assign role={role.id} name={name} onChanged={onChanged} />
    </section>
  );
}

function Rights({ methods }: { methods: readonly string[] }) {
  if (methods.length === 0) return <p class="muted">It may do nothing here: it is a title.</p>;
  return (
    <ul class="role-rights small">
      {groupsOf(methods).map(({ name, methods: all }) => (
        <li key={name}><strong>{name}:</strong> {all.map(([, words]) => words).join(', ')}</li>
      ))}
    </ul>
  );
}

function Assign({ role, name, onChanged }: { role: string; name: string; onChanged: () => Promise<void> }) {
  const [text, setText] = useState('');
  const id = useId();
  const pubkey = pubkeyFrom(text);
  const isWrong = text.trim() !== '' && pubkey === undefined;
  const assign = async () => {
    await call('assignrole', pubkey, role);
    setText('');
    notify(`${knownName(pubkey!)} has the role ${name} now.`);
    await onChanged();
  };
  return (
    <div class="role-assign">
      <div class="field">
        <label class="field-label" for={id}>Give the role {name} to (npub)</label>
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
        {isWrong && <p id={`${id}-problem`} class="problem small">This is no npub.</p>}
      </div>
      <ActionButton disabled={pubkey === undefined} onAction={assign}>Give</ActionButton>
    </div>
  );
}

/** Creates a role, or changes one. */
function Edit({ role, offered, onSaved, onClose }: {
  role: Role | undefined;
  offered: readonly string[];
  onSaved: () => Promise<void>;
  onClose: () => void;
}) {
  const [label, setLabel] = useState(role?.label ?? '');
  const [description, setDescription] = useState(role?.description ?? '');
  const [hue, setHue] = useState(role?.color || '150');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(role?.methods));
  const id = role?.id ?? roleIdOf(label);
  const choose = (methods: readonly string[], on: boolean) => {
    setChosen(new Set(on ? [...chosen, ...methods] : [...chosen].filter((method) => !methods.includes(method))));
  };
  const save = async () => {
    await call(role ? 'editrole' : 'createrole', id, label.trim(), description.trim(), hue, role?.order ?? '', [...chosen].sort());
    await onSaved();
  };
  return (
    <Dialog title={role ? `Edit the role ${roleName(role.id, [role])}` : 'Create a role'} class="role-dialog" onClose={onClose}>
      <label class="field">
        <span class="field-label">Name</span>
        <input class="input" maxLength={MAX_TEXT_LENGTH} value={label} onInput={(event) => setLabel(event.currentTarget.value)} />
      </label>
      <label class="field">
        <span class="field-label">Description</span>
        <input class="input" maxLength={MAX_TEXT_LENGTH} value={description} onInput={(event) => setDescription(event.currentTarget.value)} />
      </label>
      <label class="field">
        <span class="field-label">Colour</span>
        <span class="role-hue">
          <input type="range" min={0} max={360} value={hue} onInput={(event) => setHue(event.currentTarget.value)} />
          <RoleMark id="example" roles={[{ id: 'example', label: label || 'Example', description: '', color: hue, order: '', methods: [], members: 0 }]} />
        </span>
      </label>
      {groupsOf(offered).map(({ name, methods }) => {
        const all = methods.map(([method]) => method);
        return (
          <fieldset key={name} class="role-group">
            <legend class="field-label">{name}</legend>
            {all.length > 1 && (
              <label class="admin-check">
                <input type="checkbox" checked={all.every((method) => chosen.has(method))} onChange={(event) => choose(all, event.currentTarget.checked)} />
                <strong>all of this</strong>
              </label>
            )}
            {methods.map(([method, words]) => (
              <label key={method} class="admin-check" title={method}>
                <input type="checkbox" checked={chosen.has(method)} onChange={(event) => choose([method], event.currentTarget.checked)} />
                {words}
              </label>
            ))}
          </fieldset>
        );
      })}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <ActionButton variant="primary" disabled={id === '' || label.trim() === ''} onAction={save}>Save</ActionButton>
      </DialogActions>
    </Dialog>
  );
}
