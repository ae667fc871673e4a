package gambit.app.server.plugin;

import gambit.core.log.LimitedLog;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the plugin running: its thread {@code plugin} starts the process, ends it when it fails or
 * is to be replaced, and decides when to start it again. The requests are those of {@link
 * PluginExchange}. {@link #start} and {@link #close} may be called from any thread.
 */
final class PluginRunner implements AutoCloseable {
  /** The time for a plugin to end by itself. */
  static final Duration GRACE = Duration.ofSeconds(2);

  /** A request does not wake the runner's thread, so a time limit may be exceeded by a fraction. */
  private static final int CHECKS_IN_TIMEOUT = 8;

  private static final LimitedLog LOG = LimitedLog.of(PluginRunner.class);

  private final Semaphore attention = new Semaphore(0); // a permit: something may be due
  private final PluginExchange exchange;
  private final RestartDelay delay = new RestartDelay();
  private final Thread thread = new Thread(this::run, "plugin");
  private @Nullable PluginProcess process;
  private boolean isFirstStart = true;
  private long nextStart;

  PluginRunner(PluginSettings settings) {
    exchange = new PluginExchange(settings, attention::release);
  }

  /** The requests to the plugin, from any thread. */
  PluginExchange exchange() {
    return exchange;
  }

  /** Starts the thread, and the plugin if there is one. Called once. */
  void start(PluginMetrics metrics) {
    exchange.reportTo(metrics);
    nextStart = System.nanoTime();
    thread.start();
  }

  private void run() {
    try {
      while (!exchange.isClosed()) {
        long nanos = step();
        if (attention.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
          attention.drainPermits();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end(GRACE);
    }
  }

  /** Does one thing that is due; returns the time until the next is, 0 for at once. */
  private long step() {
    long now = System.nanoTime();
    if (exchange.takeCommandChange()) {
      nextStart = now;
      delay.reset();
    }
    if (process == null) {
      return stepWithoutProcess(now);
    }
    if (exchange.isReadyForReplacement()) {
      end(GRACE);
      return 0;
    }
    Optional<String> failure = exchange.failure(now);
    if (failure.isPresent()) {
      giveUp(failure.get());
      return 0;
    }
    exchange.decideOnExpired(now);
    return exchange.settings().timeout().toNanos() / CHECKS_IN_TIMEOUT;
  }

  private long stepWithoutProcess(long now) {
    PluginSettings settings = exchange.settings();
    if (!settings.isOn()) {
      exchange.decideOnAll();
      return settings.timeout().toNanos();
    }
    if (nextStart - now > 0) {
      return nextStart - now;
    }
    startProcess();
    return 0;
  }

  private void startProcess() {
    PluginSettings settings = exchange.beginStart();
    if (!isFirstStart) {
      exchange.countRestart();
    }
    isFirstStart = false;
    try {
      PluginProcess started = PluginProcess.start(settings, exchange);
      process = started;
      exchange.begin(started);
      LOG.info("The write policy plugin has started, process {}", started.pid());
      started.serve();
    } catch (PluginFailure e) {
      giveUp(e.reason());
    }
  }

  /** Ends the process, decides on its events without it, and plans its next start. */
  private void giveUp(String reason) {
    Duration pause = delay.afterFailure(process == null ? Duration.ZERO : process.age());
    LOG.warn(
        "The write policy plugin {}; {}, and it is started again {}",
        reason,
        exchange.settings().onFailure() == PluginSettings.OnFailure.OPEN
            ? "its events are accepted"
            : "its events are refused",
        pause.isZero() ? "at once" : "in " + pause.toSeconds() + " s");
    exchange.giveUp(pause.isZero());
    nextStart = System.nanoTime() + pause.toNanos();
    end(Duration.ZERO);
  }

  /** Ends the process, if there is one. */
  private void end(Duration grace) {
    exchange.end();
    if (process != null) {
      process.end(grace);
      process = null;
    }
  }

  /** Closes the plugin's input, and ends it after {@link #GRACE}. */
  @Override
  public void close() {
    exchange.close();
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
