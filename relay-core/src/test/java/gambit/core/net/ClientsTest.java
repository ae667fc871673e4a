package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.rate.RateLimits;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections that do not become a WebSocket do not prevent others. */
class ClientsTest {
  private static final String REQUESTING = "requesting";

  @Test
  void oldestHttpConnectionIsClosedWhenThereAreTooMany() throws IOException {
    int most = 50;
    List<RawSocket> waiting = new ArrayList<>();
    try (TestRelay relay =
            new TestRelay(
                TestLimits.connections(most, 0), RateLimits.NONE, TransportSettings.DEFAULT);
        RawSocket upgraded = RawSocket.upgraded(relay.uri())) {
      for (int i = 0; i < most; i++) {
        RawSocket next = new RawSocket(relay.uri());
        next.write("GET / HTTP/1.1\r\n");
        waiting.add(next);
        if (i == 0) { // each event loop registers its own: the others come after this one
          await().until(() -> relay.metrics().read(REQUESTING) == 1);
        }
      }
      await().until(() -> relay.metrics().read(REQUESTING) == most);
      for (int i = 0; i < 3; i++) {
        try (RawSocket late = RawSocket.upgraded(relay.uri())) {
          assertThat(late.isServed()).isTrue();
        }
      }
      assertThat(waiting.get(0).isAtEnd()).isTrue();
      RawSocket youngest = waiting.get(waiting.size() - 1);
      youngest.write("Host: x\r\n\r\n");
      assertThat(youngest.readHead()).startsWith("HTTP/1.1 200 ");
      assertThat(upgraded.isServed()).as("a WebSocket is none of them").isTrue();
      for (RawSocket one : waiting) {
        one.close();
      }
      await().until(() -> relay.metrics().read(REQUESTING) == 0);
    }
  }

  @Test
  void allClientsMayReconnectAtOnce() throws IOException {
    int herd = 3_000;
    List<RawSocket> clients = new ArrayList<>();
    try (TestRelay relay = new TestRelay()) {
      for (int i = 0; i < herd; i++) {
        RawSocket next = new RawSocket(relay.uri());
        next.write(RawSocket.UPGRADE);
        clients.add(next);
      }
      for (RawSocket client : clients) {
        client.readUpgradeAnswer();
      }
      assertThat(relay.metrics().read("connections")).isEqualTo(herd);
      for (RawSocket client : clients) {
        client.close();
      }
    }
  }
}
