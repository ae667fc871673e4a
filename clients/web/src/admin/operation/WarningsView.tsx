import { useState } from 'preact/hooks';
import { number } from '../../language/format.js';
import { manyLines, oneLine } from '../../ui/names.js';
import { ActionButton, Result, Table, Time, useCall } from '../common.js';
import './operation.css';

const MAX_MESSAGE_LENGTH = 1_000;
const MAX_MESSAGE_LINES = 8;
/** The most rows that are shown; the search finds the others. */
const MAX_ROWS = 100;

interface Warning {
  readonly at: number;
  readonly level: string;
  readonly logger: string;
  readonly message: string;
}

/** The warnings and errors of the log of the last day, the newest first. */
export function WarningsView() {
  const warnings = useCall<readonly Warning[]>('listwarnings');
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  return (
    <>
      <div class="admin-actions">
        <ActionButton onAction={warnings.reload}>Refresh</ActionButton>
        <span class="muted small">Of the last 24 hours, at most 500.</span>
      </div>
      <Result of={warnings}>
        {(all) => {
          const found = all.filter((it) => `${it.level} ${it.logger} ${it.message}`.toLowerCase().includes(wanted));
          return (
            <>
              {all.length > 10 && (
                <label class="field operation-search">
                  <span class="field-label">Search the {number(all.length)} lines</span>
                  <input class="input" type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
                </label>
              )}
              <Table
                caption="Warnings, the newest first"
                head={['Time', 'Level', 'Message', 'Part']}
                rows={found.slice(0, MAX_ROWS).map((it, i) => ({
                  key: `${it.at} ${i}`,
                  cells: [
                    <Time at={it.at} />,
                    <span class={/error/i.test(it.level) ? 'problem' : undefined}>{oneLine(it.level, 10)}</span>,
                    <bdi class="operation-message">{manyLines(it.message, MAX_MESSAGE_LENGTH, MAX_MESSAGE_LINES)}</bdi>,
                    <span class="muted small">{oneLine(it.logger.replace(/^.*\./, ''), 60)}</span>,
                  ],
                }))}
                empty={wanted === '' ? 'There was no warning.' : 'No line was found.'}
              />
              {found.length > MAX_ROWS && <p class="muted">The newest {number(MAX_ROWS)} of {number(found.length)} are shown.</p>}
            </>
          );
        }}
      </Result>
    </>
  );
}
