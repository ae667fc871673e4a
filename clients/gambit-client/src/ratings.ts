/**
 * The arithmetic of ratings: Glicko-2 in the order of operations that docs/protocol/ratings.md lists, so that the
 * values are those of the relay, bit for bit.
 */

/** A player's rating in one category after the player's last rated game. */
export interface Rating {
  /** In hundredths. */
  readonly rating: number;
  /** In hundredths, from 4,500 to 50,000. */
  readonly deviation: number;
  /** In millionths. */
  readonly volatility: number;
  /** The number of rated games. */
  readonly games: number;
  /** The chain time of the last one, in seconds; 0 before the first. */
  readonly lastAt: number;
}

/** The values of a step before they are rounded and bounded. */
export interface UnroundedRating {
  readonly rating: number;
  readonly deviation: number;
  readonly volatility: number;
}

/** The rating of a player without a rated game. */
export const INITIAL_RATING: Rating = { rating: 150000, deviation: 50000, volatility: 90000, games: 0, lastAt: 0 };

const SCALE = 173.7178;
const TAU = 0.75;
const MAX_LN_VARIANCE = -4.605170185988092;

/** A player's rating after a game; `halfPoints` is 0, 1 for a draw, or 2, and `chainTime` that of its record. */
export function ratingAfter(own: Rating, opponent: Rating, halfPoints: number, chainTime: number): Rating {
  const { rating, deviation, volatility } = unroundedAfter(own, opponent, halfPoints, periods(own, chainTime));
  return {
    rating: Math.floor(rating * 100 + 0.5),
    deviation: roundedDeviation(deviation),
    volatility: Math.floor(volatility * 1000000 + 0.5),
    games: own.games + 1,
    lastAt: chainTime,
  };
}

/** The deviation of a rating at a time in seconds, by which it is shown and listed; in hundredths. */
export function deviationAt(rating: Rating, time: number): number {
  const phi = phiOf(rating);
  const sigma = sigmaOf(rating);
  return roundedDeviation(Math.sqrt(phi * phi + periods(rating, time) * (sigma * sigma)) * SCALE);
}

/** @internal The step itself, after a number of rating periods. */
export function unroundedAfter(own: Rating, opponent: Rating, halfPoints: number, elapsed: number): UnroundedRating {
  const mu = muOf(own);
  const phi = phiOf(own);
  const phiOfOpponent = phiOf(opponent);
  const g = 1 / Math.sqrt(1 + 0.3039635509270133 * (phiOfOpponent * phiOfOpponent));
  const y = g * (mu - muOf(opponent));
  const e = exp(-Math.max(-30, Math.min(30, y)));
  const expected = 1 / (1 + e);
  const v = 1 / (g * g * e * expected * expected);
  const surprise = g * (halfPoints / 2 - expected);
  const delta = v * surprise;
  const sigma = newSigma(sigmaOf(own), phi * phi, v, delta * delta);
  const grown = phi * phi + elapsed * (sigma * sigma);
  const newPhi = 1 / Math.sqrt(1 / grown + 1 / v);
  const newMu = mu + newPhi * newPhi * surprise;
  return { rating: newMu * SCALE + 1500, deviation: newPhi * SCALE, volatility: sigma };
}

function newSigma(sigma: number, phi2: number, v: number, delta2: number): number {
  const lnVariance = ln(sigma * sigma);
  const f = (x: number): number => {
    const variance = exp(x);
    const sum = phi2 + v + variance;
    return (variance * (delta2 - phi2 - v - variance)) / (2 * (sum * sum)) - (x - lnVariance) / (TAU * TAU);
  };
  const excess = delta2 - phi2 - v;
  let a = lnVariance;
  let b = excess > 0 ? Math.min(ln(excess), MAX_LN_VARIANCE) : a - TAU;
  let fa = f(a);
  let fb = f(b);
  if (b === MAX_LN_VARIANCE && fb >= 0) {
    return 0.1;
  }
  for (let i = 0; i < 50 && Math.abs(b - a) > 0.000001; i++) {
    const c = a + ((a - b) * fa) / (fb - fa);
    const fc = f(c);
    if (fc * fb <= 0) {
      a = b;
      fa = fb;
    } else {
      fa /= 2;
    }
    b = c;
    fb = fc;
  }
  return Math.min(exp(a / 2), 0.1);
}

function muOf(it: Rating): number {
  return (it.rating / 100 - 1500) / SCALE;
}

function phiOf(it: Rating): number {
  return it.deviation / 100 / SCALE;
}

function sigmaOf(it: Rating): number {
  return Math.max(it.volatility, 1) / 1000000;
}

/** The rating periods since the player's last game. */
function periods(it: Rating, time: number): number {
  return ((it.games === 0 ? 0 : Math.max(0, time - it.lastAt)) / 86400) * 0.21436;
}

function roundedDeviation(deviation: number): number {
  return Math.floor(Math.max(45, Math.min(500, deviation)) * 100 + 0.5);
}

const EXP = [6227020800, 479001600, 39916800, 3628800, 362880, 40320, 5040, 720, 120, 24, 6, 2, 1, 1].map(it => 1 / it);
const LN = [19, 17, 15, 13, 11, 9, 7, 5, 3, 1].map(it => 1 / it);

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, it) => sum * x + it, 0);
}

function exp(x: number): number {
  let k = Math.floor(x * 1.4426950408889634 + 0.5);
  let result = polynomial(EXP, x - k * 0.693145751953125 - k * 0.0000014286068203094173);
  for (; k > 0; k--) {
    result *= 2;
  }
  for (; k < 0; k++) {
    result /= 2;
  }
  return result;
}

function ln(x: number): number {
  let m = x;
  let k = 0;
  for (; m < 0.7071067811865476; k--) {
    m *= 2;
  }
  for (; m >= 1.4142135623730952; k++) {
    m /= 2;
  }
  const s = (m - 1) / (m + 1);
  return k * 0.6931471805599453 + 2 * s * polynomial(LN, s * s);
}
