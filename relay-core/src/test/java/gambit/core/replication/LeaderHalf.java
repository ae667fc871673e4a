package gambit.core.replication;

import gambit.core.crypto.EventVerifier;
import gambit.core.feature.Commit;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Publisher;
import gambit.core.feature.Submission;
import gambit.core.feature.SubscriptionListener;
import gambit.core.feature.WriteOutcome;
import gambit.core.ingest.EventChecks;
import gambit.core.ingest.Forwarding;
import gambit.core.ingest.Ingest;
import gambit.core.ingest.Replication;
import gambit.core.ingest.StorageRules;
import gambit.core.ingest.Writer;
import gambit.core.live.LiveLane;
import gambit.core.metrics.Metrics;
import gambit.core.rate.RateLimiter;
import gambit.core.rate.RateLimits;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a leader knows of other nodes, over a real writer and live lane without their threads, with
 * a clock that is moved by hand. A feature claims every event.
 */
final class LeaderHalf {
  /** The most bytes that a feature's commit may add. */
  static final int COMMIT_BYTES = 10_000;

  private final List<Submission> claimed = new ArrayList<>();
  private final List<Sent> sent = new ArrayList<>();
  private final List<ConnectionListener> listeners = new ArrayList<>();
  private final EntryApplier.RowListeners rows = new EntryApplier.RowListeners();
  private final Consumer<Runnable> arrivals;
  private final LiveLane live;
  private final Writer writer;
  private final TestTime time;
  private final Ingest ingest;
  private final LeaderCommits commits;
  private final RemoteNodes nodes;

  /** A message to another node. */
  record Sent(long node, BusMessage message) {}

  LeaderHalf(long number, TestTime time) {
    this(number, time, Runnable::run);
  }

  /**
   * With another wait for the messages of this node.
   *
   * @param arrivals runs its argument when they are handled
   */
  LeaderHalf(long number, TestTime time, Consumer<Runnable> arrivals) {
    this.arrivals = arrivals;
    this.time = time;
    MemoryEventStore store = new MemoryEventStore(1 << 20);
    StorageRules rules = new StorageRules(store, Set.of());
    live = LiveLane.withoutThread(SimulatedRelay.RELAY.pubkey(), 0, Metrics.NONE);
    writer =
        new Writer(
            store,
            rules,
            live,
            Replication.NONE,
            new Writer.Bounds(1, Writer.BATCH_BYTES, COMMIT_BYTES, 100, 10),
            time,
            Metrics.NONE,
            null);
    ingest =
        new Ingest(
            store,
            rules,
            new EventChecks(
                new EventVerifier(),
                List.of(),
                List.of(),
                event -> false,
                new RateLimiter(RateLimits.NONE, () -> 0),
                author -> false,
                Optional.empty()),
            (event, reader) -> true,
            List.of(event -> Optional.of(claimed::add)),
            writer,
            live,
            Forwarding.NONE,
            Metrics.NONE);
    ClusterMembership parts =
        new ClusterMembership(
            new LeaderCommitsTest.Entries(),
            new Requests(),
            number,
            "leader",
            new byte[16],
            RemoteNodes.TIMEOUT,
            RemoteNodes.TIMEOUT,
            cause -> {});
    Clocks clocks = new Clocks(time, time);
    NodeState state = new NodeState(1, 0, clocks, RemoteNodes.TIMEOUT);
    commits = new LeaderCommits(parts, store, state, time, () -> {}, cause -> {});
    nodes = new RemoteNodes(parts, surroundings(Runnable::run), live, rows, commits);
  }

  /** The writer without lasting checks. */
  private final class WritingPublisher implements Publisher {
    @Override
    public boolean store(
        Commit commit,
        Function<WriteOutcome, List<Outgoing>> outcome,
        Consumer<WriteOutcome> settled) {
      return writer.store(commit, () -> false, outcome, settled);
    }

    @Override
    public void send(List<Outgoing> outgoing) {
      writer.send(outgoing);
    }
  }

  private final class Requests implements Bus {
    @Override
    public void listen(long node, Receiver receiver) {}

    @Override
    public void send(long node, byte[] message) {
      sent.add(new Sent(node, BusMessage.decode(message).message()));
    }

    @Override
    public void sendToAll(byte[] message) {}

    @Override
    public int maxMessageBytes() {
      return Integer.MAX_VALUE;
    }

    @Override
    public void close() {}
  }

  /** The same parts for a whole node, whose tasks for the writer another executor runs. */
  HostRelay surroundings(Executor tasks) {
    return new HostRelay(
        tasks, ingest, new WritingPublisher(), listeners, arrivals, () -> {}, time);
  }

  LiveLane live() {
    return live;
  }

  void listen(ConnectionListener listener) {
    listeners.add(listener);
  }

  void listen(SubscriptionListener listener) {
    live.listen(listener);
  }

  RemoteNodes nodes() {
    return nodes;
  }

  RemoteReports reports() {
    return commits.reports();
  }

  EntryApplier.RowListeners rows() {
    return rows;
  }

  /** The events of other nodes' clients. */
  List<Submission> claimed() {
    return claimed;
  }

  /** Returns what was sent to other nodes since the last call. */
  List<Sent> takeSent() {
    List<Sent> taken = List.copyOf(sent);
    sent.clear();
    return taken;
  }

  /** Lets the writer and the live lane do their work. */
  void run() {
    while (writer.writeNext() || live.runNext()) {
      // the next
    }
  }
}
