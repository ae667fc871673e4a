package gambit.core.store.disk.log;

import gambit.core.store.AppliedGroup;
import gambit.core.store.LogGroup;
import gambit.core.store.StoredEvent;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A group of another store whose records have been checked and whose events have been decoded.
 *
 * @param added its events, in order
 * @param rows the rows that it sets or removes
 * @param removedEvents offsets of the events that it removes
 */
public record ReceivedGroup(
    LogGroup group,
    List<StoredEvent> added,
    List<AppliedGroup.RowName> rows,
    List<Long> removedEvents) {

  /** The offset of the first record. */
  public long recordsOffset() {
    return group.offset() + RecordGroup.HEAD_BYTES;
  }

  /** The offset at which the group ends. */
  public long end() {
    return group.offset() + sizeOf(group);
  }

  /** The size of a group in the log, in bytes. */
  public static long sizeOf(LogGroup group) {
    return ((long) RecordGroup.HEAD_BYTES + group.records().length + 7) & -8;
  }

  /** The records. */
  public ByteBuffer records() {
    return ByteBuffer.wrap(group.records());
  }
}
