package gambit.core.store.disk.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Tags;
import gambit.core.store.RowDamaged;
import gambit.core.store.StoreDamaged;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.store.disk.LogFile;
import gambit.core.store.disk.LogFile.RecordLocation;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.store.disk.Workload;
import gambit.core.store.disk.Workload.Content;
import gambit.core.testkit.ErrorLog;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Damaged records are not served, and intact ones are. */
class DamagedRecordsTest {
  /**
   * Positions of a byte of each part of an event's record: kind, length, expiration, id, pubkey,
   * signature, time, kind, length of the tags; and, from the end, content and checksum.
   */
  private static final List<Integer> DAMAGED_POSITIONS =
      List.of(0, 1, 3, 11, 12, 44, 76, 139, 147, 149, 153, -6, -1);

  private final StoreDirectory directory = new StoreDirectory();

  DamagedRecordsTest() throws IOException {}

  @AfterEach
  void delete() throws IOException {
    directory.delete();
  }

  private Content fill() throws IOException {
    Workload workload = new Workload();
    try (DiskEventStore store = directory.open()) {
      workload.run(store);
    }
    return workload.committed();
  }

  /** The record of a stored event in a sealed segment. */
  private RecordLocation served(Content content, boolean rewritten) throws IOException {
    List<LogFile> files = LogFile.all(directory);
    return files.subList(0, files.size() - 1).stream()
        .filter(file -> file.isRewritten() == rewritten)
        .flatMap(file -> file.events().stream())
        .filter(it -> content.events().containsKey(it.event().id()))
        .findFirst()
        .orElseThrow();
  }

  private static Content without(Content content, EventId id) {
    Map<EventId, Event> events = new HashMap<>(content.events());
    assertThat(events.remove(id)).isNotNull();
    return new Content(events, content.rows());
  }

  @Test
  void eventWithAChangedByteIsNotServedAndTheOthersAre() throws IOException {
    Content content = fill();
    for (boolean rewritten : List.of(false, true)) {
      RecordLocation place = served(content, rewritten);
      EventId id = place.event().id();
      for (int distance : DAMAGED_POSITIONS) {
        place.flipBit(distance < 0 ? place.size() + distance : distance);
        assertIsNotServed(content, id);
        place.flipBit(distance < 0 ? place.size() + distance : distance);
      }
    }
    try (DiskEventStore store = directory.open()) {
      assertThat(Content.of(store)).isEqualTo(content);
      assertThat(store.damagedRecords()).isZero();
    }
  }

  private void assertIsNotServed(Content content, EventId id) throws IOException {
    try (DiskEventStore store = directory.open()) {
      assertThat(Content.of(store)).isEqualTo(without(content, id));
      assertThat(store.damagedRecords()).isOne();
      assertThat(store.contains(id)).isFalse();
      Filter byId = new Filter(Set.of(id), null, null, Map.of(), null, null, null);
      assertThat(store.query(byId, Long.MAX_VALUE).next(1, 1000).found()).isEmpty();
      try (Transaction transaction = store.begin()) {
        assertThat(transaction.byId(id)).isEmpty();
        assertThat(transaction.find(byId, 1)).isEmpty();
      }
    }
  }

  @Test
  void damagedEventIsReportedOnceAndServedOnceItIsStoredAgain() throws IOException {
    Content content = fill();
    RecordLocation place = served(content, false);
    Event event = place.event();
    place.flipBit(RecordLocation.signaturePosition());
    try (ErrorLog lines = ErrorLog.capture();
        DiskEventStore store = directory.open()) {
      Content.of(store);
      Content.of(store);
      assertThat(store.contains(event.id())).isFalse();
      assertThat(lines.messages())
          .containsExactly(
              "The event log is damaged: segment "
                  + place.file().name()
                  + ", byte "
                  + place.at()
                  + ": the record is damaged and is not served."
                  + " Check the whole log with `gambit check`, and restore the data directory"
                  + " from a backup");
      try (Transaction transaction = store.begin()) {
        transaction.append(event, Transaction.NEVER);
        transaction.commit();
      }
      assertThat(Content.of(store)).isEqualTo(content);
    }
  }

  @Test
  void recordCopiedOverAnotherIsNotServed() throws IOException {
    try (DiskEventStore store = directory.open()) {
      for (int i = 0; i < 3; i++) {
        append(store, Keys.of("alice").sign(i, 1, Tags.NONE, ""));
      }
    }
    List<RecordLocation> events = LogFile.all(directory).get(0).events();
    Event kept = events.get(0).event();
    Event last = events.get(2).event();
    events.get(1).overwriteWith(events.get(0));
    try (DiskEventStore store = directory.open()) {
      assertThat(Content.of(store).events()).containsOnlyKeys(kept.id(), last.id());
      assertThat(store.damagedRecords()).isOne();
    }
  }

  @Test
  void damagedEventsAreSkippedWhenLookingForExpiredAndOldestOnes() throws IOException {
    try (DiskEventStore store = directory.open()) {
      try (Transaction transaction = store.begin()) {
        for (int i = 0; i < 3; i++) {
          transaction.append(Keys.of("alice").sign(i, 1, Tags.NONE, ""), 10 + i);
        }
        transaction.commit();
      }
      put(
          store,
          "rows",
          new byte[1],
          new byte[1]); // because the last group is checked at the start
    }
    List<RecordLocation> events = LogFile.all(directory).get(0).events();
    events.get(0).flipBit(RecordLocation.signaturePosition());
    events.get(1).flipBit(RecordLocation.signaturePosition());
    try (DiskEventStore store = directory.open();
        Transaction transaction = store.begin()) {
      assertThat(transaction.expired(20, 1))
          .extracting(StoredEvent::expiresAt)
          .containsExactly(12L);
      assertThat(transaction.oldest(1, null))
          .extracting(StoredEvent::expiresAt)
          .containsExactly(12L);
    }
  }

  @Test
  void damagedRowIsNotReadAndCanBeReplaced() throws IOException {
    byte[] key = {7};
    try (DiskEventStore store = directory.open()) {
      put(store, "rows", key, new byte[] {1});
      put(store, "other", key, new byte[] {2});
    }
    LogFile file = LogFile.all(directory).get(0);
    RecordLocation row = file.records().get(0);
    row.flipBit(Records.HEAD_BYTES + 1); // changes the length of its key
    try (DiskEventStore store = directory.open()) {
      String words = "segment " + file.name() + ", byte " + row.at() + ": the record of a row";
      assertThatThrownBy(() -> store.rows("rows"))
          .isInstanceOf(RowDamaged.class)
          .hasMessageContaining(words);
      try (Transaction transaction = store.begin()) {
        assertThatThrownBy(() -> transaction.row("rows", key)).isInstanceOf(RowDamaged.class);
      }
      assertThat(store.rows("other").get("07")).containsExactly(2);
      assertThat(store.damagedRecords()).isOne();
      put(store, "rows", key, new byte[] {3});
      assertThat(store.rows("rows").get("07")).containsExactly(3);
    }
  }

  @Test
  void damagedRowCanBeRemoved() throws IOException {
    byte[] key = {7};
    try (DiskEventStore store = directory.open()) {
      put(store, "rows", key, new byte[] {1});
      put(store, "other", key, new byte[] {2});
    }
    LogFile.all(directory).get(0).records().get(0).flipBit(Records.HEAD_BYTES);
    try (DiskEventStore store = directory.open()) {
      try (Transaction transaction = store.begin()) {
        transaction.removeRow("rows", key);
        transaction.commit();
      }
      assertThat(store.rows("rows")).isEmpty();
    }
  }

  private static void put(DiskEventStore store, String table, byte[] key, byte[] value)
      throws IOException {
    try (Transaction transaction = store.begin()) {
      transaction.putRow(table, key, value);
      transaction.commit();
    }
  }

  @Test
  void storeDoesNotOpenWhenReplayMeetsTheRemovalOfADamagedRecord() throws IOException {
    try (DiskEventStore store = directory.open()) {
      append(store, Keys.of("alice").sign(1, 1, Tags.NONE, "first"));
      append(store, Keys.of("alice").sign(2, 1, Tags.NONE, "second"));
    }
    directory.copyOrRestoreIndex(); // copies the index
    try (DiskEventStore store = directory.open()) {
      eraseFirst(store);
    }
    directory.copyOrRestoreIndex();
    RecordLocation place = LogFile.all(directory).get(0).events().get(0);
    place.flipBit(RecordLocation.signaturePosition());
    assertThatThrownBy(directory::open)
        .isInstanceOf(StoreDamaged.class)
        .hasMessageContaining("byte " + place.at() + ": the record is damaged");
  }

  @Test
  void damagedSegmentIsNotRewritten() throws IOException {
    Instant later = Instant.ofEpochSecond(4_000_000_000L);
    try (DiskEventStore store = directory.open()) {
      for (int i = 0; i < 15; i++) {
        append(store, Keys.of("alice").sign(i, 1, Tags.NONE, "x".repeat(700)));
      }
      eraseFirst(store);
      StoreDirectory.reclaimAll(store, later);
    }
    List<LogFile> files = LogFile.all(directory);
    LogFile rewritten = files.get(0);
    LogFile original = files.get(1);
    assertThat(rewritten.isRewritten()).isTrue();
    assertThat(original.isRewritten()).isFalse();
    rewritten.events().get(2).flipBit(RecordLocation.signaturePosition());
    original.events().get(1).flipBit(RecordLocation.signaturePosition());
    try (DiskEventStore store = directory.open()) {
      Content content = Content.of(store);
      assertThat(content.events()).hasSize(12);
      while (content.events().size() > 8) {
        eraseFirst(store);
        content = Content.of(store);
      }
      StoreDirectory.reclaimAll(store, later);
      assertThat(directory.log().resolve(rewritten.name())).exists();
      assertThat(directory.log().resolve(original.name())).exists();
      assertThat(Content.of(store)).isEqualTo(content);
    }
  }

  private static void append(DiskEventStore store, Event event) throws IOException {
    try (Transaction transaction = store.begin()) {
      transaction.append(event, Transaction.NEVER);
      transaction.commit();
    }
  }

  private static void eraseFirst(DiskEventStore store) throws IOException {
    try (Transaction transaction = store.begin()) {
      transaction.remove(transaction.oldest(1, null).get(0), Removal.ERASED);
      transaction.commit();
    }
  }
}
