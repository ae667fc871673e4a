package gambit.app.tool.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.LocalRelay;
import gambit.core.crypto.Signer;
import gambit.core.model.Tags;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RelaySessionTest {

  /** Fails at the answer to the first login. */
  private static final class FailingOnce implements RelaySession.Owner {
    private final List<String> news = new CopyOnWriteArrayList<>();

    @Override
    public void opened(RelayInfo relay) {
      news.add("opened");
    }

    @Override
    public void loginAnswered(boolean isAccepted, String text) {
      news.add("logged in");
      if (news.size() == 2) {
        throw new IllegalStateException("a defect");
      }
    }

    @Override
    public void closed(String reason, Duration delay) {
      news.add(reason);
    }
  }

  @Test
  void aConnectionWhoseHandlerFailsIsMadeAgain(@TempDir Path data) {
    ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    try (LocalRelay relay = new LocalRelay(data, 0)) {
      FailingOnce handler = new FailingOnce();
      RelaySession session =
          RelaySession.reconnecting(
              RelayPlace.of(relay.uri()), Signer.random(), InstantSource.system(), thread, handler);
      thread.execute(session::open);
      await().until(() -> handler.news.size() >= 5);
      assertThat(handler.news)
          .startsWith(
              "opened",
              "logged in",
              "This client could not handle a message of the relay.",
              "opened",
              "logged in");
      thread.execute(session::close);
    } finally {
      thread.shutdown();
    }
  }

  /** Cuts the connection when the login is answered, and records the reported reason. */
  private static final class Cutting implements RelaySession.Owner {
    private final CutConnections proxy;
    private final CompletableFuture<String> reason = new CompletableFuture<>();

    private Cutting(CutConnections proxy) {
      this.proxy = proxy;
    }

    @Override
    public void opened(RelayInfo relay) {}

    @Override
    public void loginAnswered(boolean isAccepted, String text) {
      proxy.cut();
    }

    @Override
    public void closed(String text, Duration delay) {
      reason.complete(text);
    }
  }

  /**
   * Java's own WebSocket client fails this test: it does not report the end of some connections.
   */
  @Test
  void aConnectionThatIsCutRightAfterAMessageIsReportedAtOnce(@TempDir Path data) throws Exception {
    ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    try (LocalRelay relay = new LocalRelay(data, 0);
        CutConnections proxy = new CutConnections(relay.port())) {
      for (int i = 0; i < 50; i++) {
        Cutting handler = new Cutting(proxy);
        RelaySession session =
            RelaySession.reconnecting(
                RelayPlace.of(proxy.uri()),
                Signer.random(),
                InstantSource.system(),
                thread,
                handler);
        thread.execute(session::open);
        assertThat(handler.reason)
            .as("connection %d", i)
            .succeedsWithin(Duration.ofSeconds(10))
            .isIn("The relay closed the connection.", "The connection to the relay is lost.");
        thread.execute(session::close);
      }
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void anEventPublishedAfterALossStaysUnanswered(@TempDir Path data) throws Exception {
    try (LocalRelay relay = new LocalRelay(data, 0)) {
      RelaySession session =
          RelaySession.connect(
              RelayPlace.of(relay.uri()),
              "the relay",
              null,
              Duration.ofSeconds(10),
              new SessionTasks());
      session.send("x".repeat(5_000_000)); // longer than the relay reads, so the session ends
      session.publish(
          Signer.random().sign(1, 1, Tags.NONE, ""),
          (isAccepted, text) -> {
            throw new AssertionError(text);
          });
      assertThat(session.unanswered()).isEqualTo(1);
    }
  }
}
