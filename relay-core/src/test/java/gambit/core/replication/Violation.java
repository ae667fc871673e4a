package gambit.core.replication;

/** A history breaks an invariant of the cluster. An error, so that no relay code handles it. */
final class Violation extends AssertionError {
  private final Invariant invariant;

  Violation(Invariant invariant, String message) {
    super(invariant + ": " + message);
    this.invariant = invariant;
  }

  Invariant invariant() {
    return invariant;
  }
}
