package gambit.core.ingest;

import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.wire.Reason;
import java.util.Optional;

/** The cluster as the path of an EVENT sees it. Any thread. */
public interface Forwarding {
  /** The path of an event of a relay that has no cluster. */
  Forwarding NONE =
      new Forwarding() {
        @Override
        public Optional<Reason> objection() {
          return Optional.empty();
        }

        @Override
        public boolean forward(Submission submission, boolean isImported) {
          return false;
        }

        @Override
        public void spread(Event event) {}
      };

  /** Why no event can be taken now: the cluster cannot be reached. */
  Optional<Reason> objection();

  /**
   * Hands an event that was checked on to the leader; false, without effect, if this node leads.
   */
  boolean forward(Submission submission, boolean isImported);

  /** Sends an ephemeral event to the other nodes, for their clients. */
  void spread(Event event);
}
