package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.Tags;
import gambit.core.store.StoreProgress;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import gambit.core.store.disk.LogFile.RecordLocation;
import gambit.core.store.disk.StoreCheck.Outcome;
import gambit.core.store.disk.index.Index;
import gambit.core.store.disk.index.IndexWriter;
import gambit.core.store.disk.index.Table;
import gambit.core.store.disk.lmdb.LmdbTransaction;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestEffort;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The check reports every fault of a store and changes nothing. */
class StoreCheckTest {
  private static final EventVerifier VERIFIER = new EventVerifier();

  private final StoreDirectory directory = new StoreDirectory();
  private final List<String> faults = new ArrayList<>();
  private int inForce;

  StoreCheckTest() throws IOException {}

  @BeforeEach
  void fill() throws IOException {
    Workload workload = new Workload();
    try (DiskEventStore store = directory.open()) {
      workload.run(store);
    }
    inForce = workload.committed().events().size() + workload.committed().rows().size();
  }

  @AfterEach
  void delete() throws IOException {
    directory.delete();
  }

  private Outcome check() throws IOException {
    return check(directory.path(), true);
  }

  private Outcome check(Path path, boolean verifiesEvents) throws IOException {
    faults.clear();
    Outcome outcome =
        StoreCheck.run(path, VERIFIER, verifiesEvents, faults::add, StoreProgress.NONE);
    assertThat(outcome.faults()).isEqualTo(faults.size());
    return outcome;
  }

  private void assertFault(String... parts) throws IOException {
    check();
    assertThat(faults).anySatisfy(fault -> assertThat(fault).contains(parts));
  }

  private Map<Path, ByteBuffer> files() throws IOException {
    Map<Path, ByteBuffer> files = new HashMap<>();
    for (Path path : directory.segments()) {
      files.put(path, ByteBuffer.wrap(Files.readAllBytes(path)));
    }
    for (String name : List.of("format", "index-state", "index/data.mdb")) {
      Path path = directory.path().resolve(name);
      files.put(path, ByteBuffer.wrap(Files.readAllBytes(path)));
    }
    return files;
  }

  @Test
  void intactStoreHasNoFaultsAndIsNotChanged() throws IOException {
    Map<Path, ByteBuffer> before = files();
    Outcome outcome = check();
    assertThat(faults).isEmpty();
    assertThat(check(directory.path(), false)).isEqualTo(outcome);
    assertThat(outcome.inForce()).isEqualTo(inForce);
    List<LogFile> files = LogFile.all(directory);
    assertThat(outcome.segments()).isEqualTo(files.size());
    assertThat(outcome.records())
        .isEqualTo(files.stream().mapToInt(it -> it.records().size()).sum());
    assertThat(outcome.events()).isEqualTo(files.stream().mapToInt(it -> it.events().size()).sum());
    assertThat(outcome.groups()).isEqualTo(files.stream().mapToInt(it -> it.groups().size()).sum());
    assertThat(outcome.index()).matches("[1-9][0-9]+ entries");
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void logIsCheckedWithoutAnIndexOrWithAnOldOne() throws IOException {
    directory.simulateReboot();
    Files.writeString(directory.path().resolve("index-state"), "open another start\n");
    assertThat(check().index()).startsWith("not checked");
    directory.deleteIndex();
    assertThat(check().index()).startsWith("not checked");
    assertThat(faults).isEmpty();
  }

  @Test
  void changedByteOfARecordIsReportedWithItsPositionAndEvent() throws IOException {
    for (LogFile file : LogFile.all(directory)) {
      RecordLocation event = file.events().get(0);
      String id = event.event().id().hex();
      for (int distance : List.of(RecordLocation.signaturePosition(), event.size() - 1)) {
        event.flipBit(distance);
        check();
        assertThat(faults)
            .containsExactly(
                "segment "
                    + file.name()
                    + ", byte "
                    + event.at()
                    + ": event "
                    + id
                    + ": the record is damaged");
        event.flipBit(distance);
      }
    }
    check();
    assertThat(faults).isEmpty();
  }

  @Test
  void everyUsedByteIsChecked() throws IOException {
    for (LogFile file : LogFile.all(directory)) {
      for (int at = 0; at < file.usedBytes(); at += TestEffort.of(331, 83)) {
        file.flipBit(at);
        check();
        assertThat(faults).as("%s, byte %s", file.name(), at).isNotEmpty();
        file.flipBit(at);
      }
    }
  }

  @Test
  void storedEventWithAnInvalidIdOrSignatureIsReported() throws IOException {
    Event good = Keys.of("alice").sign(1, 1, Tags.NONE, "good");
    EventId wrong = EventId.ofHex("0".repeat(64));
    Event badId = EventEncoder.encode(wrong, good.pubkey(), 1, 1, Tags.NONE, "good", good.sig());
    Event badSignature =
        EventEncoder.encode(good.id(), good.pubkey(), 1, 1, Tags.NONE, "good", new byte[64]);
    try (DiskEventStore store = directory.open();
        Transaction transaction = store.begin()) {
      transaction.append(badId, Transaction.NEVER);
      transaction.append(badSignature, Transaction.NEVER);
      transaction.commit();
    }
    check();
    assertThat(faults).hasSize(2);
    assertThat(faults.get(0)).endsWith("event " + wrong + ": its id is invalid");
    assertThat(faults.get(1)).endsWith("event " + good.id() + ": its signature is invalid");
    check(directory.path(), false);
    assertThat(faults).isEmpty();
  }

  @Test
  void truncatedMissingOrDamagedSegmentIsReported() throws IOException {
    LogFile second = LogFile.all(directory).get(1);
    second.flipBit(20);
    assertFault(second.name(), "byte 0: the segment's head is damaged");
    assertFault("no segment has the offsets from");
    second.flipBit(20);
    LogFile original =
        LogFile.all(directory).stream().filter(it -> !it.isRewritten()).findFirst().orElseThrow();
    original.truncate(original.usedBytes() - 40);
    assertFault(original.name(), "the segment is truncated");
  }

  @Test
  void damagedLastGroupThatIsIndexedIsReported() throws IOException {
    List<LogFile> files = LogFile.all(directory);
    LogFile last = files.get(files.size() - 1);
    last.flipBit(last.lastGroupPosition());
    assertFault(last.name(), "byte " + last.lastGroupPosition() + ": group ", "is damaged");
    directory.deleteIndex();
    check(); // without the index, it counts as unfinished
    assertThat(faults).isEmpty();
  }

  @Test
  void missingIndexEntryIsReported() throws IOException {
    try (Index index = new Index(directory.index(), null);
        IndexWriter writer = index.beginWriting()) {
      writer.seek(Table.TIME, writer.keys().seekKey(new byte[0], 1000, 0, 0));
      ByteBuffer key = writer.key(Table.TIME);
      writer.delete(
          Table.TIME, ByteBuffer.allocateDirect(key.remaining()).put(key.duplicate()).flip());
      writer.commit();
    }
    assertFault("byte", "event ", "is missing from the index (table TIME)");
    assertThat(faults).hasSize(1);
  }

  @Test
  void repeatedGroupIsReported() throws IOException {
    StoreDirectory fresh = new StoreDirectory();
    try {
      try (DiskEventStore store = fresh.open()) {
        for (int i = 0; i < 3; i++) {
          put(store, Keys.of("alice").sign(i, 1, Tags.NONE, ""));
        }
      }
      LogFile.all(fresh).get(0).repeatFirstGroup();
      check(fresh.path(), false);
      assertThat(faults.get(0)).endsWith("group 1 is not group 2");
    } finally {
      fresh.delete();
    }
  }

  private static void put(DiskEventStore store, Event event) throws IOException {
    try (Transaction transaction = store.begin()) {
      transaction.append(event, Transaction.NEVER);
      transaction.commit();
    }
  }

  @Test
  void missingLastGroupIsReported() throws IOException {
    List<LogFile> files = LogFile.all(directory);
    LogFile last = files.get(files.size() - 1);
    last.truncate(last.lastGroupPosition());
    assertFault("the event log ends before its indexed end");
  }

  @Test
  void wrongAndSurplusIndexEntriesAreReported() throws IOException {
    try (DiskEventStore store = directory.open()) {
      Tags twice = new Tags(List.of(List.of("t", "x"), List.of("t", "x")));
      put(store, Keys.of("alice").sign(1000, 1, twice, ""));
    }
    check();
    assertThat(faults).isEmpty();
    try (Index index = new Index(directory.index(), null);
        IndexWriter writer = index.beginWriting()) {
      ByteBuffer other = ByteBuffer.allocateDirect(8);
      writer.put(Table.ROW, writer.keys().rowKey("rows", new byte[1]), other);
      writer.seek(Table.TIME, writer.keys().seekKey(new byte[0], 1000, 0, 0));
      ByteBuffer key = ByteBuffer.allocateDirect(17).put(writer.key(Table.TIME)).flip();
      writer.put(Table.TIME, key, other.slice(0, 2));
      writer.put(Table.TAG, ByteBuffer.allocateDirect(25), other.slice(0, 2));
      writer.commit();
    }
    check();
    assertThat(faults)
        .hasSize(3)
        .anySatisfy(it -> assertThat(it).endsWith("the row is missing from the index (table ROW)"))
        .anySatisfy(it -> assertThat(it).endsWith("is missing from the index (table TIME)"))
        .contains("the index has surplus entries (table TAG): 1");
  }

  @Test
  void indexEntryWithoutARecordIsReported() throws IOException {
    try (Index index = new Index(directory.index(), null);
        IndexWriter writer = index.beginWriting()) {
      ByteBuffer key = writer.keys().idKey(EventId.ofHex("ab".repeat(32)), 1);
      writer.put(Table.ID, key, ByteBuffer.allocate(0));
      writer.commit();
    }
    check();
    assertThat(faults).containsExactly("the index has surplus entries (table ID): 1");
  }

  @Test
  void indexOfAnotherFormatIsNoFault() throws IOException {
    try (Index index = new Index(directory.index(), null);
        LmdbTransaction transaction = index.beginStoring()) {
      ByteBuffer value = ByteBuffer.allocateDirect(Integer.BYTES).putInt(2).flip();
      transaction.put(index.number(Table.META), Index.metaKey("format"), value);
      transaction.commit();
    }
    assertThat(check().index())
        .isEqualTo(
            "not checked: the index has format 2; this version of Gambit uses format 1, which"
                + " rebuilds it at its start");
    assertThat(faults).isEmpty();
  }

  @Test
  void unreadableIndexIsReportedAndTheLogIsChecked() throws IOException {
    Files.write(directory.index().resolve("data.mdb"), new byte[100_000]);
    Outcome outcome = check();
    assertThat(faults).singleElement().asString().startsWith("the index cannot be read");
    assertThat(outcome.inForce()).isEqualTo(inForce);
  }

  @Test
  void missingOrUnknownStoreIsRefusedWithAMessage() throws IOException {
    Path nowhere = directory.path().resolve("nowhere");
    assertThatThrownBy(() -> check(nowhere, true)).isInstanceOf(NoSuchFileException.class);
    assertThat(nowhere).doesNotExist();
    Files.writeString(directory.path().resolve("format"), "another one");
    assertThatThrownBy(this::check).hasMessageContaining("does not name a format of a store");
  }

  @Test
  void removedRecordsAreNotCountedAsInForce() throws IOException {
    try (DiskEventStore store = directory.open();
        Transaction transaction = store.begin()) {
      transaction.remove(transaction.oldest(1, null).get(0), Removal.OBSOLETE);
      transaction.commit();
    }
    assertThat(check().inForce()).isEqualTo(inForce - 1);
    assertThat(faults).isEmpty();
  }
}
