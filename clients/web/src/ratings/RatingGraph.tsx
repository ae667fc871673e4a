import { date } from '../language/format.js';
import { t } from '../language/t.js';
import { HEIGHT, WIDTH, curveOf, type RatedGame } from './curve.js';

/** The rating after each game, as a curve over time. The table beside it has the same in words. */
export function RatingGraph({ games, name }: { games: readonly RatedGame[]; name: string }) {
  const { points, lines } = curveOf(games);
  const [first, last] = [games[0]!, games.at(-1)!];
  const [x, y] = points.at(-1)!;
  const from = date(first.record.at, { dateStyle: 'medium' });
  const to = date(last.record.at, { dateStyle: 'medium' });
  const label = t('{category} rating from {before} to {after}, {from} to {to}', {
    ...{ category: name, from, to },
    ...{ before: String(Math.round(first.before)), after: String(Math.round(last.after)) },
  });
  return (
    <svg class="rating-graph" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {lines.map((line) => (
        <g key={line.rating}>
          <line class="rating-graph-line" x1={42} x2={WIDTH - 8} y1={line.y} y2={line.y} />
          <text x={36} y={line.y + 4} text-anchor="end">{line.rating}</text>
        </g>
      ))}
      <polyline class="rating-graph-curve" points={points.map((point) => point.join()).join(' ')} />
      <circle class="rating-graph-now" cx={x} cy={y} r={3.5} />
      <text x={42} y={HEIGHT - 6}>{from}</text>
      {from !== to && <text x={WIDTH - 8} y={HEIGHT - 6} text-anchor="end">{to}</text>}
    </svg>
  );
}
