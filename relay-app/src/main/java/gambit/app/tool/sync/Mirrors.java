package gambit.app.tool.sync;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.peers.PeerSettings;
import gambit.app.tool.peers.SyncSettings;
import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The mirrors of the running relay, one for each peer of the settings, which may change. They begin
 * when the relay listens. Thread-safe.
 */
public final class Mirrors implements Feature, AutoCloseable {
  private static final String FILE = "sync-checkpoints";

  /** The relay's key, with which mirrors log in at peers that ask for it, and their metrics. */
  private record Installed(Signer key, MirrorMetrics metrics) {}

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

  @GuardedBy("this")
  private @Nullable Installed installed;

  @GuardedBy("this")
  private @Nullable Context context;

  @GuardedBy("this")
  private final Map<PeerSettings, Mirror> mirrors = new LinkedHashMap<>();

  private volatile List<Mirror> running = List.of();

  /**
   * Mirrors that are not started.
   *
   * @param data the directory for the checkpoints
   */
  public Mirrors(SyncSettings settings, Path data) {
    this(settings, data, RelayPair.SILENCE);
  }

  /** The same with another time in which peers must answer. */
  Mirrors(SyncSettings settings, Path data, Duration answerTimeout) {
    this.settings = settings;
    this.answerTimeout = answerTimeout;
    this.checkpoints = new Checkpoints(data.resolve(FILE));
  }

  @Override
  public synchronized void install(RelayBuilder relay) {
    installed = new Installed(relay.signer(), new MirrorMetrics(relay.metrics(), () -> running));
  }

  /**
   * Starts a mirror for each peer.
   *
   * @param own this relay, as its operator reaches it
   * @param onThreadDeath receives the exception that ended a mirror's thread
   */
  public synchronized void start(RelayPlace own, Consumer<Throwable> onThreadDeath) {
    Installed parts = installed;
    if (parts == null) {
      throw new IllegalStateException("not installed");
    }
    context =
        new Context(own, parts.key(), checkpoints, parts.metrics(), answerTimeout, onThreadDeath);
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
    for (PeerSettings peer : List.copyOf(mirrors.keySet())) {
      if (isOtherInterval || !next.peers().contains(peer)) {
        close(peer);
      }
    }
    for (PeerSettings peer : next.peers()) {
      if (!mirrors.containsKey(peer)) {
        Mirror mirror = new Mirror(peer, shared, next.interval());
        mirrors.put(peer, mirror);
        mirror.start();
      }
    }
    checkpoints.keepOnly(next.peers());
    running = List.copyOf(mirrors.values());
  }

  /** The settings in force, for tests of the wiring. */
  public synchronized SyncSettings settings() {
    return settings;
  }

  @GuardedBy("this")
  private void close(PeerSettings peer) {
    Mirror mirror = mirrors.remove(peer);
    if (mirror != null) {
      mirror.close();
    }
  }

  @Override
  public synchronized void close() {
    List.copyOf(mirrors.keySet()).forEach(this::close);
    running = List.of();
  }
}
