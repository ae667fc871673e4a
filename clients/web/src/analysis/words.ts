/** Evaluations as they are shown and read out. */
import { number } from '../language/format.js';
import { t } from '../language/t.js';
import type { Fault, Score } from './annotation.js';

/** Less is an equal position, in hundredths of a pawn. */
const EQUAL_CP = 20;

/** A score as signs: `+0.4`, or `#-3` for a mate. */
export function scoreText({ cp = 0, mate }: Score): string {
  return mate === undefined
    ? number(cp / 100, { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: 'exceptZero' })
    : `#${number(mate)}`;
}

/** A score as a sentence. */
export function scoreInWords({ cp = 0, mate }: Score): string {
  if (mate !== undefined) {
    return t('{color, select, white {White} other {Black}} mates in {moves}.', { color: mate > 0 ? 'white' : 'black', moves: number(Math.abs(mate)) });
  } else if (Math.abs(cp) < EQUAL_CP) {
    return t('The position is equal.');
  }
  const pawns = number(Math.abs(cp) / 100, { maximumFractionDigits: 1 });
  return t('{color, select, white {White} other {Black}} is ahead by {pawns} pawns.', { color: cp > 0 ? 'white' : 'black', pawns });
}

/** The name of a fault, with a capital. */
export function faultName(fault: Fault): string {
  return t('{fault, select, inaccuracy {Inaccuracy} mistake {Mistake} other {Blunder}}', { fault });
}
