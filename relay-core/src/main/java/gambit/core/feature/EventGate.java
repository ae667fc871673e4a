package gambit.core.feature;

import gambit.core.wire.Reason;
import java.util.Optional;

/** A verdict on events that come from clients; called on event loops, after the signature. */
public interface EventGate {
  /** Why the event is not taken, or nothing when this gate has no objection. */
  Optional<Reason> objection(Submission submission);
}
