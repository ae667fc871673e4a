import { bytesText, timeText } from '../common.js';
import { number } from '../../language/format.js';
import { extremes, linesThrough, scaleTo, type Point } from './figures.js';

const WIDTH = 360;
const HEIGHT = 120;
const LEFT = 52;
const BOTTOM = 20;
const TOP = 8;

/** One line of a graph. */
export interface Line {
  readonly name: string;
  readonly points: readonly Point[];
}

export type Unit = 'number' | 'bytes' | 'ms';

export function valueText(value: number, unit: Unit): string {
  if (unit === 'bytes') return bytesText(value);
  return unit === 'ms' ? `${number(value, { maximumFractionDigits: value < 10 ? 1 : 0 })} ms` : number(value, { maximumFractionDigits: 1 });
}

/** Values over time, from zero: one or two lines, the second one dashed. Its label says in words what they show. */
export function Graph({ lines, step, range, unit }: {
  lines: readonly Line[];
  /** Seconds between two values. */
  step: number;
  range: readonly [from: number, to: number];
  unit: Unit;
}) {
  const { top, lines: levels } = scaleTo(Math.max(0, ...lines.flatMap(({ points }) => points.map(([, value]) => value))));
  const [width, height] = [WIDTH - LEFT - 4, HEIGHT - TOP - BOTTOM];
  const yOf = (value: number) => TOP + height - (value / top) * height;
  const label = lines.map(({ name, points }) => {
    const found = extremes(points);
    if (!found) return `${name}: no values yet.`;
    return `${name}: now ${valueText(points.at(-1)![1], unit)}, least ${valueText(found.least[1], unit)} at ${timeText(found.least[0])}, most ${valueText(found.most[1], unit)} at ${timeText(found.most[0])}.`;
  });
  return (
    <svg class="figure-graph" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label.join(' ')}>
      {levels.map((value) => (
        <g key={value}>
          <line class="figure-level" x1={LEFT} x2={WIDTH - 4} y1={yOf(value)} y2={yOf(value)} />
          <text x={LEFT - 6} y={yOf(value) + 3.5} text-anchor="end">{valueText(value, unit)}</text>
        </g>
      ))}
      <g transform={`translate(${LEFT} ${TOP})`}>
        {lines.map(({ name, points }, i) =>
          linesThrough(points, step, range, top, width, height).map((coordinates, part) => (
            // A line of one point is a dot.
            <polyline key={`${name} ${part}`} class={`figure-line figure-line-${i}`} points={coordinates.includes(' ') ? coordinates : `${coordinates} ${coordinates}`} />
          )),
        )}
      </g>
      <text x={LEFT} y={HEIGHT - 4}>{timeText(range[0])}</text>
      <text x={WIDTH - 4} y={HEIGHT - 4} text-anchor="end">{timeText(range[1])}</text>
    </svg>
  );
}
