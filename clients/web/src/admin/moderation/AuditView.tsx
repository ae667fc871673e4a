import { useState } from 'preact/hooks';
import { number } from '../../language/format.js';
import { oneLine } from '../../ui/names.js';
import { ActionButton, Result, Table, Time, useCall } from '../common.js';
import { Person } from '../people.js';
import { subjectOfText } from './decisions.js';
import { Who } from './DecisionsView.js';

const FIRST = 50;
/** The relay keeps no more. */
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly number: number;
  readonly at: number;
  readonly by: string;
  readonly action: string;
  readonly target: string;
  readonly reason: string;
}

/** What was changed: an author by name, anything else by the text that the relay has for it. */
function Target({ text }: { text: string }) {
  const subject = subjectOfText(text);
  return subject?.type === 'author' ? <Person pubkey={subject.value} /> : <bdi>{oneLine(text, 120)}</bdi>;
}

/** The changes that admins, moderators and commands have made, the newest first. */
export function AuditView() {
  const [max, setMax] = useState(FIRST);
  const entries = useCall<readonly Entry[]>('audit', max);
  return (
    <Result of={entries}>
      {(all) => (
        <>
          <Table
            caption="Audit log, the newest first"
            head={['Number', 'Time', 'By', 'What', 'Subject', 'Reason']}
            rows={all.map((entry) => ({
              key: entry.number,
              cells: [
                number(entry.number),
                <Time at={entry.at} />,
                <Who by={entry.by} />,
                <code>{oneLine(entry.action, 60)}</code>,
                <Target text={entry.target} />,
                <bdi>{oneLine(entry.reason, 500)}</bdi>,
              ],
            }))}
            empty="Nothing was changed yet."
          />
          {all.length >= max && max < MAX_ENTRIES && (
            <div><ActionButton onAction={async () => setMax(Math.min(MAX_ENTRIES, max * 4))}>Show more</ActionButton></div>
          )}
        </>
      )}
    </Result>
  );
}
