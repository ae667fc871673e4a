package gambit.core.store.disk;

import gambit.core.model.Event;
import gambit.core.store.StoredEvent;
import gambit.core.store.disk.index.IdSumUpdate;
import gambit.core.store.disk.index.Index;
import gambit.core.store.disk.index.IndexKeys;
import gambit.core.store.disk.index.IndexUpdate;
import gambit.core.store.disk.index.IndexUpdate.Checkpoint;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.index.KindSums;
import gambit.core.store.disk.index.Table;
import gambit.core.store.disk.log.Records;
import gambit.core.store.disk.log.Segment;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Checks that the index has exactly the entries of the log's records. One thread. */
public final class IndexCheck implements AutoCloseable {
  private static final Set<Table> RECORD_TABLES =
      EnumSet.complementOf(EnumSet.of(Table.ID_SUM, Table.DEAD, Table.META));

  private final IndexView reader;
  private final IndexKeys keys;
  private final Consumer<String> faults;
  private final Map<Table, Long> expectedEntries = new EnumMap<>(Table.class);

  public IndexCheck(Index index, Consumer<String> faults) {
    this.reader = index.beginReading();
    this.keys = new IndexKeys(index.hashing());
    this.faults = faults;
  }

  /** The end of the log as far as it is indexed. */
  public long checkpointEnd() {
    Checkpoint checkpoint = IndexUpdate.checkpoint(reader);
    return checkpoint == null ? 0 : checkpoint.end();
  }

  public long entries() {
    return RECORD_TABLES.stream().mapToLong(reader::storedEntries).sum();
  }

  /** Reports missing or wrong entries of a record that has not been removed. */
  public void checkEntriesOf(Segment segment, int at, long offset) {
    ByteBuffer in = segment.view();
    if (Records.kind(in, at) == Records.ROW) {
      expectedEntries.merge(Table.ROW, 1L, Long::sum);
      if (IndexUpdate.rowOffset(reader, Records.table(in, at), Records.key(in, at)) != offset) {
        report(segment, at, "the row", Table.ROW);
      }
      return;
    }
    StoredEvent stored = Records.event(in, at, offset);
    Set<Entry> known = new HashSet<>(); // an event may repeat a tag
    IndexKeys.EntryVisitor check =
        (table, key, value) -> {
          if (known.add(Entry.of(table, key))) {
            expectedEntries.merge(table, 1L, Long::sum);
            ByteBuffer found = reader.get(table, key.duplicate());
            if (found == null || !found.equals(value)) {
              report(segment, at, "event " + stored.event().id().hex(), table);
            }
          }
        };
    Event event = stored.event();
    keys.entries(stored, check);
    check.entry(
        Table.POSITION,
        keys.positionKey(event.createdAt(), event.id()),
        keys.kindValue(event.kind()));
  }

  private record Entry(Table table, ByteBuffer key) {
    static Entry of(Table table, ByteBuffer key) {
      return new Entry(table, ByteBuffer.allocate(key.remaining()).put(key.duplicate()).flip());
    }
  }

  private void report(Segment segment, int at, String record, Table table) {
    faults.accept(
        "segment %s, byte %s: %s is missing from the index (table %s)"
            .formatted(segment.name(), at, record, table));
  }

  /** Reports blocks with other sums of ids than those of their positions. */
  public void checkIdSums() {
    boolean morePositions = reader.seek(Table.POSITION, keys.copyOf(new byte[1]));
    boolean moreBlocks = reader.seek(Table.ID_SUM, keys.copyOf(new byte[1]));
    while (moreBlocks) {
      long since = IndexKeys.seconds(reader.key(Table.ID_SUM));
      KindSums stored = KindSums.read(reader.value(Table.ID_SUM));
      moreBlocks = reader.next(Table.ID_SUM);
      KindSums actual = new KindSums();
      while (morePositions && !(moreBlocks && isAtOrAfter(reader.key(Table.ID_SUM)))) {
        ByteBuffer position = reader.key(Table.POSITION);
        actual.add(IndexKeys.kind(reader.value(Table.POSITION)), IdSumUpdate.idAt(position));
        morePositions = reader.next(Table.POSITION);
      }
      if (!stored.value().equals(actual.value())) {
        faults.accept(
            "the index has a wrong sum of the ids of events since " + since + " (table ID_SUM)");
      }
    }
    if (morePositions) {
      faults.accept("the index has no sums of ids (table ID_SUM)");
    }
  }

  /** Whether the position at the cursor is in the block with that first position, or later. */
  private boolean isAtOrAfter(ByteBuffer block) {
    return IndexKeys.compare(reader.key(Table.POSITION), block) >= 0;
  }

  public void reportSurplusEntries() {
    for (Table table : RECORD_TABLES) {
      long more = reader.storedEntries(table) - expectedEntries.getOrDefault(table, 0L);
      if (more > 0) {
        faults.accept("the index has surplus entries (table " + table + "): " + more);
      }
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}
