package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * A verified event of a client that has not been answered yet.
 *
 * @param arrivedAt when the event's last bytes were read from the socket, so that the relay's own
 *     queues never cost a player time
 * @param awaited the result of {@link EventHandler.ClaimedEvent#isAwaited} before the event was
 *     verified
 * @param imported whether the operator imports it, or mirrors it from another relay
 */
public record Submission(
    Event event,
    ClientConnection connection,
    Instant arrivedAt,
    boolean awaited,
    boolean imported,
    Consumer<Submission> ordinary) {
  /** Returns the event to the ordinary path, as if no handler had claimed it. */
  public void pass() {
    ordinary.accept(this);
  }

  /** The answer that the event is accepted, with a note that may be empty. */
  public Outgoing accepted(String note) {
    return new Outgoing.Answer(this, Ok.accepted(event, note));
  }

  public Outgoing duplicate(Reason reason) {
    return new Outgoing.Answer(this, Ok.duplicate(event, reason));
  }

  public Outgoing refused(Reason reason) {
    return new Outgoing.Answer(this, Ok.refused(event, reason));
  }
}
