/** Pieces that the views of the admin page share. */
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { date, number } from '../language/format.js';
import { Button, type ButtonProps } from '../ui/Button.js';
import { Dialog, DialogActions } from '../ui/Dialog.js';
import { notifyFailure, reasonOf } from '../ui/notices.js';
import { call } from './calls.js';

/** The result of a call as a view shows it. */
export interface Called<Result> {
  /** The newest result; it stays while the call is made again. */
  readonly result: Result | undefined;
  /** Why the last call failed, a sentence. */
  readonly problem: string | undefined;
  /** Calls again; resolves when the answer is there, whatever it is. */
  reload(): Promise<void>;
}

/** Calls a method when the component is first rendered, and when its parameters change. */
export function useCall<Result>(method: string, ...params: unknown[]): Called<Result> {
  const [state, setState] = useState<Pick<Called<Result>, 'result' | 'problem'>>({ result: undefined, problem: undefined });
  const last = useRef(0);
  const wanted = JSON.stringify(params);
  const reload = useCallback(async () => {
    const number = ++last.current;
    try {
      const result = await call<Result>(method, ...(JSON.parse(wanted) as unknown[]));
      if (number === last.current) setState({ result, problem: undefined });
    } catch (error) {
      if (number === last.current) setState(({ result }) => ({ result, problem: reasonOf(error) }));
    }
  }, [method, wanted]);
  useEffect(() => {
    void reload();
    return () => void last.current++;
  }, [reload]);
  return { ...state, reload };
}

/** The result of a call once it is there; before that, or if it failed, a sentence. */
export function Result<Value>({ of, children }: { of: Called<Value>; children: (value: Value) => ComponentChildren }) {
  const { result, problem, reload } = of;
  return (
    <>
      {problem !== undefined && <Problem text={problem} onRetry={reload} />}
      {result !== undefined ? children(result) : problem === undefined && <Loading />}
    </>
  );
}

export function Loading() {
  return <p class="muted"><span class="pulse" aria-hidden="true" />Loading…</p>;
}

/** A sentence about a failure, with a button to try again where that may help. */
export function Problem({ text, onRetry }: { text: string; onRetry?: () => Promise<void> }) {
  return (
    <div class="admin-problem" role="alert">
      <p class="problem">{text}</p>
      {onRetry && <Button size="small" onClick={() => void onRetry()}>Try again</Button>}
    </div>
  );
}

/**
 * A button for something that takes a moment: until it is done, it cannot be pressed again. A failure is shown as a
 * notice.
 */
export function ActionButton({ onAction, disabled = false, ...rest }: Omit<ButtonProps, 'onClick'> & { onAction: () => Promise<unknown> }) {
  const [isBusy, setBusy] = useState(false);
  const act = async () => {
    setBusy(true);
    try {
      await onAction();
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return <Button {...rest} disabled={disabled || isBusy} onClick={() => void act()} />;
}

/**
 * Asks before something that cannot be undone by a button.
 *
 * @param action the text of the button, such as "Remove the role"
 */
export function Confirm({ title, action, onConfirm, onClose, children }: {
  title: string;
  action: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  children: ComponentChildren;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <ActionButton
          variant="danger"
          onAction={async () => {
            await onConfirm();
            onClose();
          }}
        >
          {action}
        </ActionButton>
      </DialogActions>
    </Dialog>
  );
}

/** A row of a {@link Table}; of the cells, the first names the row. */
export interface TableRow {
  readonly key: string | number;
  readonly cells: readonly ComponentChildren[];
}

/** A table; where there is little room, each row is a block in which every cell has its column's name before it. */
export function Table({ caption, head, rows, empty = 'There are none.' }: {
  /** What the table has, for screen readers. */
  caption: string;
  /** The names of the columns; one of buttons may be empty. */
  head: readonly string[];
  rows: readonly TableRow[];
  empty?: string;
}) {
  if (rows.length === 0) return <p class="muted">{empty}</p>;
  return (
    <table class="admin-table">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>{head.map((name) => (name === '' ? <td key="" /> : <th key={name} scope="col">{name}</th>))}</tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [first, ...cells] }) => (
          <tr key={key}>
            <th scope="row">{first}</th>
            {cells.map((cell, i) => <td key={i} data-label={head[i + 1]}>{cell}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A moment: "Nov 28, 12:04", with the whole date for the pointer and for programs. */
export function Time({ at }: { at: number }) {
  const moment = new Date(at * 1000);
  if (Number.isNaN(moment.getTime())) return <>—</>;
  return <time class="admin-time" dateTime={moment.toISOString()} title={date(+moment, { dateStyle: 'full', timeStyle: 'long' })}>{timeText(at)}</time>;
}

/** A moment in seconds of Unix time, in words; the year only where it is another one. */
export function timeText(at: number, now = Date.now()): string {
  const isThisYear = new Date(at * 1000).getFullYear() === new Date(now).getFullYear();
  return date(at * 1000, {
    month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23',
    ...(isThisYear ? {} : { year: 'numeric' }),
  });
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** A number of bytes in the largest unit of which there is one: "1.2 GB". */
export function bytesText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  return `${number(value, { maximumFractionDigits: power > 0 && value < 100 ? 1 : 0 })} ${UNITS[power]}`;
}

/** A duration in seconds in its largest unit: "3 minutes", "2 days". */
export function durationText(seconds: number): string {
  const units = [['day', 86_400], ['hour', 3_600], ['minute', 60], ['second', 1]] as const;
  const [unit, length] = units.find(([, it]) => seconds >= it) ?? ['second', 1];
  return number(Math.floor(seconds / length), { style: 'unit', unit, unitDisplay: 'long' });
}
