package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What the relay's threads allocate for a connection that is opened, with its first REQ. */
@Isolated("it counts what all event loops allocate")
class OpeningCostTest {
  private static final int CONNECTIONS = 200;

  private static final int MAX_BYTES = 14_500;

  @Test
  void openedConnectionWithItsFirstReqAllocatesFewBytes() throws Exception {
    try (TestRelay relay = new TestRelay()) {
      List<RawSocket> clients = new ArrayList<>();
      try {
        open(relay, clients);
        long before = allocated();
        open(relay, clients);
        assertThat((allocated() - before) / CONNECTIONS)
            .as("bytes of each connection")
            .isLessThanOrEqualTo(MAX_BYTES);
      } finally {
        for (RawSocket client : clients) {
          client.close();
        }
      }
    }
  }

  private static void open(TestRelay relay, List<RawSocket> clients) throws Exception {
    for (int i = 0; i < CONNECTIONS; i++) {
      RawSocket client = RawSocket.upgraded(relay.uri());
      clients.add(client);
      client.sendText("[\"REQ\",\"sub\",{\"kinds\":[1],\"limit\":1}]");
      assertThat(client.nextText()).startsWith("[\"EOSE\"");
    }
  }

  /** The bytes that all threads but that of the test have allocated. */
  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] ids =
        LongStream.of(threads.getAllThreadIds())
            .filter(id -> id != Thread.currentThread().getId())
            .toArray();
    return LongStream.of(threads.getThreadAllocatedBytes(ids)).filter(it -> it > 0).sum();
  }
}
