package gambit.core.net;

import io.netty.util.concurrent.EventExecutor;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The channels with messages that were read and are deferred to a later turn of the event loop. A
 * fence waits for them ({@link #afterCurrent}). There are few: messages are deferred only where
 * much compressed input arrives at once. Thread-safe.
 */
final class DeferredMessages {
  /** One channel's deferred messages, from when they are deferred until all are handled. */
  static final class Deferral {}

  private final Map<Deferral, EventExecutor> deferrals = new ConcurrentHashMap<>();

  /** Registers a channel whose messages are deferred. */
  Deferral begin(EventExecutor loop) {
    Deferral deferral = new Deferral();
    deferrals.put(deferral, loop);
    return deferral;
  }

  /** Removes a deferral: all its messages are handled, or never will be. */
  void end(Deferral deferral) {
    deferrals.remove(deferral);
  }

  /**
   * Runs a task when all messages that are deferred on an event loop now are handled; later
   * deferrals do not count. On that event loop.
   */
  void afterCurrent(EventExecutor loop, Runnable task) {
    Set<Deferral> current =
        deferrals.entrySet().stream()
            .filter(it -> it.getValue() == loop)
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    await(loop, current, task);
  }

  private void await(EventExecutor loop, Set<Deferral> left, Runnable task) {
    left.retainAll(deferrals.keySet());
    if (left.isEmpty()) {
      task.run();
    } else {
      loop.schedule(() -> await(loop, left, task), 0, TimeUnit.NANOSECONDS);
    }
  }
}
