import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { number } from '../../language/format.js';
import { Button } from '../../ui/Button.js';
import { npubOf, oneLine, pubkeyFrom } from '../../ui/names.js';
import { notifyFailure } from '../../ui/notices.js';
import { may } from '../calls.js';
import { Result, Time, useCall } from '../common.js';
import { Name, Npub } from '../people.js';
import { offerUndo, undoLast } from '../undo.js';
import { decide, isBannedHere, lift, METHODS, type Subject } from './decisions.js';
import { imagesOf, kindName, reasonsOf, suggestedReason, textOf, type Report } from './reports.js';
import './moderation.css';

const MAX_REPORTS = 100;

/** What is done about a report. */
type Answer = 'event' | 'author' | 'both' | 'dismiss';

const KEYS: Readonly<Record<string, Answer>> = { d: 'event', b: 'author', x: 'dismiss' };

/** What others have reported, those with the most reporters first. */
export function ReportsView() {
  const reports = useCall<readonly Report[]>('reports', MAX_REPORTS);
  const list = useRef<HTMLOListElement>(null);
  /** The place in the list that gets the focus when it has changed. */
  const nextFocus = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (nextFocus.current === undefined) return;
    const cards = cardsIn(list.current);
    const heading = document.querySelector<HTMLElement>('h1');
    if (heading) heading.tabIndex = -1;
    (cards[Math.min(nextFocus.current, cards.length - 1)] ?? heading)?.focus();
    nextFocus.current = undefined;
  }, [reports.result]);

  const onAnswered = async (index: number) => {
    nextFocus.current = index;
    await reports.reload();
  };
  const move = (event: KeyboardEvent) => {
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (!isShortcut(event) || (step === undefined && event.key !== 'u')) return;
    event.preventDefault();
    if (step === undefined) void undoLast();
    else {
      const cards = cardsIn(list.current);
      const at = cards.findIndex((card) => card.contains(document.activeElement));
      cards[Math.max(0, Math.min(cards.length - 1, at + step))]?.focus();
    }
  };
  return (
    <>
      <p class="muted small admin-keys">
        In a report, <kbd>j</kbd> and <kbd>k</kbd> or the arrows go to the next and the previous one, <kbd>d</kbd> deletes the event,{' '}
        <kbd>b</kbd> bans its author, <kbd>x</kbd> dismisses the report, and <kbd>u</kbd> undoes what was done last.
      </p>
      <Result of={reports}>
        {(all) =>
          all.length === 0 ? <p>There are no reports to decide on.</p> : (
            <>
              <ol ref={list} class="reports" aria-label="Reports" onKeyDown={move}>
                {all.map((report, i) => (
                  <li key={`${report.type} ${report.id}`}><ReportCard report={report} onAnswered={() => onAnswered(i)} onUndone={reports.reload} /></li>
                ))}
              </ol>
              {all.length >= MAX_REPORTS && <p class="muted">These are the {number(MAX_REPORTS)} with the most reporters.</p>}
            </>
          )
        }
      </Result>
    </>
  );
}

function cardsIn(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('.report') ?? [])];
}

/** Whether a key is a shortcut, and not a part of what the user writes. */
function isShortcut(event: KeyboardEvent): boolean {
  const isWriting = event.target instanceof HTMLElement && event.target.matches('input, textarea, select, summary');
  return !isWriting && !event.ctrlKey && !event.altKey && !event.metaKey;
}

function ReportCard({ report, onAnswered, onUndone }: { report: Report; onAnswered: () => Promise<void>; onUndone: () => Promise<void> }) {
  const { type, author, event } = report;
  const [reason, setReason] = useState(() => suggestedReason(report));
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const possible = answersTo(report);

  const answer = async (chosen: Answer) => {
    if (isBusy || !possible.includes(chosen)) return;
    setBusy(true);
    const done: Subject[] = [];
    try {
      for (const subject of subjectsOf(report, chosen)) {
        await decide(chosen === 'dismiss' ? 'allow' : 'ban', subject, reason, subject.type === 'event' ? event : undefined);
        done.push(subject);
      }
    } catch (error) {
      notifyFailure(error);
    }
    if (done.length > 0) {
      if (may('lift')) offerUndo(doneText(done, chosen), () => undo(done, chosen).finally(onUndone));
      await onAnswered();
    }
    setBusy(false);
  };
  const onKeyDown = (pressed: KeyboardEvent) => {
    const chosen = KEYS[pressed.key];
    if (!chosen || !isShortcut(pressed)) return;
    pressed.preventDefault();
    void answer(chosen);
  };
  const text = event && textOf(event);
  const reasons = reasonsOf(report);
  return (
    <article class="card report" tabIndex={0} aria-labelledby={id} onKeyDown={onKeyDown}>
      <h2 id={id} class="report-heading">
        {type === 'author' ? 'Author' : event ? kindName(event.kind) : 'Event'}{type === 'event' && author !== undefined && <span class="muted"> by</span>}{' '}
        {author !== undefined && <><Name pubkey={author} /> <Npub pubkey={author} /></>}
      </h2>
      <p class="muted small">
        {oneLine(report.summary, 200)} · last <Time at={report.newest} />
        {author !== undefined && isBannedHere(author) && ' · the author is banned'}
      </p>
      {text !== undefined ? <blockquote class="report-text"><bdi>{text}</bdi></blockquote> : (
        <p class="muted">{event ? 'It has no text.' : type === 'author' ? 'The author has no profile here.' : 'It is too long to be shown here, or a message for its recipients only.'}</p>
      )}
      {event && <Images event={event} />}
      <div class="report-reporters small">
        <p>
          <span class="muted">Reported by</span>{' '}
          {report.reporters.map((npub, i) => {
            const pubkey = pubkeyFrom(npub);
            return pubkey && <span key={npub} title={npubOf(pubkey)}>{i > 0 && ', '}<Name pubkey={pubkey} /></span>;
          })}
        </p>
        {reasons.length > 0 && <ul>{reasons.map((it, i) => <li key={i}>“<bdi>{it}</bdi>”</li>)}</ul>}
      </div>
      {possible.length > 0 && (
        <>
          <label class="field">
            <span class="field-label">Your reason, for the audit log</span>
            <input class="input" maxLength={500} value={reason} onInput={(input) => setReason(input.currentTarget.value)} />
          </label>
          <div class="admin-actions">
            {possible.includes('event') && <Button variant="danger" disabled={isBusy} onClick={() => void answer('event')}>Delete event</Button>}
            {possible.includes('author') && <Button variant="danger" disabled={isBusy} onClick={() => void answer('author')}>Ban author</Button>}
            {possible.includes('both') && <Button variant="danger" disabled={isBusy} onClick={() => void answer('both')}>Both</Button>}
            {possible.includes('dismiss') && <Button disabled={isBusy} onClick={() => void answer('dismiss')}>{type === 'author' ? 'Dismiss, allow author' : 'Dismiss'}</Button>}
          </div>
        </>
      )}
    </article>
  );
}

/** The subjects on which an answer decides. */
function subjectsOf({ type, id, author }: Report, answer: Answer): Subject[] {
  const event: Subject = { type: 'event', value: id };
  const person: Subject = { type: 'author', value: author ?? id };
  if (answer === 'both') return [event, person];
  if (answer === 'dismiss') return [type === 'event' ? event : person];
  return [answer === 'event' ? event : person];
}

/** What the user may do about a report. */
function answersTo(report: Report): Answer[] {
  const { type, author } = report;
  const mayBeBanned = author !== undefined && !isBannedHere(author);
  const all: Answer[] = type === 'author' ? ['author', 'dismiss'] : mayBeBanned ? ['event', 'author', 'both', 'dismiss'] : ['event', 'dismiss'];
  return all.filter((answer) => subjectsOf(report, answer).every(({ type }) => {
    const method = METHODS[type][answer === 'dismiss' ? 'allow' : 'ban'];
    return method !== undefined && may(method);
  }));
}

function doneText(done: readonly Subject[], answer: Answer): string {
  if (answer === 'dismiss') return done[0]!.type === 'author' ? 'The author is allowed.' : 'The report is dismissed.';
  if (done.length > 1) return 'The event is deleted, and its author banned.';
  return done[0]!.type === 'event' ? 'The event is deleted.' : 'The author is banned.';
}

/** Lifts what was decided, the last decision first, and says what holds now. */
async function undo(done: readonly Subject[], answer: Answer): Promise<string> {
  const sentences: string[] = [];
  // The author first: the relay would refuse an event of a banned one.
  for (const subject of [...done].reverse()) sentences.push(await lift(subject, answer !== 'dismiss'));
  return sentences.at(-1)!;
}

/** The images of an event, loaded only when somebody asks for them, and without telling their hosts from where. */
function Images({ event }: { event: NonNullable<Report['event']> }) {
  const [isShown, setShown] = useState(false);
  const images = imagesOf(event);
  if (images.length === 0) return null;
  if (!isShown) {
    return <div><Button size="small" onClick={() => setShown(true)}>{images.length === 1 ? 'Show 1 image' : `Show ${images.length} images`}</Button></div>;
  }
  return (
    <div class="report-images">
      {images.map((url) => <img key={url} src={url} alt={`Image at ${new URL(url).host}`} referrerpolicy="no-referrer" loading="lazy" />)}
    </div>
  );
}
