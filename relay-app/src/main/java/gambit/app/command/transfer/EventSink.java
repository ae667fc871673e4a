package gambit.app.command.transfer;

import gambit.app.tool.client.RelayChannels;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.client.RelaySession;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import java.time.Duration;
import java.util.concurrent.Executor;

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
  default String failure() {
    return "";
  }

  @Override
  default void close() {}

  /**
   * Publishes events over an operator's session with a running relay, without waiting for the
   * answer to each. Their signatures are verified here, on the caller's threads; the event loop
   * owns the rest.
   */
  final class SocketSink implements EventSink, RelaySession.Owner {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final boolean isTrusted;
    private final EventVerifier verifier = new EventVerifier();
    private final Executor eventLoop = RelayChannels.eventLoop();
    private final RelaySession session;
    private volatile String failure = "";

    SocketSink(RelayPlace relay, boolean isTrusted) throws RelayFailure {
      this.isTrusted = isTrusted;
      this.session = RelaySession.connect(relay, TIMEOUT, this, eventLoop);
    }

    @Override
    public void take(Event event, RelaySession.Answer answer) throws RelayFailure {
      if (!failure.isEmpty()) {
        throw new RelayFailure(failure);
      }
      if (!isTrusted && !verifier.hasValidId(event)) {
        answer.received(false, "invalid: the id is not the hash of the event");
      } else if (!isTrusted && !verifier.hasValidSignature(event)) {
        answer.received(false, "invalid: the signature does not verify");
      } else {
        eventLoop.execute(() -> session.publish(event, answer));
      }
    }

    @Override
    public void closed(String reason) {
      failure = reason;
    }

    @Override
    public String failure() {
      return failure;
    }

    @Override
    public void close() {
      eventLoop.execute(session::close);
    }
  }
}
