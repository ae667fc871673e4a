package gambit.app.server.plugin;

import gambit.app.server.plugin.PluginSettings.OnFailure;
import gambit.core.feature.AsyncEventGate.Accepted;
import gambit.core.feature.AsyncEventGate.Refused;
import gambit.core.feature.AsyncEventGate.Verdict;
import gambit.core.log.LimitedLog;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The exchange with the plugin's process: up to {@link PluginRequests#MAX_SENT} requests are sent
 * at once, and their verdicts are delivered in the order of the requests, whatever the order of the
 * answers.
 *
 * <p>Events that the plugin cannot decide on are decided by {@code on_failure}: those sent or
 * waiting when it fails, those that come before its next start, those that have waited too long,
 * and those for which the queue has no room. The next process is not sent them: which of them made
 * the plugin fail is unknown, and a second failure would double the wait.
 *
 * <p>Methods may be called from any thread; those about the process itself are for the thread of
 * {@link PluginRunner}. All state is guarded by the lock, under which nothing waits and verdicts
 * are delivered.
 */
final class PluginExchange implements PluginProcess.Conversation {
  private static final LimitedLog LOG = LimitedLog.of(PluginExchange.class);
  private static final Verdict FAILED =
      new Refused(Reason.error("the relay's policy plugin does not work, try again later"));
  private static final Verdict BUSY =
      new Refused(Reason.error("the relay's policy plugin is busy, try again later"));

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition sending = lock.newCondition(); // of plugin-input
  private final Runnable attention;
  private final PluginRequests requests = new PluginRequests();
  private @Nullable PluginMetrics metrics;
  private PluginSettings settings;
  private @Nullable PluginProcess process;
  private Optional<String> failure = Optional.empty(); // of the process
  private boolean hasOtherCommand; // which the runner has not noticed
  private boolean isReplacing; // nothing more is sent to the process
  private boolean isDown; // nothing is asked before the next start
  private boolean isClosed;

  /**
   * Creates an exchange without a process.
   *
   * @param attention called when the runner may have something to do; under the lock
   */
  PluginExchange(PluginSettings settings, Runnable attention) {
    this.settings = settings;
    this.attention = attention;
  }

  private <T> T locked(Supplier<T> task) {
    lock.lock();
    try {
      return task.get();
    } finally {
      lock.unlock();
    }
  }

  private void runLocked(Runnable task) {
    lock.lock();
    try {
      task.run();
    } finally {
      lock.unlock();
    }
  }

  /** Reports to these metrics. Called once, before the first request. */
  void reportTo(PluginMetrics reported) {
    runLocked(() -> metrics = reported);
  }

  private PluginMetrics metrics() {
    if (metrics == null) {
      throw new IllegalStateException("not started");
    }
    return metrics;
  }

  /** Whether there is a process. */
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

  // ---- requests and answers

  /** Passes a request to the plugin, or decides on it at once. Never waits. */
  void ask(PluginRequest request) {
    runLocked(
        () -> {
          if (isDown || isClosed) {
            decideWithoutPlugin(request, FAILED);
            return;
          }
          requests.add(request, settings.queue()).ifPresent(it -> decideWithoutPlugin(it, BUSY));
          if (process == null) {
            attention.run();
          } else if (requests.waiting() == 1) {
            sending.signal();
          }
        });
  }

  /**
   * Decides on an event for which the plugin has no answer: without a plugin, every event is
   * accepted.
   *
   * @param refusal the verdict unless such events are accepted
   */
  private void decideWithoutPlugin(PluginRequest request, Verdict refusal) {
    if (settings.isOn()) {
      metrics().undecided();
    }
    boolean isAccepted = !settings.isOn() || settings.onFailure() == OnFailure.OPEN;
    PluginRequests.deliver(request, isAccepted ? new Accepted() : refusal);
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
      boolean isOutdated = asking.isOutdated(); // without the lock, since it reads the disk
      List<PluginRequest> next = locked(() -> takeNext(asking, isOutdated));
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
    if (!isCurrent(asking) || isReplacing) {
      return List.of();
    }
    if (isOutdated) {
      LOG.info("The write policy plugin's file has changed");
      isReplacing = true;
      attention.run();
      return List.of();
    }
    return requests.send(System.nanoTime());
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
        attention.run();
      } else if (requests.canSend()) {
        sending.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void failed(PluginProcess failing, String reason) {
    runLocked(
        () -> {
          if (process == failing && failure.isEmpty()) {
            failure = Optional.of(reason);
            attention.run();
          }
        });
  }

  // ---- settings

  PluginSettings settings() {
    return locked(() -> settings);
  }

  /** Takes new settings. With another command, the process gets no more requests. */
  void change(PluginSettings changed) {
    runLocked(
        () -> {
          if (!changed.command().equals(settings.command())) {
            hasOtherCommand = true;
            isReplacing = true;
            isDown = false;
          }
          settings = changed;
          attention.run();
        });
  }

  /** Whether the command has changed since the last call. */
  boolean takeCommandChange() {
    return locked(
        () -> {
          boolean hasChanged = hasOtherCommand;
          hasOtherCommand = false;
          return hasChanged;
        });
  }

  // ---- the process

  /** Requests wait for a process that is being started; returns the settings to start it with. */
  PluginSettings beginStart() {
    return locked(
        () -> {
          isReplacing = false;
          isDown = false;
          return settings;
        });
  }

  /** The process to exchange with from now on. */
  void begin(PluginProcess started) {
    runLocked(
        () -> {
          process = started;
          failure = Optional.empty();
        });
  }

  /** Counts a start after the first one. */
  void countRestart() {
    runLocked(() -> metrics().restarted());
  }

  /** Whether the process is to be replaced and has answered what it was asked. */
  boolean isReadyForReplacement() {
    return locked(() -> isReplacing && requests.sent() == 0);
  }

  /** Why the process does not work, a predicate; nothing while it works. */
  Optional<String> failure(long now) {
    return locked(
        () -> {
          if (failure.isEmpty() && requests.isOverdue(now, settings.timeout())) {
            metrics().timedOut();
            failure =
                Optional.of("has not answered within " + settings.timeout().toMillis() + " ms");
          }
          return failure;
        });
  }

  /** Decides on the requests that have waited for as long as an answer may take. */
  void decideOnExpired(long now) {
    runLocked(
        () -> {
          for (PluginRequest request : requests.removeExpired(now, settings.timeout())) {
            decideWithoutPlugin(request, BUSY);
            LOG.warn(
                "The write policy plugin is too slow: an event has waited for its turn too long");
          }
        });
  }

  /** Decides on all requests without the plugin, unless it has answered them. */
  void decideOnAll() {
    runLocked(
        () -> {
          for (PluginRequest request : requests.removeAll()) {
            Verdict verdict = request.verdict();
            if (verdict == null) {
              decideWithoutPlugin(request, FAILED);
            } else {
              PluginRequests.deliver(request, verdict);
            }
          }
        });
  }

  /** There is no process from now on; requests wait for the next one. */
  void end() {
    runLocked(
        () -> {
          process = null;
          failure = Optional.empty();
          sending.signalAll(); // plugin-input ends, and closes the input of the process
        });
  }

  /**
   * The process has failed: decides on its requests, and on later ones if it is not started at
   * once.
   */
  void giveUp(boolean isStartedAtOnce) {
    runLocked(
        () -> {
          isDown = !isStartedAtOnce;
          decideOnAll();
          end();
        });
  }

  boolean isClosed() {
    return locked(() -> isClosed);
  }

  /** Requests without a verdict get none, and later ones are decided without the plugin. */
  void close() {
    runLocked(
        () -> {
          isClosed = true;
          attention.run();
        });
  }
}
