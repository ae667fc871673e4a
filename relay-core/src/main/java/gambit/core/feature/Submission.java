package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * A verified event that a client has sent, on its way to its one answer.
 *
 * @param arrivedAt when the last of its bytes was read from the socket: the relay's own queues
 *     never cost a player time
 * @param awaited what {@link EventAuthority.Claim#isAwaited} has said of it, before it was verified
 * @param ordinary what {@link #pass} runs
 */
public record Submission(
    Event event,
    ClientConnection connection,
    Instant arrivedAt,
    boolean awaited,
    Consumer<Submission> ordinary) {

  /** Gives the event back to the ordinary path, as if no authority had claimed it. */
  public void pass() {
    ordinary.accept(this);
  }

  /** The answer that the event is accepted, with a note that may be empty. */
  public Outgoing accepted(String note) {
    return new Outgoing.Answer(this, Ok.accepted(event, note));
  }

  /** The answer that the event is accepted, but was so before. */
  public Outgoing duplicate(Reason reason) {
    return new Outgoing.Answer(this, Ok.duplicate(event, reason));
  }

  /** The answer that it is not. */
  public Outgoing refused(Reason reason) {
    return new Outgoing.Answer(this, Ok.refused(event, reason));
  }
}
