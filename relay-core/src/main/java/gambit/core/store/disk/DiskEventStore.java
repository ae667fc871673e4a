package gambit.core.store.disk;

import gambit.core.files.DirectoryLock;
import gambit.core.log.LimitedLog;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.AppliedGroup;
import gambit.core.store.EventStore.Changes;
import gambit.core.store.EventStore.LogEnd;
import gambit.core.store.LogGroup;
import gambit.core.store.Query;
import gambit.core.store.RecentRemovals;
import gambit.core.store.StoreSnapshot;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.disk.index.Hashing;
import gambit.core.store.disk.index.Index;
import gambit.core.store.disk.index.IndexFlusher;
import gambit.core.store.disk.index.IndexKeys;
import gambit.core.store.disk.index.IndexState;
import gambit.core.store.disk.index.IndexUpdate;
import gambit.core.store.disk.index.IndexUpdate.Checkpoint;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.index.IndexWriter;
import gambit.core.store.disk.index.Recovery;
import gambit.core.store.disk.index.Table;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.EventLog;
import gambit.core.store.disk.log.LogChanges;
import gambit.core.store.disk.log.LogFiles;
import gambit.core.store.disk.log.LogView;
import gambit.core.store.disk.log.RealDisk;
import gambit.core.store.disk.log.RecordGroup;
import gambit.core.store.disk.log.StoreFormat;
import gambit.core.store.disk.query.CommittedView;
import gambit.core.store.disk.query.StoreView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The store on disk: an event log with an LMDB index. A commit that has returned survives a crash
 * of the process or the machine.
 *
 * <p>Threads: see {@link EventStore}; readers never wait for the writer, and the writer waits for
 * {@link #reclaim} only while files are exchanged. Bounds: a read transaction lasts for one page; a
 * segment of the log stays open until its last reader has finished.
 */
public final class DiskEventStore implements EventStore {
  private static final LimitedLog LOG = LimitedLog.of(DiskEventStore.class);

  /** Approximate size of an event's index entries (measured on ordinary notes). */
  private static final int INDEX_BYTES_PER_EVENT = 480;

  /** Index changes of that size in memory are applied to LMDB at once: about 7,000 events'. */
  static final long BYTES_OF_FLUSH = 3 << 20;

  private final DirectoryLock lock;
  private final IndexState state;
  private final LogFiles files;
  private final EventLog log;
  private final Index index;
  private final IndexFlusher flusher;
  private final SpaceReclaimer reclaimer;
  private final FreeSpace freeSpace;
  private final InstantSource time;
  private final ReentrantLock writeLock = new ReentrantLock();
  private final RecordGroup group = new RecordGroup();
  private final RecentRemovals recentRemovals = new RecentRemovals();
  private final AtomicLong size = new AtomicLong();
  private final AtomicLong eventBytes = new AtomicLong();
  private volatile long lastOffset;
  private volatile long committedEnd; // end of the newest group that the index has, too
  private boolean isClosed; // guarded by the write lock

  /**
   * Options for opening a store.
   *
   * @param minFreeBytes with less free space on the disk, events of clients are refused
   * @param segmentBytes maximum size of a log file
   * @param recordsPerTransaction records of one index transaction during a rebuild
   * @param bytesOfFlush index changes that take so much memory are applied to LMDB without delay
   * @param bootId identifies the current boot of the machine; empty if unknown
   * @param hashing null for the keyed hash
   */
  public record Options(
      InstantSource time,
      long minFreeBytes,
      int segmentBytes,
      int recordsPerTransaction,
      long bytesOfFlush,
      String bootId,
      @Nullable Hashing hashing) {}

  /**
   * Opens the store in a directory, or creates one. It returns once every committed record can be
   * found: at once after a clean shutdown or a killed process, and after the index has been rebuilt
   * from the log when the machine has crashed.
   *
   * @throws DirectoryLock.InUse when another process has it open
   * @throws StoreDamaged when the log is damaged
   */
  public static DiskEventStore open(Path directory, InstantSource time, long minFreeBytes)
      throws IOException {
    return new DiskEventStore(
        directory,
        new RealDisk(directory.resolve("log")),
        new Options(
            time,
            minFreeBytes,
            LogFiles.SEGMENT_BYTES,
            Recovery.RECORDS_PER_TRANSACTION,
            BYTES_OF_FLUSH,
            IndexState.bootId(),
            null));
  }

  DiskEventStore(Path directory, Disk disk, Options options) throws IOException {
    this.time = options.time();
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
    freeSpace =
        new FreeSpace(
            files,
            Files.getFileStore(directory.resolve("index")),
            options.minFreeBytes(),
            options.time());
    reclaimer = new SpaceReclaimer(log, index, writeLock);
    lastOffset = log.end();
    committedEnd = lastOffset;
    try (IndexView reader = index.beginReading()) {
      size.set(reader.storedEntries(Table.ID));
      Checkpoint checkpoint = IndexUpdate.checkpoint(reader);
      eventBytes.set(checkpoint == null ? 0 : checkpoint.eventBytes());
    }
    flusher = new IndexFlusher(index, options.bytesOfFlush());
  }

  @Override
  public boolean contains(EventId id) {
    try (IndexView reader = index.beginReading()) {
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
  public RecentRemovals recentRemovals() {
    return recentRemovals;
  }

  @Override
  public long size() {
    return size.get();
  }

  @Override
  public long damagedRecords() {
    return files.damagedRecords().count();
  }

  /** Removed events do not count, although their space is reclaimed later. */
  @Override
  public long bytes() {
    return eventBytes() + INDEX_BYTES_PER_EVENT * size();
  }

  long eventBytes() {
    return eventBytes.get();
  }

  @Override
  public Query query(Filter filter, long upTo) {
    return StoreView.begin(filter, upTo, this::committedView);
  }

  @Override
  public StoreSnapshot snapshot() {
    return committedView();
  }

  CommittedView committedView() {
    return new CommittedView(index.beginReading(), files.view());
  }

  @Override
  public Optional<StoredEvent> byOffset(long offset) {
    try (IndexView reader = index.beginReading();
        LogView view = files.view()) {
      return Optional.ofNullable(view.event(offset))
          .filter(stored -> IndexUpdate.contains(reader, stored.event().id(), offset));
    }
  }

  @Override
  public Changes changes(long after, KindSet kinds, int max) {
    long end = committedEnd;
    if (after >= end) {
      return new Changes(List.of(), List.of(), after);
    }
    try (LogView view = files.view()) {
      return LogChanges.read(view, after, end, kinds, max);
    }
  }

  @Override
  public Optional<byte[]> row(String table, byte[] key) {
    while (true) {
      try (IndexView reader = index.beginReading()) {
        long offset = IndexUpdate.rowOffset(reader, table, key);
        if (offset < 0) {
          return Optional.empty();
        }
        try (LogView view = files.view()) {
          if (view.contains(offset) || isRowAt(offset, table, key)) {
            return Optional.of(view.row(offset));
          }
        }
      } // retry: the row was replaced, and a rewritten segment lacks the old record
    }
  }

  private boolean isRowAt(long offset, String table, byte[] key) {
    try (IndexView reader = index.beginReading()) {
      return IndexUpdate.rowOffset(reader, table, key) == offset;
    }
  }

  @Override
  public Map<String, byte[]> rows(String table) {
    Map<String, byte[]> rows = new TreeMap<>();
    byte[] prefix = (table + "\0").getBytes(StandardCharsets.UTF_8);
    try (IndexView reader = index.beginReading();
        LogView view = files.view()) {
      boolean more = reader.seek(Table.ROW, reader.keys().rowKey(table, new byte[0]));
      while (more && IndexKeys.startsWith(reader.key(Table.ROW), prefix)) {
        ByteBuffer key = reader.key(Table.ROW);
        byte[] rowKey = new byte[key.remaining() - prefix.length];
        key.get(key.position() + prefix.length, rowKey);
        rows.put(
            HexFormat.of().formatHex(rowKey),
            view.row(IndexKeys.longAt(reader.value(Table.ROW), 0)));
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
      writer = index.beginWriting();
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

  @Override
  public List<AppliedGroup> apply(List<LogGroup> groups) throws IOException {
    if (groups.isEmpty()) {
      return List.of();
    }
    writeLock.lock();
    try (IndexWriter writer = index.beginWriting()) {
      return new GroupReplication(this, log, group, writer).apply(groups);
    } finally {
      writeLock.unlock();
    }
  }

  @Override
  public LogEnd logEnd() {
    writeLock.lock();
    try {
      LogGroup newest = log.newestGroup();
      return new LogEnd(log.nextSequence() - 1, log.end(), newest == null ? 0 : newest.checksum());
    } finally {
      writeLock.unlock();
    }
  }

  /** Makes room for the index changes of a commit; fails if too many wait. */
  void requireRoomInIndex() throws IOException {
    flusher.requireRoom();
  }

  /** Commits the index changes of synced groups, of which the newest has that offset. */
  void commitIndex(IndexWriter writer, long newestGroup) {
    IndexUpdate update = writer.update();
    update.write(
        new Checkpoint(
            newestGroup, log.nextSequence() - 1, log.end(), eventBytes() + update.addedBytes()));
    // Before the index, so that a reader that misses a removed event knows the offset to wait for.
    lastOffset = log.end();
    writer.commit();
    flusher.committed();
  }

  /** Publishes that pages show the newest commit, which has removed those events. */
  void publishChanges(IndexUpdate update, List<Long> removed) {
    size.addAndGet(update.addedEvents());
    eventBytes.addAndGet(update.addedBytes());
    recentRemovals.add(removed);
    committedEnd = lastOffset;
  }

  void releaseWriteLock() {
    writeLock.unlock();
  }

  long nowSeconds() {
    return time.instant().getEpochSecond();
  }

  /** Changes the free space below which events of clients are refused. Any thread. */
  public void setMinFreeBytes(long bytes) {
    freeSpace.setMinimum(bytes);
  }

  @Override
  public boolean hasRoomForClients() {
    return freeSpace.isEnough();
  }

  @Override
  public boolean reclaim(Instant now) {
    return reclaimer.run(now.getEpochSecond());
  }

  /** Closing a closed store does nothing. */
  @Override
  public void close() {
    writeLock.lock();
    try {
      if (!isClosed) {
        isClosed = true;
        flusher.close();
        closeFiles();
      }
    } finally {
      writeLock.unlock();
    }
  }

  private void closeFiles() {
    try {
      try (index) {
        index.sync();
      }
      state.setClean();
    } catch (IOException e) {
      LOG.warn("The index could not be closed cleanly; it may be rebuilt at the next start", e);
    } finally {
      files.close();
      lock.close();
    }
  }

  /**
   * The free space on the disks of the log and the index, and the least with which events of
   * clients are stored. While there is plenty, it is measured once a second, otherwise at each
   * call. Any thread.
   */
  static final class FreeSpace {
    /** More than the minimum by so much is plenty: no disk is filled with it within a second. */
    static final long PLENTY_BYTES = 2L << 30;

    private static final long PERIOD_MILLIS = 1000;

    private final LogFiles log;
    private final FileStore index;
    private final AtomicBoolean isFull = new AtomicBoolean(); // as last logged
    private final InstantSource time;
    private volatile long minBytes;
    private volatile long plentyAt = Long.MAX_VALUE; // when there was plenty last, in milliseconds

    FreeSpace(LogFiles log, FileStore index, long minBytes, InstantSource time) {
      this.log = log;
      this.index = index;
      this.time = time;
      this.minBytes = minBytes;
    }

    void setMinimum(long bytes) {
      minBytes = bytes;
      plentyAt = Long.MAX_VALUE;
    }

    /** Whether there is as much free space as required; also if it cannot be determined. */
    boolean isEnough() {
      long now = time.millis();
      long minimum = minBytes;
      if (now >= plentyAt && now - plentyAt < PERIOD_MILLIS) {
        return true;
      }
      try {
        long freeBytes = Math.min(log.usableBytes(), index.getUsableSpace());
        if (freeBytes - minimum >= PLENTY_BYTES) {
          plentyAt = now;
        }
        logIfFullOrRoomyAgain(freeBytes, minimum);
        return freeBytes >= minimum;
      } catch (IOException e) {
        LOG.warn("The free space on the disk could not be determined", e);
        return true;
      }
    }

    /** Logs each change once, however many events are refused meanwhile. */
    private void logIfFullOrRoomyAgain(long freeBytes, long minimum) {
      boolean full = freeBytes < minimum;
      if (isFull.compareAndSet(!full, full)) {
        if (full) {
          LOG.warn(
              "The store is full: {} MB are free on its disk, store.min_free is {} MB."
                  + " Events of clients are refused until there is room",
              freeBytes >> 20,
              minimum >> 20);
        } else {
          LOG.info(
              "The store has room again: {} MB are free on its disk. Events of clients are stored",
              freeBytes >> 20);
        }
      }
    }
  }
}
