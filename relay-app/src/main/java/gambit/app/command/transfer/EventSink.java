package gambit.app.command.transfer;

import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelaySession;
import gambit.core.model.Event;

/** Where imported events go. Thread-safe. */
interface EventSink extends AutoCloseable {
  /**
   * Hands an event over. Its answer comes once, on any thread, unless the sink fails; an accepted
   * event is stored.
   */
  void take(Event event, RelaySession.Answer answer) throws RelayFailure;

  /** The most bytes of events that may be unanswered, each counted as some thousand at least. */
  default int maxUnansweredBytes() {
    return 8 << 20;
  }

  /** Why no more answers will come, or an empty text. */
  String failure();

  @Override
  void close();
}
