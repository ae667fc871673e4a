package gambit.core.store.disk.index;

import gambit.core.store.StoreDamaged;
import gambit.core.store.disk.log.LogView;
import gambit.core.store.disk.log.RecordGroup;
import gambit.core.store.disk.log.Records;
import gambit.core.store.disk.log.Segment;
import java.nio.ByteBuffer;

/**
 * Applies records that are in the log to the index: those that it does not have when the store is
 * opened, and those of another store's groups. One transaction of the index; one thread.
 */
public final class RecordReplay {
  private final LogView view;
  private final IndexUpdate update;

  /**
   * The replay of a transaction.
   *
   * @param view the segments of the log
   */
  public RecordReplay(LogView view, IndexUpdate update) {
    this.view = view;
    this.update = update;
  }

  /**
   * Applies a record.
   *
   * @throws StoreDamaged when its kind is unknown, or it removes a damaged record
   */
  public void record(ByteBuffer in, int at, long offset) throws StoreDamaged {
    switch (Records.kind(in, at)) {
      case Records.EVENT -> update.add(Records.event(in, at, offset));
      case Records.ROW -> update.putRow(Records.table(in, at), Records.key(in, at), offset);
      case Records.ERASURE -> update.eraseRemoved(Records.erasureTime(in, at));
      case Records.REMOVAL -> remove(Records.target(in, at), Records.erasedAt(in, at));
      default ->
          throw new StoreDamaged(view.segmentOf(offset).name(), at, "unknown kind of record");
    }
  }

  /** Applies a removal; the removed record may no longer be in the log. */
  private void remove(long target, long erasedAt) throws StoreDamaged {
    Segment segment = view.segmentOf(target);
    int at = segment.findRecord(target);
    if (at >= 0) {
      if (!segment.isIntact(at, target)) {
        throw new StoreDamaged(segment.name(), at, "the record is damaged");
      }
      update.addDeadBytes(segment.base(), Records.size(segment.view(), at), erasedAt);
      update.remove(segment.view(), at, target);
    }
  }

  /** Counts the head of a group without records as dead bytes. */
  public void groupEnd(long groupOffset, long end) {
    if (end - groupOffset == RecordGroup.HEAD_BYTES) {
      Segment segment = view.segmentOf(groupOffset);
      if (!segment.isRewritten()) {
        update.addDeadBytes(segment.base(), RecordGroup.HEAD_BYTES, 0);
      }
    }
  }
}
