package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.LazilySignedEvent;
import gambit.core.crypto.Signer;
import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.WriteOutcome;
import gambit.core.ingest.StorageRules;
import gambit.core.ingest.Writer;
import gambit.core.live.LiveLane;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a leader's writer puts into which entry of a log with small entries. */
class LeaderCommitsTest {
  private static final int MAX_ENTRY_BYTES = 40_000;
  private static final Signer RELAY = Keys.of("relay");
  private static final Signer ALICE = Keys.of("alice");

  private final MemoryEventStore store = new MemoryEventStore(1 << 20);
  private final Entries log = new Entries();
  private final InstantSource time = InstantSource.fixed(Instant.ofEpochSecond(1_800_000_000));
  private final LeaderCommits commits =
      new LeaderCommits(
          new ClusterMembership(
              log,
              new NoBus(),
              1,
              "node",
              new byte[16],
              Duration.ofSeconds(1),
              Duration.ofSeconds(3),
              cause -> {}),
          store,
          leading(),
          time,
          () -> {},
          cause -> {});
  private final Writer writer =
      new Writer(
          store,
          new StorageRules(store, Set.of(9)),
          LiveLane.withoutThread(RELAY.pubkey(), 0, Metrics.NONE),
          commits,
          new Writer.Bounds(512, MAX_ENTRY_BYTES / 3, MAX_ENTRY_BYTES / 2, 1_000, 10),
          time,
          Metrics.NONE,
          null);
  private final List<WriteOutcome> outcomes = new ArrayList<>();

  private NodeState leading() {
    NodeState state = new NodeState(1, 0, new Clocks(time, time), Duration.ofSeconds(3));
    state.lead();
    return state;
  }

  /** The log of one node. */
  static final class Entries implements SharedLog {
    private final List<Entry> entries = new ArrayList<>();

    @Override
    public Range range() {
      return new Range(1, entries.size());
    }

    @Override
    public void append(long last, byte[] entry) {
      assertThat(entry.length).isLessThanOrEqualTo(MAX_ENTRY_BYTES);
      entries.add(Entry.decode(entry));
    }

    @Override
    public List<byte[]> read(long from, Duration wait) {
      return List.of();
    }

    @Override
    public int maxEntryBytes() {
      return MAX_ENTRY_BYTES;
    }

    @Override
    public void close() {}
  }

  /** A bus without other nodes. */
  private static final class NoBus implements Bus {
    @Override
    public void listen(long node, Receiver receiver) {}

    @Override
    public void send(long node, byte[] message) {}

    @Override
    public void sendToAll(byte[] message) {}

    @Override
    public int maxMessageBytes() {
      return MAX_ENTRY_BYTES;
    }

    @Override
    public void close() {}
  }

  private void store(Event event) {
    Outgoing broadcast = new Outgoing.Broadcast(event, List.of());
    writer.store(
        Commit.of(List.of(event)), () -> false, outcome -> List.of(broadcast), outcomes::add);
  }

  private static Event note(String content) {
    return ALICE.sign(1_700_000_000, 1, Tags.NONE, content);
  }

  @Test
  void statesForANodeThatJoinsDoNotSeparateAnEventFromItsDelivery() {
    String large = "x".repeat(600);
    for (int i = 0; i < 200; i++) {
      LazilySignedEvent state = RELAY.signLazily(1_700_000_000, 20_302, Tags.NONE, i + large);
      commits.followStates(
          List.of(new Outgoing.Current("game " + i, 20_302, Set.of(), () -> state, false)));
    }
    commits.sendStatesTo(7);
    store(note("hello"));
    writer.writeNext();
    assertThat(log.entries).hasSizeGreaterThan(2);
    for (Entry entry : log.entries) {
      assertThat(entry.effects()).isNotEmpty();
    }
    assertThat(log.entries).filteredOn(entry -> entry.group().count() > 0).hasSize(1);
    Entry last = log.entries.get(log.entries.size() - 1);
    assertThat(last.group().count()).isOne();
    assertThat(last.effects()).hasSizeLessThan(100);
  }

  @Test
  void deletionsWhoseRecordsAreLargerThanTheirEventsAreSpreadOverEntries() {
    for (int i = 0; i < 4; i++) {
      int first = 200 * i;
      List<List<String>> tags =
          IntStream.range(first, first + 150)
              .mapToObj(old -> List.of("e", note("old " + old).id().hex()))
              .toList();
      store(ALICE.sign(1_700_000_000 + i, Kind.DELETION, new Tags(tags), ""));
    }
    while (writer.writeNext()) {
      // the next batch
    }
    assertThat(outcomes).hasSize(4).containsOnly(WriteOutcome.STORED);
    assertThat(log.entries).hasSize(4);
  }
}
