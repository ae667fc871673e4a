package gambit.core.store.disk;

import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.store.EventStore;
import gambit.core.store.Query;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.disk.IndexUpdate.Checkpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store on disk: an event log with an LMDB index. A commit that returns is on the disk,
 * whatever happens to the process or the machine afterwards.
 *
 * <p>Threads: as {@link EventStore} says; readers never wait for the writer, and the writer waits
 * for {@link #reclaim} for a moment only. Bounds: a read transaction lasts a page; a segment of the
 * log is held until its last reader is done.
 */
public final class DiskEventStore implements EventStore {
  private static final Logger LOG = LoggerFactory.getLogger(DiskEventStore.class);

  /** What an event takes in the index, about (measured on ordinary notes). */
  private static final int INDEX_BYTES_PER_EVENT = 400;

  private final DirectoryLock lock;
  private final IndexState state;
  private final LogFiles files;
  private final EventLog log;
  private final Index index;
  private final SpaceReclaimer reclaimer;
  private final FileStore indexFiles;
  private final InstantSource time;
  private final long minFreeBytes;
  private final ReentrantLock writeLock = new ReentrantLock();
  private final Group group = new Group();
  private final AtomicLong size = new AtomicLong();
  private final AtomicLong eventBytes = new AtomicLong();
  private volatile long lastOffset;
  private final Map<Long, Long> unaccountedDeadBytes = new HashMap<>(); // under the write lock
  private boolean isClosed; // under the write lock

  /**
   * How a store is opened.
   *
   * @param minFreeBytes below so much free room on the disk, events of clients are refused
   * @param segmentBytes how large a file of the log grows
   * @param batch records of one transaction of an index that is made again
   * @param bootId what tells one start of the machine from another; empty when it is not known
   * @param hashing null for the real one
   */
  record Options(
      InstantSource time,
      long minFreeBytes,
      int segmentBytes,
      int recordsPerTransaction,
      String bootId,
      @Nullable Hashing hashing) {}

  /**
   * Opens the store in a directory, or begins one. Returns when everything that was committed can
   * be found: at once after a clean end or a killed process; after a crash of the machine, when the
   * index has been made again from the log.
   *
   * @param minFreeBytes below so much free room on the disk, events of clients are refused
   * @throws DirectoryLock.InUse when another process has it
   * @throws StoreDamaged when the log is not what was written
   * @throws IOException when it cannot be used for another reason, which the message says
   */
  public static DiskEventStore open(Path directory, InstantSource time, long minFreeBytes)
      throws IOException {
    return open(
        directory,
        new RealDisk(directory.resolve("log")),
        new Options(
            time,
            minFreeBytes,
            LogFiles.SEGMENT_BYTES,
            Recovery.RECORDS_PER_TRANSACTION,
            IndexState.bootId(),
            null));
  }

  static DiskEventStore open(Path directory, Disk disk, Options options) throws IOException {
    return new DiskEventStore(directory, disk, options);
  }

  private DiskEventStore(Path directory, Disk disk, Options options) throws IOException {
    this.time = options.time();
    this.minFreeBytes = options.minFreeBytes();
    this.lock = new DirectoryLock(directory, "lock");
    LogFiles openedFiles = null;
    Index openedIndex = null;
    try {
      StoreFormat.check(directory, disk);
      openedFiles = new LogFiles(disk, options.segmentBytes());
      log = new EventLog(openedFiles);
      state = new IndexState(directory, options.bootId());
      Recovery recovery = new Recovery(log, options.recordsPerTransaction(), options.hashing());
      openedIndex = recovery.open(directory.resolve("index"), state);
    } finally {
      if (openedIndex == null) {
        if (openedFiles != null) {
          openedFiles.close();
        }
        lock.close();
      }
    }
    files = openedFiles;
    index = openedIndex;
    indexFiles = Files.getFileStore(directory.resolve("index"));
    reclaimer = new SpaceReclaimer(log, index, writeLock);
    lastOffset = log.end();
    try (IndexReader reader = index.beginReading()) {
      size.set(reader.entries(Table.ID));
      Checkpoint checkpoint = IndexUpdate.checkpoint(reader);
      eventBytes.set(checkpoint == null ? 0 : checkpoint.eventBytes());
    }
  }

  @Override
  public boolean contains(EventId id) {
    try (IndexReader reader = index.beginReading()) {
      ByteBuffer prefix = reader.keys().idPrefix(id);
      if (!reader.seek(Table.ID, prefix) || !IndexKeys.startsWith(reader.key(Table.ID), prefix)) {
        return false;
      }
      try (LogView view = files.view()) {
        do {
          if (view.isEvent(IndexKeys.lastOffset(reader.key(Table.ID)), id)) {
            return true;
          }
        } while (reader.next(Table.ID) && IndexKeys.startsWith(reader.key(Table.ID), prefix));
        return false;
      }
    }
  }

  @Override
  public long lastOffset() {
    return lastOffset;
  }

  @Override
  public long size() {
    return size.get();
  }

  @Override
  public long damagedRecords() {
    return files.damagedRecords().count();
  }

  /** What has been removed counts no more, although its room is given back later. */
  @Override
  public long bytes() {
    return eventBytes() + INDEX_BYTES_PER_EVENT * size();
  }

  /** What the records of all stored events take. */
  long eventBytes() {
    return eventBytes.get();
  }

  @Override
  public Query query(Filter filter, long upTo) {
    return query(filter, upTo, () -> new CommittedView(index.beginReading(), files.view()));
  }

  static Query query(Filter filter, long upTo, Supplier<StoreView> openView) {
    return filter.ids() == null
        ? new MergingQuery(filter, upTo, openView)
        : new IdQuery(filter, filter.ids(), upTo, openView);
  }

  /** What a page reads from: first the index, so that the log has all that it speaks of. */
  private record CommittedView(IndexReader reader, LogView view) implements StoreView {
    @Override
    public IndexView index() {
      return reader;
    }

    @Override
    public @Nullable StoredEvent event(long offset, Filter filter) {
      return view.event(offset, filter);
    }

    @Override
    public void close() {
      view.close();
      reader.close();
    }
  }

  @Override
  public Optional<byte[]> row(String table, byte[] key) {
    while (true) {
      try (IndexReader reader = index.beginReading()) {
        long offset = IndexUpdate.rowOffset(reader, table, key);
        if (offset < 0) {
          return Optional.empty();
        }
        try (LogView view = files.view()) {
          if (view.contains(offset) || isRowAt(offset, table, key)) {
            return Optional.of(view.row(offset));
          }
        }
      } // the row was replaced meanwhile, and a rewritten segment has lost the old record
    }
  }

  /** Whether that is where the row is now. */
  private boolean isRowAt(long offset, String table, byte[] key) {
    try (IndexReader reader = index.beginReading()) {
      return IndexUpdate.rowOffset(reader, table, key) == offset;
    }
  }

  @Override
  public Map<String, byte[]> rows(String table) {
    Map<String, byte[]> rows = new TreeMap<>();
    byte[] prefix = (table + "\0").getBytes(StandardCharsets.UTF_8);
    try (IndexReader reader = index.beginReading();
        LogView view = files.view()) {
      boolean more = reader.seek(Table.ROW, reader.keys().rowKey(table, new byte[0]));
      while (more && IndexKeys.startsWith(reader.key(Table.ROW), prefix)) {
        ByteBuffer key = reader.key(Table.ROW);
        byte[] rowKey = new byte[key.remaining() - prefix.length];
        key.get(key.position() + prefix.length, rowKey);
        rows.put(HexFormat.of().formatHex(rowKey), view.row(reader.value(Table.ROW).getLong(0)));
        more = reader.next(Table.ROW);
      }
    }
    return rows;
  }

  @Override
  public Transaction begin() {
    writeLock.lock();
    DiskTransaction transaction = null;
    LogView view = files.view();
    IndexWriter writer = null;
    try {
      writer = new IndexWriter(index);
      transaction = new DiskTransaction(this, group, log, view, writer);
      return transaction;
    } finally {
      if (transaction == null) {
        if (writer != null) {
          writer.close();
        }
        view.close();
        writeLock.unlock();
      }
    }
  }

  /** A group was made void: its bytes are dead, but no transaction of the index has said so. */
  void addUnaccountedDeadBytes(long segmentBase, long bytes) {
    unaccountedDeadBytes.merge(segmentBase, bytes, Long::sum);
  }

  /** Has the next transaction say it. */
  void accountDeadBytes(IndexUpdate update) {
    unaccountedDeadBytes.forEach((base, bytes) -> update.addDeadBytes(base, bytes, 0));
  }

  /** A commit has reached the disk. */
  void publishOffset(long offset) {
    lastOffset = offset;
  }

  /** A commit has changed what is stored. */
  void addToTotals(long added, long addedBytes) {
    size.addAndGet(added);
    eventBytes.addAndGet(addedBytes);
    unaccountedDeadBytes.clear();
  }

  /** A transaction has ended. */
  void releaseWriteLock() {
    writeLock.unlock();
  }

  long nowSeconds() {
    return time.instant().getEpochSecond();
  }

  @Override
  public boolean hasRoomForClients() {
    try {
      return files.usableBytes() >= minFreeBytes && indexFiles.getUsableSpace() >= minFreeBytes;
    } catch (IOException e) {
      LOG.warn("Cannot tell how much room there is on the disk", e);
      return true;
    }
  }

  @Override
  public boolean reclaim(Instant now) {
    return reclaimer.run(now.getEpochSecond());
  }

  /** Closing it once more does nothing. */
  @Override
  public void close() {
    writeLock.lock();
    try {
      if (!isClosed) {
        isClosed = true;
        closeFiles();
      }
    } finally {
      writeLock.unlock();
    }
  }

  private void closeFiles() {
    try {
      index.sync();
      index.close();
      state.setClean();
    } catch (IOException e) {
      LOG.warn("The index could not be closed cleanly; it may have to be made again", e);
    } finally {
      files.close();
      lock.close();
    }
  }
}
