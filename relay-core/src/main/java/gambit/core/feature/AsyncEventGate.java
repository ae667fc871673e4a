package gambit.core.feature;

import gambit.core.feature.RelayBuilder.EventGate;
import gambit.core.wire.Reason;
import java.util.function.Consumer;

/**
 * A check of clients' events whose verdict may come later, such as that of another process. It is
 * asked last: after the signature was verified, every {@link EventGate} and the rate limits, and
 * before the event is handled or stored. A relay has at most one.
 */
public interface AsyncEventGate {
  /**
   * Whether the event is to be checked. Any thread; it must be quick and never wait.
   *
   * @param isClaimed whether a handler has claimed the event. An unchecked event that its handler
   *     returns to the ordinary path is asked about again, as not claimed.
   */
  boolean concerns(Submission submission, boolean isClaimed);

  /**
   * Begins the check of an event, whose verdict is passed on exactly once, on any thread. Any
   * thread; it must be quick and never wait. The events of one connection are stored in the order
   * of their verdicts.
   */
  void check(Submission submission, Consumer<Verdict> verdict);

  sealed interface Verdict {}

  record Accepted() implements Verdict {}

  record Refused(Reason reason) implements Verdict {}

  /** The client is told that the event was accepted, but it is neither stored nor delivered. */
  record Dropped() implements Verdict {}
}
