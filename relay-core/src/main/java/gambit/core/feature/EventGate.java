package gambit.core.feature;

import gambit.core.wire.Reason;
import java.util.Optional;

/**
 * A check that can refuse events of clients. Called on event loops, after the signature was
 * verified.
 */
public interface EventGate {
  /** The reason to refuse the event; empty if this gate has none. */
  Optional<Reason> objection(Submission submission);
}
