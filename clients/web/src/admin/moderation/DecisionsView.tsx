import { useId, useState } from 'preact/hooks';
import { number } from '../../language/format.js';
import { Button } from '../../ui/Button.js';
import { Choice } from '../../ui/Choice.js';
import { oneLine, pubkeyFrom, shortNpub } from '../../ui/names.js';
import { notify, notifyFailure } from '../../ui/notices.js';
import { may } from '../calls.js';
import { ActionButton, Result, Table, Time, useCall } from '../common.js';
import { Person } from '../people.js';
import { decide, isHex, lift, METHODS, subjectFrom, subjectOfText, type Subject } from './decisions.js';
import './moderation.css';

const MAX_REASON_LENGTH = 500;
/** The most rows that are shown; the search finds the others. */
const MAX_ROWS = 200;

interface Decision {
  /** Such as `npub1…`, `event <id>`, `kind 1` or `address 192.0.2.1`. */
  readonly subject: string;
  readonly verdict: 'banned' | 'allowed';
  readonly at: number;
  /** An npub, or `operator`. */
  readonly by: string;
  readonly reason: string;
}

interface Decisions {
  readonly decisions: readonly Decision[];
  readonly settings: { readonly pubkeys: number; readonly refused_pubkeys: number; readonly kinds: string; readonly refused_kinds: string };
}

/** The decisions in force; adding one, and lifting one. */
export function DecisionsView() {
  const decisions = useCall<Decisions>('decisions');
  return (
    <>
      <NewDecision onMade={decisions.reload} />
      <Result of={decisions}>
        {({ decisions: all, settings }) => (
          <>
            <List all={all} onLifted={decisions.reload} />
            {settings.pubkeys + settings.refused_pubkeys > 0 && (
              <p class="muted small">
                The settings accept {number(settings.pubkeys)} and refuse {number(settings.refused_pubkeys)} authors besides.
              </p>
            )}
          </>
        )}
      </Result>
    </>
  );
}

function NewDecision({ onMade }: { onMade: () => Promise<void> }) {
  const [text, setText] = useState('');
  const [hexIs, setHexIs] = useState<'author' | 'event'>('author');
  const [reason, setReason] = useState('');
  const id = useId();
  const subject = subjectFrom(text, hexIs);
  const isUnknown = text.trim() !== '' && subject === undefined;
  if (!Object.values(METHODS).some(({ ban, allow }) => may(ban) || (allow !== undefined && may(allow)))) return null;

  const make = async (verdict: 'ban' | 'allow') => {
    await decide(verdict, subject!, reason);
    setText('');
    setReason('');
    notify(`${nameOf(subject!)} is ${verdict === 'ban' ? 'banned' : 'allowed'}.`);
    await onMade();
  };
  const mayDo = (verdict: 'ban' | 'allow') => {
    const method = subject && METHODS[subject.type][verdict];
    return method !== undefined && may(method);
  };
  return (
    <section class="card decide" aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>Ban or allow</h2>
      <div class="field">
        <label class="field-label" for={id}>Author, event, kind or address</label>
        <input
          id={id}
          class="input"
          autocomplete="off"
          placeholder="npub1…, note1…, 30023, 203.0.113.7"
          aria-invalid={isUnknown}
          aria-describedby={isUnknown ? `${id}-problem` : undefined}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <label class="field">
        <span class="field-label">Reason, for the audit log</span>
        <input class="input" maxLength={MAX_REASON_LENGTH} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      {isHex(text) && (
        <Choice label="These hex digits are" value={hexIs} onChange={setHexIs} options={[{ value: 'author', label: 'an author' }, { value: 'event', label: 'an event' }]} />
      )}
      {isUnknown && <p id={`${id}-problem`} class="problem small">This is no npub, note, number of a kind or IP address.</p>}
      <div class="admin-actions">
        <ActionButton variant="danger" disabled={!mayDo('ban')} onAction={() => make('ban')}>Ban</ActionButton>
        <ActionButton disabled={!mayDo('allow')} onAction={() => make('allow')}>Allow</ActionButton>
        <span class="muted small">{subject && nameOf(subject)}</span>
      </div>
    </section>
  );
}

function nameOf({ type, value }: Subject): string {
  if (type === 'kind') return `Kind ${value}`;
  if (type === 'address') return `The address ${value}`;
  return type === 'author' ? `The author ${shortNpub(value)}` : `The event ${shortId(value)}`;
}

function List({ all, onLifted }: { all: readonly Decision[]; onLifted: () => Promise<void> }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = all.filter((it) => `${it.subject} ${it.reason} ${it.verdict}`.toLowerCase().includes(wanted));
  const liftOne = async (subject: Subject, verdict: Decision['verdict']) => {
    try {
      notify(await lift(subject, verdict === 'banned'));
      await onLifted();
    } catch (error) {
      notifyFailure(error);
    }
  };
  const rows = [...found].sort((a, b) => b.at - a.at).slice(0, MAX_ROWS).map(({ subject: text, verdict, at, by, reason }) => {
    const subject = subjectOfText(text);
    return {
      key: text,
      cells: [
        subject?.type === 'author' ? <Person pubkey={subject.value} /> : subject?.type === 'event' ? `event ${shortId(subject.value)}` : oneLine(text, 100),
        verdict,
        <bdi>{oneLine(reason, MAX_REASON_LENGTH)}</bdi>,
        <Who by={by} />,
        <Time at={at} />,
        subject && may('lift') && <Lift name={oneLine(text, 100) ?? ''} onLift={() => liftOne(subject, verdict)} />,
      ],
    };
  });
  return (
    <>
      {all.length > 10 && (
        <label class="field">
          <span class="field-label">Search the {number(all.length)} decisions</span>
          <input class="input" type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        </label>
      )}
      <Table caption="Decisions in force" head={['Subject', 'Verdict', 'Reason', 'By', 'Since', '']} rows={rows} empty="No decision is in force." />
      {found.length > MAX_ROWS && <p class="muted">The newest {number(MAX_ROWS)} of {number(found.length)} are shown.</p>}
    </>
  );
}

function Lift({ name, onLift }: { name: string; onLift: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  return (
    <Button
      size="small"
      disabled={isBusy}
      aria-label={`Lift the decision on ${name}`}
      onClick={() => {
        setBusy(true);
        void onLift().finally(() => setBusy(false));
      }}
    >
      Lift
    </Button>
  );
}

/** The beginning and end of an id. */
function shortId(id: string): string {
  return `${id.slice(0, 8)}…${id.slice(-4)}`;
}

/** Who has changed something: an admin, by npub, or a command at the relay's machine. */
export function Who({ by }: { by: string }) {
  const pubkey = pubkeyFrom(by);
  return pubkey ? <Person pubkey={pubkey} /> : <>{oneLine(by, 80)}</>;
}
