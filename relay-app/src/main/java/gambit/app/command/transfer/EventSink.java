package gambit.app.command.transfer;

import gambit.app.tool.client.RelayFailure;
import gambit.core.model.Event;

/** Where imported events go. Thread-safe. */
interface EventSink extends AutoCloseable {
  /** Receives the answer to an event, on any thread; must not block. */
  interface Answer {
    /**
     * The event is answered; an accepted one is stored.
     *
     * @param text begins with the machine-readable prefix of the reason, if there is one
     */
    void answered(boolean isAccepted, String text);
  }

  /**
   * Hands an event over. Its answer comes once, unless the sink fails.
   *
   * @throws RelayFailure when the sink has failed
   */
  void take(Event event, Answer answer) throws RelayFailure;

  /** As {@link #take}, for an event whose signature was verified; its id was not checked. */
  default void takeVerified(Event event, Answer answer) throws RelayFailure {
    take(event, answer);
  }

  /** The most bytes of events that may be unanswered, each counted as some thousand at least. */
  default int maxUnansweredBytes() {
    return 8 << 20;
  }

  /** Why no more answers will come, or an empty text. */
  String failure();

  @Override
  void close();
}
