package gambit.core.replication;

import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A commit by a feature of any node, which has an outcome once. */
final class SimulatedCommit {
  private final SimulatedRelay relay;
  private final LogCheck check;
  private final byte[] key;
  private @Nullable WriteOutcome outcome;
  private boolean isSettled;

  SimulatedCommit(SimulatedRelay relay, int number) {
    this.relay = relay;
    this.check = relay.world().check();
    this.key = ByteBuffer.allocate(4).putInt(number).array();
  }

  Commit commit() {
    return new Commit(
        List.of(), List.of(), List.of(new Row(LogCheck.COMMITS, key, new byte[] {1})));
  }

  List<Outgoing> outcome(WriteOutcome decided) {
    if (outcome != null) {
      throw new Violation(Invariant.EXACTLY_ONCE_AND_IN_ORDER, "a commit has two outcomes");
    }
    outcome = decided;
    return List.of();
  }

  void settled(WriteOutcome decided) {
    if (outcome != decided || isSettled) {
      throw new Violation(Invariant.EXACTLY_ONCE_AND_IN_ORDER, "a commit is settled wrongly");
    }
    isSettled = true;
    if (decided == WriteOutcome.STORED && !check.hasCommit(key)) {
      throw new Violation(Invariant.OK_MEANS_STORED, "a commit is not in the log");
    }
  }

  /** Why it is not settled although its relay lives. */
  Optional<String> unrecovered() {
    return relay.isRunning() && !isSettled
        ? Optional.of("a commit at " + relay + " has no outcome")
        : Optional.empty();
  }
}
