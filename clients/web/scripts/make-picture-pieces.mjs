/**
 * Draws the flat pieces for the pictures of links, which the relay puts together itself: 78 × 78 bytes for each kind,
 * compressed. A byte says what is to be seen there: 0 the square, 1 and 2 the square under the edge, 3 the edge,
 * 4 and 5 between edge and body, 6 the body, 7 a line on it, 8 between line and body. Nothing but Node is needed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';

const SIZE = 78;
const UNITS = 40;
const SAMPLES_A_SIDE = 4;
const KINDS = 'pnbrqk';

const root = new URL('..', import.meta.url);
const sprite = readFileSync(new URL('src/ui/pieces/flat.svg', root), 'utf8');

/** The shapes of a piece: their outlines, whether they are filled, and the width of their stroke. */
function shapesOf(kind) {
  const [, attributes, content] = new RegExp(`<g id="w${kind}"([^>]*)>(.*?)</g>`, 's').exec(sprite);
  const width = Number(/stroke-width="([\d.]+)"/.exec(attributes)[1]);
  return [...content.matchAll(/<path d="([^"]+)"([^>]*)\/>/g)].map(([, d, own]) => ({
    lines: linesOf(d),
    isFilled: !own.includes('fill="none"'),
    isDetail: own.includes('stroke="'),
    width: Number(/stroke-width="([\d.]+)"/.exec(own)?.[1] ?? width),
  }));
}

/** A path as lines of points. */
function linesOf(d) {
  const tokens = d.match(/[a-zA-Z]|-?(?:\d+\.?\d*|\.\d+)/g);
  const lines = [];
  let at = [0, 0];
  let command = '';
  let control;
  const next = () => Number(tokens.shift());
  const pair = isRelative => {
    const [x, y] = [next(), next()];
    return isRelative ? [at[0] + x, at[1] + y] : [x, y];
  };
  const to = point => lines.at(-1).push((at = point));
  const curve = (a, b, end) => {
    const start = at;
    for (let i = 1; i <= 12; i++) {
      const t = i / 12;
      const weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
      to([0, 1].map(k => weights[0] * start[k] + weights[1] * a[k] + weights[2] * b[k] + weights[3] * end[k]));
    }
    control = [2 * end[0] - b[0], 2 * end[1] - b[1]];
  };
  while (tokens.length > 0) {
    if (/[a-zA-Z]/.test(tokens[0])) command = tokens.shift();
    const relative = command === command.toLowerCase();
    const smooth = control ?? at;
    control = undefined;
    switch (command.toLowerCase()) {
      case 'm':
        lines.push([(at = pair(relative))]);
        command = relative ? 'l' : 'L';
        break;
      case 'l':
        to(pair(relative));
        break;
      case 'h':
        to([next() + (relative ? at[0] : 0), at[1]]);
        break;
      case 'v':
        to([at[0], next() + (relative ? at[1] : 0)]);
        break;
      case 'c':
        curve(pair(relative), pair(relative), pair(relative));
        break;
      case 's':
        curve(smooth, pair(relative), pair(relative));
        break;
      case 'a': {
        const [r, , , large, sweep] = [next(), next(), next(), next(), next()];
        arc(r, large, sweep, pair(relative));
        break;
      }
      case 'z':
        at = lines.at(-1)[0];
        lines.at(-1).push(at);
        break;
      default:
        throw new Error(`the path has a command ${command}`);
    }
  }
  return lines;

  /** A part of a circle, as SVG 1.1 defines it in F.6.5. */
  function arc(r, large, sweep, end) {
    const [x, y] = [(at[0] - end[0]) / 2, (at[1] - end[1]) / 2];
    const root = Math.sqrt(Math.max(0, (r * r) / (x * x + y * y) - 1)) * (large === sweep ? -1 : 1);
    const center = [root * y + (at[0] + end[0]) / 2, -root * x + (at[1] + end[1]) / 2];
    const from = Math.atan2(at[1] - center[1], at[0] - center[0]);
    let angle = Math.atan2(end[1] - center[1], end[0] - center[0]) - from;
    if (sweep && angle < 0) angle += 2 * Math.PI;
    if (!sweep && angle > 0) angle -= 2 * Math.PI;
    for (let i = 1; i <= 24; i++) {
      const turn = from + (angle * i) / 24;
      to([center[0] + r * Math.cos(turn), center[1] + r * Math.sin(turn)]);
    }
  }
}

function isInside(lines, x, y) {
  let winding = 0;
  for (const line of lines) {
    for (let i = 0; i < line.length; i++) {
      const [[ax, ay], [bx, by]] = [line[i], line[(i + 1) % line.length]];
      if (ay <= y !== by <= y && ax + ((y - ay) / (by - ay)) * (bx - ax) > x) winding += by > ay ? 1 : -1;
    }
  }
  return winding !== 0;
}

function isOnStroke({ lines, width }, x, y) {
  return lines.some(line =>
    line.slice(1).some(([bx, by], i) => {
      const [ax, ay] = line[i];
      const length = (bx - ax) ** 2 + (by - ay) ** 2;
      const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
      return (ax + t * (bx - ax) - x) ** 2 + (ay + t * (by - ay) - y) ** 2 <= (width / 2) ** 2;
    }),
  );
}

/** What is to be seen at a point: the last shape that covers it. */
function seenAt(shapes, x, y) {
  let seen = 'square';
  for (const shape of shapes) {
    if (shape.isFilled && isInside(shape.lines, x, y)) seen = 'body';
    if (isOnStroke(shape, x, y)) seen = shape.isDetail ? 'line' : 'edge';
  }
  return seen;
}

function byteAt(shapes, column, row) {
  const parts = { square: 0, edge: 0, body: 0, line: 0 };
  for (let i = 0; i < SAMPLES_A_SIDE ** 2; i++) {
    const x = ((column + ((i % SAMPLES_A_SIDE) + 0.5) / SAMPLES_A_SIDE) * UNITS) / SIZE;
    const y = ((row + (Math.floor(i / SAMPLES_A_SIDE) + 0.5) / SAMPLES_A_SIDE) * UNITS) / SIZE;
    parts[seenAt(shapes, x, y)] += 1 / SAMPLES_A_SIDE ** 2;
  }
  if (parts.square > 1 / 6) return parts.square > 5 / 6 ? 0 : parts.square > 1 / 2 ? 1 : 2;
  if (parts.line > 1 / 4) return parts.line > 5 / 8 ? 7 : 8;
  return 3 + Math.round((3 * parts.body) / (parts.body + parts.edge + parts.line));
}

const bytes = [...KINDS].flatMap(kind => {
  const shapes = shapesOf(kind);
  return Array.from({ length: SIZE * SIZE }, (_, i) => byteAt(shapes, i % SIZE, Math.floor(i / SIZE)));
});
const target = new URL('../../relay-chess/src/main/resources/gambit/chess/session/preview/pieces.z', root);
writeFileSync(target, deflateSync(Uint8Array.from(bytes), { level: 9 }));
