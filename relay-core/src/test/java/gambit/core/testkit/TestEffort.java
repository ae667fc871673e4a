package gambit.core.testkit;

/**
 * The number of repetitions of randomized tests: as many as a build of a few minutes allows, or,
 * with {@code -Dgambit.long=true}, as many as hours allow.
 */
public final class TestEffort {
  private static final boolean THOROUGH = Boolean.getBoolean("gambit.thorough");
  private static final boolean LONG = Boolean.getBoolean("gambit.long");

  private TestEffort() {}

  /** One of two counts. */
  public static int of(int usual, int many) {
    return isLong() ? many : usual;
  }

  public static boolean isLong() {
    return LONG;
  }

  /** Whether tests with {@link ThoroughOnly} run, as in CI. */
  public static boolean isThorough() {
    return THOROUGH || LONG;
  }
}
