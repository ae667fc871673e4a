package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import gambit.core.store.disk.FaultyDisk.SyncFault;
import gambit.core.store.disk.Workload.Content;
import gambit.core.store.disk.index.Index;
import gambit.core.store.disk.index.IndexUpdate;
import gambit.core.store.disk.index.IndexWriter;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The space of dead records is reclaimed, and nothing else is lost. */
class SpaceReclaimerTest {
  private static final Signer ALICE = Keys.of("alice");

  private final StoreDirectory directory = new StoreDirectory();

  SpaceReclaimerTest() throws IOException {}

  @AfterEach
  void delete() throws IOException {
    directory.delete();
  }

  @Test
  void mostlyDeadSegmentsAreMergedAndRecordsKeepTheirOffsets() throws IOException {
    try (DiskEventStore store = directory.open()) {
      List<StoredEvent> events = fill(store, 60);
      int before = directory.segments().size();
      List<StoredEvent> kept = new ArrayList<>();
      for (int i = 0; i < events.size(); i++) {
        if (i % 5 == 0) {
          kept.add(events.get(i));
        } else {
          remove(store, events.get(i), Removal.OBSOLETE);
        }
      }
      StoreDirectory.reclaimAll(store, Instant.now());
      assertThat(directory.segments().size()).isLessThan(before / 2);
      for (StoredEvent event : kept) {
        try (Transaction transaction = store.begin()) {
          assertThat(transaction.byId(event.event().id())).contains(event);
        }
      }
    }
    directory.deleteIndex();
    try (DiskEventStore store = directory.open()) {
      assertThat(store.size()).isEqualTo(12);
    }
  }

  @Test
  void rewrittenSegmentsAreNotMuchLargerThanOthersHoweverManyAreDue() throws IOException {
    try (DiskEventStore store = directory.open()) {
      List<StoredEvent> events = fill(store, 60);
      for (int i = 0; i < events.size(); i += 2) { // all of them are due
        remove(store, events.get(i), Removal.OBSOLETE);
      }
      StoreDirectory.reclaimAll(store, Instant.now());
      for (Path segment : directory.segments()) {
        assertThat(Files.size(segment)).isLessThan(2 * StoreDirectory.SEGMENT_BYTES);
      }
    }
  }

  @Test
  void fewObsoleteBytesStayAndFewErasedBytesAreGoneWithinADay() throws IOException {
    try (DiskEventStore store = directory.open()) {
      List<StoredEvent> events = fill(store, 30);
      remove(store, events.get(0), Removal.OBSOLETE);
      remove(store, events.get(29), Removal.ERASED);
      Instant now = Instant.now();
      StoreDirectory.reclaimAll(store, now.plusSeconds(11 * 3600));
      assertThat(isOnDisk("event 0 ")).isTrue();
      assertThat(isOnDisk("event 29 ")).isTrue();
      StoreDirectory.reclaimAll(store, now.plusSeconds(13 * 3600));
      assertThat(isOnDisk("event 0 ")).isTrue();
      assertThat(isOnDisk("event 29 ")).isFalse();
      try (Transaction transaction = store.begin()) {
        transaction.eraseRemoved();
        transaction.commit();
      }
    }
    directory.deleteIndex(); // erasures are replayed from the log
    try (DiskEventStore store = directory.open()) {
      StoreDirectory.reclaimAll(store, Instant.now().plusSeconds(13 * 3600));
      assertThat(isOnDisk("event 0 ")).isFalse();
      assertThat(store.size()).isEqualTo(28);
    }
  }

  @Test
  void erasedBytesAreReclaimedAlthoughTheClockWentBack() throws IOException {
    try (DiskEventStore store = directory.open()) {
      List<StoredEvent> events = fill(store, 30);
      remove(store, events.get(3), Removal.ERASED);
      StoreDirectory.reclaimAll(store, Instant.now().minusSeconds(1_000_000));
      assertThat(isOnDisk("event 3 ")).isFalse();
    }
  }

  @Test
  void segmentThatCannotBeRewrittenDoesNotBlockOthers() throws IOException {
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    try (DiskEventStore store = directory.open(disk)) {
      List<StoredEvent> events = fill(store, 40);
      int before = disk.names().size();
      remove(store, events.get(0), Removal.OBSOLETE);
      remove(store, events.get(1), Removal.OBSOLETE);
      for (int i = 12; i < 32; i++) {
        remove(store, events.get(i), Removal.OBSOLETE);
      }
      disk.setMaxFileBytes(1500);
      Content content = Content.of(store);
      StoreDirectory.reclaimAll(store, Instant.now());
      assertThat(disk.names().size()).isLessThan(before);
      assertThat(Content.of(store)).isEqualTo(content);
      disk.setMaxFileBytes(Long.MAX_VALUE);
      int some = disk.names().size();
      StoreDirectory.reclaimAll(store, Instant.now());
      assertThat(disk.names().size()).isLessThanOrEqualTo(some);
      assertThat(Content.of(store)).isEqualTo(content);
    }
  }

  @Test
  void eventErasedDuringARewriteIsGoneWithinADay() throws IOException {
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    try (DiskEventStore store = directory.open(disk)) {
      List<StoredEvent> events = fill(store, 30);
      for (int i : List.of(0, 1, 4, 5)) { // half of the first two segments
        remove(store, events.get(i), Removal.OBSOLETE);
      }
      disk.onNextCreate( // the live records are determined by then
          () -> {
            try {
              remove(store, events.get(2), Removal.ERASED);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      Instant now = Instant.now();
      StoreDirectory.reclaimAll(store, now);
      assertThat(disk.holds("event 0 ")).isFalse();
      assertThat(disk.holds("event 2 ")).isTrue();
      StoreDirectory.reclaimAll(store, now.plusSeconds(13 * 3600));
      assertThat(disk.holds("event 2 ")).isFalse();
      assertThat(disk.holds("event 3 ")).isTrue();
    }
  }

  @Test
  void erasureStaysDueWhenTheSegmentGetsMoreObsoleteBytes() throws IOException {
    try (DiskEventStore store = directory.open()) {
      putRow(store);
      List<StoredEvent> events = fill(store, 10);
      remove(store, events.get(0), Removal.ERASED);
      putRow(store); // the old row is in the same segment
      StoreDirectory.reclaimAll(store, Instant.now());
      assertThat(isOnDisk("event 0 ")).isTrue();
      StoreDirectory.reclaimAll(store, Instant.now().plusSeconds(13 * 3600));
      assertThat(isOnDisk("event 0 ")).isFalse();
    }
  }

  private static void putRow(DiskEventStore store) throws IOException {
    try (Transaction transaction = store.begin()) {
      transaction.putRow("rows", new byte[1], new byte[1]);
      transaction.commit();
    }
  }

  @Test
  void eventsRemovedInTheErasingCommitAreGoneWithinADay() throws IOException {
    try (DiskEventStore store = directory.open()) {
      List<StoredEvent> events = fill(store, 10);
      try (Transaction transaction = store.begin()) {
        long offset = transaction.append(event(20), Transaction.NEVER);
        transaction.remove(new StoredEvent(offset, event(20), Transaction.NEVER), Removal.OBSOLETE);
        transaction.remove(events.get(0), Removal.OBSOLETE);
        transaction.eraseRemoved();
        transaction.commit();
      }
      assertThat(isOnDisk("event 20 ")).isTrue();
      StoreDirectory.reclaimAll(store, Instant.now().plusSeconds(13 * 3600));
      assertThat(isOnDisk("event 20 ")).isFalse();
      assertThat(isOnDisk("event 0 ")).isFalse();
      assertThat(isOnDisk("event 1 ")).isTrue();
    }
  }

  @Test
  void erasureCountedForAMergedSegmentIsStillCarriedOut() throws IOException {
    long merged;
    try (DiskEventStore store = directory.open()) {
      List<StoredEvent> events = fill(store, 30);
      merged = baseOf(directory.segments().get(1));
      for (int i = 0; i < 20; i++) {
        if (i % 5 != 0) {
          remove(store, events.get(i), Removal.OBSOLETE);
        }
      }
      StoreDirectory.reclaimAll(store, Instant.now());
      assertThat(directory.segments().stream().map(SpaceReclaimerTest::baseOf))
          .doesNotContain(merged);
    }
    try (Index index = new Index(directory.index(), null);
        IndexWriter writer = index.beginWriting()) {
      IndexUpdate update = writer.update();
      update.addDeadBytes(merged, 1, 1); // as after an interrupted exchange of the files
      update.write(null);
      writer.commit();
    }
    try (DiskEventStore store = directory.open()) {
      List<Path> before = directory.segments();
      StoreDirectory.reclaimAll(store, Instant.now());
      assertThat(directory.segments().get(0)).isNotEqualTo(before.get(0));
      List<Path> after = directory.segments();
      StoreDirectory.reclaimAll(store, Instant.now());
      assertThat(directory.segments()).isEqualTo(after);
    }
  }

  private static long baseOf(Path segment) {
    return Long.parseLong(segment.getFileName().toString().substring(0, 16), 16);
  }

  private static Event event(int number) {
    return ALICE.sign(number, 1, Tags.NONE, "event " + number + " " + "x".repeat(700));
  }

  private static List<StoredEvent> fill(DiskEventStore store, int count) throws IOException {
    List<StoredEvent> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Event event = event(i);
      try (Transaction transaction = store.begin()) {
        long offset = transaction.append(event, Transaction.NEVER);
        transaction.commit();
        events.add(new StoredEvent(offset, event, Transaction.NEVER));
      }
    }
    return events;
  }

  private static void remove(DiskEventStore store, StoredEvent event, Removal why)
      throws IOException {
    try (Transaction transaction = store.begin()) {
      transaction.remove(event, why);
      transaction.commit();
    }
  }

  private boolean isOnDisk(String text) throws IOException {
    for (Path file : directory.segments()) {
      if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(text)) {
        return true;
      }
    }
    return false;
  }
}
