/** The figures of the relay as the method `figures` gives them, and the lines of their graphs. */

/** The longest time that is kept, in seconds: the relay keeps no more. */
const KEPT_SECONDS = 86_400;
/** The shortest time that a graph shows. */
const SHORTEST_SECONDS = 300;
/** Further apart, two values are not joined: the relay did not run in between. */
const GAP_STEPS = 2.5;

export interface Figures {
  /** The relay's time, in seconds. */
  readonly now: number;
  /** Seconds between two rows. */
  readonly step: number;
  readonly names: readonly string[];
  /** Each begins with its time; then come the values of the names. */
  readonly rows: readonly (readonly (number | null)[])[];
  readonly current: Readonly<Record<string, number | null>>;
}

/** One value at a time in seconds. */
export type Point = readonly [at: number, value: number];

/** The time of the last row, from which on the next call asks. */
export function lastRow({ rows }: Figures): number | undefined {
  return rows.at(-1)?.[0] ?? undefined;
}

/** The figures with the rows that were added since; undefined if they have to be fetched anew, as the names differ. */
export function withNewer(before: Figures, newer: Figures): Figures | undefined {
  if (before.names.join() !== newer.names.join()) return undefined;
  const last = lastRow(before) ?? 0;
  const added = newer.rows.filter(([at]) => at! > last);
  return { ...newer, rows: [...before.rows, ...added].filter(([at]) => at! > newer.now - KEPT_SECONDS) };
}

/** Where graphs of the last seconds begin: of a relay that has not run for so long, with its first row. */
export function beginOf({ now, rows }: Figures, seconds: number): number {
  return Math.max(now - seconds, Math.min(rows[0]?.[0] ?? now, now - SHORTEST_SECONDS));
}

/**
 * The values of some names together, from a time on.
 *
 * @param withNow whether the value of this moment is the last one
 */
export function pointsOf(figures: Figures, names: readonly string[], from: number, withNow = false): Point[] {
  const columns = names.map((name) => figures.names.indexOf(name) + 1).filter((column) => column > 0);
  const current = [figures.now, ...figures.names.map((name) => figures.current[name] ?? null)];
  return [...figures.rows, ...(withNow ? [current] : [])].flatMap((row): Point[] => {
    const values = columns.map((column) => row[column]).filter((value) => typeof value === 'number');
    return row[0]! < from || values.length === 0 ? [] : [[row[0]!, values.reduce((sum, value) => sum + value, 0)]];
  });
}

/** The reasons of refusals that the figures know, with the names of their columns. */
export function refusals({ names }: Figures): { readonly name: string; readonly reason: string }[] {
  return names.filter((name) => name.startsWith('events_refused_')).map((name) => ({
    name,
    reason: name.slice('events_refused_'.length).replaceAll('_', ' '),
  }));
}

/** The lowest and the highest of values, and their sum; undefined without values. */
export function extremes(points: readonly Point[]): { least: Point; most: Point; total: number } | undefined {
  if (points.length === 0) return undefined;
  const by = (isBetter: (value: number, best: number) => boolean) => points.reduce((best, point) => (isBetter(point[1], best[1]) ? point : best));
  return { least: by((a, b) => a < b), most: by((a, b) => a > b), total: points.reduce((sum, [, value]) => sum + value, 0) };
}

/** The end of a scale from zero that has room for a value, and the values of its lines. */
export function scaleTo(highest: number): { readonly top: number; readonly lines: readonly number[] } {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, highest)));
  const step = [0.25, 0.5, 1, 2.5, 5].map((part) => part * power).find((it) => Number.isInteger(it) && highest <= it * 4) ?? power * 10;
  const count = Math.max(1, Math.ceil(highest / step));
  return { top: step * count, lines: Array.from({ length: count + 1 }, (_, i) => i * step) };
}

/**
 * The lines through points in a drawing of a width and height: one for each time without a gap.
 *
 * @returns lists of coordinates, `x,y x,y …`
 */
export function linesThrough(points: readonly Point[], step: number, [from, to]: readonly [number, number], top: number, width: number, height: number): string[] {
  const lines: string[][] = [];
  points.forEach(([at, value], i) => {
    const x = ((at - from) / Math.max(1, to - from)) * width;
    const y = height - (value / top) * height;
    const before = points[i - 1]?.[0];
    if (before === undefined || at - before > step * GAP_STEPS) lines.push([]);
    lines.at(-1)!.push(`${x.toFixed(1)},${y.toFixed(1)}`);
  });
  return lines.map((line) => line.join(' '));
}
