/**
 * Mistakes and accuracy, by the thresholds and formulas that lichess publishes (lichess.org/page/accuracy): they
 * compare the winning chances before and after each move.
 */
import type { Color } from '../board/position.js';

/** An evaluation for White: hundredths of a pawn, or the number of moves until mate, negative if Black mates. */
export interface Score {
  readonly cp?: number;
  readonly mate?: number;
}

export type Fault = 'inaccuracy' | 'mistake' | 'blunder';

/** The NAG of a fault. */
export const FAULT_NAGS: Readonly<Record<Fault, number>> = { inaccuracy: 6, mistake: 2, blunder: 4 };

const STEEPNESS = 0.00368208;
/** More does not change the winning chances. */
const MAX_CP = 1000;
const THRESHOLDS: readonly [drop: number, fault: Fault][] = [[0.3, 'blunder'], [0.2, 'mistake'], [0.1, 'inaccuracy']];

/** The winning chances of White, from -1 to 1. */
export function winningChances({ cp = 0, mate }: Score): number {
  const bounded = mate === undefined ? Math.max(-MAX_CP, Math.min(MAX_CP, cp)) : mate > 0 ? MAX_CP : -MAX_CP;
  return 2 / (1 + Math.exp(-STEEPNESS * bounded)) - 1;
}

/** The fault of a move by the scores before and after it. Where one of them is a mate, the rules for mates count. */
export function faultOf(before: Score, after: Score, mover: Color): Fault | undefined {
  const sign = mover === 'white' ? 1 : -1;
  const had = before.mate === undefined ? 0 : Math.sign(before.mate) * sign;
  const has = after.mate === undefined ? 0 : Math.sign(after.mate) * sign;
  if (had === 0 && has < 0) {
    return faultOfMate(-sign * (before.cp ?? 0)); // now the opponent mates
  } else if (had > 0 && has <= 0) {
    return faultOfMate(has < 0 ? 0 : sign * (after.cp ?? 0)); // the mate is lost
  } else if (had !== 0 || has !== 0) {
    return undefined; // a mate that was found, is delayed, or cannot be prevented
  }
  const drop = sign * (winningChances(before) - winningChances(after));
  return THRESHOLDS.find(([least]) => drop >= least)?.[1];
}

/** @param cp the advantage, without a mate, of the side that mates at the other end of the move */
function faultOfMate(cp: number): Fault {
  return cp > 999 ? 'inaccuracy' : cp > 700 ? 'mistake' : 'blunder';
}

/** The accuracy of one move in percent, by the winning percentages of the mover before and after it. */
export function accuracyOfMove(before: number, after: number): number {
  if (after >= before) {
    return 100;
  }
  // One percent more, for the uncertainty of the evaluations.
  const percent = 103.1668100711649 * Math.exp(-0.04354415386753951 * (before - after)) - 3.166924740191411 + 1;
  return Math.max(0, Math.min(100, percent));
}

/**
 * The accuracies of both sides in percent; undefined for a side that has not moved.
 *
 * @param scores those of all positions; the first is the one before the first move
 */
export function accuracies(scores: readonly Score[], first: Color): Record<Color, number | undefined> {
  const chances = scores.map((score) => 50 + 50 * winningChances(score));
  const moves = chances.length - 1;
  // A move counts more where the evaluations around it change more.
  const size = Math.max(2, Math.min(8, Math.floor(moves / 10)));
  const weightOf = (i: number): number => {
    const start = Math.max(0, i + 2 - size);
    return Math.max(0.5, Math.min(12, deviation(chances.slice(start, start + size))));
  };
  const of = (side: Color): number | undefined => {
    const own = Array.from({ length: Math.max(0, moves) }, (_, i) => i).filter((i) => (i % 2 === 0) === (side === first));
    if (own.length === 0) return undefined;
    const accuracy = own.map((i) => {
      const [before, after] = [chances[i]!, chances[i + 1]!];
      return side === 'white' ? accuracyOfMove(before, after) : accuracyOfMove(100 - before, 100 - after);
    });
    const weights = own.map(weightOf);
    const weighted = sum(accuracy.map((it, i) => it * weights[i]!)) / sum(weights);
    const harmonic = own.length / sum(accuracy.map((it) => 1 / Math.max(1, it)));
    return (weighted + harmonic) / 2;
  };
  return { white: of('white'), black: of('black') };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function deviation(values: readonly number[]): number {
  const mean = sum(values) / values.length;
  return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length);
}
