package gambit.app.tool.sync;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.app.common.ErrorMessages;
import gambit.app.common.OutputFile;
import gambit.app.tool.client.Backoff;
import gambit.app.tool.client.RecentIds;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.client.RelaySession;
import gambit.app.tool.sync.MoveCounts.Fate;
import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.log.LimitedLog;
import gambit.core.metrics.Metrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The mirrors of the running relay, one for each peer of the settings, which may change. They begin
 * when the relay listens. Thread-safe.
 */
public final class Mirrors implements Feature, AutoCloseable {
  private static final String FILE = "sync-checkpoints";

  record Context(
      RelayPlace own,
      Signer key,
      Checkpoints checkpoints,
      MirrorMetrics metrics,
      Duration answerTimeout,
      Consumer<Throwable> onThreadDeath) {}

  private final Checkpoints checkpoints;
  private final Duration answerTimeout;

  @GuardedBy("this")
  private SyncSettings settings;

  /** The relay's key, with which mirrors log in at peers that ask for it. */
  @GuardedBy("this")
  private @Nullable Signer key;

  @GuardedBy("this")
  private @Nullable MirrorMetrics metrics;

  @GuardedBy("this")
  private @Nullable Context context;

  @GuardedBy("this")
  private final Map<PeerSettings, Mirror> mirrors = new LinkedHashMap<>();

  private volatile List<Mirror> running = List.of();

  /** Mirrors that are not started; the checkpoints are in the data directory. */
  public Mirrors(SyncSettings settings, Path data) {
    this(settings, data, RelayPair.SILENCE);
  }

  Mirrors(SyncSettings settings, Path data, Duration answerTimeout) {
    this.settings = settings;
    this.answerTimeout = answerTimeout;
    this.checkpoints = new Checkpoints(data.resolve(FILE));
  }

  @Override
  public synchronized void install(RelayBuilder relay) {
    key = relay.signer();
    metrics = new MirrorMetrics(relay.metrics(), () -> running);
  }

  /** Starts mirrors of this relay; the exception that ends a mirror's thread is passed on. */
  public synchronized void start(RelayPlace own, Consumer<Throwable> onThreadDeath) {
    context =
        new Context(
            own,
            Objects.requireNonNull(key),
            checkpoints,
            Objects.requireNonNull(metrics),
            answerTimeout,
            onThreadDeath);
    change(settings);
  }

  /** Starts and ends mirrors, so that they are those of other settings. */
  public synchronized void change(SyncSettings next) {
    boolean isOtherInterval = !next.interval().equals(settings.interval());
    settings = next;
    Context shared = context;
    if (shared == null) {
      return;
    }
    mirrors
        .entrySet()
        .removeIf(
            each -> {
              boolean isOver = isOtherInterval || !next.peers().contains(each.getKey());
              if (isOver) {
                each.getValue().close();
              }
              return isOver;
            });
    for (PeerSettings peer : next.peers()) {
      mirrors.computeIfAbsent(peer, added -> new Mirror(added, shared, next.interval()));
    }
    checkpoints.keepOnly(next.peers());
    running = List.copyOf(mirrors.values());
  }

  /** The settings in force, for tests of the wiring. */
  public synchronized SyncSettings settings() {
    return settings;
  }

  @Override
  public synchronized void close() {
    mirrors.values().forEach(Mirror::close);
    mirrors.clear();
    running = List.of();
  }

  static final class MirrorMetrics implements MoveCounts.MoveObserver {
    private final Metrics.Counter complete;
    private final Metrics.Counter interrupted;
    private final Metrics.Counter received;
    private final Metrics.Counter sent;
    private final Metrics.Counter refusedHere;
    private final Metrics.Counter refusedThere;

    MirrorMetrics(Metrics metrics, Supplier<List<Mirror>> mirrors) {
      String comparisons = "Comparisons with peers: complete, or interrupted by a failure";
      complete = metrics.counter("mirror_comparisons", comparisons, "result", "complete");
      interrupted = metrics.counter("mirror_comparisons", comparisons, "result", "interrupted");
      String events = "Events that were moved from or to peers, by the answer to them";
      received = metrics.counter("mirror_events", events, "direction", "down", "result", "stored");
      refusedHere =
          metrics.counter("mirror_events", events, "direction", "down", "result", "refused");
      sent = metrics.counter("mirror_events", events, "direction", "up", "result", "stored");
      refusedThere =
          metrics.counter("mirror_events", events, "direction", "up", "result", "refused");
      metrics.gauge("mirrors", "Relays in sync.peers", () -> mirrors.get().size());
      metrics.gauge(
          "mirrors_connected",
          "Relays in sync.peers with a connection",
          () -> mirrors.get().stream().filter(mirror -> mirror.isConnected).count());
      metrics.gauge(
          "mirror_lag_seconds",
          "The longest time since a complete comparison with a peer, or since the start",
          () -> mirrors.get().stream().mapToLong(Mirror::lagSeconds).max().orElse(0));
    }

    @Override
    public void moved(boolean isHere, boolean isStored) {
      if (isStored) {
        (isHere ? received : sent).increment();
      } else {
        (isHere ? refusedHere : refusedThere).increment();
      }
    }
  }

  /**
   * The time up to which nothing is left to be moved from and to each peer, in a file with a line
   * for each: the Unix time in seconds, and the peer as in the setting. A file that is lost or
   * damaged only costs time. Thread-safe.
   */
  static final class Checkpoints {
    private static final LimitedLog LOG = LimitedLog.of(Checkpoints.class);
    private static final int MAX_FILE_BYTES = 1 << 20;

    private final Path file;

    @GuardedBy("this")
    private final Map<String, Long> seconds = new TreeMap<>();

    Checkpoints(Path file) {
      this.file = file;
      try {
        if (Files.isRegularFile(file) && Files.size(file) <= MAX_FILE_BYTES) {
          Files.readAllLines(file).forEach(this::read);
        }
      } catch (IOException e) {
        LOG.warn("Cannot read {}; peers without NIP-77 are read from the beginning: {}", file, e);
      }
    }

    private synchronized void read(String line) {
      String[] parts = line.split(" ", 2);
      if (parts.length == 2 && parts[0].matches("[0-9]{1,12}")) {
        seconds.put(parts[1], Long.parseLong(parts[0]));
      }
    }

    synchronized Optional<Long> of(PeerSettings peer) {
      return Optional.ofNullable(seconds.get(peer.text()));
    }

    synchronized void set(PeerSettings peer, long time) {
      seconds.put(peer.text(), time);
      write();
    }

    synchronized void keepOnly(List<PeerSettings> peers) {
      Set<String> kept = peers.stream().map(PeerSettings::text).collect(Collectors.toSet());
      if (seconds.keySet().retainAll(kept)) {
        write();
      }
    }

    @GuardedBy("this")
    private void write() {
      StringBuilder lines = new StringBuilder();
      seconds.forEach((peer, since) -> lines.append(since + " " + peer + "\n"));
      try {
        OutputFile.write(file, lines.toString());
      } catch (IOException e) {
        LOG.warn("Cannot write {}: {}", file, ErrorMessages.of(e));
      }
    }
  }

  /**
   * Keeps this relay and one peer synchronized, on a thread of its own, until it is closed:
   * compares them when connected and at every interval, and passes on new events in between. A lost
   * connection is made again after a delay that grows up to ten minutes.
   */
  static final class Mirror implements AutoCloseable {
    private static final LimitedLog LOG = LimitedLog.of(Mirror.class);

    /** The age of events up to which a new subscription asks for them. */
    private static final long LIVE_SECONDS = 60;

    /** What is read again of the time before the checkpoint, page by page. */
    private static final long OVERLAP_SECONDS = 3600;

    private static final Duration CLOSING = Duration.ofSeconds(5);

    /** Events that were passed on, so that they are not passed back. */
    private static final int MAX_PASSED_ON = 10_000;

    private final PeerSettings peer;
    private final Mirrors.Context context;
    private final Duration interval;
    private final SyncRun.RefusedByRelays refused = new SyncRun.RefusedByRelays();
    private final RecentIds passedOn = new RecentIds(MAX_PASSED_ON);
    private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(10));
    private final Thread thread;
    private volatile boolean isClosed;
    private volatile boolean isConnected;
    private volatile long lastCompleteSeconds;
    private boolean isReported;
    private OptionalLong comparedNanos = OptionalLong.empty();

    Mirror(PeerSettings peer, Mirrors.Context context, Duration interval) {
      this.peer = peer;
      this.context = context;
      this.interval = interval;
      this.lastCompleteSeconds = now();
      this.thread = new Thread(this::run, "mirror-" + peer.url().getHost());
      thread.setDaemon(true);
      thread.setUncaughtExceptionHandler((dead, cause) -> context.onThreadDeath().accept(cause));
      thread.start();
    }

    /** The time since the last complete comparison, or since the start, in seconds. */
    long lagSeconds() {
      return now() - lastCompleteSeconds;
    }

    private static long now() {
      return Instant.now().getEpochSecond();
    }

    private void run() {
      while (!isClosed) {
        Duration delay;
        try (RelayPair pair =
            new RelayPair(
                context.own(), RelayPlace.of(peer.url()), context.key(), context.answerTimeout())) {
          isConnected = true;
          synchronize(pair);
          delay = Duration.ZERO;
        } catch (RelayFailure e) {
          delay = failed(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
          LOG.error("The synchronization with a relay failed; this is a bug", e);
          delay = failed("a fault of this program");
        } finally {
          isConnected = false;
        }
        pause(delay);
      }
    }

    private Duration failed(String reason) {
      OptionalLong since = comparedNanos;
      Duration delay =
          backoff.next(
              Duration.ofNanos(since.isPresent() ? System.nanoTime() - since.getAsLong() : 0));
      comparedNanos = OptionalLong.empty();
      if (!isClosed) {
        context.metrics().interrupted.increment();
        LOG.warn(
            "The synchronization with {} was interrupted, and resumes in {} s: {}",
            peer.url(),
            delay.toSeconds(),
            reason);
        isReported = false;
      }
      return delay;
    }

    private void pause(Duration delay) {
      try {
        if (!isClosed && !delay.isZero()) {
          Thread.sleep(delay.toMillis());
        }
      } catch (InterruptedException e) {
        // It is closed.
      }
    }

    private void synchronize(RelayPair pair) throws RelayFailure {
      while (!isClosed) {
        SyncRun run = new SyncRun(pair, peer.direction(), peer.rate(), refused, context.metrics());
        Map<RelaySession, String> subscriptions = subscribe(pair, run);
        long start = now();
        long checkpoint = context.checkpoints().of(peer).orElse(OVERLAP_SECONDS);
        run.run(peer.filter(), checkpoint - OVERLAP_SECONDS);
        completed(run, start);
        passOnUntilNext(pair, run);
        subscriptions.forEach(RelaySession::unsubscribe);
      }
    }

    /** Subscribes to new events, before the comparison, so that nothing is missed in between. */
    private Map<RelaySession, String> subscribe(RelayPair pair, SyncRun run) {
      String filter = peer.filter().within(now() - LIVE_SECONDS, SyncFilter.FOREVER).json();
      Map<RelaySession, String> subscriptions = new HashMap<>();
      if (peer.direction().isDown()) {
        subscriptions.put(pair.there, subscribe(pair.there, filter, run.down));
      }
      if (peer.direction().isUp()) {
        subscriptions.put(pair.here, subscribe(pair.here, filter, run.up));
      }
      return subscriptions;
    }

    private String subscribe(RelaySession source, String filter, EventMover mover) {
      return source.subscribe(
          filter,
          message -> {
            if (message.verb().equals("EVENT")) {
              message.event().filter(event -> passedOn.add(event.id())).ifPresent(mover::addLive);
            } else if (message.verb().equals("CLOSED")) {
              LOG.warn(
                  "{} ended the subscription to new events until the next comparison: {}",
                  source.name(),
                  message.text(2));
            }
          });
    }

    /** Passes on new events until the next comparison, which is due at once if any are dropped. */
    private void passOnUntilNext(RelayPair pair, SyncRun run) throws RelayFailure {
      long end = System.nanoTime() + interval.toNanos();
      boolean isComplete = true;
      while (!isClosed && isComplete && System.nanoTime() - end < 0) {
        boolean isReceiving = run.down.advance();
        boolean isSending = run.up.advance();
        pair.step(
            isReceiving || isSending
                ? Duration.ZERO
                : Collections.min(List.of(run.down.untilNext(), run.up.untilNext())));
        isComplete = !run.down.hasMissedLive() && !run.up.hasMissedLive();
        pair.requirePeer();
      }
    }

    /** Sets it to the time up to which nothing is left to be moved. It does not go back. */
    private void setCheckpoint(long start, MoveCounts down, MoveCounts up) {
      if (down.get(Fate.UNDELIVERED) + up.get(Fate.UNDELIVERED) == 0) {
        long oldestLeft = Math.min(down.oldestLeft(), up.oldestLeft());
        long before = context.checkpoints().of(peer).orElse(0L);
        context.checkpoints().set(peer, Math.max(before, Math.min(start, oldestLeft)));
      }
    }

    private void completed(SyncRun run, long start) {
      lastCompleteSeconds = now();
      MoveCounts down = run.downCounts();
      MoveCounts up = run.upCounts();
      setCheckpoint(start, down, up);
      if (comparedNanos.isEmpty()) {
        comparedNanos = OptionalLong.of(System.nanoTime());
      }
      context.metrics().complete.increment();
      if (!isReported || down.get(Fate.STORED) + up.get(Fate.STORED) > 0) {
        isReported = true;
        LOG.info(
            "Synchronized with {}{}: {} events received, {} sent, {} refused here, {} there",
            peer.url(),
            run.whyPages().isEmpty() ? "" : " page by page",
            down.get(Fate.STORED),
            up.get(Fate.STORED),
            down.get(Fate.REFUSED),
            up.get(Fate.REFUSED));
      }
    }

    @Override
    public void close() {
      isClosed = true;
      thread.interrupt();
      try {
        thread.join(CLOSING.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
