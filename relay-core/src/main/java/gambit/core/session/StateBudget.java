package gambit.core.session;

/** The work that one turn of a query may do on current states. Confined to the query lanes. */
final class StateBudget {
  /** Examinations in a turn; one takes 10 µs if the state's event has not been built yet. */
  private static final int EXAMINATIONS = 200;

  /** The cost of a signature, in examinations. */
  private static final int SIGNATURE = 4;

  private int left = EXAMINATIONS;

  void refill() {
    left = EXAMINATIONS;
  }

  boolean isLeft() {
    return left > 0;
  }

  void examine() {
    left--;
  }

  void sign() {
    left -= SIGNATURE;
  }
}
