package gambit.app.server.backup;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.app.common.Amounts;
import gambit.app.common.ErrorMessages;
import gambit.core.lane.Deadlines;
import gambit.core.store.disk.BackupManifest;
import gambit.core.store.disk.StoreBackup;
import gambit.core.store.disk.log.RealDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backups that the running relay makes of itself, when an admin asks for one, and by itself if
 * the settings say so: one at a time, on a thread of its own, into one directory, which always has
 * the newest state. Thread-safe.
 */
public final class Backups implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Backups.class);
  private static final String DIRECTORY = "backups";
  private static final long CLOSE_MILLIS = 2_000;
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  /** When a backup that was not made is tried again. */
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofHours(1);

  private final Path data;
  private final InstantSource time;

  @GuardedBy("this")
  private BackupSettings settings;

  @GuardedBy("this")
  private long bytesLeftFree;

  @GuardedBy("this")
  private @Nullable Thread running;

  @GuardedBy("this")
  private @Nullable Last last; // of this process

  private volatile boolean isClosed;

  /**
   * The last backup.
   *
   * @param bytes of the whole backup; 0 if it was not made
   * @param seconds that it took; empty for one that this process has not made
   * @param error why it was not made; empty if it was
   */
  public record Last(Instant at, long bytes, Optional<Double> seconds, Optional<String> error) {}

  public Backups(Path data, BackupSettings settings, long bytesLeftFree, InstantSource time) {
    this.data = data;
    this.settings = settings;
    this.bytesLeftFree = bytesLeftFree;
    this.time = time;
  }

  /** Puts other settings in force for the next backup, which leaves so many bytes free. */
  public synchronized void change(BackupSettings next, long leftFree) {
    settings = next;
    bytesLeftFree = leftFree;
  }

  public synchronized BackupSettings settings() {
    return settings;
  }

  public synchronized Path directory() {
    return settings.directory().orElse(data.resolve(DIRECTORY)).toAbsolutePath().normalize();
  }

  public synchronized boolean isRunning() {
    return running != null;
  }

  /** The relay runs: each minute, a backup begins if one is due by the settings. */
  public void start(Deadlines deadlines) {
    if (isDue()) {
      start();
    }
    deadlines.set(this, INTERVAL, () -> start(deadlines));
  }

  private boolean isDue() {
    Duration every = settings().every();
    if (every.isZero()) {
      return false;
    }
    Optional<Last> known = last();
    boolean hasFailed = known.flatMap(Last::error).isPresent();
    Duration pause =
        hasFailed && every.compareTo(PAUSE_AFTER_FAILURE) > 0 ? PAUSE_AFTER_FAILURE : every;
    return known.isEmpty() || !time.instant().isBefore(known.get().at().plus(pause));
  }

  /** Begins a backup, unless one is being made. */
  public synchronized boolean start() {
    if (running != null || isClosed) {
      return false;
    }
    Path directory = directory();
    DataBackup backup =
        new DataBackup(
            data, false, bytesLeftFree, name -> LOG.warn("The backup leaves out {}", name));
    Thread thread = new Thread(() -> run(backup, directory), "backup");
    thread.setDaemon(true);
    running = thread;
    thread.start();
    return true;
  }

  private void run(DataBackup backup, Path directory) {
    Instant begun = time.instant().truncatedTo(ChronoUnit.SECONDS);
    long start = System.nanoTime();
    Last result;
    try {
      StoreBackup.Outcome outcome =
          backup.run(
              directory,
              begun,
              (done, total) -> {
                if (isClosed) {
                  throw new CancellationException();
                }
              });
      double seconds = Math.round((System.nanoTime() - start) / 1e8) / 10.0;
      LOG.info(
          "Backup {} in {}: {} copied of {}",
          outcome.number(),
          directory,
          Amounts.ofBytes(outcome.copiedBytes()),
          Amounts.ofBytes(outcome.totalBytes()));
      result = new Last(begun, outcome.totalBytes(), Optional.of(seconds), Optional.empty());
    } catch (IOException | RuntimeException e) {
      String error = isClosed ? "the relay has ended" : ErrorMessages.of(e);
      LOG.warn("The backup in {} was not made: {}", directory, error);
      result = new Last(begun, 0, Optional.empty(), Optional.of(error));
    }
    synchronized (this) {
      last = result;
      running = null;
    }
  }

  /** The last backup: of this process, else the one that the directory has. */
  public Optional<Last> last() {
    Last known;
    synchronized (this) {
      known = last;
    }
    return known == null ? former(directory()) : Optional.of(known);
  }

  private static Optional<Last> former(Path directory) {
    if (!Files.isDirectory(directory)) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(BackupManifest.read(RealDisk.readOnly(directory)))
          .map(it -> new Last(it.time(), it.totalBytes(), Optional.empty(), Optional.empty()));
    } catch (IOException e) {
      return Optional.of(
          new Last(Instant.EPOCH, 0, Optional.empty(), Optional.of(ErrorMessages.of(e))));
    }
  }

  /** Ends a running backup, of which nothing counts; the former one stays. */
  @Override
  public void close() {
    Thread ending;
    synchronized (this) {
      isClosed = true;
      ending = running;
    }
    if (ending != null) {
      try {
        ending.join(CLOSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
