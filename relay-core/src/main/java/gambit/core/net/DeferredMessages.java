package gambit.core.net;

import io.netty.util.concurrent.EventExecutor;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Where more has been read than is handled yet, because it is the turn of others. Few connections
 * ever are: it takes much that was compressed. Each event loop sees to its own.
 */
final class DeferredMessages {
  /** From when something of what was read was left until all of that is handled. */
  static final class Rest {}

  private final Map<Rest, EventExecutor> rests = new ConcurrentHashMap<>();

  /** Something is left for a later turn. */
  Rest begin(EventExecutor loop) {
    Rest rest = new Rest();
    rests.put(rest, loop);
    return rest;
  }

  /** All of it is handled, or never will be. */
  void end(Rest rest) {
    rests.remove(rest);
  }

  /**
   * Runs something when all that is left on an event loop by now is handled; later rests do not
   * count. On that event loop.
   */
  void afterThose(EventExecutor loop, Runnable then) {
    Set<Rest> now =
        rests.entrySet().stream()
            .filter(it -> it.getValue() == loop)
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    await(loop, now, then);
  }

  private void await(EventExecutor loop, Set<Rest> left, Runnable then) {
    left.retainAll(rests.keySet());
    if (left.isEmpty()) {
      then.run();
    } else {
      loop.schedule(() -> await(loop, left, then), 0, TimeUnit.NANOSECONDS);
    }
  }
}
