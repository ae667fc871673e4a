package gambit.core.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.live.LiveLane;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestMetrics;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the writer does with commits that are too large for an entry, and with mere tasks. */
class WriterBoundsTest {
  private final MemoryEventStore store = new MemoryEventStore(1 << 20);
  private final TestMetrics metrics = new TestMetrics();
  private final List<String> outcomes = new ArrayList<>();

  private void store(Writer writer, String key, int bytes) {
    Row row = new Row("test", key.getBytes(StandardCharsets.US_ASCII), new byte[bytes]);
    writer.store(
        new Commit(List.of(), List.of(), List.of(row)),
        () -> false,
        outcome -> List.of(),
        outcome -> outcomes.add(key + " " + outcome));
  }

  private Writer writer(LiveLane live) {
    return new Writer(
        store,
        new StorageRules(store, Set.of()),
        live,
        Replication.NONE,
        new Writer.Bounds(10, 1_000_000, 1_000, 100, 10),
        InstantSource.system(),
        metrics,
        null);
  }

  private LiveLane live() {
    return LiveLane.withoutThread(Keys.of("relay").pubkey(), 0, metrics);
  }

  @Test
  void tasksWithoutOutputDoNotWakeTheLiveLaneAndAreNotUnderWayAfterwards() {
    LiveLane live = live();
    try (Writer writer = writer(live)) {
      store(writer, "before", 10);
      writer.writeNext();
      while (live.runNext()) {
        // what the commit has left
      }
      for (int i = 0; i < 200; i++) {
        writer.execute(() -> outcomes.add("task"));
        writer.writeNext();
      }
      assertThat(live.runNext()).isFalse();
      assertThat(outcomes).hasSize(201);
      Event event = Keys.of("alice").sign(1_000, 1, Tags.NONE, "");
      writer.store(
          Commit.of(List.of(event)),
          () -> false,
          it -> List.of(),
          it -> outcomes.add("event " + it));
      writer.writeNext();
      assertThat(outcomes).endsWith("event " + WriteOutcome.STORED);
      assertThat(live.runNext()).as("subscriptions may wait for its offset").isTrue();
    }
  }

  @Test
  void aCommitThatNoEntryHasRoomForIsRefusedAndOthersOfItsBatchAreNot() {
    try (Writer writer = writer(live())) {
      store(writer, "small", 10);
      store(writer, "large", 1_001);
      store(writer, "another", 900);
      writer.writeNext();
    }
    assertThat(outcomes)
        .containsExactly(
            "small " + WriteOutcome.STORED,
            "large " + WriteOutcome.FULL,
            "another " + WriteOutcome.STORED);
  }
}
