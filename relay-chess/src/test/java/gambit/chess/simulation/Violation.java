package gambit.chess.simulation;

/** A violated invariant. */
final class Violation extends AssertionError {
  private final Invariant invariant;

  Violation(Invariant invariant, String what) {
    super(invariant + ": " + what);
    this.invariant = invariant;
  }

  Invariant invariant() {
    return invariant;
  }
}
