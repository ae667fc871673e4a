package gambit.chess.engine;

import java.util.function.BooleanSupplier;

/**
 * The positions that a search may visit. It is used up after a number of them, when the caller's
 * condition holds, or when the thread is interrupted. Used by one thread.
 */
final class NodeBudget {
  /** The number of positions between two tests of the condition: some milliseconds. */
  private static final int TEST_INTERVAL = 1024;

  private final long maxNodes;
  private final BooleanSupplier isStopped;
  private long nodes;
  private boolean isSpent;

  NodeBudget(long maxNodes, BooleanSupplier isStopped) {
    this.maxNodes = maxNodes;
    this.isStopped = isStopped;
  }

  /** Counts a position; false if the search must end. */
  boolean spend() {
    if (isSpent) {
      return false;
    }
    nodes++;
    if (nodes > maxNodes
        || (nodes % TEST_INTERVAL == 0
            && (isStopped.getAsBoolean() || Thread.currentThread().isInterrupted()))) {
      isSpent = true;
    }
    return !isSpent;
  }

  /** Whether the search must end; its current iteration is incomplete then. */
  boolean isSpent() {
    return isSpent;
  }

  long nodes() {
    return nodes;
  }
}
