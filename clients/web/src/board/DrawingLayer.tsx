import type { Drawing } from './drawings.js';
import { UNIT, cornerOf } from './geometry.js';
import type { Color } from './position.js';

/** Arrows and circles over the pieces. */
export function DrawingLayer({ drawings, side }: { drawings: readonly Drawing[]; side: Color }) {
  return (
    <g class="drawings">
      {drawings.map((drawing) => (
        <Shape key={`${drawing.from}${drawing.to}`} drawing={drawing} side={side} />
      ))}
    </g>
  );
}

function Shape({ drawing: { from, to, color }, side }: { drawing: Drawing; side: Color }) {
  const start = cornerOf(from, side);
  const x = start.x + UNIT / 2;
  const y = start.y + UNIT / 2;
  if (from === to) {
    return <circle class={`drawing-circle drawing-${color}`} cx={x} cy={y} r={UNIT / 2 - 1.5} />;
  }
  const end = cornerOf(to, side);
  const length = Math.hypot(end.x - start.x, end.y - start.y) + 4;
  const angle = (Math.atan2(end.y - start.y, end.x - start.x) * 180) / Math.PI;
  // The arrow points to the right from the middle of its square, and is then turned.
  return (
    <path
      class={`drawing-arrow drawing-${color}`}
      transform={`translate(${x} ${y}) rotate(${angle})`}
      d={`M10 -3.5H${length - 15}v-6.5L${length} 0L${length - 15} 10v-6.5H10z`}
    />
  );
}
