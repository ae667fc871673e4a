package gambit.core.store.disk;

import gambit.core.crypto.EventVerifier;
import gambit.core.files.DirectoryLock;
import gambit.core.store.StoreDamaged;
import gambit.core.store.StoreProgress;
import gambit.core.store.disk.index.Index;
import gambit.core.store.disk.index.IndexState;
import gambit.core.store.disk.lmdb.LmdbException;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.LogFiles;
import gambit.core.store.disk.log.LogSnapshot;
import gambit.core.store.disk.log.RealDisk;
import gambit.core.store.disk.log.Segment;
import gambit.core.store.disk.log.StoreFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks a whole store: its log ({@link LogCheck}), and whether the index has every record in force
 * ({@link IndexCheck}). While another process has the store open, only the log is checked, as far
 * as it has been written. It reports faults and changes nothing. One thread, with helper threads
 * that verify signatures.
 */
public final class StoreCheck {
  private final LogCheck log;
  private final Consumer<String> faultSink;
  private long faults;

  /**
   * The result of a check: numbers of the items checked.
   *
   * @param groups groups in original segments; rewritten ones contain records only
   * @param inForce events and rows that have not been removed
   * @param index a short description of the check of the index
   */
  public record Outcome(
      int segments,
      long groups,
      long records,
      long events,
      long inForce,
      long faults,
      String index) {}

  private StoreCheck(
      EventVerifier verifier,
      boolean verifiesEvents,
      Consumer<String> faultSink,
      StoreProgress progress) {
    this.faultSink = faultSink;
    this.log = new LogCheck(this::report, verifiesEvents ? verifier : null, progress);
  }

  /** Checks the store in a directory; on request, also ids and signatures of events. */
  public static Outcome run(
      Path directory,
      EventVerifier verifier,
      boolean verifiesEvents,
      Consumer<String> faults,
      StoreProgress progress)
      throws IOException {
    Disk log = openLog(directory);
    StoreCheck check = new StoreCheck(verifier, verifiesEvents, faults, progress);
    try (DirectoryLock lock = lockIfUnused(directory);
        LogSnapshot snapshot = LogSnapshot.open(log, e -> check.report(e.getMessage()))) {
      return check.check(directory, snapshot.segments(), lock == null);
    }
  }

  /** Opens the log of a store for reading; refuses an unknown format. */
  static Disk openLog(Path directory) throws IOException {
    Path log = directory.resolve("log");
    if (!Files.isDirectory(log)) {
      throw new NoSuchFileException(log.toString(), null, "there is no event log");
    }
    StoreFormat.read(directory);
    return RealDisk.readOnly(log);
  }

  private static @Nullable DirectoryLock lockIfUnused(Path directory) throws IOException {
    try {
      return new DirectoryLock(directory, "lock");
    } catch (DirectoryLock.InUse e) {
      return null;
    }
  }

  private Outcome check(Path directory, List<Segment> segments, boolean isInUse)
      throws IOException {
    try {
      LogFiles.requireComplete(segments);
    } catch (StoreDamaged e) {
      report(e.getMessage());
    }
    if (isInUse) {
      return check(segments, null, "not checked: another process is using the store");
    }
    Path indexFiles = directory.resolve("index");
    boolean isIndexed =
        new IndexState(directory, IndexState.bootId()).isTrustworthy()
            && Files.exists(indexFiles.resolve("data.mdb"));
    if (!isIndexed) {
      return check(segments, null, "not checked: it will be rebuilt at the next start");
    }
    try (Index index = new Index(indexFiles, null);
        IndexCheck check = new IndexCheck(index, this::report)) {
      return check(segments, check, check.entries() + " entries");
    } catch (Index.Unusable | LmdbException e) {
      if (e instanceof Index.Unusable && e.getCause() == null) { // of another format
        return check(
            segments, null, "not checked: " + e.getMessage() + ", which rebuilds it at its start");
      }
      report("the index cannot be read: " + (e.getCause() == null ? e : e.getCause()));
      return check(segments, null, "cannot be read");
    }
  }

  private Outcome check(List<Segment> segments, @Nullable IndexCheck index, String indexResult) {
    long known = index == null ? 0 : index.checkpointEnd();
    log.run(segments, known);
    if (known > log.end() && faults == 0) {
      report("the event log ends before its indexed end");
    }
    long inForce = checkInForce(segments, known, index);
    return new Outcome(
        segments.size(), log.groups(), log.records(), log.events(), inForce, faults, indexResult);
  }

  /** Counts the records in force, and checks the index entries of those that must be indexed. */
  private long checkInForce(List<Segment> segments, long known, @Nullable IndexCheck index) {
    long[] inForce = new long[1];
    long before = faults;
    log.forEachInForce(
        segments,
        (segment, at, offset) -> {
          inForce[0]++;
          if (index != null && offset < known && !log.isDamaged(offset)) {
            index.checkEntriesOf(segment, at, offset);
          }
        });
    if (index != null && before == 0 && known == log.end()) {
      index.reportSurplusEntries();
      index.checkIdSums();
    }
    return inForce[0];
  }

  private void report(@Nullable String fault) {
    faults++;
    faultSink.accept(String.valueOf(fault));
  }
}
