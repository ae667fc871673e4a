package gambit.app.plugin;

import gambit.core.feature.AsyncEventGate.Verdict;
import gambit.core.log.LimitedLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the plugin running and passes requests to it: up to {@link PluginRequests#MAX_SENT} at
 * once, whose verdicts are delivered in the order of the requests, whatever the order of the
 * answers.
 *
 * <p>The thread {@code plugin} starts and ends the process. Events that the plugin cannot decide on
 * are decided by {@code on_failure}: those sent or waiting when it fails, those that come before
 * its next start, those that have waited too long, and those for which the queue has no room.
 *
 * <p>Methods may be called from any thread. All state is guarded by the lock, under which nothing
 * waits and verdicts are delivered.
 */
final class PluginRunner implements PluginProcess.Conversation, AutoCloseable {
  /** The time for a plugin to end by itself. */
  static final Duration GRACE = Duration.ofSeconds(2);

  /** A request does not wake the runner's thread, so a time limit may be exceeded by a fraction. */
  private static final int CHECKS_IN_TIMEOUT = 8;

  private static final LimitedLog LOG = LimitedLog.of(PluginRunner.class);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition attention = lock.newCondition(); // of the runner's thread
  private final Condition sending = lock.newCondition(); // of plugin-input
  private final PluginRequests requests = new PluginRequests();
  private final RestartDelay delay = new RestartDelay();
  private final Thread thread = new Thread(this::run, "plugin");
  private @Nullable PluginMetrics metrics;
  private PluginSettings settings;
  private @Nullable PluginProcess process;
  private Optional<String> failure = Optional.empty(); // of the process
  private boolean isReplacing; // nothing more is sent to the process
  private boolean isDown; // nothing is asked before the next start
  private boolean isFirstStart = true;
  private boolean isClosed;
  private long nextStart;

  PluginRunner(PluginSettings settings) {
    this.settings = settings;
  }

  /** Starts the thread, and the plugin if there is one. Called once. */
  void start(PluginMetrics reported) {
    lock.lock();
    try {
      metrics = reported;
      nextStart = System.nanoTime();
    } finally {
      lock.unlock();
    }
    thread.start();
  }

  /** Whether the plugin's process runs. */
  boolean isRunning() {
    return locked(() -> process != null);
  }

  /** The number of requests that wait to be sent. */
  int waiting() {
    return locked(requests::waiting);
  }

  /** The number of requests that were sent and whose verdicts were not delivered. */
  int sent() {
    return locked(requests::sent);
  }

  private <T> T locked(Supplier<T> read) {
    lock.lock();
    try {
      return read.get();
    } finally {
      lock.unlock();
    }
  }

  /** Takes new settings. The plugin is replaced if its command has changed. */
  void change(PluginSettings changed) {
    lock.lock();
    try {
      if (!changed.command().equals(settings.command())) {
        isReplacing = true;
        isDown = false;
        nextStart = System.nanoTime();
        delay.reset();
      }
      settings = changed;
      attention.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Passes a request to the plugin, or decides on it at once. Never waits. */
  void ask(PluginRequest request) {
    lock.lock();
    try {
      if (isDown || isClosed) {
        decideWithoutPlugin(request, UndecidedVerdicts.failed(settings));
      } else if (requests.waiting() >= settings.queue()) {
        decideWithoutPlugin(request, UndecidedVerdicts.busy(settings));
      } else {
        requests.add(request);
        if (process == null) {
          attention.signal();
        } else if (requests.waiting() == 1) {
          sending.signal();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void decideWithoutPlugin(PluginRequest request, Verdict verdict) {
    if (settings.isOn()) {
      metrics().undecided();
    }
    PluginRequests.deliver(request, verdict);
  }

  @Override
  public List<byte[]> nextRequests(PluginProcess asking) throws InterruptedException {
    while (true) {
      lock.lock();
      try {
        while (isCurrent(asking) && (isReplacing || !requests.canSend())) {
          sending.await();
        }
        if (!isCurrent(asking)) {
          return List.of();
        }
      } finally {
        lock.unlock();
      }
      List<PluginRequest> next = takeNext(asking, asking.isOutdated());
      if (!next.isEmpty()) {
        return next.stream().map(PluginRequest::line).toList();
      }
    }
  }

  /** Whether a process is the one that runs, and is to keep running for now. */
  private boolean isCurrent(PluginProcess asking) {
    return process == asking && failure.isEmpty() && !isClosed;
  }

  private List<PluginRequest> takeNext(PluginProcess asking, boolean isOutdated) {
    lock.lock();
    try {
      if (!isCurrent(asking) || isReplacing) {
        return List.of();
      }
      if (isOutdated) {
        LOG.info("The write policy plugin's file has changed");
        isReplacing = true;
        attention.signal();
        return List.of();
      }
      return requests.send(System.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void answered(PluginProcess answering, PluginAnswer answer) throws PluginFailure {
    lock.lock();
    try {
      if (!isCurrent(answering)) {
        return;
      }
      PluginRequest request = requests.find(answer);
      request.decided(answer.verdict());
      metrics().decided(answer.action(), request.sentAt());
      requests.deliverDecided(System.nanoTime());
      if (isReplacing && requests.sent() == 0) {
        attention.signal();
      } else if (requests.canSend()) {
        sending.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void failed(PluginProcess failing, String reason) {
    lock.lock();
    try {
      if (process == failing && failure.isEmpty()) {
        failure = Optional.of(reason);
        attention.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    lock.lock();
    try {
      while (!isClosed) {
        attention.awaitNanos(step());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end(GRACE);
      lock.unlock();
    }
  }

  /** Does one thing that is due; returns the time until the next is, 0 for at once. */
  private long step() {
    long now = System.nanoTime();
    if (process == null) {
      return stepWithoutProcess(now);
    }
    if (isReplacing && requests.sent() == 0) {
      end(GRACE);
    } else if (failure.isPresent()) {
      giveUp(failure.get());
    } else if (requests.isOverdue(now, settings.timeout())) {
      metrics().timedOut();
      giveUp("has not answered within " + settings.timeout().toMillis() + " ms");
    } else {
      decideOnExpired(now);
      return settings.timeout().toNanos() / CHECKS_IN_TIMEOUT;
    }
    return 0;
  }

  private long stepWithoutProcess(long now) {
    isReplacing = false;
    if (!settings.isOn()) {
      decideOnAll();
      return settings.timeout().toNanos();
    }
    if (nextStart - now > 0) {
      return nextStart - now;
    }
    startProcess();
    return 0;
  }

  /** Starts the plugin without the lock, because that takes time. */
  private void startProcess() {
    PluginSettings current = settings;
    boolean isRestart = !isFirstStart;
    isFirstStart = false;
    isDown = false;
    PluginProcess started = null;
    Optional<String> problem = Optional.empty();
    lock.unlock();
    try {
      started = PluginProcess.start(current, this);
    } catch (PluginFailure e) {
      problem = Optional.of(e.reason());
    } finally {
      lock.lock();
    }
    if (isRestart) {
      metrics().restarted();
    }
    process = started;
    failure = Optional.empty();
    if (started != null) {
      LOG.info("The write policy plugin has started, process {}", started.pid());
      started.serve();
    } else {
      giveUp(problem.orElse("cannot be started"));
    }
  }

  /** Ends the process, decides on its events without it, and plans its next start. */
  private void giveUp(String reason) {
    Duration run = process == null ? Duration.ZERO : process.age();
    Duration pause = delay.afterFailure(run);
    LOG.warn(
        "The write policy plugin {}; {}, and it is started again in {} s",
        reason,
        settings.onFailure() == PluginSettings.OnFailure.OPEN
            ? "its events are accepted"
            : "its events are refused",
        pause.toSeconds());
    isDown = !pause.isZero();
    decideOnAll();
    nextStart = System.nanoTime() + pause.toNanos();
    end(Duration.ZERO);
  }

  private void decideOnAll() {
    for (PluginRequest request : requests.removeAll()) {
      Verdict verdict = request.verdict();
      if (verdict == null) {
        decideWithoutPlugin(request, UndecidedVerdicts.failed(settings));
      } else {
        PluginRequests.deliver(request, verdict);
      }
    }
  }

  /** Ends the process, if there is one, without the lock, because that takes time. */
  private void end(Duration grace) {
    PluginProcess ending = process;
    if (ending == null) {
      return;
    }
    process = null;
    failure = Optional.empty();
    sending.signalAll(); // plugin-input ends, and closes the input of the process
    lock.unlock();
    try {
      ending.end(grace);
    } finally {
      lock.lock();
    }
  }

  /** Decides on requests that have waited for as long as an answer may take. */
  private void decideOnExpired(long now) {
    for (PluginRequest request : requests.removeExpired(now, settings.timeout())) {
      decideWithoutPlugin(request, UndecidedVerdicts.busy(settings));
      LOG.warn("The write policy plugin is too slow: an event has waited for its turn too long");
    }
  }

  private PluginMetrics metrics() {
    if (metrics == null) {
      throw new IllegalStateException("not started");
    }
    return metrics;
  }

  /**
   * Closes the plugin's input, and ends it after {@link #GRACE}. Requests without a verdict get
   * none, and later ones are decided without the plugin.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      attention.signal();
    } finally {
      lock.unlock();
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
}
