package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.limit.LimitValues;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.rate.RateLimits;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** The live objects of connections with one subscription each, after its EOSE. */
class IdleConnectionTest {
  private static final int CONNECTIONS = 200;

  /** Of the relay, Netty and their collections, without arrays, texts and addresses. */
  private static final int MAX_BYTES = 2_950;

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

  private static final Pattern LINE = Pattern.compile("\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+(\\S+).*");

  private interface Opening {
    RawSocket open(URI url) throws Exception;
  }

  @Test
  void idleConnectionHoldsFewObjects() throws Exception {
    assertThat(bytesOfAConnection(TransportSettings.DEFAULT, RawSocket::upgraded))
        .isBetween(1_000L, (long) MAX_BYTES);
  }

  @Test
  void connectionWithCompressionHoldsNoMore() throws Exception {
    TransportSettings compressing = new TransportSettings(true, TrustedProxies.NONE);
    assertThat(bytesOfAConnection(compressing, RawSocket::compressing))
        .isBetween(1_000L, (long) MAX_BYTES);
  }

  private static long bytesOfAConnection(TransportSettings transport, Opening opening)
      throws Exception {
    List<RawSocket> clients = new ArrayList<>();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, RateLimits.NONE, transport)) {
      try {
        open(10, opening, relay, clients); // loads classes
        long before = liveBytes();
        open(CONNECTIONS, opening, relay, clients);
        return (liveBytes() - before) / CONNECTIONS;
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

  /** The bytes of the live objects of these classes, by the machine's own histogram. */
  private static long liveBytes() throws JMException {
    String histogram =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    return histogram
        .lines()
        .map(LINE::matcher)
        .filter(line -> line.matches() && isCounted(line.group(2)))
        .mapToLong(line -> Long.parseLong(line.group(1)))
        .sum();
  }

  private static boolean isCounted(String type) {
    return COLLECTIONS.contains(type)
        || type.startsWith("gambit.core.")
        || type.startsWith("io.netty.");
  }
}
