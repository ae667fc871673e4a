package gambit.core.ingest;

import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a node of a cluster leaves to the leader. The methods of this interface are those of a relay
 * that has none. Any thread.
 */
public interface Forwarding {
  Forwarding NONE = new Forwarding() {};

  /** Why no event can be taken now: the cluster cannot be reached. */
  default Optional<Reason> objection() {
    return Optional.empty();
  }

  /**
   * Hands an event that was checked on to the leader; false, without effect, if this node leads.
   */
  default boolean forward(Submission submission, boolean isClaimed, boolean isImported) {
    return false;
  }

  /**
   * Hands a feature's commit on to the leader; false, without effect, if this node leads. The
   * functions are called as {@link gambit.core.feature.Publisher#store} says.
   */
  default boolean forward(
      Commit commit,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled) {
    return false;
  }

  /** Sends an ephemeral event to the other nodes, for their clients. */
  default void spread(Event event) {}
}
