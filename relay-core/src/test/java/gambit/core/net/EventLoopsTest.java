package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.feature.Feature;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import io.netty.channel.EventLoop;
import io.netty.util.internal.ThreadExecutorMap;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** FatalErrors on the event loops of a relay: none goes unheard, and none is made of less. */
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class EventLoopsTest {
  private static final Error ERROR = new LinkageError("on purpose");

  private final AtomicReference<EventLoop> loop = new AtomicReference<>();

  /** Runs a task on the event loop of the publishing client. */
  private static Feature whenSomebodyPublishes(Runnable task) {
    return relay ->
        relay.gate(
            submission -> {
              task.run();
              return Optional.empty();
            });
  }

  private static void fail() {
    throw ERROR;
  }

  private void remember() {
    loop.set((EventLoop) ThreadExecutorMap.currentExecutor());
  }

  @Test
  void errorWhileReadingAMessageEndsTheRelay() {
    try (TestRelay relay = new TestRelay(whenSomebodyPublishes(EventLoopsTest::fail));
        Client client = relay.connect()) {
      client.publish(note(relay));
      assertThat(relay.awaitFailure()).isSameAs(ERROR);
    }
  }

  @Test
  void errorInATaskEndsTheRelay() {
    try (TestRelay relay = new TestRelay(whenSomebodyPublishes(this::remember));
        Client client = relay.connect()) {
      client.publishAccepted(note(relay));
      loop.get().execute(EventLoopsTest::fail);
      assertThat(relay.awaitFailure()).isSameAs(ERROR);
    }
  }

  @Test
  void terminatedEventLoopEndsTheRelay() {
    try (TestRelay relay = new TestRelay(whenSomebodyPublishes(this::remember));
        Client client = relay.connect()) {
      client.publishAccepted(note(relay));
      loop.get().shutdownGracefully(0, 0, TimeUnit.SECONDS);
      assertThat(relay.awaitFailure()).hasMessage("an event loop was shut down");
    }
  }

  @Test
  void lackOfBuffersClosesOneConnectionOnly() throws IOException {
    try (TestRelay relay = new TestRelay(whenSomebodyPublishes(EventLoopsTest::wantABuffer));
        Client other = relay.connect();
        RawSocket client = RawSocket.upgraded(relay.uri())) {
      client.sendText("[\"EVENT\"," + note(relay) + "]");
      assertThat(client.isAtEnd()).isTrue();
      assertThat(other.queryIds("{}")).isEmpty();
    }
  }

  /** Java's own error; Netty has a subclass of it. */
  private static void wantABuffer() {
    throw new OutOfMemoryError(
        "Cannot reserve 8192 bytes of direct buffer memory (allocated: 0, limit: 0)");
  }

  private static Event note(TestRelay relay) {
    return Keys.of("alice").sign(relay.now(), 1, Tags.NONE, "hello");
  }
}
