package gambit.app.tool.client;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.LocalRelay;
import gambit.app.tool.client.RelaySession.SessionTasks;
import gambit.core.crypto.Signer;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RelaySessionTest {

  /** Does something at the answer to the login, and records the reported end. */
  private static final class LoggingIn implements RelaySession.Owner {
    private final Runnable atLogin;
    private final CompletableFuture<String> end = new CompletableFuture<>();

    private LoggingIn(Runnable atLogin) {
      this.atLogin = atLogin;
    }

    @Override
    public void loginAnswered(boolean isAccepted, String text) {
      atLogin.run();
    }

    @Override
    public void closed(String reason) {
      end.complete(reason);
    }
  }

  private static RelaySession open(
      URI relay, ScheduledExecutorService thread, RelaySession.Owner owner) {
    RelaySession session =
        RelaySession.open(RelayPlace.of(relay), Signer.random(), Client.TIMEOUT, owner, thread)
            .join();
    thread.execute(() -> session.start(() -> {}));
    return session;
  }

  @Test
  void aSessionWhoseOwnerFailsEnds(@TempDir Path data) {
    ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    try (LocalRelay relay = new LocalRelay(data, 0)) {
      LoggingIn owner =
          new LoggingIn(
              () -> {
                throw new IllegalStateException("a defect");
              });
      open(relay.uri(), thread, owner);
      assertThat(owner.end)
          .succeedsWithin(Client.TIMEOUT)
          .isEqualTo("This client could not handle a message of the relay.");
    } finally {
      thread.shutdown();
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
        LoggingIn owner = new LoggingIn(proxy::cut);
        RelaySession session = open(proxy.uri(), thread, owner);
        assertThat(owner.end)
            .as("connection %d", i)
            .succeedsWithin(Client.TIMEOUT)
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
              RelayPlace.of(relay.uri()), "the relay", null, Client.TIMEOUT, new SessionTasks());
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
