package gambit.core.testkit;

/**
 * The number of repetitions of randomized tests: few in an ordinary build, more in minutes with
 * {@code -Dgambit.thorough=true}, as CI runs it, and most in hours with {@code -Dgambit.long=true}.
 */
public final class TestEffort {
  private static final boolean THOROUGH = Boolean.getBoolean("gambit.thorough");
  private static final boolean LONG = Boolean.getBoolean("gambit.long");

  private TestEffort() {}

  /** One of three counts. */
  public static int of(int usual, int thorough, int many) {
    return isLong() ? many : of(usual, thorough);
  }

  /** One of two counts; a long run uses the thorough one. */
  public static int of(int usual, int thorough) {
    return isThorough() ? thorough : usual;
  }

  public static boolean isLong() {
    return LONG;
  }

  /** Whether the run is thorough or long. */
  public static boolean isThorough() {
    return THOROUGH || LONG;
  }
}
