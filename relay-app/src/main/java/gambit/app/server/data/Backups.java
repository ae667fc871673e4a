package gambit.app.server.data;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.app.common.Amounts;
import gambit.app.common.ErrorMessages;
import gambit.app.server.config.SettingsReader;
import gambit.core.lane.Deadlines;
import gambit.core.store.disk.BackupManifest;
import gambit.core.store.disk.StoreBackup;
import gambit.core.store.disk.log.RealDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.stream.Stream;
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
  private static final int MAX_FILE_BYTES = 1 << 20;
  private static final Set<String> OF_THE_PROCESS = Set.of("gambit.lock", "control");
  private static final String UNFINISHED = ".*\\.(tmp|part)";
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
   * @param at in seconds of Unix time
   * @param bytes of the whole backup; 0 if it was not made
   * @param seconds that it took; null for one that this process has not made
   * @param error why it was not made; null if it was
   */
  public record Last(long at, long bytes, @Nullable Double seconds, @Nullable String error) {}

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
    boolean hasFailed = known.map(Last::error).isPresent();
    Duration pause =
        hasFailed && every.compareTo(PAUSE_AFTER_FAILURE) > 0 ? PAUSE_AFTER_FAILURE : every;
    return known.isEmpty()
        || time.instant().getEpochSecond() >= known.get().at() + pause.toSeconds();
  }

  /** Begins a backup, unless one is being made. */
  public synchronized boolean start() {
    if (running != null || isClosed) {
      return false;
    }
    Path directory = directory();
    long leftFree = bytesLeftFree;
    Thread thread = new Thread(() -> run(directory, leftFree), "backup");
    thread.setDaemon(true);
    running = thread;
    thread.start();
    return true;
  }

  /**
   * The small files of a data directory, such as its keys, which are in a backup beside the events.
   * Directories in it are either the store or made from the store.
   *
   * @param omitted receives the names of what is no file, or too large
   */
  public static Map<String, byte[]> files(Path data, Consumer<String> omitted) throws IOException {
    List<Path> found; // links, too, such as that of a key
    try (Stream<Path> files = Files.list(data)) {
      found = files.filter(it -> !Files.isDirectory(it)).toList();
    }
    Map<String, byte[]> contents = new TreeMap<>();
    for (Path file : found) {
      String name = file.getFileName().toString();
      if (!OF_THE_PROCESS.contains(name) && !name.matches(UNFINISHED)) {
        try {
          if (Files.isRegularFile(file)
              && StoreBackup.canName(name)
              && Files.size(file) <= MAX_FILE_BYTES) {
            contents.put(name, Files.readAllBytes(file));
          } else if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            omitted.accept(name);
          }
        } catch (NoSuchFileException e) {
          // it was deleted meanwhile
        }
      }
    }
    return contents;
  }

  private void run(Path directory, long leftFree) {
    Instant begun = time.instant().truncatedTo(ChronoUnit.SECONDS);
    long start = System.nanoTime();
    Last result;
    try {
      Map<String, byte[]> files = files(data, name -> LOG.warn("The backup leaves out {}", name));
      StoreBackup.Outcome outcome =
          StoreBackup.run(
              new StoreBackup.Request(data.resolve("store"), files, false, begun, leftFree),
              directory,
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
      result = new Last(begun.getEpochSecond(), outcome.totalBytes(), seconds, null);
    } catch (IOException | RuntimeException e) {
      String error = isClosed ? "the relay has ended" : ErrorMessages.of(e);
      LOG.warn("The backup in {} was not made: {}", directory, error);
      result = new Last(begun.getEpochSecond(), 0, null, error);
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
          .map(it -> new Last(it.time().getEpochSecond(), it.totalBytes(), null, null));
    } catch (IOException e) {
      return Optional.of(new Last(0, 0, null, ErrorMessages.of(e)));
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

  /**
   * The section {@code backup}. Immutable.
   *
   * @param directory of the backups that the relay makes; empty for one in the data directory
   * @param every the time between backups that the relay makes by itself; 0 for none
   */
  public record BackupSettings(Optional<Path> directory, Duration every) {
    private static final Duration SHORTEST = Duration.ofMinutes(10);

    public static BackupSettings read(SettingsReader backup) {
      Duration every = backup.duration("every");
      if (!every.isZero() && every.compareTo(SHORTEST) < 0) {
        throw backup.problem("every", "expected 0, or a time of at least 10m");
      }
      return new BackupSettings(backup.file("directory"), every);
    }
  }
}
