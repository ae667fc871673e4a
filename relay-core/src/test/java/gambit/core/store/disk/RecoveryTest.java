package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.files.DirectoryLock;
import gambit.core.store.StoreDamaged;
import gambit.core.store.Transaction;
import gambit.core.store.disk.Workload.Content;
import gambit.core.store.disk.index.Index;
import gambit.core.store.disk.index.IndexWriter;
import gambit.core.store.disk.index.Recovery;
import gambit.core.store.disk.index.Table;
import gambit.core.store.disk.lmdb.LmdbTransaction;
import gambit.core.store.disk.log.RecordGroup;
import gambit.core.store.disk.log.Records;
import gambit.core.store.disk.log.Segment;
import gambit.core.testkit.ClassLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a store opens when its files are damaged, missing or unfinished. */
class RecoveryTest {
  private StoreDirectory directory;
  private Content content = Content.NOTHING;

  RecoveryTest() throws IOException {
    directory = new StoreDirectory(null);
  }

  @BeforeEach
  void fill() throws IOException {
    Workload workload = new Workload();
    try (DiskEventStore store = directory.open()) {
      workload.run(store);
    }
    content = workload.committed();
  }

  @AfterEach
  void delete() throws IOException {
    directory.delete();
  }

  @Test
  void intactLogOpensUnchangedWithAndWithoutItsIndex() throws IOException {
    assertOpensUnchanged();
    directory.simulateReboot();
    assertOpensUnchanged();
    directory.deleteIndex();
    assertOpensUnchanged();
  }

  @Test
  void indexRebuiltInSeveralTransactionsCountsTheStoredBytes() throws IOException {
    long bytes = opened(DiskEventStore::bytes);
    directory.deleteIndex();
    assertThat(opened(DiskEventStore::bytes)).isEqualTo(bytes);
    assertThat(opened(DiskEventStore::bytes)).isEqualTo(bytes);
  }

  private long opened(ToLongFunction<DiskEventStore> question) throws IOException {
    try (DiskEventStore store = directory.open()) {
      return question.applyAsLong(store);
    }
  }

  @Test
  void indexBehindTheLogCatchesUp() throws IOException {
    directory.copyOrRestoreIndex(); // copies the index
    Workload more = new Workload().withoutReclaiming();
    try (DiskEventStore store = directory.open()) {
      more.run(store);
      content = Content.of(store);
    }
    assertThat(content.rows()).isEqualTo(more.committed().rows());
    directory.copyOrRestoreIndex();
    assertOpensUnchanged();
  }

  @Test
  void indexThatLmdbCannotOpenIsRebuilt() throws IOException {
    Files.write(directory.index().resolve("data.mdb"), new byte[100_000]);
    assertOpensUnchanged();
  }

  @Test
  void indexOfAnotherFormatIsRebuiltWithALine() throws IOException {
    setIndexFormat(99);
    try (ClassLog log = new ClassLog(Recovery.class)) {
      assertOpensUnchanged();
      assertThat(log.messages())
          .containsExactly(
              "The index is rebuilt from the event log: the index has format 99; this version of"
                  + " Gambit uses format 1");
    }
  }

  /** Sets the number of the index's format. */
  private void setIndexFormat(int format) throws IOException {
    try (Index index = new Index(directory.index(), null);
        LmdbTransaction transaction = index.beginStoring()) {
      ByteBuffer name = Index.metaKey("format");
      ByteBuffer value = ByteBuffer.allocateDirect(Integer.BYTES).putInt(format).flip();
      transaction.put(index.number(Table.META), name, value);
      transaction.commit();
    }
  }

  @Test
  void segmentOfANewerVersionIsRefusedWithAMessageAndLeftUnchanged() throws IOException {
    Path segment = active();
    ByteBuffer head = ByteBuffer.wrap(Files.readAllBytes(segment)).limit(Segment.HEAD_BYTES);
    head.putInt(8, 3);
    head.putInt(60, Segment.crc(head, Segment.HEAD_BYTES - 4));
    write(segment, 0, first(head));
    assertThatThrownBy(directory::open)
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(StoreDamaged.class)
        .hasMessage(
            "segment "
                + segment.getFileName()
                + " has version 3, of a newer version of Gambit; start that version, or restore"
                + " the data directory from a backup made before the upgrade");
  }

  private static byte[] first(ByteBuffer head) {
    byte[] bytes = new byte[head.limit()];
    head.duplicate().position(0).get(bytes);
    return bytes;
  }

  @Test
  void indexLeftOpenByAnEarlierBootIsRebuilt() throws IOException {
    try (Index index = new Index(directory.index(), null);
        IndexWriter writer = index.beginWriting()) {
      writer.seek(Table.TIME, writer.keys().seekKey(new byte[0], 1000, 0, 0));
      writer.delete(
          Table.TIME, copy(writer.key(Table.TIME))); // as if a page had never been written
      writer.commit();
    }
    directory.simulateReboot();
    assertOpensUnchanged();
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocateDirect(bytes.remaining()).put(bytes.duplicate()).flip();
  }

  @Test
  void unfinishedGroupIsDroppedAndWritingContinues() throws IOException {
    int end = endOf(active());
    write(active(), end, randomBytes(500));
    assertOpensUnchanged();
    write(active(), end, "GRP1".getBytes(StandardCharsets.ISO_8859_1));
    directory.simulateReboot();
    assertOpensUnchanged();
    assertThat(endOf(active())).isEqualTo(end);
    Workload more = new Workload();
    try (DiskEventStore store = directory.open()) {
      more.run(store);
      assertThat(Content.of(store).rows()).isEqualTo(more.committed().rows());
    }
  }

  @Test
  void acknowledgedLastGroupIsNeverDropped() throws IOException {
    invertByte(active(), endOf(active()) - 20);
    directory.markOpen();
    assertDamaged(active(), "is damaged");
  }

  @Test
  void logShorterThanItsIndexIsReported() throws IOException {
    truncate(active(), endOf(active()) - 20);
    assertDamaged(active(), "is damaged");
    truncate(active(), Segment.HEAD_BYTES);
    assertDamaged(active(), "is damaged");
  }

  @Test
  void damagedGroupBeforeAnIntactOneIsReportedAndNotCut() throws IOException {
    try (DiskEventStore store = directory.open()) {
      for (int i = 0; i < 2; i++) {
        try (Transaction transaction = store.begin()) {
          transaction.putRow("more", new byte[1], new byte[1]);
          transaction.commit();
        }
      }
    }
    Path segment = active();
    byte[] before = Files.readAllBytes(segment);
    assertThat(groupsOf(segment)).isGreaterThan(1);
    invertByte(segment, Segment.HEAD_BYTES + RecordGroup.HEAD_BYTES + 10);
    directory.simulateReboot();
    assertDamaged(segment, "byte " + Segment.HEAD_BYTES + ": ");
    assertDamaged(segment, "but an intact one follows");
    invertByte(segment, Segment.HEAD_BYTES + RecordGroup.HEAD_BYTES + 10);
    assertThat(Files.readAllBytes(segment)).isEqualTo(before);
    assertOpensUnchanged();
  }

  @Test
  void damagedGroupInASealedSegmentIsReported() throws IOException {
    Path sealed = original(false);
    int end = groupEnd(sealed, Segment.HEAD_BYTES);
    invertByte(sealed, end - 12);
    directory.deleteIndex();
    assertDamaged(sealed, "byte " + Segment.HEAD_BYTES + ": ");
  }

  @Test
  void damagedRewrittenSegmentIsReported() throws IOException {
    Path rewritten = rewritten();
    invertByte(rewritten, Segment.HEAD_BYTES + 10);
    directory.deleteIndex();
    assertDamaged(rewritten, "its checksum is wrong");
    truncate(rewritten, Segment.HEAD_BYTES + 50);
    assertDamaged(rewritten, "the segment is truncated");
  }

  @Test
  void truncatedMissingOrDamagedSegmentIsReported() throws IOException {
    Path sealed = original(false);
    byte[] whole = Files.readAllBytes(sealed);
    truncate(sealed, Segment.HEAD_BYTES + 100);
    assertDamaged(sealed, "the segment is truncated");
    truncate(sealed, 10);
    assertDamaged(sealed, "the segment's head is truncated");
    Files.write(sealed, whole);
    invertByte(sealed, 20);
    assertDamaged(sealed, "the segment's head is damaged");
    Files.delete(sealed);
    assertThatThrownBy(directory::open)
        .isInstanceOf(StoreDamaged.class)
        .hasMessageContaining("no segment has the offsets from");
    Files.write(sealed, whole);
    assertOpensUnchanged();
    Files.delete(active());
    assertThatThrownBy(directory::open).isInstanceOf(StoreDamaged.class);
  }

  @Test
  void unknownFormatIsRefusedWithAMessage() throws IOException {
    Path format = directory.path().resolve("format");
    Files.writeString(format, "gambit event store 3\n");
    assertThatThrownBy(directory::open)
        .isInstanceOf(IOException.class)
        .hasMessage(
            "the store has format 3, of a newer version of Gambit; this version knows format 1."
                + " Start the newer version, or restore the data directory from a backup"
                + " made before the upgrade");
    assertThat(Files.readString(format)).isEqualTo("gambit event store 3\n");
    Files.delete(format);
    assertThatThrownBy(directory::open).hasMessageContaining("is missing");
  }

  @Test
  void secondOpeningIsRefusedWhileTheStoreIsOpen() throws IOException {
    try (DiskEventStore store = directory.open()) {
      assertThat(store.size()).isPositive();
      assertThatThrownBy(directory::open)
          .isInstanceOf(DirectoryLock.InUse.class)
          .hasMessage("another process is using " + directory.path());
    }
    assertOpensUnchanged();
  }

  @Test
  void bytesThatImitateAGroupAreNotReadAsOne() throws IOException {
    // After the end is a group with another salt, as an author could have put it into a note.
    RecordGroup group = new RecordGroup();
    group.clear();
    Records.putRemoval(group.reserveRecord(Records.REMOVAL_BYTES), 1, 0);
    ByteBuffer forged = group.finish(1_000_000, 42, 0, 0);
    byte[] bytes = new byte[forged.remaining()];
    forged.get(bytes);
    write(active(), endOf(active()) + 64, bytes);
    directory.simulateReboot();
    assertOpensUnchanged();
  }

  @Test
  void recordOfAnUnknownKindIsReported() throws IOException {
    ByteBuffer log = ByteBuffer.wrap(Files.readAllBytes(active()));
    int end = endOf(active());
    RecordGroup group = new RecordGroup();
    group.clear();
    ByteBuffer record = group.reserveRecord(Records.REMOVAL_BYTES);
    int at = record.position();
    Records.putRemoval(record, 1, 0);
    record.put(at, (byte) 0xf0); // kind 7, with a checksum
    long offset = log.getLong(16) + end - Segment.HEAD_BYTES;
    ByteBuffer written = group.finish(lastSequence(log, end) + 1, log.getLong(48), offset, 0);
    byte[] bytes = new byte[written.remaining()];
    written.get(bytes);
    write(active(), end, bytes);
    assertThatThrownBy(directory::open)
        .isInstanceOf(StoreDamaged.class)
        .hasMessageContaining("unknown kind of record");
  }

  private static long lastSequence(ByteBuffer log, int end) {
    int last = Segment.HEAD_BYTES;
    while (last + RecordGroup.size(log, last) < end) {
      last += RecordGroup.size(log, last);
    }
    return RecordGroup.sequence(log, last);
  }

  private void assertOpensUnchanged() throws IOException {
    try (DiskEventStore store = directory.open()) {
      assertThat(Content.of(store)).isEqualTo(content);
    }
  }

  private void assertDamaged(Path segment, String words) {
    assertThatThrownBy(directory::open)
        .isInstanceOf(StoreDamaged.class)
        .hasMessageContaining(segment.getFileName().toString())
        .hasMessageContaining(words);
  }

  private Path active() throws IOException {
    return original(true);
  }

  /** The last original segment, or the first one. */
  private Path original(boolean last) throws IOException {
    List<Path> originals = directory.segments().stream().filter(path -> form(path) == 0).toList();
    assertThat(originals).hasSizeGreaterThan(1);
    return originals.get(last ? originals.size() - 1 : 0);
  }

  private Path rewritten() throws IOException {
    return directory.segments().stream()
        .filter(path -> form(path) == 1)
        .max(Comparator.comparingLong(path -> path.toFile().length()))
        .orElseThrow();
  }

  private static int form(Path segment) {
    try {
      return ByteBuffer.wrap(Files.readAllBytes(segment)).getInt(12);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static int groupEnd(Path segment, int at) throws IOException {
    return at + RecordGroup.size(ByteBuffer.wrap(Files.readAllBytes(segment)), at);
  }

  private static int groupsOf(Path segment) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(segment));
    int groups = 0;
    for (int at = Segment.HEAD_BYTES; isGroup(in, at); at += RecordGroup.size(in, at)) {
      groups++;
    }
    return groups;
  }

  private static int endOf(Path segment) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(segment));
    int at = Segment.HEAD_BYTES;
    while (isGroup(in, at)) {
      at += RecordGroup.size(in, at);
    }
    return at;
  }

  private static boolean isGroup(ByteBuffer in, int at) {
    return RecordGroup.isGroup(in, at, in.capacity(), in.getLong(48));
  }

  private static byte[] randomBytes(int count) {
    byte[] bytes = new byte[count];
    new Random(3).nextBytes(bytes);
    return bytes;
  }

  private static void invertByte(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    write(file, at, new byte[] {(byte) ~bytes[at]});
  }

  private static void write(Path file, int at, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), at);
    }
  }

  private static void truncate(Path file, int size) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(size);
    }
  }
}
