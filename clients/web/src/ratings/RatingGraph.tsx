import { HEIGHT, WIDTH, curveOf, type RatedGame } from './curve.js';

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** The rating after each game, as a curve over time. The table beside it has the same in words. */
export function RatingGraph({ games, name }: { games: readonly RatedGame[]; name: string }) {
  const { points, lines } = curveOf(games);
  const [first, last] = [games[0]!, games.at(-1)!];
  const [x, y] = points.at(-1)!;
  const from = DATE.format(first.record.at);
  const to = DATE.format(last.record.at);
  const label = `${name} rating from ${Math.round(first.before)} to ${Math.round(last.after)}, ${from} to ${to}`;
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
