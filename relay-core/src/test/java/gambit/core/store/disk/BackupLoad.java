package gambit.core.store.disk;

import gambit.core.crypto.EventVerifier;
import gambit.core.store.StoreProgress;
import gambit.core.store.disk.index.IndexState;
import gambit.core.store.disk.log.RealDisk;
import gambit.core.testkit.SyntheticNotes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Measures a check, a first and an incremental backup, and a restore of a large store. */
final class BackupLoad {
  private static final int NEW_EVENTS = 10_000;

  private final Path store;
  private final Path directory;
  private final List<String> rows = new ArrayList<>();

  /**
   * Creates the measurement.
   *
   * @param store a store that is not open
   * @param directory where the backup and the restored store are kept
   */
  BackupLoad(Path store, Path directory) {
    this.store = store;
    this.directory = directory;
  }

  /** Work that returns the number of bytes that it has read or copied. */
  private interface Work {
    long run() throws Exception;
  }

  /** The rows of a table. */
  List<String> measure() throws Exception {
    Path backup = directory.resolve("backup");
    row("check, checksums only", this::check);
    row("first backup", () -> backUp(backup, false));
    row("backup without news", () -> backUp(backup, false));
    try (DiskEventStore opened =
        new DiskEventStore(
            store, new RealDisk(store.resolve("log")), StoreLoad.options(IndexState.bootId()))) {
      WriteLoad load = new WriteLoad(opened, SyntheticNotes.unsigned(3));
      load.fill(opened.size() + NEW_EVENTS, 512);
      row(String.format("backup after %,d more", NEW_EVENTS), () -> backUp(backup, false));
    }
    row("backup that verifies what it keeps", () -> backUp(backup, true));
    row(
        "restore",
        () -> {
          Path data = Files.createDirectory(directory.resolve("restored"));
          return StoreRestore.run(backup, data, StoreProgress.NONE).bytes();
        });
    return rows;
  }

  private long check() throws Exception {
    long[] read = new long[1];
    StoreCheck.run(store, new EventVerifier(), false, fault -> {}, (done, total) -> read[0] = done);
    return read[0];
  }

  private long backUp(Path backup, boolean verifiesKept) throws Exception {
    StoreBackup.Request request =
        new StoreBackup.Request(store, Map.of(), verifiesKept, Instant.now(), 0);
    return StoreBackup.run(request, backup, StoreProgress.NONE).copiedBytes();
  }

  private void row(String what, Work work) throws Exception {
    long[] bytes = new long[1];
    MeasuredCost cost = MeasuredCost.of(() -> bytes[0] = work.run());
    rows.add(
        String.format(
            "| %s | %.1f | %.2f | %.2f |",
            what, bytes[0] / 1e6, cost.wallNanos() / 1e9, cost.processCpuNanos() / 1e9));
  }
}
