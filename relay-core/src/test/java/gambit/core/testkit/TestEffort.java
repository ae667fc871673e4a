package gambit.core.testkit;

/**
 * How often a test repeats what it does with chance: as often as every build has time for; with
 * {@code -Dgambit.thorough=true}, as CI runs it, as often as minutes allow; and with {@code
 * -Dgambit.long=true} as often as hours do.
 */
public final class TestEffort {
  private static final boolean THOROUGH = Boolean.getBoolean("gambit.thorough");
  private static final boolean LONG = Boolean.getBoolean("gambit.long");

  private TestEffort() {}

  /** One of three counts. */
  public static int of(int usual, int thorough, int many) {
    return LONG ? many : of(usual, thorough);
  }

  /** One of two counts; the long form is the thorough one. */
  public static int of(int usual, int thorough) {
    return isThorough() ? thorough : usual;
  }

  /** Whether minutes do not matter. */
  public static boolean isThorough() {
    return THOROUGH || LONG;
  }
}
