package gambit.app.server.reload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.Configuration;
import gambit.app.server.config.Configuration.Change;
import gambit.app.server.config.SettingsProblem;
import gambit.app.server.settings.Settings;
import gambit.core.metrics.Metrics;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the configuration again while the relay runs, and puts it in force. All layers are read:
 * the files anew, environment and flags as they were at the start. The whole configuration is
 * checked before anything changes; settings that need a restart keep their values until then.
 * Thread-safe; one reload at a time.
 */
public final class Reload {
  private static final Logger LOG = LoggerFactory.getLogger(Reload.class);
  private static final String NOT_RUNNING =
      "the relay is starting or ending; reload again when it is ready.";

  /**
   * The settings that take effect at the start only, also {@code max_clock_skew}, on which the
   * memory of chess events that must not be repeated depends. All others change on reload.
   */
  private static final Set<String> RESTART_KEYS =
      Set.of(
          "relay.domain",
          "relay.listen",
          "relay.port",
          "relay.url",
          "metrics.listen",
          "metrics.port",
          "metrics.token",
          "chess.max_clock_skew",
          "web.engine");

  private static final List<String> RESTART_SECTIONS =
      List.of("tls.", "chess.house.", "search.", "cluster.");

  private static final String NIPS = "nips.";

  private static final Set<String> NIPS_THAT_CHANGE =
      Set.of("nips.challenge_on_connect", "nips.min_difficulty");

  private final ConfigSources sources;

  @GuardedBy("this")
  private Configuration running;

  @GuardedBy("this")
  private @Nullable Settings inForce; // since the last reload

  @GuardedBy("this")
  private @Nullable Function<Settings, List<Change>> program; // while it runs

  private volatile boolean wasLastSuccessful = true;
  private volatile Instant lastSuccess = Instant.now();

  @GuardedBy("this")
  private Metrics.Counter applied = amount -> {};

  @GuardedBy("this")
  private Metrics.Counter refused = amount -> {};

  public Reload(ConfigSources sources, Configuration running) {
    this.sources = sources;
    this.running = running;
  }

  public synchronized void register(Metrics metrics) {
    String help = "Reloads of the configuration: applied, or refused without a change";
    applied = metrics.counter("reloads", help, "result", "applied");
    refused = metrics.counter("reloads", help, "result", "refused");
    metrics.gauge(
        "last_reload_successful",
        "1 if the configuration was valid when it was last read, else 0",
        () -> wasLastSuccessful ? 1 : 0);
    metrics.gauge(
        "last_reload_success_timestamp_seconds",
        "When the configuration in force was read, in seconds since 1970",
        () -> lastSuccess.toEpochMilli() / 1000.0);
  }

  /**
   * The program runs: the function puts valid settings in force, which differ from those at the
   * start only where {@link #needsRestart} allows, or throws a {@link SettingsProblem} before
   * anything has changed. It returns changes that are not in the configuration itself.
   */
  public synchronized void begin(Function<Settings, List<Change>> started) {
    program = started;
  }

  /** The program ends: waits for a running reload, and refuses later ones. */
  public synchronized void end() {
    program = null;
  }

  public synchronized Optional<Settings> inForce() {
    return Optional.ofNullable(inForce);
  }

  public ConfigSources sources() {
    return sources;
  }

  /** The configuration in force; settings that need a restart have their values of the start. */
  public synchronized Configuration running() {
    return running;
  }

  /** Reloads, and logs the result in one line. Waits for a reload that is running. */
  public ReloadResult reload() {
    ReloadResult result;
    synchronized (this) {
      result = program == null ? new ReloadResult.Refused(NOT_RUNNING, true) : reload(program);
      record(result);
    }
    if (result instanceof ReloadResult.Applied) {
      LOG.info("{}", result.logLine());
    } else {
      LOG.warn("{}", result.logLine());
    }
    return result;
  }

  @GuardedBy("this")
  private ReloadResult reload(Function<Settings, List<Change>> current) {
    try {
      Configuration loaded = sources.load();
      List<Change> changes = running.changesTo(loaded);
      Settings settings = Settings.read(loaded);
      Predicate<Change> isForRestart = it -> needsRestart(it.key());
      List<Change> needRestart = changes.stream().filter(isForRestart).toList();
      Set<String> kept = needRestart.stream().map(Change::key).collect(Collectors.toSet());
      Configuration next = kept.isEmpty() ? loaded : loaded.withValuesOf(running, kept);
      Settings put = kept.isEmpty() ? settings : settingsWithOldValues(next, kept);
      List<Change> further = current.apply(put);
      running = next;
      inForce = put;
      return new ReloadResult.Applied(
          Stream.concat(changes.stream().filter(isForRestart.negate()), further.stream()).toList(),
          needRestart);
    } catch (SettingsProblem e) {
      return new ReloadResult.Refused(e.sentence(), false);
    } catch (RuntimeException e) { // would end the process on the thread of SIGHUP
      LOG.error("A reload failed; this is a bug", e);
      return new ReloadResult.Refused("the reload failed; the relay's log has the error.", false);
    }
  }

  /** New settings may contradict old values that stay until the restart. */
  private static Settings settingsWithOldValues(Configuration next, Set<String> kept) {
    try {
      return Settings.read(next);
    } catch (SettingsProblem e) {
      throw new SettingsProblem(
          "These settings need a restart, because %s cannot change before: %s"
              .formatted(String.join(", ", kept), e.getMessage()));
    }
  }

  @GuardedBy("this")
  private void record(ReloadResult result) {
    if (result instanceof ReloadResult.Applied) {
      wasLastSuccessful = true;
      lastSuccess = Instant.now();
      applied.increment();
    } else if (!((ReloadResult.Refused) result).isTemporary()) {
      wasLastSuccessful = false;
      refused.increment();
    }
  }

  public static boolean needsRestart(String key) {
    return RESTART_KEYS.contains(key)
        || RESTART_SECTIONS.stream().anyMatch(key::startsWith)
        || (key.startsWith(NIPS) && !NIPS_THAT_CHANGE.contains(key));
  }

  /**
   * Runs a task at each SIGHUP, in place of the end of the process, on the signal's thread; one may
   * wait for a running one, and signals beyond that need none. A later call replaces the task.
   * Where a process was started with SIGHUP ignored (nohup), Java keeps ignoring it, and only
   * {@code gambit reload} reloads.
   */
  public static void onHangup(Runnable task) {
    Semaphore turns = new Semaphore(2);
    Signals.register(
        "HUP",
        () -> {
          if (turns.tryAcquire()) {
            try {
              task.run(); // which waits for one that runs
            } finally {
              turns.release();
            }
          }
        });
  }
}
