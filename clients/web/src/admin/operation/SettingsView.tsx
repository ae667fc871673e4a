import { useId, useState } from 'preact/hooks';
import { number } from '../../language/format.js';
import { Button } from '../../ui/Button.js';
import { Dialog, DialogActions } from '../../ui/Dialog.js';
import { manyLines, oneLine } from '../../ui/names.js';
import { call, may } from '../calls.js';
import { ActionButton, Result, useCall } from '../common.js';
import { offerUndo } from '../undo.js';
import { inverse, isChangedHere, keyOfFault, sectionsOf, type Changes, type Outcome, type Setting } from './settings.js';
import './operation.css';

const MAX_VALUE_LENGTH = 300;
const MAX_ABOUT_LENGTH = 1_000;
const MAX_FAULT_LENGTH = 500;

/** The settings in force; those that need no restart are changed here, after a look at what changes. */
export function SettingsView() {
  const settings = useCall<readonly Setting[]>('listsettings');
  return <Result of={settings}>{(all) => <Settings all={all} onChanged={settings.reload} />}</Result>;
}

function Settings({ all, onChanged }: { all: readonly Setting[]; onChanged: () => Promise<void> }) {
  const [search, setSearch] = useState('');
  const [isChangedOnly, setChangedOnly] = useState(false);
  const [changes, setChanges] = useState<Changes>({});
  const [outcome, setOutcome] = useState<Outcome>();
  const count = Object.keys(changes).length;
  const fault = outcome?.fault ?? undefined;
  const faultKey = fault === undefined ? undefined : keyOfFault(fault, changes);
  const sections = sectionsOf(isChangedOnly ? all.filter(({ source }) => source !== 'default') : all, search);
  const isSearching = search.trim() !== '' || isChangedOnly;

  const change = (key: string, value: string | null | undefined) => {
    setOutcome(undefined);
    const { [key]: _, ...others } = changes;
    setChanges(value === undefined ? others : { ...others, [key]: value });
  };
  const check = async () => setOutcome(await call<Outcome>('checksettings', changes));
  const apply = async () => {
    const made = await call<Outcome>('changesettings', changes);
    setOutcome(made.fault === null ? undefined : made);
    if (made.fault !== null) return;
    const back = inverse(changes, all);
    offerUndo(count === 1 ? `${Object.keys(changes)[0]} is changed.` : `${number(count)} settings are changed.`, async () => {
      const undone = await call<Outcome>('changesettings', back);
      await onChanged();
      if (undone.fault !== null) throw new Error(undone.fault);
      return 'The former settings are in force again.';
    });
    setChanges({});
    await onChanged();
  };

  return (
    <>
      <p class="muted small">
        Changes are kept in a file of their own, above the configuration file and below environment and command line.
        What needs a restart is changed in the configuration.
      </p>
      <div class="settings-search">
        <label class="field">
          <span class="field-label">Search the {number(all.length)} settings</span>
          <input class="input" type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        </label>
        <label class="admin-check">
          <input type="checkbox" checked={isChangedOnly} onChange={(event) => setChangedOnly(event.currentTarget.checked)} />
          only those that are not defaults
        </label>
      </div>
      {sections.size === 0 && <p class="muted">No setting was found.</p>}
      {[...sections].map(([name, section]) => (
        <details key={name} class="card settings-section" open={isSearching || section.some(({ key }) => key in changes)}>
          <summary><h2>{name}</h2> <span class="muted small">{number(section.length)}</span></summary>
          {section.map((setting) => (
            <Row
              key={setting.key}
              setting={setting}
              change={changes[setting.key]}
              fault={setting.key === faultKey ? fault : undefined}
              onChange={(value) => change(setting.key, value)}
            />
          ))}
        </details>
      ))}
      {count > 0 && (
        <div class="settings-bar" role="region" aria-label="Changes">
          <div>
            <p>{count === 1 ? 'One setting is to be changed.' : `${number(count)} settings are to be changed.`}</p>
            {fault !== undefined && <p class="problem" role="alert">{oneLine(fault, MAX_FAULT_LENGTH)}</p>}
          </div>
          <div class="admin-actions">
            <Button onClick={() => { setChanges({}); setOutcome(undefined); }}>Discard</Button>
            <ActionButton variant="primary" onAction={check}>Check</ActionButton>
          </div>
        </div>
      )}
      {outcome && fault === undefined && (
        <Dialog title="These settings change" class="settings-dialog" onClose={() => setOutcome(undefined)}>
          <Difference outcome={outcome} />
          <DialogActions>
            <Button onClick={() => setOutcome(undefined)}>Back</Button>
            <ActionButton variant="primary" disabled={outcome.changes.length === 0} onAction={apply}>Apply</ActionButton>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}

function Difference({ outcome: { changes, needs_restart: restart } }: { outcome: Outcome }) {
  return (
    <>
      {changes.length === 0 && <p>Nothing changes: the values are in force already.</p>}
      <ul class="settings-difference">
        {changes.map(({ key, before, after }) => (
          <li key={key}>
            <p><code>{key}</code></p>
            <p><del><span class="visually-hidden">before: </span>{shown(before)}</del></p>
            <p><ins><span class="visually-hidden">after: </span>{shown(after)}</ins></p>
          </li>
        ))}
      </ul>
      {restart.length > 0 && <p>In force after a restart only: {restart.slice(0, 20).map((key) => <><code key={key}>{key}</code> </>)}</p>}
    </>
  );
}

function shown(value: string): string {
  return oneLine(value, MAX_VALUE_LENGTH) ?? '(empty)';
}

function Row({ setting, change, fault, onChange }: {
  setting: Setting;
  /** What it is to become; undefined while it is to remain. */
  change: string | null | undefined;
  fault: string | undefined;
  onChange: (value: string | null | undefined) => void;
}) {
  const id = useId();
  const { key, value = '', about, secret, changeable, reloads, source } = setting;
  const mayChange = changeable && may('changesettings');
  const isLong = value.length > 60;
  const isSwitch = value === 'true' || value === 'false';
  const edit = (text: string) => onChange(text === value ? undefined : text);
  const props = {
    id: `${id}-value`,
    class: 'input',
    'aria-labelledby': `${id}-key`,
    'aria-describedby': `${id}-notes`,
    'aria-invalid': fault !== undefined,
  };
  return (
    <div class={`setting ${change !== undefined ? 'setting-changed' : ''}`}>
      <div>
        <h3 id={`${id}-key`} class="setting-key"><code>{key}</code></h3>
        {about !== undefined && <p class="muted small setting-about">{manyLines(about, MAX_ABOUT_LENGTH, 10)}</p>}
      </div>
      <div class="setting-value">
        {change === null ? (
          <p>The change made here is taken back.</p>
        ) : secret ? (
          <p class="muted">not shown</p>
        ) : !mayChange ? (
          <p><code>{shown(value)}</code></p>
        ) : isSwitch ? (
          <select {...props} value={change ?? value} onChange={(event) => edit(event.currentTarget.value)}>
            <option value="true">true</option>
            <option value="false">false</option>
          </select>
        ) : isLong ? (
          <textarea {...props} rows={4} spellcheck={false} value={change ?? value} onInput={(event) => edit(event.currentTarget.value)} />
        ) : (
          <input {...props} autocomplete="off" spellcheck={false} value={change ?? value} onInput={(event) => edit(event.currentTarget.value)} />
        )}
        {fault !== undefined && <p class="problem small">{oneLine(fault, MAX_FAULT_LENGTH)}</p>}
        <p id={`${id}-notes`} class="muted small">
          {source === 'default' ? 'The default.' : <>Default: <code>{shown(setting.default)}</code>. From {oneLine(source, MAX_VALUE_LENGTH)}.</>}
          {!reloads && ' Needs a restart.'}
        </p>
        {mayChange && (change !== undefined || isChangedHere(setting)) && (
          <div class="admin-actions">
            {change !== undefined && <Button size="small" onClick={() => onChange(undefined)}>Keep as it is</Button>}
            {change !== null && isChangedHere(setting) && <Button size="small" aria-label={`Take back the change of ${key}`} onClick={() => onChange(null)}>Take back</Button>}
          </div>
        )}
      </div>
    </div>
  );
}
