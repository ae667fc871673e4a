package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The objects that idle connections with one subscription keep alive, as the JVM counts them after
 * a garbage collection: those of the relay's own classes and of Netty's. The clients have none.
 */
@Isolated("it counts all objects of the process")
class ConnectionMemoryTest {
  private static final int CONNECTIONS = 100;

  /** Without objects of Java's own classes, which the clients have, too. */
  private static final int MAX_BYTES = 2_500;

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
        Map<String, Objects> before = histogram();
        for (int i = 0; i < CONNECTIONS; i++) {
          clients.add(connect(relay));
        }
        Map<String, Objects> more = new HashMap<>();
        histogram()
            .forEach(
                (name, after) -> {
                  Objects earlier = before.getOrDefault(name, Objects.NONE);
                  long count = after.count() - earlier.count();
                  if (count >= CONNECTIONS) {
                    more.put(name, new Objects(count, after.bytes() - earlier.bytes()));
                  }
                });
        assertThat(more).containsKey("gambit.core.session.Subscription");
        assertThat(more)
            .as("timers and tasks of single connections")
            .doesNotContainKey("io.netty.util.concurrent.ScheduledFutureTask");
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

  /** The live objects of the relay's classes and of Netty's, by class. */
  private static Map<String, Objects> histogram() throws JMException {
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
      boolean isOurs =
          columns.length > 3
              && (columns[3].startsWith("gambit.") || columns[3].startsWith("io.netty."))
              && !columns[3].contains("Test")
              && !columns[3].contains(".testkit.");
      if (isOurs) {
        objects.put(
            columns[3], new Objects(Long.parseLong(columns[1]), Long.parseLong(columns[2])));
      }
    }
    return objects;
  }
}
