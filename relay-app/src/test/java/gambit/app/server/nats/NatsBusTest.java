package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.core.replication.Bus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The bus on one real server. */
class NatsBusTest {
  @RegisterExtension private static final OneNatsServer NATS = new OneNatsServer();

  private final List<AutoCloseable> opened = new ArrayList<>();

  /** A node that keeps what it receives. */
  private final class Node {
    private final NatsConnection connection;
    private final NatsBus bus;
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final BlockingQueue<Long> absent = new LinkedBlockingQueue<>();

    private Node(String cluster, long number) throws Exception {
      ClusterSettings settings = TestCluster.settings(NATS.servers().urls(), cluster);
      connection = TestCluster.connect(settings);
      opened.add(connection);
      bus = new NatsBus(connection, settings);
      opened.add(bus);
      bus.listen(
          number,
          new Bus.Receiver() {
            @Override
            public void receive(byte[] message) {
              received.add(new String(message, StandardCharsets.ISO_8859_1));
            }

            @Override
            public void absent(long node) {
              absent.add(node);
            }
          });
      connection.library().flush(TestCluster.LONG); // the server knows that it listens
    }

    private String next() throws InterruptedException {
      return received.poll(TestCluster.LONG.toSeconds(), TimeUnit.SECONDS);
    }
  }

  @AfterEach
  void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void aMessageReachesItsNodeOnly() throws Exception {
    Node first = new Node("one", 1);
    Node second = new Node("one", 2);
    Node third = new Node("one", -1);
    first.bus.send(2, bytes("to 2"));
    first.bus.send(-1, bytes("to -1"));
    assertThat(second.next()).isEqualTo("to 2");
    assertThat(third.next()).isEqualTo("to -1");
    first.bus.sendToAll(bytes("end"));
    assertThat(second.next()).isEqualTo("end");
    assertThat(third.next()).isEqualTo("end");
    assertThat(first.received).isEmpty();
  }

  @Test
  void aMessageToAllReachesEveryNodeButItsSender() throws Exception {
    Node first = new Node("all", 1);
    Node second = new Node("all", 2);
    Node elsewhere = new Node("other", 3);
    first.bus.sendToAll(bytes("from 1"));
    assertThat(second.next()).isEqualTo("from 1");
    second.bus.sendToAll(bytes("from 2"));
    assertThat(first.next()).as("its own message has not come before").isEqualTo("from 2");
    assertThat(second.received).isEmpty();
    assertThat(elsewhere.received).isEmpty();
  }

  @Test
  void onlyANodeWithoutConnectionIsAbsentWhenItIsSought() throws Exception {
    Node first = new Node("sought", 1);
    Node second = new Node("sought", -2);
    first.bus.seek(-2);
    first.bus.seek(3);
    assertThat(first.absent.poll(TestCluster.LONG.toSeconds(), TimeUnit.SECONDS)).isEqualTo(3);
    second.connection.close();
    await()
        .until(
            () -> {
              first.bus.seek(-2);
              return first.absent.contains(-2L);
            });
    assertThat(second.received).as("what it notices").isEmpty();
    assertThat(second.absent).isEmpty();
  }

  @Test
  void messagesOfOneSenderArriveInOrder() throws Exception {
    Node first = new Node("order", 1);
    Node second = new Node("order", 2);
    for (int i = 0; i < 20_000; i++) {
      if (i % 3 == 0) {
        first.bus.sendToAll(bytes("all " + i));
      } else {
        first.bus.send(2, bytes("node " + i));
      }
    }
    List<String> all = new ArrayList<>();
    List<String> toNode = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      String message = second.next();
      (message.startsWith("all") ? all : toNode).add(message);
    }
    assertThat(all)
        .isEqualTo(
            IntStream.range(0, 20_000).filter(i -> i % 3 == 0).mapToObj(i -> "all " + i).toList());
    assertThat(toNode)
        .isEqualTo(
            IntStream.range(0, 20_000).filter(i -> i % 3 != 0).mapToObj(i -> "node " + i).toList());
  }

  @Test
  void theLargestMessageArrivesAndALargerOneIsRefused() throws Exception {
    Node first = new Node("large", 1);
    Node second = new Node("large", 2);
    byte[] largest = new byte[first.bus.maxMessageBytes()];
    assertThat(largest.length).isGreaterThanOrEqualTo(1_000_000);
    largest[largest.length - 1] = 'x';
    first.bus.send(2, largest);
    assertThat(second.next()).isEqualTo(new String(largest, StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> first.bus.send(2, new byte[largest.length + 1]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void sendingNeverWaitsAndWhatDoesNotFitIsLost() throws Exception {
    Node first = new Node("flood", 1);
    NATS.server().suspend();
    int sent = 4 * NatsBus.MAX_QUEUED_BYTES / first.bus.maxMessageBytes();
    try {
      for (int i = 0; i < sent; i++) {
        first.bus.send(2, new byte[first.bus.maxMessageBytes()]);
      }
      assertThat(first.bus.lost()).isGreaterThan(0);
    } finally {
      NATS.server().resume();
    }
    await().until(first.connection::isConnected);
    Node second = new Node("flood", 2);
    await()
        .until(
            () -> {
              first.bus.send(2, bytes("again"));
              return second.received.contains("again");
            });
  }

  @Test
  void aNodeHearsTheOthersAgainAfterTheServerWasKilled() throws Exception {
    Node first = new Node("killed", 1);
    Node second = new Node("killed", 2);
    NATS.server().kill();
    await().until(() -> !first.connection.isConnected() && !second.connection.isConnected());
    first.bus.send(2, bytes("lost"));
    await().until(() -> first.bus.lost() == 1);
    NATS.server().start();
    await()
        .until(
            () -> {
              first.bus.send(2, bytes("again"));
              return second.received.contains("again");
            });
    assertThat(second.received).containsOnly("again");
  }

  @Test
  void aReceiverThatFailsEndsTheNode() throws Exception {
    List<Throwable> failures = new ArrayList<>();
    CountDownLatch failed = new CountDownLatch(1);
    ClusterSettings settings = TestCluster.settings(NATS.servers().urls(), "failing");
    try (NatsConnection connection =
            new NatsConnection(
                settings,
                failure -> {
                  failures.add(failure);
                  failed.countDown();
                });
        Bus bus = new NatsBus(connection, settings)) {
      bus.listen(1, message -> ByteBuffer.wrap(message).getLong());
      connection.library().flush(TestCluster.LONG);
      new Node("failing", 2).bus.send(1, new byte[1]);
      assertThat(failed.await(TestCluster.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(failures).hasOnlyElementsOfType(java.nio.BufferUnderflowException.class);
    }
  }

  @Test
  void aNodeThatDoesNotListenCannotSendToAll() throws Exception {
    ClusterSettings settings = TestCluster.settings(NATS.servers().urls(), "silent");
    try (NatsConnection connection = TestCluster.connect(settings);
        Bus bus = new NatsBus(connection, settings)) {
      assertThatThrownBy(() -> bus.sendToAll(new byte[1]))
          .isInstanceOf(IllegalStateException.class);
    }
  }
}
