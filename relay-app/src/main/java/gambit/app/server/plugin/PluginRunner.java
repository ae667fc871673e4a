package gambit.app.server.plugin;

import gambit.app.server.plugin.PluginAnswer.Action;
import gambit.app.server.plugin.PluginSettings.OnFailure;
import gambit.core.feature.AsyncEventGate.Accepted;
import gambit.core.feature.AsyncEventGate.Refused;
import gambit.core.feature.AsyncEventGate.Verdict;
import gambit.core.log.LimitedLog;
import gambit.core.metrics.Metrics;
import gambit.core.metrics.Metrics.Counter;
import gambit.core.metrics.Metrics.Timer;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the plugin running and exchanges events and verdicts with its process: up to {@link
 * PluginRequests#MAX_SENT} requests are sent at once, and their verdicts are delivered in the order
 * of the requests, whatever the order of the answers.
 *
 * <p>Events that the plugin cannot decide on are decided by {@code on_failure}: those sent or
 * waiting when it fails, those that come before its next start, those that have waited too long,
 * and those for which the queue has no room. The next process is not sent them: which of them made
 * the plugin fail is unknown, and a second failure would double the wait.
 *
 * <p>Its thread {@code plugin} starts the process, ends it when it fails or is to be replaced, and
 * decides when to start it again. Other methods may be called from any thread. This object guards
 * all state; while one of its methods holds it, nothing waits, and verdicts are delivered.
 */
final class PluginRunner implements AutoCloseable {
  static final Duration GRACE = Duration.ofSeconds(2);

  /** A request does not wake the runner's thread, so a time limit may be exceeded by a fraction. */
  private static final int CHECKS_IN_TIMEOUT = 8;

  private static final LimitedLog LOG = LimitedLog.of(PluginRunner.class);
  private static final Verdict FAILED =
      new Refused(Reason.error("the relay's policy plugin does not work, try again later"));
  private static final Verdict BUSY =
      new Refused(Reason.error("the relay's policy plugin is busy, try again later"));

  private final Thread thread = new Thread(this::run, "plugin");
  private final PluginRequests requests = new PluginRequests();
  private final RestartDelay delay = new RestartDelay();
  private final PluginMetrics metrics;
  private PluginSettings settings;
  private @Nullable PluginProcess process;
  private Optional<String> failure = Optional.empty(); // of the process
  private long nextStart = System.nanoTime();
  private boolean hasStarted; // once at least
  private boolean isReplacing; // nothing more is sent to the process
  private boolean isDown; // nothing is asked before the next start
  private boolean isClosed;

  PluginRunner(PluginSettings settings, Metrics metrics) {
    this.settings = settings;
    this.metrics = new PluginMetrics(metrics, this::running, this::waiting, this::sent);
  }

  private synchronized int running() {
    return process == null ? 0 : 1;
  }

  private synchronized int waiting() {
    return requests.waiting();
  }

  private synchronized int sent() {
    return requests.sent();
  }

  // ---- requests and answers

  /** Passes a request to the plugin, or decides on it at once. Never waits. */
  synchronized void ask(PluginRequest request) {
    if (isDown || isClosed) {
      decideWithoutPlugin(request, FAILED);
      return;
    }
    requests.add(request, settings.queue()).ifPresent(it -> decideWithoutPlugin(it, BUSY));
    if (process == null || requests.waiting() == 1) {
      notifyAll();
    }
  }

  /**
   * Decides on an event for which the plugin has no answer: without a plugin, every event is
   * accepted, else as {@code on_failure} says.
   */
  private void decideWithoutPlugin(PluginRequest request, Verdict refusal) {
    if (settings.isOn()) {
      metrics.undecided.increment();
    }
    boolean isAccepted = !settings.isOn() || settings.onFailure() == OnFailure.OPEN;
    PluginRequests.deliver(request, isAccepted ? new Accepted() : refusal);
  }

  /** Waits for requests that a process is to be sent; none when it is to get no more. */
  List<byte[]> nextRequests(PluginProcess asking) throws InterruptedException {
    List<PluginRequest> next = List.of();
    while (next.isEmpty() && awaitRequests(asking)) {
      next = takeNext(asking, asking.isOutdated()); // which reads the disk first
    }
    return next.stream().map(PluginRequest::line).toList();
  }

  /** Waits for requests that can be sent; returns false if a process is to get no more. */
  private synchronized boolean awaitRequests(PluginProcess asking) throws InterruptedException {
    while (isCurrent(asking) && (isReplacing || !requests.canSend())) {
      wait();
    }
    return isCurrent(asking);
  }

  /** Whether a process is the one that runs, and is to keep running for now. */
  private boolean isCurrent(PluginProcess asking) {
    return process == asking && failure.isEmpty() && !isClosed;
  }

  private synchronized List<PluginRequest> takeNext(PluginProcess asking, boolean isOutdated) {
    if (!isCurrent(asking) || isReplacing) {
      return List.of();
    }
    if (isOutdated) {
      LOG.info("The write policy plugin's file has changed");
      isReplacing = true;
      notifyAll();
      return List.of();
    }
    return requests.send(System.nanoTime());
  }

  synchronized void answered(PluginProcess answering, PluginAnswer answer) throws PluginFailure {
    if (!isCurrent(answering)) {
      return;
    }
    PluginRequest request = requests.find(answer);
    request.verdict = answer.verdict();
    metrics.decided(answer.action(), request.sentAt);
    requests.deliverDecided(System.nanoTime());
    if (requests.canSend() || (isReplacing && requests.sent() == 0)) {
      notifyAll();
    }
  }

  /** A process does not work and is to be ended; may be called several times. */
  synchronized void failed(PluginProcess failing, String reason) {
    if (process == failing && failure.isEmpty()) {
      failure = Optional.of(reason);
      notifyAll();
    }
  }

  private void decideOnAll() {
    for (PluginRequest request : requests.removeAll()) {
      Verdict verdict = request.verdict;
      if (verdict == null) {
        decideWithoutPlugin(request, FAILED);
      } else {
        PluginRequests.deliver(request, verdict);
      }
    }
  }

  // ---- the process

  /** Takes new settings. With another command, the process gets no more requests. */
  synchronized void change(PluginSettings changed) {
    if (!changed.command().equals(settings.command())) {
      isReplacing = true;
      isDown = false;
      nextStart = System.nanoTime();
      delay.reset();
    }
    settings = changed;
    notifyAll();
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      for (Runnable next = next(); next != null; next = next()) {
        next.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end(GRACE);
    }
  }

  /** Waits for something to be done while other threads may hold this; null when it is closed. */
  private synchronized @Nullable Runnable next() throws InterruptedException {
    while (!isClosed) {
      long now = System.nanoTime();
      long pause = settings.timeout().toNanos() / CHECKS_IN_TIMEOUT;
      if (process != null && isReplacing && requests.sent() == 0) {
        return () -> end(GRACE);
      } else if (process != null) {
        requireAnswers(now);
        if (failure.isPresent()) {
          String reason = failure.get();
          return () -> giveUp(reason);
        }
        expireWaiting(now);
      } else if (!settings.isOn()) {
        decideOnAll();
        pause = Long.MAX_VALUE;
      } else if (nextStart - now <= 0) {
        isReplacing = false;
        isDown = false;
        PluginSettings current = settings;
        return () -> startProcess(current);
      } else {
        pause = nextStart - now;
      }
      TimeUnit.NANOSECONDS.timedWait(this, pause);
    }
    return null;
  }

  private void requireAnswers(long now) {
    Duration timeout = settings.timeout();
    if (failure.isEmpty() && requests.isOverdue(now, timeout)) {
      metrics.timeouts.increment();
      failure = Optional.of("has not answered within " + timeout.toMillis() + " ms");
    }
  }

  private void expireWaiting(long now) {
    for (PluginRequest expired : requests.removeAddedBy(now - settings.timeout().toNanos())) {
      decideWithoutPlugin(expired, BUSY);
      LOG.warn("The write policy plugin is too slow: an event has waited for its turn too long");
    }
  }

  private void startProcess(PluginSettings current) {
    if (hasStarted) {
      metrics.restarts.increment();
    }
    hasStarted = true;
    try {
      PluginProcess started = PluginProcess.start(current, this);
      synchronized (this) {
        process = started;
      }
      LOG.info("The write policy plugin has started, process {}", started.pid());
      started.serve();
    } catch (PluginFailure e) {
      giveUp(e.reason());
    }
  }

  private void giveUp(String reason) {
    synchronized (this) {
      Duration pause = delay.afterFailure(process == null ? Duration.ZERO : process.age());
      LOG.warn(
          "The write policy plugin {}; {}, and it is started again {}",
          reason,
          settings.onFailure() == OnFailure.OPEN
              ? "its events are accepted"
              : "its events are refused",
          pause.isZero() ? "at once" : "in " + pause.toSeconds() + " s");
      isDown = !pause.isZero();
      nextStart = System.nanoTime() + pause.toNanos();
      decideOnAll();
    }
    end(Duration.ZERO);
  }

  private void end(Duration grace) {
    PluginProcess ending;
    synchronized (this) {
      ending = process;
      process = null;
      failure = Optional.empty();
      notifyAll(); // plugin-input ends, and closes the input of the process
    }
    if (ending != null) {
      ending.end(grace);
    }
  }

  /**
   * Closes the plugin's input, and ends it after {@link #GRACE}. Requests without a verdict get
   * none, and later ones are decided without the plugin.
   */
  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
      notifyAll();
    }
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

  /**
   * The time between a failure of the plugin and its next start: none after a first failure, then
   * one second, doubled with each further failure up to {@link #MAX}. A run of {@link #GOOD_RUN}
   * makes the next failure a first one. Confined to one thread.
   */
  static final class RestartDelay {
    static final Duration MAX = Duration.ofSeconds(30);
    static final Duration GOOD_RUN = Duration.ofMinutes(1);

    private int failures;

    Duration afterFailure(Duration run) {
      failures = run.compareTo(GOOD_RUN) >= 0 ? 1 : failures + 1;
      Duration doubled = Duration.ofSeconds(1L << Math.min(30, Math.max(0, failures - 2)));
      return failures == 1 ? Duration.ZERO : doubled.compareTo(MAX) < 0 ? doubled : MAX;
    }

    void reset() {
      failures = 0;
    }
  }

  /** The metrics of the write policy plugin. Thread-safe. */
  static final class PluginMetrics {
    private final Map<Action, Counter> decided = new EnumMap<>(Action.class);
    private final Timer time;
    final Counter undecided;
    final Counter timeouts;
    final Counter restarts;

    PluginMetrics(
        Metrics metrics, DoubleSupplier running, DoubleSupplier waiting, DoubleSupplier sent) {
      for (Action action : Action.values()) {
        decided.put(action, calls(metrics, action.name().toLowerCase(Locale.ROOT)));
      }
      undecided = calls(metrics, "undecided");
      time =
          metrics.timer(
              "plugin_seconds",
              "Time from sending an event to the write policy plugin to its answer");
      timeouts =
          metrics.counter(
              "plugin_timeouts",
              "Times that the write policy plugin was ended because it did not answer in time");
      restarts =
          metrics.counter(
              "plugin_restarts", "Starts of the write policy plugin after the first one");
      metrics.gauge("plugin_running", "Whether the write policy plugin runs: 1 or 0", running);
      metrics.gauge(
          "plugin_waiting",
          "Events that wait for their turn to be sent to the write policy plugin",
          waiting);
      metrics.gauge("plugin_sent", "Events that the write policy plugin has not answered", sent);
    }

    private static Counter calls(Metrics metrics, String decision) {
      return metrics.counter(
          "plugin_calls",
          "Events for the write policy plugin, by its decision; undecided: it has failed or was busy",
          "decision",
          decision);
    }

    void decided(Action action, long sentAt) {
      Objects.requireNonNull(decided.get(action)).increment();
      time.recordSince(sentAt);
    }
  }
}
