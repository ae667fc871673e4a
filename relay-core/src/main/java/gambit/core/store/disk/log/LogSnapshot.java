package gambit.core.store.disk.log;

import gambit.core.store.StoreDamaged;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The segments that made up a log at one moment, opened for reading while another process may be
 * appending to the last one and replacing others. Files that are replaced stay readable until the
 * snapshot is closed, so a check or a copy may take any time. Groups appended to the last segment
 * later can be read, too. One thread.
 */
public final class LogSnapshot implements AutoCloseable {
  /** A relay replaces segments at most a few times a second, and a listing takes milliseconds. */
  private static final int MAX_LISTINGS = 1_000;

  private final List<Segment> opened;
  private final List<Segment> segments;

  private LogSnapshot(List<Segment> opened) {
    this.opened = opened;
    this.segments = LogFiles.liveSegments(opened);
  }

  /**
   * Opens the segments, and passes on the fault of each that cannot be opened. The directory is
   * listed again afterwards: if a file has appeared or gone meanwhile, the listing may have missed
   * both a replaced segment and the one that replaced it, and everything is opened again.
   */
  public static LogSnapshot open(Disk disk, Consumer<StoreDamaged> damaged) throws IOException {
    for (int i = 0; i < MAX_LISTINGS; i++) {
      List<String> names = names(disk);
      List<StoreDamaged> faults = new ArrayList<>();
      List<Segment> opened = new ArrayList<>();
      boolean isComplete = false;
      try {
        for (String name : names) {
          try {
            opened.add(Segment.open(disk, name));
          } catch (StoreDamaged e) {
            faults.add(e);
          }
        }
        isComplete = names.equals(names(disk));
      } catch (NoSuchFileException e) {
        isComplete = false; // a file was replaced meanwhile
      } finally {
        if (!isComplete) {
          opened.forEach(Segment::release);
        }
      }
      if (isComplete) {
        faults.forEach(damaged);
        return new LogSnapshot(opened);
      }
    }
    throw new IOException("the files of the event log are replaced too often to be read");
  }

  private static List<String> names(Disk disk) throws IOException {
    return disk.names().stream().filter(Segment::isFileName).sorted().toList();
  }

  /** The segments in offset order, without replaced ones. The last one may still be appended to. */
  public List<Segment> segments() {
    return segments;
  }

  @Override
  public void close() {
    opened.forEach(Segment::release);
  }
}
