package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.limit.LimitValues;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.rate.RateLimits;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The objects that idle connections with one subscription keep alive, as the JVM counts them after
 * a garbage collection.
 */
@Isolated("it counts all objects of the process")
class ConnectionMemoryTest {
  private static final int CONNECTIONS = 100;

  /** Of the relay's own classes and of Netty's, of which the clients have none. */
  private static final int MAX_BYTES = 2_450;

  /** With their collections, and those of the clients; without arrays, texts and addresses. */
  private static final int MAX_BYTES_WITH_COLLECTIONS = 2_950;

  private static final String TIMER = "io.netty.util.concurrent.ScheduledFutureTask";

  private static final Set<String> COLLECTIONS =
      Set.of(
          "java.util.HashMap",
          "java.util.HashMap$Node",
          "[Ljava.util.HashMap$Node;",
          "java.util.LinkedHashMap",
          "java.util.LinkedHashMap$Entry",
          "java.util.ArrayDeque",
          "java.util.concurrent.ConcurrentHashMap$Node",
          "java.util.concurrent.ConcurrentLinkedQueue",
          "java.util.concurrent.ConcurrentLinkedQueue$Node",
          "java.util.concurrent.atomic.AtomicLong",
          "java.util.concurrent.atomic.AtomicInteger",
          "java.util.concurrent.atomic.AtomicBoolean");

  private interface Opening {
    RawSocket open(URI url) throws Exception;
  }

  /** The number and size of the objects of a class. */
  private record Objects(long count, long bytes) {
    static final Objects NONE = new Objects(0, 0);
  }

  @Test
  void idleConnectionWithASubscriptionKeepsFewObjects() throws Exception {
    try (TestRelay relay = new TestRelay()) {
      List<RawSocket> clients = new ArrayList<>();
      try {
        clients.add(connect(relay)); // the first one loads classes
        Map<String, Objects> before = histogram(ConnectionMemoryTest::isOfTheRelay);
        for (int i = 0; i < CONNECTIONS; i++) {
          clients.add(connect(relay));
        }
        await() // since each has a timer until it is greeted
            .untilAsserted(
                () ->
                    assertThat(histogram(TIMER::equals).getOrDefault(TIMER, Objects.NONE).count())
                        .as("timers and tasks of single connections")
                        .isLessThan(CONNECTIONS));
        Map<String, Objects> more = new HashMap<>();
        histogram(ConnectionMemoryTest::isOfTheRelay)
            .forEach(
                (name, after) -> {
                  Objects earlier = before.getOrDefault(name, Objects.NONE);
                  long count = after.count() - earlier.count();
                  if (count >= CONNECTIONS) {
                    more.put(name, new Objects(count, after.bytes() - earlier.bytes()));
                  }
                });
        assertThat(more).containsKey("gambit.core.session.Subscription");
        assertThat(more.values().stream().mapToLong(Objects::bytes).sum() / CONNECTIONS)
            .as("bytes of each connection, of " + more)
            .isLessThanOrEqualTo(MAX_BYTES);
      } finally {
        for (RawSocket client : clients) {
          client.close();
        }
      }
    }
  }

  private static RawSocket connect(TestRelay relay) throws Exception {
    RawSocket client = RawSocket.upgraded(relay.uri());
    client.sendText("[\"REQ\",\"sub\",{\"kinds\":[1],\"limit\":0}]");
    assertThat(client.nextText()).startsWith("[\"EOSE\"");
    return client;
  }

  @Test
  void idleConnectionHoldsFewObjects() throws Exception {
    assertThat(bytesOfAConnection(TransportSettings.DEFAULT, RawSocket::upgraded))
        .isBetween(1_000L, (long) MAX_BYTES_WITH_COLLECTIONS);
  }

  @Test
  void connectionWithCompressionHoldsNoMore() throws Exception {
    TransportSettings compressing = new TransportSettings(true, TrustedProxies.NONE);
    assertThat(bytesOfAConnection(compressing, RawSocket::compressing))
        .isBetween(1_000L, (long) MAX_BYTES_WITH_COLLECTIONS);
  }

  private static long bytesOfAConnection(TransportSettings transport, Opening opening)
      throws Exception {
    List<RawSocket> clients = new ArrayList<>();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, RateLimits.NONE, transport)) {
      try {
        open(10, opening, relay, clients); // loads classes
        long before = liveBytes();
        open(2 * CONNECTIONS, opening, relay, clients);
        return (liveBytes() - before) / (2 * CONNECTIONS);
      } finally {
        for (RawSocket client : clients) {
          client.close();
        }
      }
    }
  }

  private static void open(int number, Opening opening, TestRelay relay, List<RawSocket> clients)
      throws Exception {
    for (int i = 0; i < number; i++) {
      RawSocket client = opening.open(relay.uri());
      clients.add(client);
      String filter = String.format("{\"authors\":[\"%064x\"],\"limit\":5}", clients.size());
      client.sendFrame(
          RawSocket.FINAL | RawSocket.TEXT,
          ("[\"REQ\",\"feed\"," + filter + "]").getBytes(StandardCharsets.UTF_8));
      assertThat(client.read().text()).contains("EOSE");
    }
  }

  private static long liveBytes() throws JMException {
    return histogram(ConnectionMemoryTest::isOfTheRelayOrACollection).values().stream()
        .mapToLong(Objects::bytes)
        .sum();
  }

  private static boolean isOfTheRelayOrACollection(String type) {
    return COLLECTIONS.contains(type)
        || type.startsWith("gambit.core.")
        || type.startsWith("io.netty.");
  }

  private static boolean isOfTheRelay(String type) {
    return (type.startsWith("gambit.") || type.startsWith("io.netty."))
        && !type.contains("Test")
        && !type.contains(".testkit.");
  }

  /** The live objects of some classes, by class. */
  private static Map<String, Objects> histogram(Predicate<String> isCounted) throws JMException {
    String text =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    Map<String, Objects> objects = new HashMap<>();
    for (String line : text.split("\n")) {
      String[] columns = line.strip().split("\\s+"); // rank, number, bytes, class
      if (columns.length > 3 && isCounted.test(columns[3])) {
        objects.put(
            columns[3], new Objects(Long.parseLong(columns[1]), Long.parseLong(columns[2])));
      }
    }
    return objects;
  }
}
