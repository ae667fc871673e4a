package gambit.chess.rating;

/**
 * The arithmetic of ratings: Glicko-2 in which each game is a rating period of its own. It gives
 * the same values everywhere, because {@code docs/protocol/ratings.md} lists its operations in
 * their order: + − × ÷ and square roots of doubles; exp and ln are written there, too. Pure, and
 * defined for all values; it allocates its result only.
 *
 * <p>Source: Mark Glickman, "Example of the Glicko-2 system", 2013, whose symbols are used here.
 */
public final class Glicko2 {
  private static final double SCALE = 173.7178;
  private static final double PERIODS_PER_DAY = 0.21436;
  private static final double TAU = 0.75;
  private static final double TOLERANCE = 0.000001;
  private static final int MAX_STEPS = 50;

  /** The largest volatility, and the logarithm of its square. */
  private static final double MAX_VOLATILITY = 0.1;

  private static final double MAX_LN_VARIANCE = -4.605170185988092;

  /** Bounds of a rating's deviation. */
  private static final double MIN_DEVIATION = 45;

  private static final double MAX_DEVIATION = 500;

  /** The largest weighted difference of ratings that changes the expected score. */
  private static final double MAX_DIFFERENCE = 30;

  private static final double THREE_BY_PI_SQUARED = 0.3039635509270133;
  private static final double ONE_BY_LN_2 = 1.4426950408889634;
  private static final double LN_2 = 0.6931471805599453;
  private static final double LN_2_HIGH = 0.693145751953125;
  private static final double LN_2_LOW = 0.0000014286068203094173;
  private static final double SQRT_HALF = 0.7071067811865476;

  /** The coefficients 1 ÷ n! of exp, by n. */
  private static final double[] EXP = new double[14];

  static {
    double factorial = 1;
    for (int n = 0; n < EXP.length; n++) {
      factorial *= Math.max(1, n);
      EXP[n] = 1 / factorial;
    }
  }

  private Glicko2() {}

  /**
   * A player's rating after a game.
   *
   * @param halfPoints the player's score: 0, 1 for a draw, or 2
   * @param chainTime the chain time of the game's record, in seconds of Unix time
   */
  public static Rating after(Rating own, Rating opponent, int halfPoints, long chainTime) {
    double mu = mu(own.rating());
    double phi = phi(own.deviation());
    double g = 1 / Math.sqrt(1 + THREE_BY_PI_SQUARED * square(phi(opponent.deviation())));
    double y = g * (mu - mu(opponent.rating()));
    double e = exp(-Math.max(-MAX_DIFFERENCE, Math.min(MAX_DIFFERENCE, y)));
    double expected = 1 / (1 + e);
    double v = 1 / (g * g * e * expected * expected);
    double surprise = g * (halfPoints / 2.0 - expected);
    double sigma = newSigma(sigma(own.volatility()), phi * phi, v, square(v * surprise));
    double grown = phi * phi + periods(own, chainTime) * (sigma * sigma);
    double newPhi = 1 / Math.sqrt(1 / grown + 1 / v);
    double newMu = mu + newPhi * newPhi * surprise;
    return new Rating(
        rounded((newMu * SCALE + 1500) * 100),
        deviation(newPhi),
        rounded(sigma * 1_000_000),
        own.games() + 1,
        chainTime);
  }

  /**
   * The deviation of a rating at a time, by which it is shown, paired and listed. In hundredths, at
   * most 50,000.
   *
   * @param time in seconds of Unix time
   */
  public static int deviationAt(Rating rating, long time) {
    return deviation(
        Math.sqrt(
            square(phi(rating.deviation()))
                + periods(rating, time) * square(sigma(rating.volatility()))));
  }

  /** The root of Glickman's function f, by the Illinois algorithm from both its sides. */
  private static double newSigma(double sigma, double phi2, double v, double delta2) {
    double lnVariance = ln(sigma * sigma);
    double a = lnVariance;
    double excess = delta2 - phi2 - v;
    double b = excess > 0 ? Math.min(ln(excess), MAX_LN_VARIANCE) : a - TAU;
    double fa = f(a, lnVariance, phi2, v, delta2);
    double fb = f(b, lnVariance, phi2, v, delta2);
    if (b == MAX_LN_VARIANCE && fb >= 0) {
      return MAX_VOLATILITY;
    }
    for (int i = 0; i < MAX_STEPS && Math.abs(b - a) > TOLERANCE; i++) {
      double c = a + (a - b) * fa / (fb - fa);
      double fc = f(c, lnVariance, phi2, v, delta2);
      if (fc * fb <= 0) {
        a = b;
        fa = fb;
      } else {
        fa /= 2;
      }
      b = c;
      fb = fc;
    }
    return Math.min(exp(a / 2), MAX_VOLATILITY);
  }

  private static double f(double x, double lnVariance, double phi2, double v, double delta2) {
    double variance = exp(x);
    double sum = phi2 + v + variance;
    return variance * (delta2 - phi2 - v - variance) / (2 * (sum * sum))
        - (x - lnVariance) / (TAU * TAU);
  }

  private static double mu(int rating) {
    return (rating / 100.0 - 1500) / SCALE;
  }

  private static double phi(int deviation) {
    return deviation / 100.0 / SCALE;
  }

  private static double sigma(int volatility) {
    return Math.max(volatility, 1) / 1_000_000.0;
  }

  /** The rating periods since the player's last game. */
  private static double periods(Rating rating, long time) {
    long seconds = rating.games() == 0 ? 0 : Math.max(0, time - rating.lastAt());
    return seconds / 86_400.0 * PERIODS_PER_DAY;
  }

  private static int deviation(double phi) {
    return rounded(Math.max(MIN_DEVIATION, Math.min(MAX_DEVIATION, phi * SCALE)) * 100);
  }

  private static int rounded(double value) {
    return (int) Math.floor(value + 0.5);
  }

  private static double square(double value) {
    return value * value;
  }

  /** For values from −700 to 700. */
  static double exp(double x) {
    double k = Math.floor(x * ONE_BY_LN_2 + 0.5);
    double r = x - k * LN_2_HIGH - k * LN_2_LOW;
    double sum = 0;
    for (int n = EXP.length - 1; n >= 0; n--) {
      sum = sum * r + EXP[n];
    }
    return Math.scalb(sum, (int) k);
  }

  /** For normal values above 0. */
  static double ln(double x) {
    int k = Math.getExponent(x) + 1;
    double m = Math.scalb(x, -k); // from 0.5 to 1
    if (m < SQRT_HALF) {
      m *= 2;
      k--;
    }
    double s = (m - 1) / (m + 1);
    double z = s * s;
    double sum = 1 / 19.0;
    for (int divisor = 17; divisor > 0; divisor -= 2) {
      sum = sum * z + 1.0 / divisor;
    }
    return k * LN_2 + 2 * s * sum;
  }
}
