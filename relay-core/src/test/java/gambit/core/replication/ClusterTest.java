package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.ingest.StorageRules;
import gambit.core.model.Tags;
import gambit.core.replication.SharedLog.LogUnavailable;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The bound of the messages of other nodes that wait for the writer's thread. */
@ExtendWith(SilencedLog.class)
class ClusterTest {
  private static final long NODE = 7;
  private static final long OTHER = 8;
  private static final int LARGE = 8 << 20;

  /** More large messages than may wait. */
  private static final int MANY = 9;

  private static final byte[] HEARTBEAT =
      BusMessage.encode(OTHER, new BusMessage.Heartbeat("n", false, false, 0, 0, 0, 0, Map.of()));

  private final TestTime time = new TestTime();
  private final Deque<Runnable> tasks = new ArrayDeque<>(); // for the writer
  private final LeaderHalf parts = new LeaderHalf(NODE, time);
  private final Cluster cluster = cluster();
  private Bus.@Nullable Receiver receiver;

  private Cluster cluster() {
    MemoryEventStore store = new MemoryEventStore(1 << 20);
    return new Cluster(
        new ClusterMembership(
            new UnreachableLog(),
            new Incoming(),
            NODE,
            "node",
            new byte[16],
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            cause -> {}),
        store,
        new StorageRules(store, Set.of()),
        parts.live(),
        SimulatedRelay.RELAY,
        time,
        death -> {
          throw new AssertionError(death);
        });
  }

  private static final class UnreachableLog implements SharedLog {
    @Override
    public Range range() throws LogUnavailable {
      throw new LogUnavailable("a test");
    }

    @Override
    public void append(long last, byte[] entry) throws LogUnavailable {
      throw new LogUnavailable("a test");
    }

    @Override
    public List<byte[]> read(long from, Duration wait) throws LogUnavailable {
      throw new LogUnavailable("a test");
    }

    @Override
    public int maxEntryBytes() {
      return Integer.MAX_VALUE;
    }

    @Override
    public void close() {}
  }

  private final class Incoming implements Bus {
    @Override
    public void listen(long node, Receiver listener) {
      receiver = listener;
    }

    @Override
    public void send(long node, byte[] message) {}

    @Override
    public void sendToAll(byte[] message) {}

    @Override
    public int maxMessageBytes() {
      return Integer.MAX_VALUE;
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void start() {
    Thread.currentThread().interrupt(); // nothing is awaited
    cluster.start(parts.surroundings(tasks::add));
    assertThat(Thread.interrupted()).isTrue();
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void receive(byte[] message) {
    Objects.requireNonNull(receiver).receive(message);
  }

  private static byte[] large(long number) {
    return commit(number, LARGE);
  }

  private static byte[] commit(long number, int bytes) {
    Row row = new Row("t", new byte[1], new byte[bytes]);
    Commit commit = new Commit(List.of(), List.of(), List.of(row));
    return BusMessage.encode(
        OTHER,
        new BusMessage.LinkMessage(1, number, new LinkPayload.CommitRequest(number, commit)));
  }

  private void runTasks() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  @Test
  void messagesBeyondTheBoundAreLostExceptForSignsOfLife() {
    byte[] message = large(1);
    for (int i = 0; i < MANY; i++) {
      receive(message);
    }
    assertThat(tasks).hasSizeLessThan(MANY).isNotEmpty();
    int largest = 1 << 20;
    for (int bytes = largest; bytes > 0; bytes /= 2) { // what is left
      for (int i = 0; i < MANY; i++) {
        receive(commit(1, bytes));
      }
    }
    int waiting = tasks.size();
    receive(BusMessage.encode(OTHER, new BusMessage.FenceRequest(1)));
    assertThat(tasks).hasSize(waiting);
    receive(HEARTBEAT);
    assertThat(tasks).hasSize(waiting + 1);
    runTasks();
    receive(message);
    assertThat(tasks).as("once there is room").hasSize(1);
  }

  @Test
  void messagesThatDoNotWaitTakeNoRoom() {
    byte[] unreadable = large(1);
    unreadable[0] = 99; // the version
    byte[] ephemeral =
        BusMessage.encode(
            OTHER,
            new BusMessage.Ephemeral(
                Keys.of("alice").sign(1, 20_000, Tags.NONE, "x".repeat(LARGE))));
    for (int i = 0; i < MANY; i++) {
      receive(unreadable);
      receive(ephemeral);
      parts.run();
      receive(large(i)); // handled at once
      runTasks();
    }
    receive(large(MANY));
    assertThat(tasks).hasSize(1);
  }
}
