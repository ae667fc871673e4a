import { useEffect, useState } from 'preact/hooks';
import { Choice } from '../../ui/Choice.js';
import { reasonOf } from '../../ui/notices.js';
import { call, may } from '../calls.js';
import { Loading, Problem, Table, Time, timeText } from '../common.js';
import { beginOf, extremes, lastRow, pointsOf, refusals, withNewer, type Figures } from './figures.js';
import { Graph, valueText, type Line, type Unit } from './Graph.js';
import { StatusLine } from './StatusLine.js';
import './figures.css';

/** Between two calls while the page is visible. */
const POLL_MILLISECONDS = 5_000;

/** One graph of one or two figures. */
interface Shown {
  readonly title: string;
  readonly unit: Unit;
  readonly figures: readonly { readonly name: string; readonly columns: (figures: Figures) => readonly string[] }[];
  /** Whether the values are differences of one minute, which can be added up. */
  readonly isCounter?: boolean;
}

const one = (name: string, column: string) => ({ name, columns: () => [column] });
const refused = { name: 'Refused', columns: (figures: Figures) => refusals(figures).map(({ name }) => name) };

const SHOWN: readonly Shown[] = [
  { title: 'Players and games', unit: 'number', figures: [one('Players', 'players'), one('Games', 'games')] },
  { title: 'Connections', unit: 'number', figures: [one('Connections', 'connections'), one('Subscriptions', 'subscriptions')] },
  { title: 'Events a minute', unit: 'number', figures: [one('Stored', 'events_stored'), refused], isCounter: true },
  { title: 'Time to answer', unit: 'ms', figures: [one('99 of 100 events within', 'p99_ok_ms')] },
  { title: 'Memory', unit: 'bytes', figures: [one('Process', 'memory_bytes'), one('Java heap', 'heap_bytes')] },
  { title: 'Store', unit: 'bytes', figures: [one('On disk', 'store_bytes')] },
  { title: 'Free disk', unit: 'bytes', figures: [one('Free', 'disk_free_bytes')] },
  { title: 'Waiting to be sent', unit: 'bytes', figures: [one('To all clients', 'outbox_bytes')] },
];

const RANGES = [{ value: 1, label: '1 hour' }, { value: 6, label: '6 hours' }, { value: 24, label: '24 hours' }];

/** The relay's figures of today, live: as graphs, and as a table in words. */
export function FiguresView() {
  const { figures, problem, reload } = useFigures();
  const [hours, setHours] = useState(6);
  return (
    <>
      {may('status') && <StatusLine />}
      {problem !== undefined && <Problem text={problem} onRetry={reload} />}
      {figures ? (
        <>
          <Choice label="Time" value={hours} options={RANGES} onChange={setHours} />
          <Graphs figures={figures} from={beginOf(figures, hours * 3_600)} />
        </>
      ) : (
        problem === undefined && <Loading />
      )}
    </>
  );
}

/** The figures, kept up to date while the page is visible. */
function useFigures(): { figures: Figures | undefined; problem: string | undefined; reload: () => Promise<void> } {
  const [state, setState] = useState<{ figures?: Figures; problem?: string }>({});
  const [poll] = useState(() => {
    let figures: Figures | undefined;
    let isUnderway = false;
    return async () => {
      if (isUnderway) return;
      isUnderway = true;
      try {
        const since = figures && lastRow(figures);
        const newer = since === undefined ? await call<Figures>('figures') : await call<Figures>('figures', since);
        figures = (since === undefined ? newer : withNewer(figures!, newer)) ?? (await call<Figures>('figures'));
        setState({ figures });
      } catch (error) {
        setState((before) => ({ ...before, problem: reasonOf(error) }));
      } finally {
        isUnderway = false;
      }
    };
  });
  useEffect(() => {
    const pollIfVisible = () => {
      if (document.visibilityState === 'visible') void poll();
    };
    void poll();
    const timer = setInterval(pollIfVisible, POLL_MILLISECONDS);
    document.addEventListener('visibilitychange', pollIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', pollIfVisible);
    };
  }, []);
  return { figures: state.figures, problem: state.problem, reload: poll };
}

function Graphs({ figures, from }: { figures: Figures; from: number }) {
  const linesOf = ({ figures: all, isCounter }: Shown): Line[] =>
    all.map(({ name, columns }) => ({ name, points: pointsOf(figures, columns(figures), from, !isCounter) }));
  return (
    <>
      <div class="figures">
        {SHOWN.map((shown) => {
          const lines = linesOf(shown);
          return (
            <section key={shown.title} class="card figure" aria-label={shown.title}>
              <h2>{shown.title}</h2>
              <dl class="figure-now">
                {shown.figures.map(({ name }, i) => (
                  <div key={name} class={`figure-key figure-key-${i}`}>
                    <dt>{name}</dt>
                    <dd>{nowText(shown, lines[i]!)}</dd>
                  </div>
                ))}
              </dl>
              <Graph lines={lines} step={figures.step} range={[from, figures.now]} unit={shown.unit} />
            </section>
          );
        })}
        <Refusals figures={figures} from={from} />
      </div>
      <details class="card">
        <summary>The figures as a table</summary>
        <Table
          caption="The figures, with their lowest and highest values"
          head={['Figure', 'Now', 'Least', 'Most', 'In all']}
          rows={SHOWN.flatMap((shown) =>
            linesOf(shown).map((line) => {
              const found = extremes(line.points);
              const at = ([time, value]: readonly [number, number]) => <>{valueText(value, shown.unit)}, <Time at={time} /></>;
              return {
                key: `${shown.title} ${line.name}`,
                cells: [
                  `${shown.title}: ${line.name}`,
                  nowText(shown, line),
                  found ? at(found.least) : '—',
                  found ? at(found.most) : '—',
                  found && shown.isCounter ? valueText(found.total, shown.unit) : '—',
                ],
              };
            }),
          )}
        />
      </details>
    </>
  );
}

/** The value of this moment; of a counter, that of the last whole minute. */
function nowText({ unit }: Shown, { points }: Line): string {
  const value = points.at(-1)?.[1];
  return value === undefined ? '—' : valueText(value, unit);
}

/** The refused events by reason. */
function Refusals({ figures, from }: { figures: Figures; from: number }) {
  const rows = refusals(figures)
    .map(({ name, reason }) => ({ reason, total: extremes(pointsOf(figures, [name], from))?.total ?? 0 }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total);
  return (
    <section class="card figure" aria-label="Refused events">
      <h2>Refused events</h2>
      <p class="muted small">Since {timeText(from)}, by the reason.</p>
      {rows.length === 0 ? <p>None.</p> : (
        <dl class="figure-reasons">
          {rows.map(({ reason, total }) => <div key={reason}><dt>{reason}</dt><dd>{valueText(total, 'number')}</dd></div>)}
        </dl>
      )}
    </section>
  );
}
