package gambit.core.store.disk;

import gambit.core.store.AppliedGroup;
import gambit.core.store.LogGroup;
import gambit.core.store.StoreDamaged;
import gambit.core.store.StoreFailure;
import gambit.core.store.StoredEvent;
import gambit.core.store.disk.index.IndexWriter;
import gambit.core.store.disk.log.EventLog;
import gambit.core.store.disk.log.GroupReader;
import gambit.core.store.disk.log.GroupReader.ReceivedGroup;
import gambit.core.store.disk.log.LogView;
import gambit.core.store.disk.log.RecordGroup;
import gambit.core.store.disk.log.Records;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies groups of another store, all or none: they are checked, appended to the log with one
 * sync, and then indexed in one transaction. The holder of the store's write lock; for one use.
 */
final class GroupReplication {
  private static final long MAX_BYTES = 1 << 30;

  private final DiskEventStore store;
  private final EventLog log;
  private final RecordGroup buffer;
  private final IndexWriter index;
  private final long start;

  GroupReplication(DiskEventStore store, EventLog log, RecordGroup buffer, IndexWriter index) {
    this.store = store;
    this.log = log;
    this.buffer = buffer;
    this.index = index;
    this.start = log.end();
  }

  List<AppliedGroup> apply(List<LogGroup> groups) throws IOException {
    List<ReceivedGroup> received = read(groups);
    store.requireRoomInIndex();
    long size = received.get(received.size() - 1).end() - start;
    log.append(groups, buffer, (int) size);
    List<Long> removedEvents = new ArrayList<>();
    try (LogView view = log.files().view()) {
      for (ReceivedGroup group : received) {
        replay(group, view);
        group.removedEvents().stream().filter(it -> it < start).forEach(removedEvents::add);
      }
      index.update().applySums();
      store.commitIndex(index, received.get(received.size() - 1).group().offset());
    } catch (IOException | RuntimeException e) {
      throw new StoreFailure("groups of another node could not be stored", e);
    }
    store.publishChanges(index.update(), removedEvents);
    return received.stream().map(it -> new AppliedGroup(it.added(), it.rows())).toList();
  }

  private List<ReceivedGroup> read(List<LogGroup> groups) {
    if (groups.stream().mapToLong(ReceivedGroup::sizeOf).sum() > MAX_BYTES) {
      throw new IllegalArgumentException("the groups are too large to be applied at once");
    }
    try (LogView view = log.files().view()) {
      GroupReader reader = new GroupReader(view, log.nextSequence(), start);
      return groups.stream().map(reader::read).toList();
    }
  }

  private void replay(ReceivedGroup group, LogView view) throws StoreDamaged {
    ByteBuffer in = group.records();
    List<StoredEvent> added = group.added();
    int events = 0;
    for (int at = 0; at < in.capacity(); at += Records.size(in, at)) {
      if (Records.kind(in, at) == Records.EVENT) {
        index.update().add(added.get(events++)); // has been decoded
      } else {
        index.update().replay(view, in, at, group.recordsOffset() + at);
      }
    }
    index.update().replayGroupEnd(view, group.group().offset(), group.end());
  }
}
