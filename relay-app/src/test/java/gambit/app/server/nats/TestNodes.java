package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import gambit.app.FreePort;
import gambit.app.GambitProcess;
import gambit.app.LocalRelay;
import gambit.app.common.CommandFailure;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.KindSet;
import gambit.core.model.Tags;
import gambit.core.store.EventStore.Changes;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.ClassLog;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Relays that share the log of one NATS server: in this process, which takes a fraction of the
 * time, or in one of their own, where a test is about its end. The log has what both sorts print.
 */
final class TestNodes implements AutoCloseable {
  private static final String LARGE_NOTE = "x".repeat(60_000);
  private static final Signer ALICE = Keys.of("alice");
  private static final String STREAM = "gambit";
  private static final Duration LONG = Duration.ofMinutes(2);

  /** What a test has published and what was acknowledged. */
  private final List<Event> acknowledged = new ArrayList<>();

  private final Path temp;
  private final Map<String, LocalRelay> relays = new ConcurrentHashMap<>();
  private final Map<String, GambitProcess> processes = new ConcurrentHashMap<>();
  private final Map<String, Integer> ports = new ConcurrentHashMap<>(); // the same after a restart
  private NatsServers nats = NatsServers.start(1);
  private int notes;

  TestNodes(Path temp) {
    this.temp = temp;
  }

  NatsServers nats() {
    return nats;
  }

  Path data(String name) {
    return temp.resolve(name);
  }

  /** The arguments that make a relay a node, or a command one of its commands. */
  String[] settings() {
    return Stream.of(keys()).flatMap(it -> Stream.of("--set", it)).toArray(String[]::new);
  }

  private String[] keys() {
    return new String[] {
      "cluster.servers=[\"" + nats.urls().get(0) + "\"]", "relay.url=" + TestRelay.URL
    };
  }

  /** Starts a node, in an empty directory with the relay's key, or in the directory that it has. */
  void start(String name) throws IOException {
    int port = prepare(name);
    relays.put(name, new LocalRelay(data(name), port, keys()));
  }

  /** Starts a node in a process of its own. */
  GambitProcess startProcess(String name) throws IOException {
    GambitProcess node = GambitProcess.relayAt(prepare(name), data(name), settings());
    processes.put(name, node);
    return node;
  }

  /** Starts a node in the directory as it is, which must fail; returns the reason. */
  String refusal(String name) {
    Throwable failure = catchThrowable(() -> new LocalRelay(data(name), 0, keys()).close());
    assertThat(failure).as("%s has started", name).isNotNull();
    assertThat(failure.getCause()).isInstanceOf(CommandFailure.class);
    return failure.getCause().getMessage();
  }

  private int prepare(String name) throws IOException {
    Path key = temp.resolve("a").resolve("relay.key");
    Path own = data(name).resolve("relay.key");
    if (!Files.exists(own) && Files.exists(key)) {
      Files.createDirectories(data(name));
      Files.copy(key, own);
    }
    if (!ports.containsKey(name)) {
      ports.put(name, FreePort.any());
    }
    return ports.get(name);
  }

  /** Starts a node, which has to fetch a snapshot. */
  void join(String name) throws IOException {
    try (ClassLog log = ClassLog.withInfo(SnapshotJoin.class)) {
      start(name);
      assertThat(log.messages()).anyMatch(it -> it.startsWith("Fetched the snapshot of entry "));
    }
  }

  /** Starts a relay without a cluster. */
  void startAlone(String name) throws IOException {
    relays.put(name, new LocalRelay(data(name), prepare(name)));
  }

  URI url(String name) {
    return URI.create("ws://127.0.0.1:" + ports.get(name));
  }

  boolean isRunning(String name) {
    return relays.containsKey(name)
        || processes.containsKey(name) && processes.get(name).isRunning();
  }

  /** Ends a node in order. */
  void stop(String name) {
    LocalRelay relay = relays.remove(name);
    if (relay != null) {
      relay.close();
    } else {
      assertThat(processes.get(name).terminate().exitStatus()).isZero();
    }
  }

  void stopAll() {
    Stream.concat(relays.keySet().stream(), processes.keySet().stream())
        .filter(this::isRunning)
        .distinct()
        .toList()
        .forEach(this::stop);
  }

  /** Publishes notes at a node, each of which is acknowledged. */
  void publish(String name, int count) {
    try (Client author = new Client(url(name))) {
      for (int i = 0; i < count; i++) {
        acknowledged.add(author.publishAccepted(note()));
      }
    }
  }

  /** Publishes so many bytes that they are not all in the socket of a node that stands still. */
  void publishMoreThanANodeReadsAhead(String name) {
    try (Client author = new Client(url(name))) {
      for (int bytes = 0; bytes < 2 * 2 * LogReader.REQUEST_BYTES; bytes += LARGE_NOTE.length()) {
        acknowledged.add(author.publishAccepted(note(LARGE_NOTE)));
      }
    }
  }

  /** An event that was not published before. */
  Event note() {
    return note("");
  }

  private Event note(String text) {
    return ALICE.sign(Instant.now().getEpochSecond(), 1, Tags.NONE, "note " + notes++ + text);
  }

  /** Counts an event that a test has published itself. */
  void acknowledged(Event event) {
    acknowledged.add(event);
  }

  /** Asserts that a node serves everything that was acknowledged, at once or soon. */
  void assertHasEverything(String name) {
    try (Client reader = new Client(url(name))) {
      for (int from = 0; from < acknowledged.size(); from += 100) {
        List<String> ids =
            acknowledged.subList(from, Math.min(from + 100, acknowledged.size())).stream()
                .map(TestNodes::id)
                .toList();
        String filter = "{\"ids\":[\"" + String.join("\",\"", ids) + "\"]}";
        await(name)
            .atMost(LONG)
            .untilAsserted(
                () -> assertThat(reader.queryIds(filter)).containsExactlyInAnyOrderElementsOf(ids));
      }
    }
  }

  /** Asserts that the stores of nodes, which have ended, have the same events at each offset. */
  void assertSameEvents(String first, String... others) throws IOException {
    Map<Long, String> expected = copy(first).events();
    assertThat(expected.values()).containsAll(acknowledged.stream().map(TestNodes::id).toList());
    for (String other : others) {
      assertThat(copy(other).events()).as(other).isEqualTo(expected);
    }
  }

  private static String id(Event event) {
    return event.id().hex();
  }

  /**
   * The store of a node that has ended: its events by offset, and the number of its newest group.
   * Groups at the end may be missing that only concern who leads.
   */
  record Copy(Map<Long, String> events, long sequence) {}

  Copy copy(String name) throws IOException {
    try (DiskEventStore store =
        DiskEventStore.open(data(name).resolve("store"), InstantSource.system(), 0)) {
      Map<Long, String> events = new TreeMap<>();
      long before;
      long after = 0;
      do {
        before = after;
        Changes changes = store.changes(before, KindSet.ALL, 1000);
        for (StoredEvent each : changes.added()) {
          events.put(each.offset(), each.event().id().hex());
        }
        changes.removed().forEach(events::remove);
        after = changes.upTo();
      } while (after > before);
      return new Copy(events, store.logEnd().sequence());
    }
  }

  /** Adds a group to the store of a node that has ended, which the log does not have. */
  void changeCopy(String name) throws IOException {
    try (DiskEventStore store =
            DiskEventStore.open(data(name).resolve("store"), InstantSource.system(), 0);
        Transaction transaction = store.begin()) {
      transaction.append(note(), Transaction.NEVER);
      transaction.commit();
    }
  }

  private NatsConnection connect() throws Exception {
    return TestCluster.connect(TestCluster.settings(nats.urls(), STREAM));
  }

  /** Deletes the log, as {@code nats stream rm} does. */
  void deleteLog() throws Exception {
    try (NatsConnection connection = connect()) {
      connection.library().jetStreamManagement().deleteStream(STREAM);
    }
  }

  /** Appends an entry, as a node of another version does. */
  void append(byte[] entry) throws Exception {
    try (NatsConnection connection = connect()) {
      connection.library().jetStream().publish(STREAM + ".log", entry);
    }
  }

  /** As if {@code cluster.keep} had passed. */
  void trim() throws Exception {
    try (NatsConnection connection = connect()) {
      TestCluster.trim(connection, STREAM);
    }
  }

  /** Loses everything that NATS has, and begins with an empty server. */
  void loseNats() {
    nats.close();
    nats = NatsServers.start(1);
  }

  @Override
  public void close() {
    relays.values().forEach(LocalRelay::close);
    processes.values().forEach(GambitProcess::close);
    nats.close();
  }
}
