package gambit.core;

import gambit.core.feature.ClientConnection;
import gambit.core.ingest.Ingest;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.RelayMessage;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Consumer;

/** Takes events that the operator imports in this process. Thread-safe. */
public final class EventImport {
  private static final ClientAddress LOOPBACK = ClientAddress.of(InetAddress.getLoopbackAddress());

  private final Ingest ingest;
  private final InstantSource time;

  EventImport(Ingest ingest, InstantSource time) {
    this.ingest = ingest;
    this.time = time;
  }

  /**
   * Takes an event, whose signature may have been verified; its id is always checked. The caller
   * bounds the events that are not answered yet; beyond some thousands, they are refused with
   * {@code rate-limited:}. The answer comes once, on any thread; an accepted event is committed by
   * then.
   */
  public void take(Event event, boolean isVerified, Consumer<RelayMessage.Ok> answer) {
    ingest.takeImported(event, new Sender(answer), time.instant(), isVerified);
  }

  private final class Sender implements ClientConnection {
    private final Consumer<RelayMessage.Ok> answer;

    private Sender(Consumer<RelayMessage.Ok> answer) {
      this.answer = answer;
    }

    @Override
    public void answer(Event event, RelayMessage.Ok ok) {
      ingest.answered(event, this, ok);
      answer.accept(ok);
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public ClientAddress address() {
      return LOOPBACK;
    }

    @Override
    public Set<PubKey> keys() {
      return Set.of();
    }

    @Override
    public boolean isOperator() {
      return true;
    }

    @Override
    public boolean isForOneEvent() {
      return true;
    }

    @Override
    public void requestLogin() {}

    @Override
    public void send(RelayMessage message) {}

    @Override
    public void afterOutput(Runnable task) {
      task.run();
    }
  }
}
