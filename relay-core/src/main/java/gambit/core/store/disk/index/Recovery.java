package gambit.core.store.disk.index;

import gambit.core.store.StoreDamaged;
import gambit.core.store.disk.index.IndexUpdate.Checkpoint;
import gambit.core.store.disk.lmdb.LmdbException;
import gambit.core.store.disk.log.EventLog;
import gambit.core.store.disk.log.LogView;
import gambit.core.store.disk.log.Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the index up to date when a store is opened: it replays the log from the checkpoint of the
 * index, or rebuilds an index that cannot be trusted from the whole log.
 */
public final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  public static final int RECORDS_PER_TRANSACTION = 50_000;

  private final EventLog log;
  private final int recordsPerTransaction;
  private final @Nullable Hashing hashing;

  /** Creates a recovery; a null hashing stands for the keyed hash. */
  public Recovery(EventLog log, int recordsPerTransaction, @Nullable Hashing hashing) {
    this.log = log;
    this.recordsPerTransaction = recordsPerTransaction;
    this.hashing = hashing;
  }

  public Index open(Path directory, IndexState state) throws IOException {
    if (state.isTrustworthy() && Files.isDirectory(directory)) {
      state.setOpen(); // before the index is written to
      try {
        return openAndCatchUp(directory);
      } catch (Index.Unusable e) {
        if (e.getCause() == null) {
          LOG.warn("The index is rebuilt from the event log: {}", e.getMessage());
        } else {
          LOG.warn("The index cannot be used and is rebuilt from the event log", e);
        }
      }
    }
    state.setMissing();
    Index.delete(directory);
    Index made = openAndCatchUp(directory);
    state.setOpen();
    return made;
  }

  /** Opens or creates the index and replays what it lacks; closes it if that fails. */
  private Index openAndCatchUp(Path directory) throws IOException {
    Index index = new Index(directory, hashing);
    boolean isComplete = false;
    try {
      catchUp(index);
      isComplete = true;
      return index;
    } catch (LmdbException e) {
      throw new Index.Unusable(e);
    } finally {
      if (!isComplete) {
        index.close();
      }
    }
  }

  private void catchUp(Index index) throws IOException {
    Checkpoint known;
    try (IndexView reader = index.beginReading()) {
      known = IndexUpdate.checkpoint(reader);
    }
    try (Replay replay = new Replay(log, recordsPerTransaction, index, known)) {
      if (known == null) {
        log.scan(0, 1, 0, replay);
      } else if (isRewritten(known.groupOffset())) {
        log.scan(known.end(), known.sequence() + 1, known.end(), replay);
      } else { // again, to verify the last group
        log.scan(known.groupOffset(), known.sequence(), known.end(), replay);
      }
      replay.commit();
      if (replay.recordCount > 0) {
        LOG.info(
            known == null
                ? "The index is complete: {} records"
                : "Indexed the last {} records of the event log",
            replay.recordCount);
      }
    }
  }

  private boolean isRewritten(long offset) {
    try (LogView view = log.files().view()) {
      return view.segmentOf(offset).isRewritten();
    }
  }

  private static final class Replay implements EventLog.LogVisitor, AutoCloseable {
    private final int recordsPerTransaction;
    private final Index index;
    private final LogView view;
    private final long logBytes;
    private final @Nullable Checkpoint known;
    private IndexWriter writer;
    private @Nullable Checkpoint reached;
    private long eventBytes; // before the current transaction
    private long recordCount;
    private int recordsInTransaction;
    private int loggedTenths;

    Replay(EventLog log, int recordsPerTransaction, Index index, @Nullable Checkpoint known) {
      this.recordsPerTransaction = recordsPerTransaction;
      this.index = index;
      this.view = log.files().view();
      this.logBytes = log.files().capacityBytes();
      this.known = known;
      this.eventBytes = known == null ? 0 : known.eventBytes();
      this.writer = index.beginWriting();
    }

    @Override
    public void record(Segment segment, int at, long offset) throws StoreDamaged {
      if (known != null && offset < known.end()) {
        return;
      }
      if (recordCount == 0 && known == null) {
        LOG.info("The index is being rebuilt from the event log of at most {} MB", logBytes >> 20);
      }
      recordCount++;
      recordsInTransaction++;
      writer.update().replay(view, segment.view(), at, offset);
    }

    @Override
    public void groupEnd(long offset, long groupOffset, long sequence) throws IOException {
      IndexUpdate update = writer.update();
      if (known == null || groupOffset >= known.end()) {
        update.replayGroupEnd(view, groupOffset, offset);
      }
      reached = new Checkpoint(groupOffset, sequence, offset, eventBytes + update.addedBytes());
      if (recordsInTransaction >= recordsPerTransaction) {
        eventBytes += update.addedBytes(); // before another transaction uses the update again
        commit();
        writer = index.beginWriting();
        int now = (int) (10 * offset / Math.max(logBytes, 1));
        if (now > loggedTenths) {
          loggedTenths = now;
          LOG.info("{} % of the event log is indexed", 10 * now);
        }
      }
    }

    void commit() throws IOException {
      recordsInTransaction = 0;
      writer.update().applySums();
      writer.update().write(reached);
      writer.commit();
      writer.close();
      index.flush();
    }

    @Override
    public void close() {
      writer.close();
      view.close();
    }
  }
}
