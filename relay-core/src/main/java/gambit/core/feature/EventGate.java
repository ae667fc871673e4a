package gambit.core.feature;

import gambit.core.wire.Reason;
import java.util.Optional;

/**
 * A check that can refuse events from outside. Called on event loops; the id of the event is valid,
 * and a client's signature was verified.
 */
@FunctionalInterface
public interface EventGate {
  Optional<Reason> objection(Submission submission);
}
