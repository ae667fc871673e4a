package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.wire.Reason;
import java.time.Instant;
import java.util.Optional;

/**
 * A check of an event by itself, whoever has sent it. Called on event loops; the id of the event is
 * valid.
 */
@FunctionalInterface
public interface EventCheck {
  /**
   * The reason to refuse the event; empty if this check has none.
   *
   * @param now when the event arrived
   */
  Optional<Reason> objection(Event event, Instant now);

  /** The same check of clients' events. */
  default EventGate asGate() {
    return submission -> objection(submission.event(), submission.arrivedAt());
  }
}
