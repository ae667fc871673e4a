import { number } from '../language/format.js';
import { t } from '../language/t.js';
import type { Annotation, AnalysisState } from './analysis-state.js';
import { type Fault, accuracies, winningChances } from './annotation.js';
import { faultName, scoreText } from './words.js';

const WIDTH = 600;
const HEIGHT = 100;
const FAULTS: readonly Fault[] = ['inaccuracy', 'mistake', 'blunder'];

/** The winning chances through the game, the faults and the accuracy of both sides; the same as a table. */
export function GameGraph({ state, annotation, names }: {
  state: AnalysisState;
  annotation: Annotation;
  names: Record<'white' | 'black', string>;
}) {
  const { line, faults } = annotation;
  const first = line[1]?.ply?.color ?? 'white';
  const accuracy = accuracies(annotation.scores, first);
  const countOf = (side: 'white' | 'black', fault: Fault): number =>
    [...faults].filter(([node, it]) => node.ply!.color === side && it.fault === fault).length;
  return (
    <>
      <Graph state={state} annotation={annotation} />
      <div class="graph-sides">
        {(['white', 'black'] as const).map((side) => (
          <div key={side} class="graph-side small">
            <h3><bdi>{names[side]}</bdi></h3>
            <p>
              {accuracy[side] !== undefined &&
                t('Accuracy: {percent}', { percent: number(accuracy[side] / 100, { style: 'percent' }) })}
            </p>
            <p>{t('{count, plural, one {# inaccuracy} other {# inaccuracies}}', { count: countOf(side, 'inaccuracy') })}</p>
            <p>{t('{count, plural, one {# mistake} other {# mistakes}}', { count: countOf(side, 'mistake') })}</p>
            <p>{t('{count, plural, one {# blunder} other {# blunders}}', { count: countOf(side, 'blunder') })}</p>
          </div>
        ))}
      </div>
      <details class="graph-table">
        <summary>{t('The graph as a table')}</summary>
        <div tabIndex={0} role="group" aria-label={t('The graph as a table')}>
          <table class="small">
            <thead>
              <tr><th scope="col">{t('Move')}</th><th scope="col">{t('Evaluation')}</th><th scope="col">{t('Fault')}</th></tr>
            </thead>
            <tbody>
              {line.slice(1).map((node, i) => {
                const { number: move, color, san } = node.ply!;
                const found = faults.get(node);
                return (
                  <tr key={i}>
                    <th scope="row">{`${move}${color === 'white' ? '.' : '…'} ${san}`}</th>
                    <td>{scoreText(annotation.scores[i + 1]!)}</td>
                    <td>{found && faultName(found.fault)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

function Graph({ state, annotation: { line, scores, faults } }: { state: AnalysisState; annotation: Annotation }) {
  const last = Math.max(1, line.length - 1);
  const x = (i: number): number => (i * WIDTH) / last;
  const y = (i: number): number => (HEIGHT / 2) * (1 - winningChances(scores[i]!));
  const points = scores.map((_, i) => `${x(i).toFixed(1)} ${y(i).toFixed(1)}`);
  const at = line.indexOf(state.node);
  const show = (event: MouseEvent & { currentTarget: SVGSVGElement }): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const i = Math.round(((event.clientX - left) / width) * last);
    state.show(line[Math.max(0, Math.min(last, i))]!);
  };
  const count = (fault: Fault): number => [...faults.values()].filter((it) => it.fault === fault).length;
  return (
    <svg
      class="graph"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('The winning chances of White through the game, with {inaccuracies, plural, one {# inaccuracy} other {# inaccuracies}}, {mistakes, plural, one {# mistake} other {# mistakes}} and {blunders, plural, one {# blunder} other {# blunders}}.', {
        inaccuracies: count('inaccuracy'),
        mistakes: count('mistake'),
        blunders: count('blunder'),
      })}
      onClick={show}
    >
      <path class="graph-white" d={`M0 ${HEIGHT}L${points.join('L')}L${WIDTH} ${HEIGHT}z`} />
      <path class="graph-middle" d={`M0 ${HEIGHT / 2}H${WIDTH}`} />
      <path class="graph-line" d={`M${points.join('L')}`} />
      {at >= 0 && <path class="graph-now" d={`M${x(at).toFixed(1)} 0V${HEIGHT}`} />}
      {FAULTS.map((fault) => (
        <g key={fault} class={`graph-${fault}`}>
          {[...faults].filter(([, it]) => it.fault === fault).map(([node]) => {
            const i = line.indexOf(node);
            // A line without a length is a dot, round at every width of the graph.
            return <path key={i} data-ply={i} d={`M${x(i).toFixed(1)} ${y(i).toFixed(1)}h0.01`} />;
          })}
        </g>
      ))}
    </svg>
  );
}
