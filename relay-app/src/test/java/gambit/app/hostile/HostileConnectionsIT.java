package gambit.app.hostile;

import static gambit.app.hostile.FrameBatch.CLOSE;
import static gambit.app.hostile.FrameBatch.FINAL;
import static gambit.app.hostile.FrameBatch.PING;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that connect and disconnect repeatedly, and many clients at once. */
@ThoroughOnly
class HostileConnectionsIT {
  private static final Signer MALLORY = Keys.of("mallory");
  private static final String REQUEST = "[\"REQ\",\"a\",{\"kinds\":[5000],\"limit\":0}]";

  @TempDir static Path data;
  private static AttackedRelay relay;

  @BeforeAll
  static void start() throws Exception {
    relay = AttackedRelay.start(data);
  }

  @AfterAll
  static void end() throws IOException {
    relay.close();
  }

  @Test
  void thousandsOfConnectionsOpenSubscribeAndCloseInEveryWay() throws Exception {
    int atOnce = 4;
    int each = TestEffort.of(500, 10_000) / 2 / atOnce;
    relay.survives(
        () ->
            together(
                atOnce,
                () -> {
                  for (int i = 0; i < each; i++) {
                    RawSocket client = RawSocket.upgraded(relay.url());
                    client.sendText(REQUEST);
                    assertThat(client.read().text()).isEqualTo("[\"EOSE\",\"a\"]");
                    switch (i % 4) {
                      case 0 -> client.reset();
                      case 1 -> client.close();
                      case 2 -> assertClosedByTheRelay(client);
                      default -> assertClosedAfterHalfClose(client);
                    }
                  }
                  return null;
                }),
        AttackMetrics.opened(),
        AttackMetrics.closed("client"),
        AttackMetrics.closed("vanished"));
  }

  private static void assertClosedByTheRelay(RawSocket client) throws IOException {
    try (client) {
      client.sendFrame(FINAL | CLOSE, new byte[] {0x03, (byte) 0xe8});
      assertThat(client.read().closeCode()).isEqualTo(1000);
      assertThat(client.isAtEnd()).isTrue();
    }
  }

  /** A client that closes its sending side is disconnected. */
  private static void assertClosedAfterHalfClose(RawSocket client) throws IOException {
    try (client) {
      client.endOutput();
      assertThat(client.isAtEnd()).isTrue();
    }
  }

  @Test
  void twoThousandConcurrentConnectionsAreServed() throws Exception {
    int count = (int) Math.min(2_000, filesLeft() - 200);
    System.out.println(count + " connections at once");
    relay.survives(
        () -> {
          try (ClientGroup<RawSocket> clients = new ClientGroup<>();
              Client publisher = new Client(relay.url())) {
            for (int i = 0; i < count; i++) {
              RawSocket client = clients.add(RawSocket.upgraded(relay.url()));
              client.sendText(REQUEST);
            }
            for (RawSocket client : clients) {
              assertThat(client.nextText()).isEqualTo("[\"EOSE\",\"a\"]");
            }
            assertThat(relay.metric("gambit_connections")).isGreaterThan(count);
            Event event =
                publisher.publishAccepted(
                    MALLORY.sign(Instant.now().getEpochSecond(), 5000, Tags.NONE, ""));
            for (RawSocket client : clients) {
              assertThat(client.nextText()).isEqualTo("[\"EVENT\",\"a\"," + event + "]");
            }
          }
        });
  }

  private static long filesLeft() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount()
        : 1_000;
  }

  @Test
  void endlessPingsAreAnswered() throws Exception {
    int pings = TestEffort.of(4_000, 100_000);
    FrameBatch burst = new FrameBatch();
    for (int i = 0; i < pings; i++) {
      burst.frame(FINAL | PING, new byte[] {1, 2, 3});
    }
    byte[] bytes = burst.text(REQUEST).bytes();
    relay.survives(
        () ->
            together(
                2,
                () -> {
                  try (FloodingConnection flood = new FloodingConnection(relay.url(), bytes)) {
                    assertThat(flood.answersUpTo("a")).containsOnlyKeys("pong");
                  }
                  return null;
                }));
  }

  private static void together(int count, Callable<?> task) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        running.add(threads.submit(task));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
