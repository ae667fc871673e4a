package gambit.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.LocalRelay;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReconnectingSocketTest {

  /** Fails at the first message, which is the relay's challenge. */
  private static final class FailingOnce implements ReconnectingSocket.Handler {
    private final List<String> news = new CopyOnWriteArrayList<>();

    @Override
    public void opened(RelayInfo relay) {
      news.add("opened");
    }

    @Override
    public void received(JsonNode message) {
      news.add(message.path(0).asText());
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
      ReconnectingSocket socket = new ReconnectingSocket(relay.uri(), thread, handler);
      thread.execute(socket::open);
      await().until(() -> handler.news.size() >= 5);
      assertThat(handler.news)
          .startsWith(
              "opened",
              "AUTH",
              "This client could not handle a message of the relay.",
              "opened",
              "AUTH");
      thread.execute(socket::close);
    } finally {
      thread.shutdown();
    }
  }
}
