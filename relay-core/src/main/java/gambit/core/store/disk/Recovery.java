package gambit.core.store.disk;

import gambit.core.store.disk.IndexUpdate.Checkpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.LmdbException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings log and index together when a store is opened: follows the log from where the index knows
 * it, or, where the index cannot be trusted, makes it again from the whole log.
 */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  /** Records of one transaction of the index. */
  static final int BATCH = 50_000;

  private final EventLog log;
  private final int batch;
  private final @Nullable Hashing hashing;

  /**
   * Prepares to follow a log.
   *
   * @param batch records of one transaction of the index
   * @param hashing null for the real one
   */
  Recovery(EventLog log, int batch, @Nullable Hashing hashing) {
    this.log = log;
    this.batch = batch;
    this.hashing = hashing;
  }

  Index open(Path directory, IndexState state) throws IOException {
    if (state.isTrustworthy() && Files.isDirectory(directory)) {
      state.setOpen(); // before the index is written to
      try {
        return whole(directory, this::follow);
      } catch (IndexUnusable e) {
        LOG.warn("The index cannot be used and is made again", e);
      }
    }
    state.setNone();
    Index.delete(directory);
    Index made = compact(directory, whole(directory, this::rebuild));
    state.setOpen();
    return made;
  }

  /** Pages that were filled in any order are half empty: the same index takes a third less. */
  private Index compact(Path directory, Index index) throws IOException {
    try (index) {
      index.copyCompact();
    } catch (IOException e) {
      LOG.warn("There is no room for a compact copy of the index", e);
      return new Index(directory, hashing);
    }
    Index.replaceByCompact(directory);
    return whole(directory, Index::sync);
  }

  private interface Step {
    void apply(Index index) throws IOException;
  }

  /** The index after a step, or no open index. */
  private Index whole(Path directory, Step step) throws IOException {
    Index index = new Index(directory, hashing);
    boolean isWhole = false;
    try {
      step.apply(index);
      isWhole = true;
      return index;
    } catch (LmdbException e) {
      throw new IndexUnusable(e);
    } finally {
      if (!isWhole) {
        index.close();
      }
    }
  }

  private void follow(Index index) throws IOException {
    Checkpoint known;
    try (IndexReader reader = index.read()) {
      known = IndexUpdate.checkpoint(reader);
    }
    try (Replay replay = new Replay(log, batch, index, known)) {
      if (known == null) {
        log.scan(0, 1, 0, replay);
      } else if (isRewritten(known.groupAt())) {
        log.scan(known.end(), known.sequence() + 1, known.end(), replay);
      } else { // once more, to see that it is what was written
        log.scan(known.groupAt(), known.sequence(), known.end(), replay);
      }
      replay.finish();
      if (replay.records > 0) {
        LOG.info("The last {} records of the event log were not in the index yet", replay.records);
      }
    }
  }

  private boolean isRewritten(long offset) {
    try (LogView view = log.files().view()) {
      return view.segmentOf(offset).isRewritten();
    }
  }

  private void rebuild(Index index) throws IOException {
    try (Replay replay = new Replay(log, batch, index, null)) {
      log.scan(0, 1, 0, replay);
      replay.finish();
      if (replay.records > 0) {
        LOG.info("The index is complete: {} records", replay.records);
      }
    }
  }

  /** Puts the log's records into the index, a batch at a time. */
  private static final class Replay implements EventLog.Visitor, AutoCloseable {
    private final int batch;
    private final Index index;
    private final LogView view;
    private final long total;
    private final @Nullable Checkpoint known;
    private IndexWriter writer;
    private IndexUpdate update;
    private @Nullable Checkpoint reached;
    private long eventBytes; // before the transaction under way
    private long records;
    private int inBatch;
    private int tenths;

    Replay(EventLog log, int batch, Index index, @Nullable Checkpoint known) {
      this.batch = batch;
      this.index = index;
      this.view = log.files().view();
      this.total = log.files().capacity();
      this.known = known;
      this.eventBytes = known == null ? 0 : known.eventBytes();
      this.writer = new IndexWriter(index);
      this.update = new IndexUpdate(writer);
    }

    @Override
    public void record(ByteBuffer in, int at, long offset) throws IOException {
      if (known != null && offset < known.end()) {
        return;
      }
      if (records == 0 && known == null) {
        LOG.info("The index is made again from the event log, {} MB at most", total >> 20);
      }
      records++;
      inBatch++;
      switch (Records.kind(in, at)) {
        case Records.EVENT -> update.add(Records.event(in, at, offset));
        case Records.ROW -> update.putRow(Records.table(in, at), Records.key(in, at), offset);
        case Records.ERASURE -> update.eraseRemoved(Records.erasureTime(in, at));
        default -> remove(Records.target(in, at), Records.erasedAt(in, at));
      }
    }

    /** What is removed may be gone from the log already. */
    private void remove(long target, long erasedAt) throws StoreDamaged {
      Segment segment = view.segmentOf(target);
      int at = segment.find(target);
      if (at >= 0) {
        if (segment.hasRecordChecksums() && !segment.isIntact(at, target)) {
          throw new StoreDamaged(segment.name(), at, "the record there is not what was written");
        }
        update.died(segment.base(), Records.size(segment.view(), at), erasedAt);
        update.remove(segment.view(), at, target);
      }
    }

    @Override
    public void groupEnds(long offset, long groupAt, long sequence) throws IOException {
      reached = new Checkpoint(groupAt, sequence, offset, eventBytes + update.addedBytes());
      if (inBatch >= batch) {
        finish();
        eventBytes += update.addedBytes();
        writer = new IndexWriter(index);
        update = new IndexUpdate(writer);
        int now = (int) (10 * offset / Math.max(total, 1));
        if (now > tenths) {
          tenths = now;
          LOG.info("{} % of the event log is in the index", 10 * now);
        }
      }
    }

    void finish() throws IOException {
      inBatch = 0;
      update.finish(reached);
      writer.commit();
      writer.close();
    }

    @Override
    public void close() {
      writer.close();
      view.close();
    }
  }
}
