package gambit.core.store.disk;

import gambit.core.store.StoreDamaged;
import gambit.core.store.StoreProgress;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.LogFiles;
import gambit.core.store.disk.log.LogSnapshot;
import gambit.core.store.disk.log.Segment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of a log, which another process may be using, to be copied: each is checked first, so
 * that damage does not replace a good copy or spread to other nodes. One thread.
 */
final class CheckedLog implements AutoCloseable {
  private final LogSnapshot snapshot;
  private final List<Segment> segments;
  private final List<String> faults = new ArrayList<>();
  private final LogCheck check = new LogCheck(faults::add, null, StoreProgress.NONE);
  private long groupsBefore; // before the segment that was checked last

  private CheckedLog(LogSnapshot snapshot) throws StoreDamaged {
    this.snapshot = snapshot;
    this.segments = snapshot.segments();
    LogFiles.requireComplete(segments);
  }

  /** Opens the files, of which none may be missing or damaged at its head. */
  static CheckedLog open(Disk disk) throws IOException {
    List<StoreDamaged> unopened = new ArrayList<>();
    LogSnapshot snapshot = LogSnapshot.open(disk, unopened::add);
    try {
      if (!unopened.isEmpty()) {
        throw unopened.get(0);
      }
      return new CheckedLog(snapshot);
    } catch (StoreDamaged e) {
      snapshot.close();
      throw e;
    }
  }

  List<Segment> segments() {
    return segments;
  }

  boolean isLast(int i) {
    return i == segments.size() - 1;
  }

  /** Checks a segment, the last one last; returns its length without unused bytes. */
  int requireIntact(int i) throws StoreDamaged {
    groupsBefore = check.groups();
    int length = check.runOn(segments, i);
    if (!faults.isEmpty()) {
      throw new StoreDamaged(faults.get(0));
    }
    return length;
  }

  /** The end of the last segment, once it has been checked. */
  long end() {
    return check.end();
  }

  long nextSequence() {
    return segments.get(segments.size() - 1).firstSequence() + check.groups() - groupsBefore;
  }

  @Override
  public void close() {
    snapshot.close();
  }
}
