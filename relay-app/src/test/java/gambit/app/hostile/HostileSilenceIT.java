package gambit.app.hostile;

import static gambit.app.hostile.FrameBatch.PING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.testkit.Client;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that never complete a request or message, or send it as slowly as possible. */
@ThoroughOnly
class HostileSilenceIT {
  private static final String REQUEST = "[\"REQ\",\"a\",{\"kinds\":[5000],\"limit\":0}]";
  private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n";
  private static final Duration DRIP = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir static Path data;
  private static AttackedRelay relay;

  @BeforeAll
  static void start() throws Exception {
    relay = AttackedRelay.start(data, "limits.handshake=3s", "limits.silence=3s");
  }

  @AfterAll
  static void end() throws IOException {
    relay.close();
  }

  @Test
  void thousandsOfIncompleteHandshakesAreClosedInTime() throws Exception {
    String half = RawSocket.UPGRADE.substring(0, 60);
    relay.survives(
        () -> {
          try (ClientGroup<RawSocket> clients = new ClientGroup<>()) {
            for (int i = 0; i < TestEffort.of(100, 3_000); i++) {
              RawSocket client = clients.add(new RawSocket(relay.url()));
              client.write(half.substring(0, i % half.length()));
            }
            for (RawSocket client : clients) {
              assertEnds(client);
            }
          }
        },
        AttackMetrics.answered(408));
  }

  private static void assertEnds(RawSocket client) throws IOException {
    assertThat(client.readHead()).startsWith("HTTP/1.1 408 ");
    assertThat(client.isAtEnd()).isTrue();
  }

  @Test
  void headersSentByteByByteDoNotExtendTheTime() throws Exception {
    String drops = GET + "X-Slow: ".repeat(500);
    relay.survives(
        () -> {
          try (ClientGroup<RawSocket> clients = new ClientGroup<>()) {
            for (int i = 0; i < TestEffort.of(25, 200); i++) {
              clients.add(new RawSocket(relay.url()));
            }
            int[] sent = {0};
            await()
                .atMost(PATIENCE)
                .pollInterval(DRIP)
                .until(
                    () -> {
                      boolean answered = true;
                      for (RawSocket client : clients) {
                        if (!client.hasUnreadBytes()) {
                          answered = false;
                          client.write(drops.substring(sent[0], sent[0] + 1));
                        }
                      }
                      sent[0]++;
                      return answered;
                    });
            for (RawSocket client : clients) {
              assertThat(client.readHead()).startsWith("HTTP/1.1 408 ");
              assertThat(client.isAtEnd()).isTrue();
            }
          }
        },
        AttackMetrics.answered(408));
  }

  @Test
  void tooManyOrTooLongHeadersAreRefused() throws Exception {
    relay.survives(
        () -> {
          for (int i = 0; i < TestEffort.of(5, 50); i++) {
            assertRefused(431, GET + "X: y\r\n".repeat(10_000) + "\r\n");
            assertRefused(431, GET + "X: " + "y".repeat(200_000) + "\r\n\r\n");
            assertRefused(431, GET + "x".repeat(200_000) + ": y\r\n\r\n");
            assertRefused(414, "GET /" + "x".repeat(200_000) + " HTTP/1.1\r\nHost: x\r\n\r\n");
            assertRefused(400, GET + "X y z\r\n\r\n");
            assertRefused(400, "\u0001".repeat(1_000) + "\r\n\r\n");
          }
        },
        AttackMetrics.answered(431),
        AttackMetrics.answered(414),
        AttackMetrics.answered(400));
  }

  private static void assertRefused(int status, String request) throws IOException {
    try (RawSocket client = new RawSocket(relay.url())) {
      client.write(request);
      assertThat(client.readHead()).startsWith("HTTP/1.1 " + status + " ");
      assertThat(client.isAtEnd()).isTrue();
    }
  }

  @Test
  void garbageAfterARequestIsRefusedAfterItsAnswer() throws Exception {
    relay.survives(
        () -> {
          for (int i = 0; i < TestEffort.of(5, 50); i++) {
            try (RawSocket client = new RawSocket(relay.url())) {
              client.write(GET + "\r\n" + GET + "\r\n\u0001 garbage\r\n\r\n" + GET + "\r\n");
              for (int answers = 0; answers < 2; answers++) {
                String head = client.readHead();
                assertThat(head).startsWith("HTTP/1.1 200 ");
                client.readBody(head);
              }
              assertThat(client.readHead()).startsWith("HTTP/1.1 400 ");
              assertThat(client.isAtEnd()).isTrue();
            }
            try (RawSocket client = RawSocket.upgraded(relay.url())) {
              client.write(GET.repeat(100));
              assertThat(client.awaitClose()).isEqualTo(1002);
              assertThat(client.isAtEnd()).isTrue();
            }
          }
        },
        AttackMetrics.answered(400),
        AttackMetrics.closed("protocol"));
  }

  @Test
  void clientsThatAnswerPingsStayConnectedAndOthersAreClosed() throws Exception {
    relay.survives(
        () -> {
          try (ClientGroup<Client> idle = new ClientGroup<>();
              ClientGroup<RawSocket> vanished = new ClientGroup<>()) {
            for (int i = 0; i < 20; i++) {
              idle.add(new Client(relay.url())); // answers pings automatically
            }
            for (int i = 0; i < TestEffort.of(25, 200); i++) {
              RawSocket client = vanished.add(RawSocket.upgraded(relay.url()));
              client.sendText(REQUEST);
            }
            for (RawSocket client : vanished) {
              assertThat(client.read().text()).isEqualTo("[\"EOSE\",\"a\"]");
              assertThat(client.read().opcode()).isEqualTo(PING);
            }
            for (RawSocket client : vanished) {
              assertThat(client.isAtEnd()).isTrue();
            }
            for (Client client : idle) {
              client.send(REQUEST);
              assertThat(client.next()).isEqualTo("[\"EOSE\",\"a\"]");
            }
          }
        },
        AttackMetrics.closed("silent"));
  }
}
